/// A value that a statement gets.
enum DatabaseValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case bytes([UInt8])

  init(integerLiteral number: Int64) { self = .integer(number) }
  init(stringLiteral text: String) { self = .text(text) }
  init(_ number: Int) { self = .integer(Int64(number)) }
  init(_ text: String) { self = .text(text) }
  init(_ key: SortKey) { self = .bytes(key.bytes) }
  init(_ isTrue: Bool) { self = .integer(isTrue ? 1 : 0) }
}
