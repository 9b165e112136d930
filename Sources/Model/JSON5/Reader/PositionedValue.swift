import Numbers

/// A value of a JSON5 document, with its position.
public struct PositionedValue: Equatable, Sendable {
  public var kind: Kind
  /// The position of the value's first character.
  public var position: SourcePosition

  public init(_ kind: Kind, at position: SourcePosition) {
    (self.kind, self.position) = (kind, position)
  }

  /// The content of the value.
  public indirect enum Kind: Equatable, Sendable {
    /// Members in the file's order; each key is unique.
    case object([Member])
    case array([PositionedValue])
    case string(String)
    /// Always finite. An integer is written without point and exponent. Above 2^53 neighbouring integers
    /// share a value.
    case number(Double, isInteger: Bool)
    case bool(Bool)
    case null
    /// A part that the reader has already reported. Typed reading ignores it silently.
    case unreadable
  }

  /// A key and its value.
  public struct Member: Equatable, Sendable {
    public var key: String
    /// The position of the key's first character, including its quote.
    public var keyPosition: SourcePosition
    public var value: PositionedValue

    public init(key: String, keyPosition: SourcePosition, value: PositionedValue) {
      (self.key, self.keyPosition, self.value) = (key, keyPosition, value)
    }
  }
}

extension PositionedValue.Kind {
  /// The value in a few words for messages: `"loud" is text`, `this is an object`.
  public var summary: String {
    switch self {
    case .object: "this is an object"
    case .array: "this is a list"
    case .string(let text): "\(text.quoted) is text"
    case .number(let number, _): "\(number.shortText) is a number"
    case .bool(let bool): "\(bool) is a yes-or-no value"
    case .null: "null is not a value"
    case .unreadable: "this cannot be read"
    }
  }
}
