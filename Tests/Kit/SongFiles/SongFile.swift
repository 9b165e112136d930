import Checkout
import Foundation

/// Small real sound files, and copies of them with other tags.
///
/// The samples were made by lame, flac, oggenc, opusenc and sox: a quarter of a second of 440 Hz, with the tags of `tagged` and a cover of 69 bytes,
/// written by mutagen. `tone.caf` has no tags.
public enum SongFile {
  /// The endings of the samples.
  public static let samples = ["mp3", "flac", "ogg", "opus", "oga", "wav", "aiff"]

  /// The bytes of a sample.
  /// - Throws: Foundation's error when it cannot be read.
  public static func sample(_ ending: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: path(ending))))
  }

  /// The path of a sample.
  public static func path(_ ending: String) -> String {
    Checkout.file("Tests/Kit/SongFiles/Samples/tone.\(ending)")
  }

  /// Values for the tags of a new file, by the names of Vorbis comments.
  public typealias Tags = KeyValuePairs<String, String>

  /// A FLAC file of 0.25 s with these tags and no picture.
  /// - Throws: Foundation's error when the sample cannot be read.
  public static func flac(_ tags: Tags) throws -> [UInt8] {
    try Maker.shared.get().flac(tags)
  }

  /// An mp3 file of 0.3 s with these tags in ID3v2.4 and no picture.
  /// - Throws: Foundation's error when the sample cannot be read.
  public static func mp3(_ tags: Tags) throws -> [UInt8] {
    try Maker.shared.get().mp3(tags)
  }
}

/// The parts of the samples that every made file has, read once.
private struct Maker {
  static let shared = Result { try Maker() }

  /// The stream information of the FLAC sample, 34 bytes, and its frames.
  private let (information, frames): ([UInt8], [UInt8])
  /// The mp3 sample without its tag.
  private let music: [UInt8]

  init() throws {
    let flac = try SongFile.sample("flac")
    information = Array(flac[8..<42])
    var (offset, isLast) = (4, false)
    while !isLast {
      isLast = flac[offset] & 0x80 != 0
      offset += 4 + (flac[offset + 1..<offset + 4].reduce(0) { $0 << 8 | Int($1) })
    }
    frames = Array(flac[offset...])
    let mp3 = try SongFile.sample("mp3")
    music = Array(mp3[(10 + mp3[6..<10].reduce(0) { $0 << 7 | Int($1) })...])
  }

  func flac(_ tags: SongFile.Tags) -> [UInt8] {
    var comments = Self.little(0) + Self.little(tags.count)
    for (name, value) in tags {
      let comment = Array("\(name)=\(value)".utf8)
      comments += Self.little(comment.count) + comment
    }
    return Array("fLaC".utf8) + [0, 0, 0, 34] + information + [0x84] + Self.big(comments.count).dropFirst()
      + comments + frames
  }

  func mp3(_ tags: SongFile.Tags) -> [UInt8] {
    let frames = tags.flatMap { name, value -> [UInt8] in
      guard let frame = Self.frameNames[name] else { return [] }
      let text = [3] + Array(value.utf8)
      return Array(frame.utf8) + Self.syncSafe(text.count) + [0, 0] + text
    }
    return Array("ID3".utf8) + [4, 0, 0] + Self.syncSafe(frames.count) + frames + music
  }

  private static let frameNames = [
    "TITLE": "TIT2", "ARTIST": "TPE1", "ALBUM": "TALB", "ALBUMARTIST": "TPE2", "GENRE": "TCON",
    "COMPOSER": "TCOM", "TRACKNUMBER": "TRCK", "DISCNUMBER": "TPOS", "COMPILATION": "TCMP",
  ]

  private static func little(_ number: Int) -> [UInt8] { big(number).reversed() }
  private static func big(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
  private static func syncSafe(_ number: Int) -> [UInt8] {
    [21, 14, 7, 0].map { UInt8(number >> $0 & 0x7f) }
  }
}
