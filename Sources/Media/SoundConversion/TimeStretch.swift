import CSoundTouch
public import SystemCalls

/// Plays a stream of frames faster or slower and keeps its pitch, with SoundTouch. The only file that calls the library,
/// which is loaded for the first stretch: it brings the C++ library, 1.2 MB.
///
/// The stretch begins with its input unchanged, so that it can be spliced to the plain sound. The times below keep the pitch of a sine within
/// 2 cents from 55 Hz up (docs/develop/decisions/media-libraries.md). One thread at a time may use it; it works in bursts.
public final class TimeStretch {
  private let stretch: UnsafeMutableRawPointer
  private let calls: mr_soundtouch
  private let channelCount: Int
  /// How much faster the output is than the input.
  public let tempo: Double
  private var fed = 0
  private var made = 0
  private var hasEnded = false

  /// Rates that a player may have.
  public static let tempos = 0.25...4.0

  /// - Parameters:
  ///   - channels: 1 to 16, of which the library has no more.
  ///   - sampleRate: in Hz.
  ///   - tempo: 0.25 to 4.
  /// - Throws: `Missing` if the library is not installed.
  public init(channels: Int, sampleRate: Int, tempo: Double) throws(DynamicLibrary.Missing) {
    let calls = try Self.library.get()
    guard let made = calls.soundtouch_createInstance() else { preconditionFailure("no memory for a stretch") }
    (stretch, self.calls, channelCount, self.tempo) = (made, calls, channels, tempo)
    _ = calls.soundtouch_setSampleRate(stretch, UInt32(sampleRate))
    _ = calls.soundtouch_setChannels(stretch, UInt32(channels))
    // The filter would delay the sound, and serves only the library's own change of the rate.
    set(MR_SOUNDTOUCH_ANTI_ALIAS, 0)
    set(MR_SOUNDTOUCH_QUICK_SEEK, 1)
    set(MR_SOUNDTOUCH_SEQUENCE_MS, 60)
    set(MR_SOUNDTOUCH_SEEK_WINDOW_MS, 28)
    set(MR_SOUNDTOUCH_OVERLAP_MS, 12)
    calls.soundtouch_setTempo(stretch, Float(tempo))
  }

  deinit { calls.soundtouch_destroyInstance(stretch) }

  private func set(_ setting: Int, _ value: Int32) {
    _ = calls.soundtouch_setSetting(stretch, Int32(setting), value)
  }

  // MARK: The library

  private static let library = DynamicLibrary.functions(
    mr_soundtouch(), mr_soundtouch_names(), of: .stretch)

  /// Why nothing can be stretched; nil if the library is installed. The first call loads it.
  public static var missing: DynamicLibrary.Missing? {
    if case .failure(let missing) = library { missing } else { nil }
  }

  /// Greatest number of channels that the library stretches.
  public static let mostChannels = 16

  /// Feeds interleaved frames.
  public func put(_ samples: UnsafePointer<Float>, frames: Int) {
    _ = calls.soundtouch_putSamples(stretch, samples, UInt32(frames))
    fed += frames
  }

  /// Says that the input has ended: the output has `fed / tempo` frames in all.
  public func end() { hasEnded = true }

  /// Takes up to `frames` interleaved frames.
  ///
  /// - Returns: their number; 0 if more input is needed, or after the end.
  public func take(_ samples: UnsafeMutablePointer<Float>, frames: Int) -> Int {
    guard hasEnded else { return receive(samples, frames: frames) }
    let whole = Int((Double(fed) / tempo).rounded())
    let wanted = min(frames, whole - made)
    var count = receive(samples, frames: wanted)
    // The library's own flush would allocate and fill up with silence of any length.
    let silence = [Float](repeating: 0, count: 4_096 * channelCount)
    while count < wanted {
      _ = calls.soundtouch_putSamples(stretch, silence, 4_096)
      count += receive(samples + count * channelCount, frames: wanted - count)
    }
    return count
  }

  private func receive(_ samples: UnsafeMutablePointer<Float>, frames: Int) -> Int {
    guard frames > 0 else { return 0 }
    let count = Int(calls.soundtouch_receiveSamples(stretch, samples, UInt32(frames)))
    made += count
    return count
  }
}
