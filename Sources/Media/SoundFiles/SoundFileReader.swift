import SystemCalls

/// Reads a sound file in pieces. One thread at a time may use it; reading blocks on the disk.
public final class SoundFileReader {
  private let file: OpaquePointer
  private let path: String
  public let channelCount: Int
  /// Sample rate in Hz.
  public let sampleRate: Int
  /// The length in frames that the file declares.
  public let frames: Int
  private var interleaved: [Float] = []

  /// Opens a file.
  ///
  /// - Throws: `MediaError.unreadable` if the system cannot open or read the file, `notAudio` if libsndfile does not know its format.
  public init(path: String) throws(MediaError) {
    try Self.checkReadable(path)
    let (opened, format) = SoundFileCalls.openForReading(path)
    guard let opened else {
      throw .notAudio(path: path, reason: SoundFileCalls.errorText(nil))
    }
    (file, self.path) = (opened, path)
    (channelCount, sampleRate, frames) = (format.channels, format.sampleRate, format.frames)
  }

  deinit { _ = SoundFileCalls.close(file) }

  /// Throws the system's error if the file cannot be read, because libsndfile reports that badly. A folder can be opened but not read, so
  /// one byte is read, too.
  private static func checkReadable(_ path: String) throws(MediaError) {
    do throws(SystemError) { _ = try WholeFile.bytes(path, limit: 1) } catch {
      throw .unreadable(path: path, reason: error.reason)
    }
  }

  /// Reads the next `frames` frames into one array for each channel. The arrays are shorter at the file's end and empty after it.
  ///
  /// - Throws: `MediaError.unreadable`.
  public func read(frames: Int) throws(MediaError) -> [[Float]] {
    if interleaved.count < frames * channelCount {
      interleaved = [Float](repeating: 0, count: frames * channelCount)
    }
    let count = interleaved.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.map { SoundFileCalls.read(file, $0, frames: frames) } ?? 0
    }
    guard count >= 0 else { throw .unreadable(path: path, reason: SoundFileCalls.errorText(file)) }
    return (0..<channelCount).map { channel in
      (0..<count).map { interleaved[$0 * channelCount + channel] }
    }
  }

  /// Sets the position to a frame, counted from the start of the file.
  ///
  /// - Throws: `MediaError.unreadable` if there is no such frame, or if the file allows no jumps.
  public func seek(to frame: Int) throws(MediaError) {
    guard SoundFileCalls.seek(file, to: frame) else {
      throw .unreadable(path: path, reason: SoundFileCalls.errorText(file))
    }
  }
}
