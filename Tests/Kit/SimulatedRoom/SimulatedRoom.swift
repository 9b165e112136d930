/// A room with a loudspeaker and a microphone: what the microphone picks up of the loudspeaker.
///
/// The reverberation is sparse and decays by 60 dB in 0.35 s. It is the same each time.
public struct SimulatedRoom {
  /// One way of the sound from the loudspeaker to the microphone.
  private struct Reflection {
    var frames: Int
    var gain: Float
  }

  private let reflections: [Reflection]
  private let noise: Float
  /// The loudspeaker's last samples, as a circle whose length is a power of two.
  private var history: [Float]
  private var time = 0
  private var random = NoiseSource()

  /// - Parameters:
  ///   - rate: frames per second.
  ///   - delay: seconds of the direct sound.
  ///   - gain: dB by which the whole echo is louder than the loudspeaker's signal.
  ///   - noise: of the microphone, in dBFS.
  public init(rate: Int, delay: Double, gain: Double = -9.4, noise: Double = -65) {
    var random = NoiseSource(seed: 7)
    let (first, decay) = (Int(delay * Double(rate)), 0.35 * Double(rate))
    var ways = [Reflection(frames: first, gain: 1)]
    for _ in 0..<120 {
      let late = Double(random.next() * 0.5 + 0.5) * decay * 0.7
      let fallen = Self.amplitude(-60 * late / decay - 9)
      ways.append(Reflection(frames: first + 1 + Int(late), gain: fallen * (random.next() < 0 ? -1 : 1)))
    }
    let power = ways.reduce(Float(0)) { $0 + $1.gain * $1.gain }.squareRoot()
    reflections = ways.map { Reflection(frames: $0.frames, gain: $0.gain * Self.amplitude(gain) / power) }
    // Uniform noise has a third of the power of its peak.
    self.noise = Self.amplitude(noise) * Float(3).squareRoot()
    var length = 1
    while length <= reflections.map(\.frames).max() ?? 0 { length *= 2 }
    history = Array(repeating: 0, count: length)
  }

  /// What the microphone picks up while the loudspeaker plays some samples.
  public mutating func echo(of samples: [Float]) -> [Float] {
    let mask = history.count - 1
    return samples.map { sample in
      history[time & mask] = sample
      var sum = noise * random.next()
      history.withUnsafeBufferPointer { history in
        for way in reflections { sum += way.gain * history[(time &- way.frames) & mask] }
      }
      time += 1
      return sum
    }
  }

  private static func amplitude(_ decibels: Double) -> Float { Float(Decibels.amplitude(decibels)) }
}

/// White noise from -1 to 1, the same for the same seed.
public struct NoiseSource {
  private var state: UInt64

  public init(seed: UInt64 = 1) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  public mutating func next() -> Float {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Float(Int32(truncatingIfNeeded: state >> 32)) / Float(1 << 31)
  }
}
