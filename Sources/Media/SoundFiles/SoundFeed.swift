/// A sound file that plays into streams, piece by piece. One thread at a time may use it; reading blocks on the disk.
public final class SoundFeed {
  private let reader: SoundFileReader
  private let name: String
  /// Samples that were read and not yet given, channel by channel.
  private var block: [[Float]] = []
  private var place = 0
  /// The samples of the present piece, channel by channel.
  private var piece: [ArraySlice<Float>] = []
  /// The sum of all channels of the present piece, once it was asked for.
  private var sum: [Float]?
  private var hasEnded = false

  /// Frames that are read at once.
  private static let blockLength = 8_192

  /// Opens a file.
  ///
  /// - Parameter name: the name for errors; nil for the path.
  /// - Throws: as `SoundFileReader`.
  public init(path: String, name: String? = nil) throws(MediaError) {
    reader = try SoundFileReader(path: path)
    self.name = name ?? path
  }

  public var sampleRate: Int { reader.sampleRate }
  public var channelCount: Int { reader.channelCount }
  /// The length in frames that the file declares; nil if it declares none.
  public var length: Int? { reader.length }

  /// Why the file does not fit a stream, as a sentence; nil if it does.
  ///
  /// - Parameters:
  ///   - stream: the stream in words, such as `the stream show.band`.
  ///   - channels: its number of channels.
  public func misfit(with stream: String, channels: Int) -> String? {
    guard channelCount > channels, channels > 1 else { return nil }
    return
      "\(name) has \(channelCount) channels, and \(stream) has \(channels), so that channels would be lost"
  }

  /// Makes the next frames the present piece.
  ///
  /// - Parameter frames: the most frames; fewer at the end of the file, and none after it.
  /// - Returns: the number of frames.
  /// - Throws: `MediaError.damaged` if the file ends early.
  public func advance(frames: Int) throws(MediaError) -> Int {
    sum = nil
    if (block.first?.count ?? 0) - place < frames, !hasEnded {
      let next = reader.read(frames: max(Self.blockLength, frames))
      if let damage = reader.damage { throw damage }
      hasEnded = next[0].count < max(Self.blockLength, frames)
      block = block.isEmpty ? next : zip(block, next).map { Array($0[place...]) + $1 }
      place = 0
    }
    let count = min(frames, (block.first?.count ?? 0) - place)
    piece = block.map { $0[place..<place + count] }
    place += count
    return count
  }

  /// The present piece as one channel of a stream gets it; nil if there is nothing for it.
  ///
  /// A mono file plays on all channels of a stream. A stream of one channel gets all channels of a file, summed at equal power.
  /// - Parameters:
  ///   - channel: from 1.
  ///   - width: the number of channels of the stream.
  public func samples(channel: Int, of width: Int) -> [Float]? {
    guard let first = piece.first, !first.isEmpty else { return nil }
    if piece.count == 1 { return Array(first) }
    if width == 1 { return summed(first) }
    return piece.indices.contains(channel - 1) ? Array(piece[channel - 1]) : nil
  }

  private func summed(_ first: ArraySlice<Float>) -> [Float] {
    if let sum { return sum }
    let scale = 1 / Float(piece.count).squareRoot()
    let sum = first.indices.map { frame in piece.reduce(Float(0)) { $0 + $1[frame] } * scale }
    self.sum = sum
    return sum
  }
}
