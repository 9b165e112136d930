import CSoxr

/// Converts a stream of frames to another sample rate, in the high quality of libsoxr. The only file that calls the library.
///
/// The output is aligned with the input, and has `frames x to / from` frames after the end. The converter works in lumps: the first output
/// comes after some thousand frames of input. One thread at a time may use it; it allocates during the first blocks only.
public final class RateConverter {
  private let converter: OpaquePointer
  private let channelCount: Int

  /// - Parameters:
  ///   - channels: at least 1.
  ///   - from: the rate of the input in Hz.
  ///   - to: the rate of the output in Hz.
  public init(channels: Int, from: Int, to: Int) {
    var format = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I)
    var quality = soxr_quality_spec(UInt(SOXR_20_BITQ), 0)
    // With one thread the library starts none of its own.
    var runtime = soxr_runtime_spec(1)
    var failure: soxr_error_t?
    guard
      let made = soxr_create(
        Double(from), Double(to), UInt32(channels), &failure, &format, &quality, &runtime)
    else { preconditionFailure("no converter from \(from) Hz to \(to) Hz") }
    (converter, channelCount) = (made, channels)
  }

  deinit { soxr_delete(converter) }

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
    _ = soxr_process(converter, input, frames, &used, output, room, &made)
    return (used, made)
  }
}
