import Numbers
import OSC

/// The kind of value that a flag takes, and how to correct a text that is not such a value.
public enum FlagValue: Hashable, Sendable {
  /// A name for JACK: 1 to `limit` bytes, without colons and control characters.
  case name(String, limit: Int)
  /// A text for people of 1 to 256 bytes.
  case text(String)
  /// A path; the text is its placeholder in the help.
  case path(String)
  /// `HOST:PORT`, `tcp:HOST:PORT` or `unix:PATH`
  case endpoint
  /// `HOST:PORT` over TCP, `PORT`, or `off`, for a web server.
  case webPlace
  /// An endpoint, or the name of a router in the network.
  case router
  /// Seconds.
  case seconds(ClosedRange<Double>)
  case integer(String, ClosedRange<Int>)
  case choice(String, [String])
  /// `SESSION.STREAM=FILE`
  case sourceFile
  /// `OUTPUT=FILE`
  case sinkFile

  /// The word that stands for the value in the help.
  public var placeholder: String {
    switch self {
    case .name(let placeholder, _), .text(let placeholder), .path(let placeholder),
      .integer(let placeholder, _),
      .choice(let placeholder, _):
      placeholder
    case .endpoint: "HOST:PORT"
    case .router: "HOST:PORT|NAME"
    case .webPlace: "[HOST:]PORT"
    case .seconds: "N"
    case .sourceFile: "SESSION.STREAM=FILE"
    case .sinkFile: "OUTPUT=FILE"
    }
  }

  /// The correction of a wrong text, as the end of a sentence; nil if the text is a valid value.
  func correction(of text: String) -> String? {
    switch self {
    case .name(_, let limit):
      let isName =
        !text.isEmpty && text.utf8.count <= limit && !text.contains(":") && !text.contains("/")
        && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
      return isName ? nil : "a name has 1 to \(limit) bytes, no colon and no slash"
    case .text:
      let isText =
        !text.isEmpty && text.utf8.count <= 256
        && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
      return isText ? nil : "a text has 1 to 256 bytes in one line"
    case .path: return text.isEmpty ? "a path must not be empty" : nil
    case .endpoint: return Endpoint.correction(of: text)
    case .router: return RouterName.isOne(text) ? nil : Endpoint.correction(of: text)
    case .webPlace: return WebPlace.correction(of: text)
    case .seconds(let range):
      let isIn = PlainNumber.decimal(text).map(range.contains) ?? false
      return isIn ? nil : "write seconds from \(range.lowerBound.shortText) to \(range.upperBound.shortText)"
    case .integer(_, let range):
      let isIn = PlainNumber.integer(text).map(range.contains) ?? false
      return isIn ? nil : "write a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .choice(_, let names):
      return names.contains(text) ? nil : "write one of \(names.joined(separator: ", "))"
    case .sourceFile:
      let advice = "write \(placeholder), such as show.click=click.wav, or INPUT=FILE, such as mic=mic.wav"
      return SourceFile(text) == nil ? advice : nil
    case .sinkFile:
      let advice =
        "write \(placeholder), such as usb=usb.wav, or SESSION.capture=FILE, such as phone.capture=call.wav"
      return SinkFile(text) == nil ? advice : nil
    }
  }
}
