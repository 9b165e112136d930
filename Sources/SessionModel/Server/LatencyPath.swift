/// A way of sound through the router, for the latency that our ports declare.
public struct LatencyPath: Hashable, Sendable {
  /// The port of ours that the sound comes in by.
  public var source: PortHandle
  /// The port of ours that it leaves by.
  public var sink: PortHandle
  /// Frames that the router itself adds on this way, such as an output's delay.
  public var delay: Int
  public init(source: PortHandle, sink: PortHandle, delay: Int = 0) {
    (self.source, self.sink, self.delay) = (source, sink, delay)
  }
}
