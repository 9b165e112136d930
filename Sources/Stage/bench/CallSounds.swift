import Glibc
import StageKit

/// The sounds of a call, one second each, to be repeated.
enum CallSounds {
  /// What the far end says: noise with the spectrum of a voice in syllables, and a pause. The canceller adapts while it is loud and rests
  /// while it is not.
  static let far = speech(rate: 48_000)
  /// What the microphone picks up beside the loudspeaker: noise at -60 dBFS.
  static let near = noise(48_000).map { $0 * 0.001 }

  private static func speech(rate: Int) -> [Float] {
    let (syllables, spoken) = (4, 3)
    let length = rate / syllables
    var low: Float = 0
    return noise(rate).enumerated().map { frame, sample in
      // A low-pass at 500 Hz.
      low += 0.063 * (sample - low)
      guard frame < spoken * length else { return 0 }
      let envelope = sin(Double.pi * Double(frame % length) / Double(length))
      return low * Float(envelope * envelope)
    }
  }

  /// White noise from -1 to 1, the same each time.
  private static func noise(_ count: Int) -> [Float] {
    var state: UInt32 = 1
    return (0..<count).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return Float(state >> 8) / Float(1 << 23) - 1
    }
  }
}
