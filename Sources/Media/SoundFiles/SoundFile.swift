/// A whole sound in memory: one array of samples per channel.
public struct SoundFile: Equatable, Sendable {
  /// The samples of each channel; full scale is 1. All channels have the same length.
  public var channels: [[Float]]
  /// Sample rate in Hz.
  public var sampleRate: Int

  /// Length in frames.
  public var frames: Int { channels.first?.count ?? 0 }

  public init(channels: [[Float]], sampleRate: Int) {
    precondition(channels.allSatisfy { $0.count == channels.first?.count })
    (self.channels, self.sampleRate) = (channels, sampleRate)
  }

  /// Reads a whole file of any format that `SoundFileReader` reads. Blocks on the disk.
  ///
  /// A damaged file gives the sound before the damage.
  /// - Throws: the errors of `SoundFileReader`.
  public init(path: String) throws(MediaError) {
    let reader = try SoundFileReader(path: path)
    var channels = [[Float]](repeating: [], count: reader.channelCount)
    // A lying file declares any length.
    let likely = min(reader.length ?? 0, Self.mostReserved)
    for index in channels.indices { channels[index].reserveCapacity(likely) }
    while true {
      let block = reader.read(frames: 16_384)
      guard let first = block.first, !first.isEmpty else { break }
      for index in channels.indices { channels[index] += block[index] }
    }
    self.init(channels: channels, sampleRate: reader.sampleRate)
  }

  /// Frames for which memory is reserved before they are read.
  private static let mostReserved = 1 << 24

  /// Writes the sound in the format that the ending of the name says; `.wav` keeps every bit. Blocks on the disk.
  ///
  /// - Throws: `MediaError.unknownFormat`, `unwritable`.
  public func write(path: String) throws(MediaError) {
    let writer = try SoundFileWriter(path: path, channelCount: channels.count, sampleRate: sampleRate)
    try writer.write(channels)
    try writer.close()
  }
}
