/// The wanted state of our part of the server's graph. Each request is complete, so the newest one replaces
/// all older ones.
public struct GraphRequest: Equatable, Sendable {
  /// A port of ours.
  public struct Port: Equatable, Sendable {
    /// Its name after our client name and the colon.
    public var name: String
    /// The name shown to people.
    public var prettyName: String
    /// Whether sound enters the router through it.
    public var isSource: Bool
    public init(name: String, prettyName: String, isSource: Bool) {
      (self.name, self.prettyName, self.isSource) = (name, prettyName, isSource)
    }
  }

  /// A wanted period of the server.
  public struct Period: Equatable, Sendable {
    public var frames: Int
    /// A number that is higher for each new wanted period. The graph thread requests a period once, even if many requests repeat it.
    public var ticket: Int
    public init(frames: Int, ticket: Int) { (self.frames, self.ticket) = (frames, ticket) }
  }

  /// All ports of ours, in the order of their registration. Ports of ours that are not listed are removed.
  public var ports: [Port] = []
  /// Ports of programs that hang, by full name. All their connections are removed, before anything else.
  public var stuck: [String] = []
  /// Connections to remove, before any are made.
  public var disconnections: [Link] = []
  /// Connections to make. All others stay as they are.
  public var connections: [Link] = []
  /// The number of the first request that asked for a connection. The graph thread asks the server once, even if many requests repeat it
  /// before they see the outcome. A connection without a number is asked for by each request.
  public var firstRequests: [Link: Int] = [:]
  /// The ports to which connections are given back. If another program has connected such a port to something else than the router, that program
  /// has decided anew, and the port gets nothing back.
  public var returned: Set<String> = []
  /// The paths of sound through the router, whose latencies are declared to the server.
  public var paths: Set<LatencyPath> = []
  public var period: Period?
  /// Other clients' ports whose connections the report shall contain, besides our own ports.
  public var observed: Set<String> = []
  /// Other clients' ports whose latencies the report shall contain, besides the ports of all devices.
  public var measured: Set<String> = []
  public init() {}
}
