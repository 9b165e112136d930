/// A whole sound in memory: one array of samples per channel.
public struct SoundFile: Equatable, Sendable {
  /// Samples per channel, full scale is 1; all channels have the same length.
  public var channels: [[Float]]
  /// Frames per second.
  public var sampleRate: Int

  /// Frames per channel.
  public var frames: Int { channels.first?.count ?? 0 }

  public init(channels: [[Float]], sampleRate: Int) {
    precondition(channels.allSatisfy { $0.count == channels.first?.count })
    (self.channels, self.sampleRate) = (channels, sampleRate)
  }

  /// Reads a file of any format the library knows (WAV, FLAC, OGG, ...) as a whole.
  ///
  /// - Throws: `MediaError.unreadable`, `notAudio`.
  public init(path: String) throws(MediaError) {
    let reader = try SoundFileReader(path: path)
    var channels = [[Float]](repeating: [], count: reader.channelCount)
    for index in channels.indices { channels[index].reserveCapacity(reader.frames) }
    while true {
      let block = try reader.read(frames: 16_384)
      guard let first = block.first, !first.isEmpty else { break }
      for index in channels.indices { channels[index] += block[index] }
    }
    self.init(channels: channels, sampleRate: reader.sampleRate)
  }

  /// Writes the sound as a WAV of 32-bit floats, bit-exact.
  ///
  /// - Throws: `MediaError.unwritable`.
  public func write(path: String) throws(MediaError) {
    let writer = try SoundFileWriter(path: path, channelCount: channels.count, sampleRate: sampleRate)
    try writer.write(channels)
    try writer.close()
  }
}
