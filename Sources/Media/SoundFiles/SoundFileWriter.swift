/// Writes a sound file in pieces, in the format that the ending of its name says (`SoundFileFormat`). One thread at a time may use it; writing blocks on the disk.
public final class SoundFileWriter {
  private var file: OpaquePointer?
  private let path: String
  public let channelCount: Int
  private var interleaved: [Float] = []

  /// Creates the file, or empties an existing one.
  ///
  /// - Throws: `MediaError.unknownFormat`, `unwritable`.
  public init(path: String, channelCount: Int, sampleRate: Int) throws(MediaError) {
    guard let format = SoundFileFormat(path: path) else { throw .unknownFormat(path: path) }
    guard
      let opened = SoundFileCalls.openForWriting(
        path, format, channels: channelCount, sampleRate: sampleRate)
    else { throw .unwritable(path: path, reason: SoundFileCalls.errorText(nil)) }
    (file, self.path, self.channelCount) = (opened, path, channelCount)
  }

  deinit { if let file { _ = SoundFileCalls.close(file) } }

  /// Appends samples, one array for each channel, all of the same length.
  ///
  /// - Throws: `MediaError.unwritable`.
  public func write(_ channels: [[Float]]) throws(MediaError) {
    precondition(channels.count == channelCount)
    let frames = channels.first?.count ?? 0
    interleaved.removeAll(keepingCapacity: true)
    interleaved.reserveCapacity(frames * channelCount)
    for frame in 0..<frames {
      for channel in channels { interleaved.append(channel[frame]) }
    }
    try write(interleaved: interleaved[...])
  }

  /// Appends interleaved samples of whole frames.
  ///
  /// - Throws: `MediaError.unwritable`.
  public func write(interleaved samples: ArraySlice<Float>) throws(MediaError) {
    precondition(samples.count % channelCount == 0)
    guard let file else { throw .unwritable(path: path, reason: "it is closed") }
    let frames = samples.count / channelCount
    let written = samples.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map { SoundFileCalls.write(file, $0, frames: frames) } ?? 0
    }
    guard written == frames else { throw .unwritable(path: path, reason: SoundFileCalls.errorText(file)) }
  }

  /// Finishes the file. Nothing can be written afterwards; calling it again has no effect.
  ///
  /// - Throws: `MediaError.unwritable` if the last samples did not reach the disk.
  public func close() throws(MediaError) {
    guard let open = file else { return }
    file = nil
    guard SoundFileCalls.close(open) else {
      throw .unwritable(path: path, reason: "the last samples could not be written")
    }
  }
}
