import Numbers

/// A value to write as JSON. Its objects keep the order of their members.
public indirect enum JSONValue: Equatable, Sendable {
  case object([Member])
  case array([JSONValue])
  case string(String)
  /// Must be finite.
  case number(Double)
  case bool(Bool)
  case null

  /// A key and its value.
  public struct Member: Equatable, Sendable {
    public var key: String
    public var value: JSONValue
    public init(_ key: String, _ value: JSONValue) { (self.key, self.value) = (key, value) }
  }
}

extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral,
  ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral
{
  public init(dictionaryLiteral members: (String, JSONValue)...) {
    self = .object(members.map { Member($0.0, $0.1) })
  }
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  public init(stringLiteral text: String) { self = .string(text) }
  public init(integerLiteral number: Int) { self = .number(Double(number)) }
  public init(floatLiteral number: Double) { self = .number(number) }
  public init(booleanLiteral bool: Bool) { self = .bool(bool) }
}

// MARK: Writing

extension JSONValue {
  /// The value as JSON for people: two spaces for each level, lists of simple values in one line, a line
  /// break at the end.
  public var text: String {
    var text = ""
    write(to: &text, indentation: "")
    return text + "\n"
  }

  private func write(to text: inout String, indentation: String) {
    switch self {
    case .object(let members):
      Self.write(members, between: "{", "}", to: &text, indentation: indentation, inLine: false) {
        (member, text, inner) in
        Self.write(member.key, to: &text)
        text += ": "
        member.value.write(to: &text, indentation: inner)
      }
    case .array(let elements):
      let inLine = elements.allSatisfy(\.isSimple)
      Self.write(elements, between: "[", "]", to: &text, indentation: indentation, inLine: inLine) {
        $0.write(to: &$1, indentation: $2)
      }
    case .string(let string): Self.write(string, to: &text)
    case .number(let number):
      precondition(number.isFinite, "JSON has no number that is not finite")
      text += number.shortText
    case .bool(let bool): text += "\(bool)"
    case .null: text += "null"
    }
  }

  private var isSimple: Bool {
    switch self {
    case .object, .array: false
    default: true
    }
  }

  private static func write<Item>(
    _ items: [Item], between opening: String, _ closing: String, to text: inout String, indentation: String,
    inLine: Bool, item: (Item, inout String, String) -> Void
  ) {
    guard !items.isEmpty else {
      text += opening + closing
      return
    }
    let inner = inLine ? indentation : indentation + "  "
    text += opening
    for (index, element) in items.enumerated() {
      if index > 0 { text += inLine ? ", " : "," }
      if !inLine { text += "\n" + inner }
      item(element, &text, inner)
    }
    if !inLine { text += "\n" + indentation }
    text += closing
  }

  /// Appends a text with its quotes to JSON.
  public static func write(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case "\0"..<" ", "\u{7F}", "\u{2028}", "\u{2029}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
