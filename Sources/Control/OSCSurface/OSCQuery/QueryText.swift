import JSON5
import OSC

extension OSCArgument {
  /// Appends the argument as JSON. Types without a value in JSON are `null`.
  func writeQueryText(to text: inout String) {
    switch self {
    case .int32(let number): text += "\(number)"
    case .int64(let number): text += "\(number)"
    case .float(let number): text += number.queryText
    case .double(let number): text += number.queryText
    case .string(let string), .symbol(let string): JSONValue.write(string, to: &text)
    case .character(let code): JSONValue.write(String(UnicodeScalar(code)), to: &text)
    case .boolean(let isOn): text += isOn ? "true" : "false"
    case .timetag, .blob, .midi, .colour, .null, .impulse: text += "null"
    }
  }
}

extension BinaryFloatingPoint where Self: CustomStringConvertible {
  /// The number as JSON, with a point also if it is whole: clients take a number without a point for an integer. JSON has no NaN and no infinity.
  var queryText: String {
    guard isFinite else { return "null" }
    let text = description
    guard !text.contains(".") else { return text }
    guard let exponent = text.firstIndex(of: "e") else { return "\(text).0" }
    return "\(text[..<exponent]).0\(text[exponent...])"
  }
}
