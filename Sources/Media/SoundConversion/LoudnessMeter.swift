import CEbur128

/// Measures the loudness of a programme (EBU R 128, ITU-R BS.1770) and its greatest sample, with libebur128. The only file that calls the
/// library. One thread at a time may use it.
public final class LoudnessMeter {
  private var state: UnsafeMutablePointer<ebur128_state>?
  private let channelCount: Int

  /// - Parameters:
  ///   - channels: 1 to 64.
  ///   - sampleRate: in Hz.
  public init(channels: Int, sampleRate: Int) {
    let mode =
      EBUR128_MODE_I.rawValue | EBUR128_MODE_SAMPLE_PEAK.rawValue | EBUR128_MODE_HISTOGRAM.rawValue
    state = ebur128_init(UInt32(channels), UInt(sampleRate), Int32(mode))
    channelCount = channels
    // One loudspeaker of two: as loud as the same sound on both, as broadcasters count mono files.
    if channels == 1 { _ = ebur128_set_channel(state, 0, Int32(EBUR128_DUAL_MONO.rawValue)) }
  }

  deinit { ebur128_destroy(&state) }

  /// Adds interleaved frames.
  public func add(_ samples: UnsafePointer<Float>, frames: Int) {
    _ = ebur128_add_frames_float(state, samples, frames)
  }

  /// The integrated loudness so far in LUFS; nil while there is nothing but silence.
  public var loudness: Double? {
    var value = 0.0
    guard ebur128_loudness_global(state, &value) == EBUR128_SUCCESS.rawValue, value.isFinite else {
      return nil
    }
    return value
  }

  /// The greatest absolute sample so far; full scale is 1.
  public var peak: Double {
    (0..<channelCount).reduce(0) { most, channel in
      var value = 0.0
      _ = ebur128_sample_peak(state, UInt32(channel), &value)
      return max(most, value)
    }
  }
}
