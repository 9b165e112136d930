internal import Rings
internal import Synchronization

/// Owns a tap of a recorder or of meters: makes its memory, frees it, and is the way of the thread that reads it.
///
/// A plan keeps the store until the audio thread has given the plan back. While a plan has it, the audio thread calls `tap`.
///
/// Unchecked: the audio thread alone calls `tap`; one thread at a time calls `makeRing`; all else are atomics.
public final class RecorderTapStore: @unchecked Sendable {
  /// The audio thread's side, which exists as long as this object.
  public let tap: UnsafeMutablePointer<RecorderTap>
  private let share: UnsafeMutablePointer<TapHandover>
  private let marks: UnsafeMutablePointer<TapMark>
  private var store: RingStore?

  public init(channels: Int) {
    precondition(channels > 0, "a recorder has at least one channel")
    marks = .allocate(capacity: TapHandover.room)
    marks.initialize(repeating: TapMark(.end, place: 0, number: 0), count: TapHandover.room)
    share = .allocate(capacity: 1)
    share.initialize(to: TapHandover(marks: marks))
    tap = .allocate(capacity: 1)
    tap.initialize(to: RecorderTap(channelCount: channels, share: share))
  }

  deinit {
    tap.deinitialize(count: 1)
    tap.deallocate()
    share.deinitialize(count: 1)
    share.deallocate()
    marks.deallocate()
  }

  // MARK: Any thread

  public var channelCount: Int { tap.pointee.channelCount }
  /// Frames of recordings that were left out because the disk was too slow.
  public var lost: Int { share.pointee.lost.load(ordering: .relaxed) }
  /// The serial of the last order that took effect.
  package var obeyed: Int { share.pointee.obeyed.load(ordering: .acquiring) }
  /// Frames that wait for the writer thread.
  package var waiting: Int { share.pointee.ring.load(ordering: .acquiring)?.pointee.available() ?? 0 }

  // MARK: The control side, before an order reaches a plan

  /// Makes the ring, if there is none. It stays until the store goes: the audio thread may be about to use it. One thread at a time.
  package func makeRing(frames: Int) {
    guard store == nil else { return }
    let made = RingStore(channels: channelCount, frames: frames)
    store = made
    share.pointee.ring.store(made.ring, ordering: .releasing)
  }

  // MARK: The writer thread

  /// Frames that were taken from the ring since the start.
  package var taken: Int { share.pointee.ring.load(ordering: .acquiring)?.pointee.framesRead() ?? 0 }

  /// The oldest mark that was not taken yet.
  package var mark: TapMark? { share.pointee.first() }

  package func popMark() { share.pointee.pop() }

  /// Takes up to `limit` frames, at most 8,192, interleaved. Returns their number.
  package func take(into samples: UnsafeMutablePointer<Float>, limit: Int) -> Int {
    guard let ring = share.pointee.ring.load(ordering: .acquiring) else { return 0 }
    let (width, count) = (channelCount, min(limit, ring.pointee.available(), SampleRing.longestPiece))
    guard count > 0 else { return 0 }
    for channel in 0..<width {
      let input = ring.pointee.readPointer(channel: channel)
      for frame in 0..<count { samples[frame * width + channel] = input[frame] }
    }
    ring.pointee.endReading(frames: count)
    return count
  }
}
