public import MixKernel

/// The latencies that a client declares. Each port has a fixed value, or follows from other ports through its
/// paths.
public struct JackLatencyMap: Sendable {
  /// A path through the client, from the port whose latency is read to the port whose latency is set.
  public struct Path: Sendable {
    public var from: PortHandle
    /// Frames that the client adds on this path.
    public var extra: Int
    public init(from: PortHandle, extra: Int) { (self.from, self.extra) = (from, extra) }
  }

  /// The latency of one port: the smallest and largest of its paths, or `fixed` if it has none.
  public struct Rule: Sendable {
    public var port: PortHandle
    public var fixed: Int
    public var paths: [Path]
    public init(port: PortHandle, fixed: Int = 0, paths: [Path] = []) {
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
