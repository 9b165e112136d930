/// Owns a ring: makes its memory, frees it, and lets a thread of the control side read or write it.
///
/// An engine keeps the stores of all rings in its plans until the audio thread has given these plans back.
///
/// Unchecked: at most one thread reads the ring and at most one writes it, and they share the atomics of `SampleRing`.
public final class RingStore: @unchecked Sendable {
  /// The ring, which exists as long as this object.
  public let ring: UnsafeMutablePointer<SampleRing>
  private let samples: UnsafeMutablePointer<Float>
  private let patches: UnsafeMutablePointer<Float>

  /// Makes an empty ring. The memory is written here, so that the audio thread never waits for the system to provide a page.
  /// - Parameters:
  ///   - channels: number of channels.
  ///   - frames: number of frames that the ring can hold at least; it is rounded up to a power of two.
  public init(channels: Int, frames: Int) {
    precondition(channels >= 0 && frames > 0, "a ring holds at least one frame")
    var capacity = 1
    while capacity < frames { capacity *= 2 }
    samples = Self.silence(SampleRing.sampleCount(channelCount: channels, capacity: capacity))
    patches = Self.silence(SampleRing.patchCount(channelCount: channels))
    ring = .allocate(capacity: 1)
    ring.initialize(
      to: SampleRing(channelCount: channels, capacity: capacity, samples: samples, patches: patches))
  }

  deinit {
    ring.deinitialize(count: 1)
    ring.deallocate()
    samples.deallocate()
    patches.deallocate()
  }

  private static func silence(_ count: Int) -> UnsafeMutablePointer<Float> {
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: max(1, count))
    memory.initialize(repeating: 0, count: max(1, count))
    return memory
  }

  // MARK: Any thread

  public var channelCount: Int { ring.pointee.channelCount }
  /// Number of frames that the ring can hold; a power of two.
  public var capacity: Int { ring.pointee.capacity }
  /// Frames that were written since the start.
  public var framesWritten: Int { ring.pointee.framesWritten() }
  /// Frames that were read since the start.
  public var framesRead: Int { ring.pointee.framesRead() }
  /// Frames that the reader wanted while the ring was empty, since the start: underruns.
  public var missing: Int { ring.pointee.missing() }
  /// Frames that the audio thread dropped because the ring was full, since the start: overruns.
  public var dropped: Int { ring.pointee.dropped() }

  // MARK: The control side's thread

  /// Writes the first frames of some samples, as many as there is room for. Only for the thread that writes the ring.
  ///
  /// Frames that do not fit do not count as dropped: the caller may write them later.
  /// - Parameter channels: one array for each channel, all of the same length.
  /// - Returns: the number of frames written.
  public func write(_ channels: [[Float]]) -> Int {
    precondition(channels.count == channelCount, "one array for each channel")
    let length = channels.first?.count ?? 0
    precondition(channels.allSatisfy { $0.count == length }, "arrays of the same length")
    var count = 0
    while true {
      let piece = min(length - count, ring.pointee.room(), SampleRing.longestPiece)
      guard piece > 0 else { return count }
      for (channel, samples) in channels.enumerated() {
        samples.withUnsafeBufferPointer { samples in
          guard let first = samples.baseAddress else { return }
          ring.pointee.write(channel: channel, from: first + count, frames: piece)
        }
      }
      ring.pointee.endWriting(frames: piece)
      count += piece
    }
  }

  /// Takes up to `limit` frames. Only for the thread that reads the ring.
  /// - Returns: one array for each channel.
  public func take(limit: Int = .max) -> [[Float]] {
    var result = Array(repeating: [Float](), count: channelCount)
    takePieces(limit: limit) { _, piece in
      for channel in result.indices {
        result[channel] += UnsafeBufferPointer(
          start: ring.pointee.readPointer(channel: channel), count: piece)
      }
    }
    return result
  }

  /// Takes up to `limit` frames as interleaved samples. Only for the thread that reads the ring.
  public func takeInterleaved(limit: Int = .max) -> [Float] {
    let (width, most) = (channelCount, max(0, min(limit, ring.pointee.available())))
    return [Float](unsafeUninitializedCapacity: most * width) { samples, size in
      takePieces(limit: most) { begin, piece in
        for channel in 0..<width {
          let input = ring.pointee.readPointer(channel: channel)
          for frame in 0..<piece { samples[(begin + frame) * width + channel] = input[frame] }
        }
      }
      size = most * width
    }
  }

  /// Takes up to `limit` frames that are there now, in pieces: `body` gets the number of frames before the piece and its length.
  private func takePieces(limit: Int, _ body: (_ begin: Int, _ frames: Int) -> Void) {
    let most = min(limit, ring.pointee.available())
    var count = 0
    while count < most {
      let piece = min(most - count, SampleRing.longestPiece)
      body(count, piece)
      ring.pointee.endReading(frames: piece)
      count += piece
    }
  }
}
