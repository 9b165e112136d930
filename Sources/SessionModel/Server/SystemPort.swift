/// A port at the audio server that is not ours, as the server describes it.
public struct SystemPort: Hashable, Sendable {
  /// Full name, `client:port`.
  public var name: String
  /// Up to two other names.
  public var aliases: [String]
  /// Whether sound goes into it (a playback port is an input).
  public var isInput: Bool
  public var isPhysical: Bool
  public var isTerminal: Bool
  /// The server's own number for it, which no later port gets.
  public var uuid: UInt64
  /// What the server's directory of devices says of it.
  public var origin = Origin.unknown
  public init(
    name: String, aliases: [String] = [], isInput: Bool, isPhysical: Bool = false,
    isTerminal: Bool = false, uuid: UInt64 = 0
  ) {
    (self.name, self.aliases, self.isInput) = (name, aliases, isInput)
    (self.isPhysical, self.isTerminal, self.uuid) = (isPhysical, isTerminal, uuid)
  }

  /// What is known of where a port belongs.
  public enum Origin: Hashable, Sendable {
    /// The server has no directory of devices, or the port is not in it.
    case unknown
    /// The directory has been asked and has not answered yet.
    case awaited
    case node(SystemNode)
  }

  /// The node it belongs to, if that is known.
  public var node: SystemNode? { if case .node(let node) = origin { node } else { nil } }

  /// PipeWire's serial number of it, which its JACK library makes the UUID from; means nothing at other servers.
  public var serial: UInt64 { (uuid & 0xffff_ffff) &- 1 }

  /// The part before the first colon.
  public var client: Substring { name.prefix { $0 != ":" } }
}
