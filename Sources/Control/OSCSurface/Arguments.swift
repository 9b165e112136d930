import OSC
import Parameters
import Patterns
import SessionModel

/// The arguments of a message, read as the kind of a leaf requires (docs/develop/law/osc.md#2-leaf-kinds).
struct Arguments {
  /// The arguments as sent.
  let sent: [OSCArgument]
  /// The arguments without those of types `r`, `m` and `b`, which some surfaces add and every leaf ignores.
  let all: [OSCArgument]

  init(_ arguments: [OSCArgument]) {
    sent = arguments
    all = arguments.filter { !$0.isSkipped }
  }

  var first: OSCArgument? { all.first }
  var isEmpty: Bool { all.isEmpty }

  /// The arguments after the first `count` that are not ignored.
  func behind(_ count: Int) -> [OSCArgument] {
    var left = count
    return Array(
      sent.drop { argument in
        guard left > 0 else { return false }
        if !argument.isSkipped { left -= 1 }
        return true
      })
  }

  /// Whether a trigger fires. It fires without an argument, and with any argument but the release of a button (below 0.5 or false).
  /// - Throws: `SessionError` badType, or badValue for NaN and infinities.
  func fires() throws(SessionError) -> Bool {
    switch first {
    case nil, .null, .impulse: return true
    case .boolean(let isOn): return isOn
    case let argument?:
      guard argument.number != nil else {
        throw SessionError(
          .badType, "type \(argument.typeTag) does not press a button; send nothing, a number, T, F, I or N")
      }
      return try number() >= 0.5
    }
  }

  /// Reads the number at an index.
  /// - Throws: `SessionError` badType, or badValue for NaN, infinities and text that is not a number.
  func number(at index: Int = 0) throws(SessionError) -> Double {
    guard all.indices.contains(index) else {
      throw SessionError(.badValue, "argument \(index + 1) is missing; expected a number")
    }
    let number: Double
    switch all[index] {
    case .boolean(let isOn): number = isOn ? 1 : 0
    case .string(let text), .symbol(let text):
      guard let value = Double(text) else { throw SessionError(.badValue, "'\(text)' is not a number") }
      number = value
    case let argument:
      guard let value = argument.number else {
        throw SessionError(
          .badType, "type \(argument.typeTag) is not a number; send i, f, h, d, T, F or a numeric s")
      }
      number = value
    }
    guard number.isFinite else { throw SessionError(.badValue, "\(number) is not a finite number") }
    return number
  }

  /// The first number as the nearest 32-bit integer, 0 if there is none.
  var integer: Int32 {
    let number = (try? number()) ?? 0
    return Int32(min(max(number.rounded(), Double(Int32.min)), Double(Int32.max)))
  }

  /// Reads a level in dB: a number, `off` or `-inf`.
  /// - Throws: as `number(at:)`.
  func decibels() throws(SessionError) -> Double {
    if let text = first?.text, ["off", "-inf"].contains(text.lowercased()) { return Decibels.floor }
    return try number()
  }

  /// Reads a switch.
  /// - Throws: `SessionError` badType or badValue.
  func flag(at index: Int = 0) throws(SessionError) -> Bool {
    guard all.indices.contains(index) else {
      throw SessionError(.badValue, "argument \(index + 1) is missing; expected on or off")
    }
    if let text = all[index].text {
      switch text.lowercased() {
      case "true", "on", "1": return true
      case "false", "off", "0": return false
      default:
        // Some programs send a number as text, such as `1.0`.
        guard let number = Double(text), number == 0 || number == 1 else {
          throw SessionError(
            .badValue, "'\(text)' is neither on nor off; send 0, 1, T, F, on, off, true or false")
        }
        return number == 1
      }
    }
    return try number(at: index) >= 0.5
  }

  /// Reads a text of at most 256 bytes without control characters.
  /// - Throws: `SessionError` badType or badValue.
  func text(at index: Int = 0) throws(SessionError) -> String {
    guard all.indices.contains(index) else {
      throw SessionError(.badValue, "argument \(index + 1) is missing; expected a text")
    }
    guard let text = all[index].text else {
      throw SessionError(.badType, "type \(all[index].typeTag) is not a text; send s")
    }
    guard text.utf8.count <= 256 else {
      throw SessionError(.badValue, "the text has \(text.utf8.count) bytes; at most 256 are allowed")
    }
    guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      throw SessionError(.badValue, "the text has control characters")
    }
    guard !text.unicodeScalars.contains("\u{FFFD}") else {
      throw SessionError(.badValue, "the text is not UTF-8")
    }
    return text
  }

  /// Reads an id.
  /// - Throws: `SessionError` badType or badValue.
  func id<Subject>(at index: Int = 0, of subject: Subject.Type = Subject.self) throws(SessionError)
    -> Identifier<Subject>
  {
    let name = try text(at: index)
    guard !AddressPattern.isPattern(name) else {
      throw SessionError(.noWildcard, "'\(name)' is a pattern; a command takes one id")
    }
    guard let id = Identifier<Subject>(name) else {
      throw SessionError(
        .badValue,
        "'\(name)' is not a valid id; ids have up to 32 lower-case letters, digits, - and _, and begin with a letter or digit"
      )
    }
    return id
  }
}

extension OSCArgument {
  /// The value of an argument of any numeric type; nil for other types.
  var number: Double? {
    switch self {
    case .int32(let value): Double(value)
    case .int64(let value): Double(value)
    case .float(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }

  /// The text of a string or symbol; nil for other types.
  var text: String? {
    switch self {
    case .string(let text), .symbol(let text): text
    default: nil
    }
  }

  /// The argument as a value of an action; nil for types that every leaf ignores, and for those without a value.
  var value: Value? {
    switch self {
    case .int32(let number): .integer(Int(number))
    case .int64(let number): .integer(Int(number))
    case .float(let number): .number(Double(number))
    case .double(let number): .number(number)
    case .boolean(let isOn): .flag(isOn)
    case .string(let text), .symbol(let text): .text(text)
    default: nil
    }
  }

  /// The argument as a switch; nil if it is not one.
  var flag: Bool? { try? Arguments([self]).flag() }

  /// Whether the argument has a type that every leaf ignores.
  fileprivate var isSkipped: Bool {
    switch self {
    case .blob, .midi, .colour: true
    default: false
    }
  }
}

extension Value {
  /// The value as the arguments of an answer.
  var arguments: [OSCArgument] {
    switch self {
    case .number(let value): [.float(Float(value))]
    case .integer(let value): [.int32(Int32(clamping: value))]
    case .flag(let isOn): [.int32(isOn ? 1 : 0)]
    case .text(let text): [.string(text)]
    case .texts(let texts): texts.isEmpty ? [.string("none")] : texts.map(OSCArgument.string)
    case .numbers(let values): values.map(OSCArgument.float)
    }
  }
}
