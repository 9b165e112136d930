public import SoundFiles

/// The endless sound of one output channel of a simulated client. It begins when the client is plugged in.
public enum Signal: Sendable, Equatable {
  case silence
  /// A sine that begins at phase 0: its frequency in Hz and the level of its peak in dBFS.
  case sine(frequency: Double, level: Double)
  /// A counter: sample n is ((start + n) mod 2^24) / 2^24. Every value is exact, so a lost or repeated frame is visible.
  case ramp(start: Int)
  /// A single sample of full scale at frame 0 and after every `every` frames.
  case impulse(every: Int)
  /// Samples that are repeated without a gap.
  case loop([Float])

  /// One looped signal for each channel of a sound. A mono sound is used for all channels; channels that the sound lacks are silent.
  public static func channels(of sound: SoundFile, count: Int) -> [Signal] {
    guard !sound.channels.isEmpty, sound.frames > 0 else { return Array(repeating: .silence, count: count) }
    return (0..<count).map { index in
      if sound.channels.count == 1 { return .loop(sound.channels[0]) }
      return index < sound.channels.count ? .loop(sound.channels[index]) : .silence
    }
  }

  /// One counter for each channel. Each begins at another value, so that swapped channels are visible, too.
  public static func ramps(count: Int) -> [Signal] { (0..<count).map { .ramp(start: $0 << 20) } }
}
