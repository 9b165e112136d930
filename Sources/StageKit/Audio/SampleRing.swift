import Synchronization

/// A queue of frames from the audio thread to one reader, without waiting on either side; it counts what it had to drop.
struct SampleRing: ~Copyable {
  let channelCount: Int
  private let samples: UnsafeMutablePointer<Float>
  private let mask: Int
  private let written = Atomic<Int>(0)
  private let taken = Atomic<Int>(0)
  private let dropCount = Atomic<Int>(0)
  private let jumpCount = Atomic<Int>(0)
  private let firstTime = Atomic<Int>(-1)
  /// Used by the audio thread only.
  private var expectedTime: UInt32 = 0

  /// Makes room for at least `frames` frames; the memory is touched here, so that the audio thread meets no page fault.
  init(channelCount: Int, frames: Int) {
    var capacity = 1
    while capacity < frames { capacity *= 2 }
    self.channelCount = channelCount
    mask = capacity - 1
    samples = .allocate(capacity: max(1, capacity * channelCount))
    samples.initialize(repeating: 0, count: max(1, capacity * channelCount))
  }

  deinit { samples.deallocate() }

  /// Notes a period before its channels are written; false if there is no room, and then the period is lost.
  @_noLocks mutating func begin(time: UInt32, frames: Int) -> Bool {
    if firstTime.load(ordering: .relaxed) < 0 {
      firstTime.store(Int(time), ordering: .relaxed)
    } else if time != expectedTime {
      jumpCount.add(1, ordering: .relaxed)
    }
    expectedTime = time &+ UInt32(truncatingIfNeeded: frames)
    let waiting = written.load(ordering: .relaxed) - taken.load(ordering: .acquiring)
    guard frames <= mask + 1 - waiting else {
      dropCount.add(frames, ordering: .relaxed)
      return false
    }
    return true
  }

  /// Writes one channel of the period that `begin` noted.
  @_noLocks func write(channel: Int, from input: UnsafeMutablePointer<Float>, frames: Int) {
    let start = written.load(ordering: .relaxed)
    for index in 0..<frames { samples[((start + index) & mask) * channelCount + channel] = input[index] }
  }

  /// Hands the period to the reader.
  @_noLocks func end(frames: Int) { written.add(frames, ordering: .releasing) }

  /// Takes up to `limit` frames, interleaved; the reader's thread only.
  func take(limit: Int) -> [Float] {
    let start = taken.load(ordering: .relaxed)
    let count = min(limit, written.load(ordering: .acquiring) - start)
    guard count > 0 else { return [] }
    let result = [Float](unsafeUninitializedCapacity: count * channelCount) { buffer, size in
      for index in 0..<count {
        for channel in 0..<channelCount {
          buffer[index * channelCount + channel] =
            samples[((start + index) & mask) * channelCount + channel]
        }
      }
      size = count * channelCount
    }
    taken.add(count, ordering: .releasing)
    return result
  }

  /// Frames that wait for the reader.
  var waiting: Int { written.load(ordering: .acquiring) - taken.load(ordering: .relaxed) }
  /// Frames lost because the reader was too slow.
  var dropped: Int { dropCount.load(ordering: .relaxed) }
  /// How often the server's frame time jumped between two periods: frames that the server itself lost.
  var jumps: Int { jumpCount.load(ordering: .relaxed) }
  /// The server's time of the first frame, nil before it came.
  var startTime: UInt32? {
    let time = firstTime.load(ordering: .relaxed)
    return time < 0 ? nil : UInt32(truncatingIfNeeded: time)
  }
}
