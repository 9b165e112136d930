import CEbur128
public import SystemCalls

/// Measures the loudness of a programme (EBU R 128, ITU-R BS.1770) and its peaks, with libebur128. The only file that calls the library, which is
/// loaded for the first meter. One thread at a time may use it.
public final class LoudnessMeter {
  /// Nil if the library takes no such channels or rate; then there is only silence.
  private var state: UnsafeMutablePointer<ebur128_state>?
  private let channelCount: Int
  private let calls: mr_ebur128

  private static let library = DynamicLibrary.functions(
    mr_ebur128(), mr_ebur128_names(), of: .loudness)

  /// What a meter measures. Each costs time.
  public struct Measures: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// `momentary` and `shortTerm`.
    public static let live = Measures(rawValue: 1)
    public static let integrated = Measures(rawValue: 2)
    public static let samplePeak = Measures(rawValue: 4)
    public static let truePeak = Measures(rawValue: 8)

    fileprivate var mode: UInt32 {
      var mode: UInt32 = 0
      if contains(.live) { mode |= EBUR128_MODE_S.rawValue }
      if contains(.integrated) { mode |= EBUR128_MODE_I.rawValue | EBUR128_MODE_HISTOGRAM.rawValue }
      if contains(.samplePeak) { mode |= EBUR128_MODE_SAMPLE_PEAK.rawValue }
      if contains(.truePeak) { mode |= EBUR128_MODE_TRUE_PEAK.rawValue }
      return mode
    }
  }

  /// - Parameters:
  ///   - channels: 1 to 64. Loudness counts 5 channels as L R C Ls Rs, and 6 as L R C LFE Ls Rs.
  ///   - sampleRate: in Hz.
  ///   - measures: what is asked later; all else has no meaning.
  /// - Throws: `Missing` if the library is not installed.
  public init(
    channels: Int, sampleRate: Int, measures: Measures = [.integrated, .samplePeak]
  ) throws(DynamicLibrary.Missing) {
    calls = try Self.library.get()
    state = calls.ebur128_init(UInt32(channels), UInt(sampleRate), Int32(measures.mode))
    channelCount = channels
    // One loudspeaker of two: as loud as the same sound on both, as broadcasters count mono files.
    if channels == 1, let state { _ = calls.ebur128_set_channel(state, 0, Int32(EBUR128_DUAL_MONO.rawValue)) }
  }

  deinit { if state != nil { calls.ebur128_destroy(&state) } }

  /// Adds interleaved frames.
  public func add(_ samples: UnsafePointer<Float>, frames: Int) {
    if let state { _ = calls.ebur128_add_frames_float(state, samples, frames) }
  }

  // MARK: Loudness

  /// The integrated loudness so far in LUFS; nil while there is nothing but silence.
  public var loudness: Double? { loudness(calls.ebur128_loudness_global) }

  /// The loudness of the last 0.4 s in LUFS; nil for silence.
  public var momentary: Double? { loudness(calls.ebur128_loudness_momentary) }

  /// The loudness of the last 3 s in LUFS; nil for silence.
  public var shortTerm: Double? { loudness(calls.ebur128_loudness_shortterm) }

  private func loudness(
    _ call: (UnsafeMutablePointer<ebur128_state>?, UnsafeMutablePointer<Double>?) -> Int32
  ) -> Double? {
    var value = 0.0
    guard let state, call(state, &value) == EBUR128_SUCCESS.rawValue, value.isFinite else { return nil }
    return value
  }

  // MARK: Peaks; full scale is 1

  /// The greatest absolute sample so far.
  public var peak: Double {
    (0..<channelCount).reduce(0) { max($0, peak($1, calls.ebur128_sample_peak)) }
  }

  /// The true peak of a channel so far.
  public func truePeak(ofChannel channel: Int) -> Double { peak(channel, calls.ebur128_true_peak) }

  /// The true peak of a channel in the frames that were added last.
  public func lastTruePeak(ofChannel channel: Int) -> Double { peak(channel, calls.ebur128_prev_true_peak) }

  private func peak(
    _ channel: Int,
    _ call: (UnsafeMutablePointer<ebur128_state>?, UInt32, UnsafeMutablePointer<Double>?) -> Int32
  ) -> Double {
    var value = 0.0
    if let state { _ = call(state, UInt32(channel), &value) }
    return value
  }
}
