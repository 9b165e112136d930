/// A value of a JSON5 document that knows where it was written.
public struct PositionedValue: Equatable, Sendable {
  public var kind: Kind
  /// The first character of the value.
  public var position: SourcePosition

  public init(_ kind: Kind, at position: SourcePosition) {
    (self.kind, self.position) = (kind, position)
  }

  /// What was written.
  public indirect enum Kind: Equatable, Sendable {
    /// Members in the order of the file, each key once.
    case object([Member])
    case array([PositionedValue])
    case string(String)
    /// Always finite. An integer was written without point and exponent; above 2^53 neighbouring integers share a value.
    case number(Double, isInteger: Bool)
    case bool(Bool)
    case null
    /// Something that the reader has already reported; typed reading passes over it in silence.
    case unreadable
  }

  /// A key and its value.
  public struct Member: Equatable, Sendable {
    public var key: String
    /// The first character of the key, its quote included.
    public var keyPosition: SourcePosition
    public var value: PositionedValue

    public init(key: String, keyPosition: SourcePosition, value: PositionedValue) {
      (self.key, self.keyPosition, self.value) = (key, keyPosition, value)
    }
  }
}

extension PositionedValue.Kind {
  /// The value in a few words, for messages: `"loud" is text`, `this is an object`.
  var summary: String {
    switch self {
    case .object: "this is an object"
    case .array: "this is a list"
    case .string(let text): "\(text.quoted) is text"
    case .number(let number, _): "\(number.plain) is a number"
    case .bool(let bool): "\(bool) is a yes-or-no value"
    case .null: "null is no value"
    case .unreadable: "this cannot be read"
    }
  }
}
