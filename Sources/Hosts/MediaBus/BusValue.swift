/// A value in a message of the bus; only the types that MPRIS uses.
indirect enum BusValue: Equatable, Sendable {
  case bool(Bool)
  case double(Double)
  case int(Int64)
  case count(UInt32)
  case string(String)
  /// The path of an object.
  case path(String)
  case strings([String])
  case table([String: BusValue])
  /// A value that brings its type along.
  case variant(BusValue)
  /// A value of any other type. Only read, never sent.
  case other

  /// The value's type in the notation of D-Bus.
  var signature: String {
    switch self {
    case .bool: "b"
    case .double: "d"
    case .int: "x"
    case .count: "u"
    case .string: "s"
    case .path: "o"
    case .strings: "as"
    case .table: "a{sv}"
    case .variant: "v"
    case .other: "?"
    }
  }

  var text: String? {
    switch self {
    case .string(let text): text
    case .variant(let value): value.text
    default: nil
    }
  }
}
