/// The latencies a client declares: per port, either a value of its own or what its paths make of other ports' latencies.
public struct JackLatencyMap: Sendable {
  /// A way through the client, from the port whose latency is read to the port whose latency is set.
  public struct Path: Sendable {
    public var from: JackPort
    /// Frames that the client adds on this way.
    public var extra: Int
    public init(from: JackPort, extra: Int) { (self.from, self.extra) = (from, extra) }
  }

  /// What one port is given: the smallest and largest of its paths, or `fixed` if it has none.
  public struct Rule: Sendable {
    public var port: JackPort
    public var fixed: Int
    public var paths: [Path]
    public init(port: JackPort, fixed: Int = 0, paths: [Path] = []) {
      (self.port, self.fixed, self.paths) = (port, fixed, paths)
    }
  }

  /// Rules for the client's output ports, in the capture direction.
  public var capture: [Rule]
  /// Rules for the client's input ports, in the playback direction.
  public var playback: [Rule]

  public init(capture: [Rule] = [], playback: [Rule] = []) {
    (self.capture, self.playback) = (capture, playback)
  }
}
