package import Rings

/// A ring that sources of a structure read, or that sinks of it write.
package struct RingUse: BitwiseCopyable {
  package var ring: UnsafeMutablePointer<SampleRing>
  /// Whether sources read the ring; otherwise sinks write it.
  package var isSource: Bool
  /// The channels of the mix that the ring's channels are. A sink's ring has an entry for each of its channels.
  package var lines: UnsafeMutablePointer<RingLine>
  package var lineCount: Int
  /// Frames of the present period that are read or written; 0 if the ring is empty or full.
  package var frames = 0

  package init(
    ring: UnsafeMutablePointer<SampleRing>, isSource: Bool, lines: UnsafeMutablePointer<RingLine>,
    lineCount: Int
  ) {
    (self.ring, self.isSource) = (ring, isSource)
    (self.lines, self.lineCount) = (lines, lineCount)
  }
}

/// A channel of the mix that is a channel of a ring.
package struct RingLine: BitwiseCopyable {
  /// Index of the source or sink; -1 for a channel of a sink's ring that no sink writes.
  package var index: Int
  /// The ring's channel.
  package var channel: Int

  package init(index: Int, channel: Int) { (self.index, self.channel) = (index, channel) }
}
