public import JSON5

// How effects are written for the other program, and read.

/// A value that goes to the other program as JSON.
public protocol EffectMessage {
  var json: JSONValue { get }
  /// Reads what `json` wrote; nil for anything else.
  init?(_ value: PositionedValue)
}

extension EffectMessage {
  /// The message as a line, with its end.
  public var line: [UInt8] {
    guard case .object(let members) = json else { preconditionFailure("a message is an object") }
    return Array((JSONLine.text(members.map { ($0.key, $0.value) }) + "\n").utf8)
  }

  /// Reads a line of the other program.
  public init?(line: some StringProtocol) { self.init(bytes: Array(line.utf8)) }

  /// Reads a document of the other program.
  public init?(bytes: [UInt8]) {
    guard let value = JSON5Reader.read(bytes, file: "", sizeLimit: 64 << 20).value else { return nil }
    self.init(value)
  }
}

extension PositionedValue {
  subscript(key: String) -> PositionedValue? {
    guard case .object(let members) = kind else { return nil }
    return members.first { $0.key == key }?.value
  }

  var text: String? { if case .string(let text) = kind { text } else { nil } }
  var number: Double? { if case .number(let number, _) = kind { number } else { nil } }
  var flag: Bool? { if case .bool(let flag) = kind { flag } else { nil } }
  var whole: Int? { number.flatMap { Int(exactly: $0) } }
  var float: Float? { number.map { Float($0) } }

  /// The elements as messages; nil if one of them is none.
  func list<Element>(_ read: (PositionedValue) -> Element?) -> [Element]? {
    guard case .array(let elements) = kind else { return nil }
    let list = elements.compactMap(read)
    return list.count == elements.count ? list : nil
  }

  var floats: [String: Float]? {
    guard case .object(let members) = kind else { return nil }
    let pairs = members.compactMap { member in member.value.float.map { (member.key, $0) } }
    return pairs.count == members.count ? Dictionary(uniqueKeysWithValues: pairs) : nil
  }
}

extension JSONValue {
  static func number(_ float: Float) -> JSONValue { .number(Double(float)) }
  static func number(_ whole: Int) -> JSONValue { .number(Double(whole)) }
  static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
  static func strings(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
  static func floats(_ values: [String: Float]) -> JSONValue {
    .object(values.sorted { $0.key < $1.key }.map { Member($0.key, .number($0.value)) })
  }
}
