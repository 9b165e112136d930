internal import Synchronization

/// A queue of frames between two threads that never wait for each other: one thread writes, one thread reads.
///
/// The samples of each channel are together. The first frames of a channel are repeated after its last frame, so that every period is in
/// one piece of memory and the audio thread needs no copy. Either thread may be the audio thread; no function blocks, allocates or frees.
/// `RingStore` makes a ring and frees it.
public struct SampleRing: ~Copyable {
  /// The longest piece in frames that can be read or written at once: the longest period of a JACK server.
  public static var longestPiece: Int { @_noLocks get { 8_192 } }

  public let channelCount: Int
  /// Number of frames that the ring can hold; a power of two.
  public let capacity: Int
  /// Number of first frames that are repeated after the last one.
  private let tail: Int
  /// The samples of all channels; each channel has `capacity + tail` of them.
  private let samples: UnsafeMutablePointer<Float>
  /// Memory of the reader for pieces that the ring has only in part; each channel has `longestPiece` samples.
  private let patches: UnsafeMutablePointer<Float>
  /// Numbers of frames written and read since the start.
  private let written = Atomic<Int>(0)
  private let read = Atomic<Int>(0)
  private let missingFrames = Atomic<Int>(0)
  private let droppedFrames = Atomic<Int>(0)

  /// Uses memory of `sampleCount` and `patchCount` samples, which the caller frees after the ring. The capacity must be a power of two.
  package init(
    channelCount: Int, capacity: Int, samples: UnsafeMutablePointer<Float>,
    patches: UnsafeMutablePointer<Float>
  ) {
    (self.channelCount, self.capacity) = (channelCount, capacity)
    tail = Self.tail(capacity: capacity)
    (self.samples, self.patches) = (samples, patches)
  }

  /// Number of samples of a ring's memory.
  @_noLocks
  package static func sampleCount(channelCount: Int, capacity: Int) -> Int {
    channelCount &* (capacity &+ tail(capacity: capacity))
  }

  /// Number of samples of the reader's own memory.
  @_noLocks
  package static func patchCount(channelCount: Int) -> Int { channelCount &* longestPiece }

  @_noLocks
  private static func tail(capacity: Int) -> Int { min(capacity, longestPiece) }

  // MARK: Any thread

  /// Frames that were written since the start.
  @_noLocks
  public func framesWritten() -> Int { written.load(ordering: .acquiring) }

  /// Frames that were read since the start.
  @_noLocks
  public func framesRead() -> Int { read.load(ordering: .acquiring) }

  /// Frames that the reader wanted while the ring was empty, since the start: underruns.
  @_noLocks
  public func missing() -> Int { missingFrames.load(ordering: .relaxed) }

  /// Frames that the writer dropped because the ring was full, since the start: overruns.
  @_noLocks
  public func dropped() -> Int { droppedFrames.load(ordering: .relaxed) }

  // MARK: The thread that writes

  /// Number of frames that can be written now.
  @_noLocks
  public func room() -> Int {
    capacity &- (written.load(ordering: .relaxed) &- read.load(ordering: .acquiring))
  }

  /// Whether a period fits into the ring. If it does not, the whole period counts as dropped.
  ///
  /// A period of more than `longestPiece` frames never fits.
  @_noLocks
  public func beginWriting(frames: Int) -> Bool {
    if frames <= Self.longestPiece, frames <= room() { return true }
    droppedFrames.wrappingAdd(frames, ordering: .relaxed)
    return false
  }

  /// The memory for a channel's next frames: as many as there is room for, at most `longestPiece`.
  @_noLocks
  public func writePointer(channel: Int) -> UnsafeMutablePointer<Float> {
    start(of: channel) + place(written.load(ordering: .relaxed))
  }

  /// Copies samples to `writePointer` of a channel.
  @_noLocks
  public func write(channel: Int, from input: UnsafePointer<Float>, frames: Int) {
    Self.copy(input, to: writePointer(channel: channel), count: frames)
  }

  /// Writes silence to `writePointer` of a channel.
  @_noLocks
  public func writeSilence(channel: Int, frames: Int) {
    let place = writePointer(channel: channel)
    for frame in 0..<frames { place[frame] = 0 }
  }

  /// Gives the reader the frames that were written to `writePointer` of all channels.
  @_noLocks
  public func endWriting(frames: Int) {
    let count = written.load(ordering: .relaxed)
    let begin = place(count)
    let end = begin &+ frames
    // Every frame of the beginning is stored twice, wherever it was written.
    let repeated = min(end, tail) &- begin
    for channel in 0..<channelCount {
      let first = start(of: channel)
      if repeated > 0 { Self.copy(first + begin, to: first + (capacity &+ begin), count: repeated) }
      if end > capacity { Self.copy(first + capacity, to: first, count: end &- capacity) }
    }
    written.store(count &+ frames, ordering: .releasing)
  }

  // MARK: The thread that reads

  /// Number of frames that can be read now.
  @_noLocks
  public func available() -> Int {
    written.load(ordering: .acquiring) &- read.load(ordering: .relaxed)
  }

  /// Returns how many frames of a period are there, 0 to `frames`. The others count as missing.
  ///
  /// Of a period of more than `longestPiece` frames all are missing.
  @_noLocks
  public func beginReading(frames: Int) -> Int {
    let there = frames <= Self.longestPiece ? min(frames, available()) : 0
    if there < frames { missingFrames.wrappingAdd(frames &- there, ordering: .relaxed) }
    return there
  }

  /// A channel's next frames: as many as are available, at most `longestPiece`. They stay valid until `endReading`.
  @_noLocks
  public func readPointer(channel: Int) -> UnsafePointer<Float> {
    UnsafePointer(start(of: channel) + place(read.load(ordering: .relaxed)))
  }

  /// A copy of a channel's next `there` frames, with silence behind them up to `frames`. The copy stays valid until the next one.
  /// - Parameters:
  ///   - there: at most the number of available frames.
  ///   - frames: at most `longestPiece`.
  @_noLocks
  public func patch(channel: Int, there: Int, frames: Int) -> UnsafePointer<Float> {
    let patch = patches + channel &* Self.longestPiece
    Self.copy(readPointer(channel: channel), to: patch, count: there)
    for frame in there..<frames { patch[frame] = 0 }
    return UnsafePointer(patch)
  }

  /// Gives the writer the room of frames that were read.
  @_noLocks
  public func endReading(frames: Int) {
    read.store(read.load(ordering: .relaxed) &+ frames, ordering: .releasing)
  }

  // MARK: Memory

  @_noLocks
  private static func copy(
    _ samples: UnsafePointer<Float>, to place: UnsafeMutablePointer<Float>, count: Int
  ) {
    UnsafeMutableRawPointer(place).copyMemory(from: samples, byteCount: count &* MemoryLayout<Float>.size)
  }

  @_noLocks
  private func start(of channel: Int) -> UnsafeMutablePointer<Float> {
    samples + channel &* (capacity &+ tail)
  }

  /// The place of a frame in a channel, from the frame's number since the start.
  @_noLocks
  private func place(_ frame: Int) -> Int { frame & (capacity &- 1) }
}
