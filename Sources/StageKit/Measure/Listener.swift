import Glibc

/// Hears all inputs of a simulated client through a ring, from the moment it is made until it is stopped.
///
/// Belongs to the thread that owns the client, but for `take`, which one other thread may call instead.
public final class Listener {
  private let client: SimulatedClient
  let ring: UnsafeMutablePointer<SampleRing>
  private var isAttached = true

  /// Starts to listen at the next period.
  ///
  /// - Parameter frames: room for frames that are not yet taken; a freewheeling server fills it in no time.
  /// - Throws: `StageError.notPlugged`, `tooManyReaders`.
  public init(_ client: SimulatedClient, room frames: Int) throws(StageError) {
    self.client = client
    ring = .allocate(capacity: 1)
    ring.initialize(to: SampleRing(channelCount: client.layout.inputs.count, frames: frames))
    do throws(StageError) {
      try client.attach(ring)
    } catch {
      isAttached = false
      throw error
    }
  }

  deinit {
    stop()
    ring.deinitialize(count: 1)
    ring.deallocate()
  }

  /// Stops listening; frames that were heard can still be taken. Repeatable.
  public func stop() {
    guard isAttached else { return }
    isAttached = false
    client.detach(ring)
  }

  public var channelCount: Int { ring.pointee.channelCount }
  /// Frames lost because nobody took them in time; 0 means that no sample is missing.
  public var dropped: Int { ring.pointee.dropped }
  /// How often the server itself left out frames.
  public var jumps: Int { ring.pointee.jumps }
  /// The server's frame time at the first frame heard, nil before it.
  public var startTime: UInt32? { ring.pointee.startTime }

  /// Takes up to `limit` frames that were heard, samples of one frame side by side.
  public func take(limit: Int = 1 << 20) -> [Float] { ring.pointee.take(limit: limit) }

  /// Waits for `frames` frames and takes them, one array per channel.
  ///
  /// - Parameter stall: seconds without any new frame after which to give up.
  /// - Throws: `StageError.timeout`.
  public func hear(frames: Int, stall: Double = 5) throws(StageError) -> [[Float]] {
    var samples: [Float] = []
    samples.reserveCapacity(frames * channelCount)
    var idle = 0.0
    while samples.count < frames * channelCount {
      let more = take(limit: frames - samples.count / max(1, channelCount))
      samples += more
      idle = more.isEmpty ? idle + 0.001 : 0
      guard idle < stall else { throw .timeout("sound at \"\(client.name)\"") }
      // The audio thread wakes nobody, so the reader looks once a millisecond.
      if more.isEmpty { usleep(1_000) }
    }
    let count = channelCount
    return (0..<count).map { channel in (0..<frames).map { samples[$0 * count + channel] } }
  }
}
