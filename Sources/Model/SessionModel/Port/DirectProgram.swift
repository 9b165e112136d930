/// A program that plays at devices past the router and belongs to no session.
public struct DirectProgram: Equatable, Sendable {
  /// The program's client name at the audio server.
  public var client: String
  /// The full names of the devices' JACK ports.
  public var sinks: [String]
  public init(client: String, sinks: [String]) { (self.client, self.sinks) = (client, sinks) }
}
