import SessionModel

extension SystemPort {
  /// The name without the numbers that servers add to what is there twice: `-01` to a client of jackd, PipeWire's numbers to a
  /// client or port of its own. A number that belongs to the name stays, as in `UA-25`.
  var plainName: String { plainClient + ":" + plainPort }

  /// The same of the client alone.
  var plainClient: String {
    let (stem, number) = Self.split(client)
    guard !number.isEmpty else { return String(client) }
    let isServers = (number.utf8.count == 2 && number.hasPrefix("0")) || node?.description == String(stem)
    return String(isServers ? stem : client)
  }

  private var plainPort: Substring {
    let port = name.dropFirst(client.count + 1)
    let (stem, number) = Self.split(port)
    return number == "\(serial)" ? stem : port
  }

  /// Whether a written name is this port's but for what may have been a server's numbers when it was written.
  func isNamed(_ text: String) -> Bool {
    guard let colon = text.firstIndex(of: ":") else { return false }
    let (writtenClient, writtenPort) = (text[..<colon], text[text.index(after: colon)...])
    let (stem, number) = Self.split(writtenClient)
    let isServers = node != nil || (number.utf8.count == 2 && number.hasPrefix("0"))
    let client = plainClient
    return (client == writtenClient || (isServers && client == stem))
      && (plainPort == writtenPort || plainPort == Self.split(writtenPort).stem)
  }

  /// A name that ends in a dash and digits, and the digits; all of it and nothing if it does not.
  private static func split(_ text: Substring) -> (stem: Substring, number: Substring) {
    let digits = text.utf8.reversed().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
    let stem = text.dropLast(digits)
    guard digits > 0, stem.utf8.count > 1, stem.hasSuffix("-") else { return (text, "") }
    return (stem.dropLast(), text.suffix(digits))
  }

  /// Whether it repeats what another port plays.
  var isMonitor: Bool { name.dropFirst(client.count + 1).hasPrefix("monitor") }

  /// Whether a device begins or ends there, rather than a program.
  func isDevice(_ direction: Direction) -> Bool {
    guard isInput == (direction == .output), !isMonitor else { return false }
    guard let node else { return isPhysical && isTerminal && origin != .awaited }
    // PipeWire marks both sides of a virtual microphone as physical.
    let wanted = direction == .output ? "Audio/Sink" : "Audio/Source"
    let kind = node.properties["media.class"] ?? ""
    return kind.hasPrefix(wanted) || kind.hasPrefix("Audio/Duplex")
  }
}
