import CSoxr
public import SystemCalls

/// Converts a stream of frames to another sample rate, in the high quality of libsoxr. The only file that calls the library,
/// which is loaded for the first converter.
///
/// The output is aligned with the input, and has `frames x to / from` frames after the end. The converter works in lumps: the first output
/// comes after some thousand frames of input. One thread at a time may use it; it allocates during the first blocks only.
public final class RateConverter {
  private let converter: OpaquePointer
  private let channelCount: Int
  private let calls: mr_soxr

  private static let library = DynamicLibrary.functions(
    mr_soxr(), mr_soxr_names(), of: .rates)

  /// Why nothing can be converted; nil if the library is installed. The first call loads it.
  public static var missing: DynamicLibrary.Missing? {
    if case .failure(let missing) = library { missing } else { nil }
  }

  /// The library must be there (`missing`).
  ///
  /// - Parameters:
  ///   - channels: at least 1.
  ///   - from: the rate of the input in Hz.
  ///   - to: the rate of the output in Hz.
  public init(channels: Int, from: Int, to: Int) {
    guard case .success(let calls) = Self.library else { preconditionFailure("libsoxr is missing") }
    self.calls = calls
    var format = calls.soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I)
    var quality = calls.soxr_quality_spec(UInt(SOXR_20_BITQ), 0)
    // With one thread the library starts none of its own.
    var runtime = calls.soxr_runtime_spec(1)
    var failure: soxr_error_t?
    guard
      let made = calls.soxr_create(
        Double(from), Double(to), UInt32(channels), &failure, &format, &quality, &runtime)
    else { preconditionFailure("no converter from \(from) Hz to \(to) Hz") }
    (converter, channelCount) = (made, channels)
  }

  deinit { calls.soxr_delete(converter) }

  /// Converts interleaved frames.
  ///
  /// - Parameters:
  ///   - input: nil once the input has ended; the output then ends as well, after some calls.
  ///   - room: number of frames that `output` holds.
  /// - Returns: the frames of the input that were used, and those of the output that were made.
  public func process(
    _ input: UnsafePointer<Float>?, frames: Int, into output: UnsafeMutablePointer<Float>, room: Int
  ) -> (used: Int, made: Int) {
    var (used, made) = (0, 0)
    _ = calls.soxr_process(converter, input, frames, &used, output, room, &made)
    return (used, made)
  }
}
