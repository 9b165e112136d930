/// A port of another client, as the server describes it.
public struct SystemPort: Hashable, Sendable {
  /// Full name, `client:port`.
  public var name: String
  /// Up to two alternative names.
  public var aliases: [String]
  /// Whether sound goes into the port; a playback port is an input.
  public var isInput: Bool
  public var isPhysical: Bool
  public var isTerminal: Bool
  /// The server's own number for the port. The server does not reuse it.
  public var uuid: UInt64
  /// The port's entry in the server's directory of devices.
  public var origin = Origin.unknown
  public init(
    name: String, aliases: [String] = [], isInput: Bool, isPhysical: Bool = false,
    isTerminal: Bool = false, uuid: UInt64 = 0
  ) {
    (self.name, self.aliases, self.isInput) = (name, aliases, isInput)
    (self.isPhysical, self.isTerminal, self.uuid) = (isPhysical, isTerminal, uuid)
  }

  /// The state of the look-up in the server's directory of devices.
  public enum Origin: Hashable, Sendable {
    /// The server has no directory of devices.
    case unknown
    /// The directory was asked and has not yet answered.
    case awaited
    /// The directory could not be read several times, or does not show the port yet. It is asked again, and the router no longer waits for it
    /// at the start.
    case overdue
    /// The server numbers its ports otherwise than its directory, so no port is found there.
    case absent
    case node(SystemNode)
  }

  /// The node that the port belongs to, if known.
  public var node: SystemNode? { if case .node(let node) = origin { node } else { nil } }

  /// Whether connections of the port that other programs make must stay for now: its program may be one that PipeWire's server of PulseAudio has
  /// not answered yet.
  public var mayBeUnanswered: Bool {
    switch origin {
    case .awaited: true
    case .node(let node): node.isUnanswered
    case .unknown, .overdue, .absent: false
    }
  }

  /// The port without the volume of its node, to compare ports as parts of devices: a mixer that is moved changes no device.
  public var withoutVolume: Self {
    guard case .node(var node) = origin else { return self }
    node.volume = nil
    var port = self
    port.origin = .node(node)
    return port
  }

  /// PipeWire's serial number of the port, from which its JACK library makes the UUID. Meaningless at other
  /// servers.
  public var serial: UInt64 { (uuid & 0xffff_ffff) &- 1 }

  /// The client's name: the part before the first colon.
  public var client: Substring { name.prefix { $0 != ":" } }
}
