import Numbers

/// All destinations of a stream as one text, such as `usb:1-2,headphones=-6` (gains in dB), or `none`.
public struct StreamRoute: Equatable, Sendable {
  public var entries: [Entry]

  /// One destination in the text.
  public struct Entry: Equatable, Sendable {
    public var port: PortID
    public var channels: ChannelSelection
    /// dB.
    public var gain: Double
  }

  /// Reads the text.
  /// - Throws: `SessionError` badValue if a part cannot be read, badParam if an output occurs twice, outOfRange if a gain is above
  ///   10 dB.
  public init(_ text: String) throws(SessionError) {
    entries = []
    guard text != "none" else { return }
    for part in text.filter({ $0 != " " }).split(separator: ",", omittingEmptySubsequences: false) {
      let entry = try Self.entry(part)
      guard !entries.contains(where: { $0.port == entry.port }) else {
        throw SessionError(.badParam, "\(entry.port) stands twice; a stream goes to each output at most once")
      }
      entries.append(entry)
    }
  }

  private static func entry(_ part: Substring) throws(SessionError) -> Entry {
    let sides = part.split(separator: "=", omittingEmptySubsequences: false)
    var gain = 0.0
    if sides.count == 2, let number = Double(sides[1]), number.isFinite {
      gain = number
    } else if sides.count == 2, sides[1] == "off" || sides[1] == "-inf" {
      gain = Decibels.floor
    } else if sides.count != 1 {
      throw SessionError(.badValue, "'\(part)' has no gain in dB behind its '=', such as usb:1-2=-6")
    }
    guard gain <= 10 else {
      throw SessionError(.outOfRange, "\(Decibels.text(gain)) is above the maximum of 10 dB")
    }
    let (port, channels) = try Self.destination(String(sides[0]))
    return Entry(port: port, channels: channels, gain: max(gain, Decibels.floor))
  }

  /// Reads `usb`, `usb:3`, `usb:1-2` or `usb:1:3+2:4`.
  /// - Throws: `SessionError` badValue.
  public static func destination(_ text: String) throws(SessionError) -> (PortID, ChannelSelection) {
    let colon = text.firstIndex(of: ":")
    guard let port = PortID(text[..<(colon ?? text.endIndex)]) else {
      throw SessionError(
        .badValue, "'\(text)' is not a destination; write a port's id, such as usb or usb:1-2")
    }
    guard let colon else { return (port, .default) }
    let rest = text[text.index(after: colon)...]
    if let range = ChannelSelection.range(rest) { return (port, .range(range)) }
    if let map = ChannelSelection(map: String(rest), separator: "+") { return (port, map) }
    throw SessionError(
      .badValue, "'\(rest)' is no channel, range or map; write usb:3, usb:1-2 or usb:1:3+2:4")
  }

  /// The text for a stream's destinations that are on. Outputs of `order` come first, in that order. For a gain that fades the text
  /// has the value at the end of the fade.
  public static func text(
    of destinations: Registry<PortID, Destination>, order: [PortID]
  ) -> String {
    let rest = destinations.keys.filter { !order.contains($0) }
    let parts = (order + rest).compactMap { port -> String? in
      guard let destination = destinations[port], destination.isOn else { return nil }
      let gain = destination.gain.target
      return "\(port)\(destination.channels.suffix)\(gain == 0 ? "" : "=\(Float(gain).shortText)")"
    }
    return parts.isEmpty ? "none" : parts.joined(separator: ",")
  }
}
