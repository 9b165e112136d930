import ServerInterface
import SessionModel

extension SystemPort {
  /// The full name without the numbers that servers add if a name exists twice: jackd adds `-01` to a client, and PipeWire adds its
  /// own numbers to clients and ports. A number that belongs to the name stays, as in `UA-25`.
  var plainName: String { plainClient + ":" + plainPort }

  /// The client's name without such a number.
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

  /// Whether a name in a preset is this port's. Numbers that a server may have added when the name was written do not count.
  func isNamed(_ text: String) -> Bool {
    guard let colon = text.firstIndex(of: ":") else { return false }
    let (writtenClient, writtenPort) = (text[..<colon], text[text.index(after: colon)...])
    let (stem, number) = Self.split(writtenClient)
    let isServers = node != nil || (number.utf8.count == 2 && number.hasPrefix("0"))
    let client = plainClient
    return (client == writtenClient || (isServers && client == stem))
      && (plainPort == writtenPort || plainPort == Self.split(writtenPort).stem)
  }

  /// Splits a name that ends in a dash and digits into stem and digits; any other name is all stem.
  private static func split(_ text: Substring) -> (stem: Substring, number: Substring) {
    let digits = text.utf8.reversed().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
    let stem = text.dropLast(digits)
    guard digits > 0, stem.utf8.count > 1, stem.hasSuffix("-") else { return (text, "") }
    return (stem.dropLast(), text.suffix(digits))
  }

  /// Whether the port is a monitor, which repeats the sound of an output.
  var isMonitor: Bool { PortGlob.isMonitor(name) }

  /// Whether the port belongs to a device, or to one that the server has not described yet.
  var mayBeDevice: Bool {
    isDevice(.output) || isDevice(.input) || (node == nil && isPhysical && isTerminal)
  }

  /// Whether the port belongs to a device, not to a program. A direction of `output` means a port that a device plays.
  func isDevice(_ direction: Direction) -> Bool {
    guard isInput == (direction == .output), !isMonitor else { return false }
    guard let node else {
      return isPhysical && isTerminal && origin != .awaited && origin != .overdue
    }
    // PipeWire marks both sides of a virtual microphone as physical.
    let wanted = direction == .output ? "Audio/Sink" : "Audio/Source"
    let kind = node.properties["media.class"] ?? ""
    return kind.hasPrefix(wanted) || kind.hasPrefix("Audio/Duplex")
  }
}
