public import SessionModel

/// The devices and programs at an audio server, from which a new preset is made.
public struct Equipment: Sendable {
  /// The devices that play, in the order of the server. Each lists the names of its JACK ports, channel by channel.
  public var outputs: [Port]
  /// The devices that give sound.
  public var inputs: [Port]
  public var programs: [Source]

  public init(outputs: [Port] = [], inputs: [Port] = [], programs: [Source] = []) {
    (self.outputs, self.inputs, self.programs) = (outputs, inputs, programs)
  }

  /// A program that gives sound.
  public struct Source: Equatable, Sendable {
    /// The name of its JACK client.
    public var client: String
    /// The full names of the ports that its sound comes from, channel by channel.
    public var ports: [String]
    /// Ports of devices that it is connected to.
    public var devices: [String] = []
    /// Ports of other programs that it is connected to.
    public var programs: [String] = []
    /// Ports of devices whose sound reaches it, directly or through other programs.
    public var microphones: [String] = []

    public init(_ client: String, ports: [String]) { (self.client, self.ports) = (client, ports) }
  }
}
