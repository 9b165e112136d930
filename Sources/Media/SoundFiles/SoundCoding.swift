import CSndfile

/// How the samples of a recording are stored.
public struct SoundCoding: Hashable, Sendable {
  public enum Format: String, CaseIterable, Sendable {
    /// Whole numbers or floats without compression; becomes an RF64 file past 4 GiB.
    case wav
    /// Compressed without loss.
    case flac
    /// Opus in Ogg, compressed with loss.
    case opus

    /// The ending of file names.
    public var ending: String { self == .opus ? "opus" : rawValue }
  }

  /// How much work goes into a small file (flac), or how many bits go into a good sound (opus).
  public enum Quality: String, CaseIterable, Sendable {
    case min, low, medium, high, max

    /// The level of the flac encoder, 0 to 8.
    var flacLevel: Double { [.min: 0, .low: 2, .medium: 5, .high: 7, .max: 8][self] ?? 5 }
    /// Bits per second and channel.
    var opusRate: Double {
      [.min: 32_000, .low: 64_000, .medium: 96_000, .high: 128_000, .max: 250_000][self] ?? 96_000
    }
  }

  public var format: Format
  /// Bits of a sample: 16, 24, or for wav 32, which are floats; opus has none.
  public var bits: Int
  public var quality: Quality

  public init(_ format: Format, bits: Int = 24, quality: Quality = .medium) {
    (self.format, self.bits, self.quality) = (format, bits, quality)
  }

  /// Sample rates in Hz that Opus has; other formats have any.
  public static let opusRates = [8_000, 12_000, 16_000, 24_000, 48_000]

  /// What is wrong with this coding for a number of channels and a sample rate in Hz, as the reason in a sentence; nil if nothing is.
  public func problem(channels: Int, sampleRate: Int) -> String? {
    switch format {
    case .wav where ![16, 24, 32].contains(bits): "wav has 16, 24 or 32 bits, not \(bits)"
    case .flac where ![16, 24].contains(bits): "flac has 16 or 24 bits, not \(bits)"
    case .flac where channels > 8: "flac has at most 8 channels, not \(channels); wav has room for them"
    case .opus where !Self.opusRates.contains(sampleRate):
      "opus has a rate of \(Self.opusRates.map(String.init).joined(separator: ", ")) Hz, not \(sampleRate)"
    default: nil
    }
  }

  /// Bytes that a second of sound takes at most.
  public func bytesPerSecond(channels: Int, sampleRate: Int) -> Int {
    format == .opus ? Int(quality.opusRate) / 8 * channels : bits / 8 * channels * sampleRate
  }

  /// For libsndfile.
  func calls(channels: Int) -> SoundFileCalls.Coding {
    switch format {
    case .wav:
      let samples = [16: SF_FORMAT_PCM_16, 24: SF_FORMAT_PCM_24][bits] ?? SF_FORMAT_FLOAT
      return SoundFileCalls.Coding(kind: SF_FORMAT_RF64 | samples, isRF64: true)
    case .flac:
      let samples = bits == 16 ? SF_FORMAT_PCM_16 : SF_FORMAT_PCM_24
      return SoundFileCalls.Coding(kind: SF_FORMAT_FLAC | samples, compression: quality.flacLevel / 8)
    case .opus:
      // libsndfile makes 6,000 + (1 - level) x 250,000 x channels bits per second of the level.
      let level = 1 - (quality.opusRate * Double(channels) - 6_000) / (250_000 * Double(channels))
      return SoundFileCalls.Coding(
        kind: SF_FORMAT_OGG | SF_FORMAT_OPUS, compression: max(0, level), hasShortPages: true)
    }
  }
}

extension SoundFileFormat {
  /// For libsndfile.
  func calls(channels: Int) -> SoundFileCalls.Coding {
    switch self {
    // The extensible header, because programs such as sox complain about floats with the short header.
    case .wav: SoundFileCalls.Coding(kind: SF_FORMAT_WAVEX | SF_FORMAT_FLOAT)
    case .flac: SoundFileCalls.Coding(kind: SF_FORMAT_FLAC | SF_FORMAT_PCM_24)
    case .ogg: SoundFileCalls.Coding(kind: SF_FORMAT_OGG | SF_FORMAT_VORBIS)
    case .aiff: SoundFileCalls.Coding(kind: SF_FORMAT_AIFF | SF_FORMAT_FLOAT)
    case .opus: SoundCoding(.opus, quality: .high).calls(channels: channels)
    }
  }

  /// Why the format cannot have such a sound, as the reason in a sentence; nil if it can.
  func problem(channels: Int, sampleRate: Int) -> String? {
    switch self {
    case .flac: SoundCoding(.flac).problem(channels: channels, sampleRate: sampleRate)
    case .opus: SoundCoding(.opus).problem(channels: channels, sampleRate: sampleRate)
    case .wav, .ogg, .aiff: nil
    }
  }
}
