import OSC
import Parameters
import SessionModel

/// What a message says to a leaf: its arguments as the leaf's kind understands them (osc contract, section 1).
struct Arguments {
  /// Without what surfaces may send along: `r m b` are skipped.
  let all: [OSCArgument]

  init(_ arguments: [OSCArgument]) {
    all = arguments.filter {
      switch $0 {
      case .blob, .midi, .colour: false
      default: true
      }
    }
  }

  var first: OSCArgument? { all.first }
  var isEmpty: Bool { all.isEmpty }

  /// Whether a trigger fires: without argument, or with one that is no button's release.
  var fires: Bool {
    switch first {
    case nil, .null, .impulse: true
    case .boolean(let isOn): isOn
    case .string(let text), .symbol(let text): Double(text).map { $0 >= 0.5 } ?? true
    case .some(let argument): argument.number.map { $0 >= 0.5 } ?? true
    }
  }

  /// The number at a place.
  /// - Throws: `SessionError` badType, or badValue for NaN, infinities and text that is no number.
  func number(at index: Int = 0) throws(SessionError) -> Double {
    guard all.indices.contains(index) else {
      throw SessionError(.badValue, "argument \(index + 1) is missing; a number belongs there")
    }
    let number: Double
    switch all[index] {
    case .boolean(let isOn): number = isOn ? 1 : 0
    case .string(let text), .symbol(let text):
      guard let value = Double(text) else { throw SessionError(.badValue, "'\(text)' is no number") }
      number = value
    case let argument:
      guard let value = argument.number else {
        throw SessionError(
          .badType, "type \(argument.typeTag) is no number; send i, f, h, d, T, F or a numeric s")
      }
      number = value
    }
    guard number.isFinite else { throw SessionError(.badValue, "\(number) is no number to set anything to") }
    return number
  }

  /// A level in dB: a number, `off` or `-inf`.
  /// - Throws: as `number(at:)`.
  func decibels() throws(SessionError) -> Double {
    if let text = first?.text, ["off", "-inf"].contains(text.lowercased()) { return Decibels.floor }
    return try number()
  }

  /// A switch.
  /// - Throws: `SessionError` badType or badValue.
  func flag(at index: Int = 0) throws(SessionError) -> Bool {
    guard all.indices.contains(index) else {
      throw SessionError(.badValue, "argument \(index + 1) is missing; a switch belongs there")
    }
    if let text = all[index].text {
      switch text.lowercased() {
      case "true", "on", "1": return true
      case "false", "off", "0": return false
      default: throw SessionError(.badValue, "'\(text)' is neither on nor off")
      }
    }
    return try number(at: index) >= 0.5
  }

  /// A text of at most 256 bytes without control characters.
  /// - Throws: `SessionError` badType or badValue.
  func text(at index: Int = 0) throws(SessionError) -> String {
    guard all.indices.contains(index) else {
      throw SessionError(.badValue, "argument \(index + 1) is missing; a text belongs there")
    }
    guard let text = all[index].text else {
      throw SessionError(.badType, "type \(all[index].typeTag) is no text; send s")
    }
    guard text.utf8.count <= 256 else {
      throw SessionError(.badValue, "the text has \(text.utf8.count) bytes; 256 are the most")
    }
    guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      throw SessionError(.badValue, "the text has control characters")
    }
    guard !text.unicodeScalars.contains("\u{FFFD}") else {
      throw SessionError(.badValue, "the text is not UTF-8")
    }
    return text
  }

  /// An id.
  /// - Throws: `SessionError` badType or badValue.
  func id<Subject>(at index: Int = 0, of subject: Subject.Type = Subject.self) throws(SessionError)
    -> Identifier<Subject>
  {
    let name = try text(at: index)
    guard let id = Identifier<Subject>(name) else {
      throw SessionError(
        .badValue,
        "'\(name)' is no id; ids are up to 32 lower-case letters, digits, - and _, and begin with a letter or digit"
      )
    }
    return id
  }
}

extension OSCArgument {
  /// Numbers of all types.
  fileprivate var number: Double? {
    switch self {
    case .int32(let value): Double(value)
    case .int64(let value): Double(value)
    case .float(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }

  /// Texts of both types.
  var text: String? {
    switch self {
    case .string(let text), .symbol(let text): text
    default: nil
    }
  }

  /// As a plain value, for further arguments of a set.
  var value: Value? {
    switch self {
    case .boolean(let isOn): .flag(isOn)
    case .string(let text), .symbol(let text): .text(text)
    default: number.map(Value.number)
    }
  }
}

extension Value {
  /// As the arguments of an answer.
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
