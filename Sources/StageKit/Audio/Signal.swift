public import Media

/// What one output channel of a simulated client plays, from the moment it is plugged in, for ever.
public enum Signal: Sendable, Equatable {
  case silence
  /// A sine starting at phase 0; frequency in Hz, level of its peak in dBFS.
  case sine(frequency: Double, level: Double)
  /// A counter: sample n is ((start + n) mod 2^24) / 2^24, every value exact, so that a lost or doubled frame shows.
  case ramp(start: Int)
  /// A single sample of full scale at frame 0 and every `every` frames after it.
  case impulse(every: Int)
  /// Samples repeated without a gap.
  case loop([Float])

  /// One looped signal per channel of a sound; a mono sound serves every channel asked for.
  public static func channels(of sound: SoundFile, count: Int) -> [Signal] {
    guard !sound.channels.isEmpty, sound.frames > 0 else { return Array(repeating: .silence, count: count) }
    return (0..<count).map { index in
      if sound.channels.count == 1 { return .loop(sound.channels[0]) }
      return index < sound.channels.count ? .loop(sound.channels[index]) : .silence
    }
  }

  /// A counter per channel, each from a start of its own, so that swapped channels show too.
  public static func ramps(count: Int) -> [Signal] { (0..<count).map { .ramp(start: $0 << 20) } }
}
