internal import Rings
internal import Synchronization

/// Owns the voice processing of a capture as the audio thread has it: makes its memory, frees it, and is the worker's way to it.
///
/// A plan keeps the store until the audio thread has given the plan back. While a plan has it, the audio thread calls `node`.
///
/// Unchecked: the audio thread alone calls `node`; one worker thread alone calls `process`; all else are atomics.
public final class VoiceNodeStore: @unchecked Sendable {
  /// The audio thread's side, which exists as long as this object.
  public let node: UnsafeMutablePointer<VoiceNode>
  public let timing: VoiceTiming
  private let (input, output): (RingStore, RingStore)
  private let share: UnsafeMutablePointer<VoiceShare>
  private let memory: VoiceMemory
  /// The loudspeakers' channels of a block as one.
  private let far: UnsafeMutablePointer<Float>

  /// - Parameter loudspeakers: number of loudspeakers' channels.
  public init(_ timing: VoiceTiming, loudspeakers: Int) {
    self.timing = timing
    // The worker may be 0.2 s late before frames are lost.
    let frames = 2 * timing.transport + 20 * timing.block
    input = RingStore(channels: 1 + loudspeakers, frames: frames)
    output = RingStore(channels: 1, frames: frames)
    memory = VoiceMemory(latency: timing.latency, loudspeakers: loudspeakers)
    share = .allocate(capacity: 1)
    share.initialize(to: VoiceShare())
    far = .allocate(capacity: timing.block)
    far.initialize(repeating: 0, count: timing.block)
    node = .allocate(capacity: 1)
    node.initialize(
      to: VoiceNode(timing: timing, input: input.ring, output: output.ring, share: share, memory: memory))
  }

  deinit {
    node.deinitialize(count: 1)
    node.deallocate()
    share.deinitialize(count: 1)
    share.deallocate()
    far.deallocate()
    memory.free()
  }

  // MARK: Any thread

  public var loudspeakers: Int { input.channelCount - 1 }
  /// Frames for which the worker was late, since the start.
  public var late: Int { share.pointee.late.load(ordering: .relaxed) }

  /// Whether silence takes the place of the unprocessed microphone while the loudspeakers are loud.
  public func setGated(_ isGated: Bool) { share.pointee.isGated.store(isGated, ordering: .relaxed) }

  /// Says that the worker is about to end: a freewheeling audio thread no longer waits for it.
  public func abandon() { share.pointee.isAbandoned.store(true, ordering: .releasing) }

  // MARK: The worker thread

  /// Frames that the audio thread has written, since the start.
  public var written: Int { input.ring.pointee.framesWritten() }
  /// Frames that wait for the worker.
  public var waiting: Int { input.ring.pointee.available() }
  /// Whether the audio thread waits for the worker, so that frames come as soon as the worker is ready.
  public var isAwaited: Bool { share.pointee.isAwaited.load(ordering: .relaxed) }

  /// Processes all blocks of 10 ms that are there.
  ///
  /// - Parameter body: gets a block of the microphone and of the mean of all loudspeakers' channels, and writes the processed block.
  public func process(
    _ body: (
      _ near: UnsafePointer<Float>, _ far: UnsafePointer<Float>, _ out: UnsafeMutablePointer<Float>
    ) -> Void
  ) {
    let block = timing.block
    while input.ring.pointee.available() >= block, output.ring.pointee.room() >= block {
      mixLoudspeakers()
      body(input.ring.pointee.readPointer(channel: 0), far, output.ring.pointee.writePointer(channel: 0))
      output.ring.pointee.endWriting(frames: block)
      input.ring.pointee.endReading(frames: block)
    }
  }

  /// The canceller knows one loudspeaker. Its level does not matter, so the mean keeps the sum within full scale.
  private func mixLoudspeakers() {
    guard loudspeakers > 0 else { return }
    let share = 1 / Float(loudspeakers)
    far.update(repeating: 0, count: timing.block)
    for channel in 1...loudspeakers {
      let samples = input.ring.pointee.readPointer(channel: channel)
      for frame in 0..<timing.block { far[frame] += share * samples[frame] }
    }
  }
}
