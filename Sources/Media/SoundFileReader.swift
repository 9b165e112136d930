import Glibc

/// Reads a sound file piece by piece. Belongs to one thread at a time; blocks on the disk.
public final class SoundFileReader {
  private let file: OpaquePointer
  private let path: String
  public let channelCount: Int
  /// Frames per second.
  public let sampleRate: Int
  /// Length that the file declares, in frames.
  public let frames: Int
  private var interleaved: [Float] = []

  /// - Throws: `MediaError.unreadable` if the system does not open the file, `notAudio` if it holds no sound we know.
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

  /// Separates what the system refuses from what the library does not understand; a folder opens, and cannot be read.
  private static func checkReadable(_ path: String) throws(MediaError) {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unreadable(path: path, reason: String(cString: strerror(errno))) }
    defer { Glibc.close(descriptor) }
    var byte: UInt8 = 0
    guard Glibc.read(descriptor, &byte, 1) >= 0 else {
      throw .unreadable(path: path, reason: String(cString: strerror(errno)))
    }
  }

  /// Reads the next `frames` frames, one array per channel; shorter at the end, empty after it.
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

  /// Goes to a frame counted from the start of the file.
  ///
  /// - Throws: `MediaError.unreadable` if there is no such frame or the file cannot be wound.
  public func seek(to frame: Int) throws(MediaError) {
    guard SoundFileCalls.seek(file, to: frame) else {
      throw .unreadable(path: path, reason: SoundFileCalls.errorText(file))
    }
  }
}
