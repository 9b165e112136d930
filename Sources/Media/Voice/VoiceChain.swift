internal import CVoice
internal import SessionModel
public import SystemCalls

/// The voice processing of one microphone, block by block: echo canceller, noise suppressor, automatic level, high-pass filter.
///
/// Only this file calls `CWebRTC`, by the header `CVoice`. The library is loaded for the first voice. One thread at a time may use a chain;
/// `process` neither allocates nor waits.
struct VoiceChain: ~Copyable {
  /// Frames of a block: 10 ms.
  let block: Int
  private let calls: mr_voice_calls
  private let voice: OpaquePointer

  private static let library = DynamicLibrary.functions(
    mr_voice_calls(), mr_voice_calls_names(), of: .voice)

  /// - Parameter rate: frames per second.
  /// - Throws: `VoiceError` if the library is missing or refuses the rate.
  init(_ parts: VoiceProcessing, rate: Int) throws(VoiceError) {
    let calls: mr_voice_calls
    do throws(DynamicLibrary.Missing) { calls = try Self.library.get() } catch { throw .missing(error) }
    let wanted = mr_voice_parts(
      echo: parts.echo, noise: parts.noise, level: parts.level, highpass: parts.highpass)
    guard let voice = calls.mr_voice_make(Int32(rate), wanted) else { throw .refusedRate(rate) }
    (self.calls, self.voice, block) = (calls, voice, rate / 100)
  }

  deinit { calls.mr_voice_free(voice) }

  /// Processes a block. If the library fails, the block is the unprocessed microphone.
  ///
  /// - Parameters:
  ///   - near: the microphone.
  ///   - far: what the loudspeakers play.
  ///   - delay: milliseconds from `far` to its echo in `near`; never more than the true delay.
  func process(
    _ near: UnsafePointer<Float>, far: UnsafePointer<Float>, into out: UnsafeMutablePointer<Float>,
    delay: Int
  ) {
    if calls.mr_voice_process(voice, near, far, out, Int32(delay)) != 0 {
      out.update(from: near, count: block)
    }
  }

  /// What the echo canceller tells of itself: the echo return loss enhancement in dB, and the share of recent delays, 0 to 1, at which it finds
  /// no echo.
  func measures() -> (enhancement: Double, poorDelays: Double) {
    var measures = mr_voice_measures()
    calls.mr_voice_measure(voice, &measures)
    return (measures.enhancement, measures.poor_delays)
  }
}

/// Why a voice cannot be processed.
public enum VoiceError: Error, Equatable {
  /// The library cannot be loaded.
  case missing(DynamicLibrary.Missing)
  /// The library does not process at a sample rate in Hz.
  case refusedRate(Int)
}

extension VoiceError: CustomStringConvertible {
  /// One sentence without its point: what is wrong, and what would be right.
  public var description: String {
    switch self {
    case .missing(let missing): "no voice processing: \(missing)"
    case .refusedRate(let rate):
      "no voice processing at \(rate) Hz: it needs a rate from 8,000 to 384,000 Hz that is a multiple of 100"
    }
  }
}
