import Rings
import SystemCalls

/// Records all inputs of a simulated client through a ring, from its creation until `stop()`.
///
/// Only the thread that owns the client may use it; but one other thread may call `take` instead.
public final class Listener {
  private let client: SimulatedClient
  private let ring: RingStore
  private let tap: UnsafeMutablePointer<ListenerTap>
  private var isAttached = true

  /// Starts to listen at the next period.
  ///
  /// - Parameter frames: number of frames that the ring can hold. A freewheeling server fills it very fast.
  /// - Throws: `StageError.notPlugged`, `tooManyReaders`.
  public init(_ client: SimulatedClient, room frames: Int) throws(StageError) {
    self.client = client
    ring = RingStore(channels: client.layout.inputs.count, frames: frames)
    tap = .allocate(capacity: 1)
    tap.initialize(to: ListenerTap(ring.ring))
    do throws(StageError) {
      try client.attach(tap)
    } catch {
      isAttached = false
      throw error
    }
  }

  deinit {
    stop()
    tap.deinitialize(count: 1)
    tap.deallocate()
  }

  /// Stops listening. Frames in the ring can still be taken. Calling it again has no effect.
  public func stop() {
    guard isAttached else { return }
    isAttached = false
    client.detach(tap)
  }

  public var channelCount: Int { ring.channelCount }
  /// Number of frames lost because the ring was full; 0 means that no sample is missing.
  public var dropped: Int { ring.dropped }
  /// How often the server itself left out frames.
  public var jumps: Int { tap.pointee.jumpLog.count }
  /// Where the server left out frames, for the first 16,384 times.
  public var clockJumps: [ClockJump] { tap.pointee.jumpLog.jumps }
  /// The server's frame time at the first frame heard, nil before it.
  public var startTime: UInt32? { tap.pointee.startTime }

  /// Takes up to `limit` frames from the ring, as interleaved samples.
  public func take(limit: Int = 1 << 20) -> [Float] { ring.takeInterleaved(limit: limit) }

  /// Waits for `frames` frames and takes them, as one array for each channel.
  ///
  /// - Parameter stall: seconds without a new frame after which the function throws.
  /// - Throws: `StageError.timeout`.
  public func hear(frames: Int, stall: Double = Stage.patience) throws(StageError) -> [[Float]] {
    var samples: [Float] = []
    samples.reserveCapacity(frames * channelCount)
    var idle = 0.0
    while samples.count < frames * channelCount {
      let more = take(limit: frames - samples.count / max(1, channelCount))
      samples += more
      idle = more.isEmpty ? idle + 0.001 : 0
      guard idle < stall else { throw .timeout("sound at \"\(client.name)\"") }
      // The audio thread cannot wake a reader, so this thread looks once a millisecond.
      if more.isEmpty { System.sleep(seconds: 0.001) }
    }
    let count = channelCount
    return (0..<count).map { channel in (0..<frames).map { samples[$0 * count + channel] } }
  }
}
