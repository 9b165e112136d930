/// The constant times of the voice processing of a capture, in frames.
public struct VoiceTiming: BitwiseCopyable, Sendable {
  /// Length of the blocks that the library processes: 10 ms.
  public let block: Int
  /// Frames between the microphone and the worker's samples for it, so that a block is ready when the audio thread wants it.
  public let transport: Int
  /// Frames by which the library delays the microphone.
  public let algorithm: Int
  /// Length of the fade in which the capture begins.
  public let entry: Int
  /// Length of a fade between the processed and the unprocessed microphone.
  public let change: Int

  /// The whole latency.
  public var latency: Int { @_noLocks get { transport &+ algorithm } }

  package init(block: Int, transport: Int, algorithm: Int, entry: Int, change: Int) {
    (self.block, self.transport, self.algorithm) = (block, transport, algorithm)
    (self.entry, self.change) = (entry, change)
  }
}
