import Synchronization

/// A room in which the microphones of one device hear the loudspeakers of another one, later and with reverberation.
///
/// The reverberation is sparse, decays by 60 dB in 0.35 s, and is the same each time. The loudspeakers' device calls `play`, the microphones'
/// device `add`, each once a period; no call blocks or allocates. Times are the server's frame times.
public struct EchoRoom: ~Copyable {
  /// Number of ways from the loudspeakers to the microphones: 1 for a cable.
  private let wayCount: Int

  /// Frames and gain of each way.
  private let delays: UnsafeMutablePointer<Int>
  private let gains: UnsafeMutablePointer<Float>
  /// The sum of the loudspeakers, as a circle.
  private let history: UnsafeMutablePointer<Float>
  private let capacity: Int
  /// The time up to which the loudspeakers have played.
  private let end = Atomic<UInt32>(0)

  /// - Parameters:
  ///   - delay: frames of the direct sound; at least a period.
  ///   - gain: amplitude of the whole echo.
  ///   - rate: frames per second.
  ///   - isReverberant: false for a cable, which has the direct sound alone.
  public init(delay: Int, gain: Float, rate: Int, isReverberant: Bool = true) {
    wayCount = isReverberant ? 120 : 1
    delays = .allocate(capacity: wayCount)
    gains = .allocate(capacity: wayCount)
    var state: UInt32 = 7
    func random() -> Float {
      state = state &* 1_664_525 &+ 1_013_904_223
      return Float(state >> 8) / Float(1 << 24)
    }
    var power: Float = 0
    for index in 0..<wayCount {
      let late = index == 0 ? 0 : random() * 0.25
      // Amplitudes halve every 0.035 s: 60 dB in 0.35 s.
      var amplitude: Float = index == 0 ? 1 : 0.35
      for _ in 0..<Int(late / 0.035) { amplitude /= 2 }
      (delays + index).initialize(to: delay + Int(late * Float(rate)))
      (gains + index).initialize(to: random() < 0.5 ? -amplitude : amplitude)
      power += amplitude * amplitude
    }
    for index in 0..<wayCount { gains[index] *= gain / power.squareRoot() }
    var capacity = 1
    while capacity < delay + rate / 2 + 8_192 { capacity *= 2 }
    self.capacity = capacity
    history = .allocate(capacity: capacity)
    history.initialize(repeating: 0, count: capacity)
  }

  deinit {
    delays.deallocate()
    gains.deallocate()
    history.deallocate()
  }

  /// Adds a channel of the loudspeakers to what is heard.
  ///
  /// - Parameter isFirst: whether it is the first one of the period.
  @_noLocks public func play(_ samples: UnsafePointer<Float>, frames: Int, at time: UInt32, isFirst: Bool) {
    for frame in 0..<frames {
      let place = (Int(time) &+ frame) & (capacity &- 1)
      history[place] = isFirst ? samples[frame] : history[place] + samples[frame]
    }
    end.store(time &+ UInt32(truncatingIfNeeded: frames), ordering: .releasing)
  }

  /// Adds what a microphone hears.
  @_noLocks public func add(to samples: UnsafeMutablePointer<Float>, frames: Int, at time: UInt32) {
    let end = end.load(ordering: .acquiring)
    for way in 0..<wayCount {
      let (delay, gain) = (delays[way], gains[way])
      for frame in 0..<frames {
        let heard = time &+ UInt32(truncatingIfNeeded: frame) &- UInt32(truncatingIfNeeded: delay)
        // What was not played, because the loudspeakers are gone, is silent.
        guard Int32(bitPattern: end &- heard) > 0 else { continue }
        samples[frame] += gain * history[Int(heard) & (capacity &- 1)]
      }
    }
  }
}

/// Owns a room. The clients in it keep it.
final class Room {
  let space: UnsafeMutablePointer<EchoRoom>

  /// - Parameters:
  ///   - delay: frames of the direct sound; at least a period.
  ///   - gain: amplitude of the whole echo.
  ///   - rate: frames per second.
  init(delay: Int, gain: Float, rate: Int, isReverberant: Bool) {
    space = .allocate(capacity: 1)
    space.initialize(to: EchoRoom(delay: delay, gain: gain, rate: rate, isReverberant: isReverberant))
  }

  deinit {
    space.deinitialize(count: 1)
    space.deallocate()
  }
}
