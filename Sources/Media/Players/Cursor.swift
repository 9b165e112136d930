import SoundFiles
import SystemCalls

/// A place in an item: reads the item's frames, in the player's channels at the file's rate, again for each loop.
final class Cursor {
  let item: PlayerItem
  let reader: SoundFileReader
  private let channels: Int
  /// The next frame of the file.
  private(set) var frame: Int
  /// How often the item was played to its end.
  private(set) var loopsDone: Int
  private var framesOfLoop = 0
  private var raw: [Float] = []
  /// The length of the file in frames: declared, or found at its end; nil if unknown.
  private(set) var length: Int?
  private var reported = false
  /// Frames of a piece, if the item is played backwards; nil forwards.
  private let piece: Int?
  private var framesOfPiece = 0

  /// Seconds of a piece that is heard forwards while the player goes back.
  private static let pieceSeconds = 0.1
  /// How much faster it goes back than it plays.
  static let backwardSpeed = 4
  /// Seconds of the fades at both ends of a piece.
  private static let pieceFade = 0.005

  /// - Parameter rate: of the player in Hz.
  /// - Throws: `MediaError.unplayable` if the file is empty or has too many channels, `unreadable` if it has no such frame, or if the library
  ///   that converts it to the player's rate is missing.
  init(
    _ item: PlayerItem, _ reader: SoundFileReader, channels: Int, rate: Int, frame: Int, loopsDone: Int,
    isBackward: Bool = false
  ) throws(MediaError) {
    guard reader.length != 0 else { throw .unplayable(path: item.path, reason: "it has no frames") }
    guard channels == 1 || reader.channelCount <= channels else {
      throw .unplayable(
        path: item.path, reason: "it has \(reader.channelCount) channels, and the player \(channels)")
    }
    if reader.sampleRate != rate, let missing = RateConverter.missing {
      throw .unreadable(path: item.path, reason: missing.description)
    }
    (self.item, self.reader, self.channels, self.loopsDone) = (item, reader, channels, loopsDone)
    length = reader.length
    piece = isBackward ? Int(Self.pieceSeconds * Double(reader.sampleRate)) : nil
    self.frame = reader.length.map { min($0, frame) } ?? frame
    framesOfLoop = self.frame
    try seek(self.frame)
  }

  private func seek(_ frame: Int) throws(MediaError) {
    // The end is no frame that every decoder can be sent to.
    if let length, frame >= length { return }
    try reader.seek(to: frame)
  }

  var rate: Int { reader.sampleRate }

  /// Frames until the end with all loops; nil if the item is endless or its length unknown.
  var left: Int? {
    guard let length, item.loops >= 0, piece == nil else { return nil }
    return length - frame + max(0, item.loops - loopsDone) * length
  }

  /// Reads up to `frames` frames of the present loop, or of the present piece. Returns 0 at its end.
  func read(_ samples: UnsafeMutablePointer<Float>, frames: Int) -> Int {
    guard let piece else { return readForward(samples, frames: frames) }
    let wanted = min(frames, piece - framesOfPiece)
    // The pieces before the start of the item are silent, until the operator lets go.
    let count = frame < 0 ? 0 : readForward(samples, frames: wanted)
    for index in count * channels..<wanted * channels { samples[index] = 0 }
    let fade = Self.pieceFade * Double(rate)
    for index in 0..<wanted {
      let place = framesOfPiece + index
      let gain = Float(min(1, min(Double(place), Double(piece - place)) / fade))
      for channel in 0..<channels { samples[index * channels + channel] *= gain }
    }
    framesOfPiece += wanted
    return wanted
  }

  private func readForward(_ samples: UnsafeMutablePointer<Float>, frames: Int) -> Int {
    if let length, frame >= length { return 0 }
    let width = reader.channelCount
    let count: Int
    if width == channels {
      count = reader.read(interleaved: samples, frames: frames)
    } else {
      if raw.count < frames * width { raw = [Float](repeating: 0, count: frames * width) }
      count = raw.withUnsafeMutableBufferPointer { raw in
        let count = reader.read(interleaved: raw.baseAddress!, frames: frames)
        map(raw.baseAddress!, to: samples, frames: count)
        return count
      }
    }
    frame += count
    framesOfLoop += count
    if count < frames { length = frame }
    return count
  }

  /// One channel plays on all; all are summed to one at equal power; otherwise the first channels get the sound.
  private func map(_ raw: UnsafePointer<Float>, to samples: UnsafeMutablePointer<Float>, frames: Int) {
    let width = reader.channelCount
    for frame in 0..<frames {
      let (input, output) = (raw + frame * width, samples + frame * channels)
      if channels == 1 {
        output[0] = (0..<width).reduce(0) { $0 + input[$1] } / Float(width).squareRoot()
      } else {
        for channel in 0..<channels {
          output[channel] = width == 1 ? input[0] : channel < width ? input[channel] : 0
        }
      }
    }
  }

  /// Goes back to the start for the next loop, or to the next piece of going back; false if there is none.
  func startNextLoop() -> Bool {
    if let piece {
      // It has come to the end of a piece, which lies that much after its start.
      let start = frame - framesOfPiece - Self.backwardSpeed * piece
      framesOfPiece = 0
      guard frame >= 0, start >= 0 else {
        frame = -1
        return true
      }
      do throws(MediaError) { try reader.seek(to: start) } catch { return false }
      frame = start
      return true
    }
    // A file that gives no frames would loop without end and without sound.
    guard framesOfLoop > 0 || loopsDone == 0, length != 0, item.loops < 0 || loopsDone < item.loops else {
      return false
    }
    do throws(MediaError) { try reader.seek(to: 0) } catch { return false }
    loopsDone += 1
    (frame, framesOfLoop) = (0, 0)
    return true
  }

  /// Why the sound ended early, once.
  func takeDamage() -> MediaError? {
    guard !reported, let damage = reader.damage else { return nil }
    reported = true
    return damage
  }
}
