/// A kind of meter that an output may ask for, beside the peak that every output has.
public enum OutputMeter: String, CaseIterable, Sendable {
  /// A peak programme meter of type IIa (IEC 60268-10).
  case ppm
  /// The power of the last 0.3 s.
  case rms
  /// Loudness by EBU R 128.
  case loudness
  /// The peak between the samples (ITU-R BS.1770).
  case truePeak
  /// How alike the two channels are.
  case correlation

  /// Whether it measures whole programmes, and therefore goes on while nobody looks.
  public var isOfProgramme: Bool { self == .loudness || self == .truePeak }

  /// The numbers of channels that it can measure; nil for all up to `mostChannels`. BS.1770 has weights for 1, 2, 5 and 6.
  public var widths: [Int]? {
    switch self {
    case .correlation: [2]
    case .loudness: [1, 2, 5, 6]
    case .ppm, .rms, .truePeak: nil
    }
  }

  /// The channels that it can measure at most; nil for any number. libebur128, which measures true peaks, takes 64.
  public var mostChannels: Int? { self == .truePeak ? 64 : nil }

  /// Whether it can measure an output of so many channels.
  public func measures(channels: Int) -> Bool {
    widths?.contains(channels) ?? (1...(mostChannels ?? .max)).contains(channels)
  }

  /// What it shows, in the order of the reference.
  public var values: [MeterValue] { MeterValue.allCases.filter { $0.meter == self } }
}

/// A value that an output's meters show; its name is the end of its address below `/meter/output/<o>`.
public enum MeterValue: String, CaseIterable, Sendable {
  case ppm, rms, truePeak
  case highestTruePeak = "truePeakMax"
  case momentary = "loudness/momentary"
  case shortTerm = "loudness/short"
  case integrated = "loudness/integrated"
  case correlation

  /// The meter that shows it.
  public var meter: OutputMeter {
    switch self {
    case .ppm: .ppm
    case .rms: .rms
    case .truePeak, .highestTruePeak: .truePeak
    case .momentary, .shortTerm, .integrated: .loudness
    case .correlation: .correlation
    }
  }

  /// Whether there is a value for each channel.
  public var isPerChannel: Bool { meter != .loudness && meter != .correlation }

  /// Whether a client gets the highest value since its last message; otherwise it gets the newest.
  public var isHeld: Bool { isPerChannel }

  /// The value of silence: -160 in dBFS, dBTP or LUFS.
  public var silence: Float { self == .correlation ? 0 : -160 }
}

extension [OutputMeter] {
  /// Each meter once.
  public var unique: [OutputMeter] {
    var seen: Set<OutputMeter> = []
    return filter { seen.insert($0).inserted }
  }
}
