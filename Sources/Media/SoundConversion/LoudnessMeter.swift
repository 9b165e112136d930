import CEbur128
public import SystemCalls

/// Measures the loudness of a programme (EBU R 128, ITU-R BS.1770) and its greatest sample, with libebur128. The only file that calls the
/// library, which is loaded for the first meter. One thread at a time may use it.
public final class LoudnessMeter {
  private var state: UnsafeMutablePointer<ebur128_state>?
  private let channelCount: Int
  private let calls: mr_ebur128

  private static let library = DynamicLibrary.functions(
    mr_ebur128(), mr_ebur128_names(), of: .loudness)

  /// - Parameters:
  ///   - channels: 1 to 64.
  ///   - sampleRate: in Hz.
  /// - Throws: `Missing` if the library is not installed.
  public init(channels: Int, sampleRate: Int) throws(DynamicLibrary.Missing) {
    calls = try Self.library.get()
    let mode =
      EBUR128_MODE_I.rawValue | EBUR128_MODE_SAMPLE_PEAK.rawValue | EBUR128_MODE_HISTOGRAM.rawValue
    state = calls.ebur128_init(UInt32(channels), UInt(sampleRate), Int32(mode))
    channelCount = channels
    // One loudspeaker of two: as loud as the same sound on both, as broadcasters count mono files.
    if channels == 1 { _ = calls.ebur128_set_channel(state, 0, Int32(EBUR128_DUAL_MONO.rawValue)) }
  }

  deinit { calls.ebur128_destroy(&state) }

  /// Adds interleaved frames.
  public func add(_ samples: UnsafePointer<Float>, frames: Int) {
    _ = calls.ebur128_add_frames_float(state, samples, frames)
  }

  /// The integrated loudness so far in LUFS; nil while there is nothing but silence.
  public var loudness: Double? {
    var value = 0.0
    guard calls.ebur128_loudness_global(state, &value) == EBUR128_SUCCESS.rawValue, value.isFinite else {
      return nil
    }
    return value
  }

  /// The greatest absolute sample so far; full scale is 1.
  public var peak: Double {
    (0..<channelCount).reduce(0) { most, channel in
      var value = 0.0
      _ = calls.ebur128_sample_peak(state, UInt32(channel), &value)
      return max(most, value)
    }
  }
}
