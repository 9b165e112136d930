public import MixKernel

/// A path of sound through the router. Our ports declare their latencies from these paths.
public struct LatencyPath: Hashable, Sendable {
  /// The port of ours through which the sound enters.
  public var source: PortHandle
  /// The port of ours through which it leaves.
  public var sink: PortHandle
  /// Frames that the router adds on this path, such as an output's delay.
  public var delay: Int
  public init(source: PortHandle, sink: PortHandle, delay: Int = 0) {
    (self.source, self.sink, self.delay) = (source, sink, delay)
  }
}
