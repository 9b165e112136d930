import Encoders
import Foundation
import SoundFiles
import TemporaryFolders
import Testing

/// Files that other players play although something about them is wrong.
@Suite struct OddFileTests {
  private let folder: TemporaryFolder
  private static let sound = CountedSound.sound(0..<96_000)

  init() throws { folder = try TemporaryFolder() }

  private func write(_ bytes: Data, _ name: String) throws -> String {
    try bytes.write(to: URL(fileURLWithPath: folder.file(name)))
    return folder.file(name)
  }

  private func encoded(_ format: Encoders.Format, name: String = "plain") throws -> Data {
    try Data(
      contentsOf: URL(fileURLWithPath: Encoders.write(Self.sound, format, in: folder.path, name: name)))
  }

  /// All frames of the first channel, and the damage that the reader found.
  private func all(_ path: String) throws -> (samples: [Float], damage: MediaError?) {
    let reader = try SoundFileReader(path: path)
    var samples: [Float] = []
    while case let piece = reader.read(frames: 10_000)[0], !piece.isEmpty { samples += piece }
    return (samples, reader.damage)
  }

  // MARK: WAV

  private static func number(_ value: Int) -> Data {
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: value).littleEndian) { Data($0) }
  }

  private static func chunk(_ name: String, _ bytes: Data, declared: Int? = nil) -> Data {
    Data(name.utf8) + number(declared ?? bytes.count) + bytes
  }

  /// A stereo file of floats with these chunks around its data.
  private func wav(
    riff: Int? = nil, before: Data = Data(), data declared: Int? = nil, behind: Data = Data()
  ) throws -> String {
    var format = Data([3, 0, 2, 0])
    format += Self.number(48_000) + Self.number(384_000) + Data([8, 0, 32, 0])
    var samples = Data()
    for frame in 0..<96_000 {
      for channel in 0..<2 {
        withUnsafeBytes(of: Self.sound.channels[channel][frame]) { samples.append(contentsOf: $0) }
      }
    }
    let body =
      Data("WAVE".utf8) + Self.chunk("fmt ", format) + before
      + Self.chunk("data", samples, declared: declared) + behind
    return try write(Data("RIFF".utf8) + Self.number(riff ?? body.count) + body, "a.wav")
  }

  @Test(
    "A wav whose writer crashed, or wrote to a pipe, is played as far as it goes",
    arguments: [0, 36, 4_088, Int(UInt32.max)], [0, Int(UInt32.max), 1_000_000_000])
  func unfinished(riff: Int, data: Int) throws {
    let filler = Self.chunk("FLLR", Data(count: 4_040))
    let path = try wav(riff: riff, before: riff == 4_088 ? filler : Data(), data: data)
    let read = try all(path)
    #expect(read.samples == Self.sound.channels[0] && read.damage == nil)
    let reader = try SoundFileReader(path: path)
    #expect(reader.length == 96_000)
    try reader.seek(to: 50_000)
    #expect(reader.read(frames: 10)[1] == Array(Self.sound.channels[1][50_000..<50_010]))
  }

  @Test("A wav without a frame is empty, also with chunks behind the data")
  func empty() throws {
    let bytes =
      Data("WAVE".utf8)
      + Self.chunk(
        "fmt ", Data([1, 0, 1, 0]) + Self.number(48_000) + Self.number(96_000) + Data([2, 0, 16, 0]))
      + Self.chunk("data", Data()) + Self.chunk("LIST", Data("INFO".utf8))
    let path = try write(Data("RIFF".utf8) + Self.number(bytes.count) + bytes, "empty.wav")
    #expect(try SoundFileReader(path: path).length == 0)
  }

  @Test("A PEAK chunk of another number of channels and a second data chunk do not matter")
  func chunks() throws {
    let peak = Self.chunk("PEAK", Self.number(1) + Self.number(0) + Data(count: 8))
    #expect(try all(wav(before: peak)).samples == Self.sound.channels[0])
    let second = Self.chunk("data", Data(repeating: 1, count: 8_000))
    #expect(try all(wav(behind: second)).samples == Self.sound.channels[0])
  }

  // MARK: Bytes before and behind the sound

  @Test("An mp3 is found behind anything, and ends with its last frame, whatever follows")
  func mp3() throws {
    let plain = try encoded(.mp3)
    let length = try #require(try SoundFileReader(path: write(plain, "plain.mp3")).length)
    func apeTag(_ flags: Int) -> Data {
      Data("APETAGEX".utf8) + Self.number(2_000) + Self.number(51) + Self.number(1) + Self.number(flags)
        + Data(count: 8)
    }
    let ape =
      apeTag(0xA000_0000) + Self.number(5) + Self.number(0) + Data("Title\0Hello".utf8) + apeTag(0x8000_0000)
    let icy = Data("ICY 200 OK\r\nicy-name:Radio\r\ncontent-type:audio/mpeg\r\n\r\n".utf8)
    for (name, front) in [("zero", Data([0])), ("crlf", Data("\r\n".utf8)), ("ape", ape), ("icy", icy)] {
      let read = try all(write(front + plain, "\(name).mp3"))
      #expect(abs(read.samples.count - length) <= 2_304 && read.damage == nil, "\(name): \(read)")
    }
    let half = try all(write(plain.dropFirst(plain.count / 2 + 5), "half.mp3"))
    #expect((20_000..<80_000).contains(half.samples.count) && half.damage == nil)
    let zeros = try all(write(plain + Data(count: 2_000), "zeros.mp3"))
    #expect(zeros.samples.count == length && zeros.damage == nil)
  }

  @Test("Bytes of no format are no mp3")
  func noise() throws {
    var bytes = Data()
    for index in 0..<40_000 { bytes.append(UInt8(truncatingIfNeeded: index &* index &* 2_654_435_761 >> 13)) }
    #expect(throws: MediaError.self) { try SoundFileReader(path: write(bytes, "noise.bin")) }
    #expect(throws: MediaError.self) {
      try SoundFileReader(path: write(Data(String(repeating: "A letter. ", count: 900).utf8), "letter.txt"))
    }
  }

  @Test("A flac with an older tag behind its end is complete")
  func flacTag() throws {
    let read = try all(write(try encoded(.flac) + Data("TAG".utf8) + Data(count: 125), "tag.flac"))
    #expect(read.samples.count == 96_000 && read.damage == nil)
  }

  // MARK: Places

  @Test(
    "Where the table of places is wrong, the decoder goes to the place; a place behind the end is the end",
    arguments: [[(0, 0), (48_000, 1 << 30)], [(0, 0), (24_000, 0), (48_000, 0), (72_000, 0)]])
  func places(points: [(frame: Int, offset: Int)]) throws {
    _ = try encoded(.wav)
    try Encoders.run(
      "flac", ["-s", "-f", "--no-seektable", folder.file("plain.wav"), "-o", folder.file("b.flac")])
    let plain = try Data(contentsOf: URL(fileURLWithPath: folder.file("b.flac")))
    var table = Data([3, 0, 0, UInt8(18 * points.count)])
    for point in points {
      for value in [point.frame, point.offset] {
        withUnsafeBytes(of: value.bigEndian) { table.append(contentsOf: $0) }
      }
      table += Data([0x10, 0])
    }
    let reader = try SoundFileReader(
      path: write(plain.prefix(42) + table + plain.dropFirst(42), "table.flac"))
    for place in [70_001, 10, 95_990] {
      try reader.seek(to: place)
      #expect(reader.read(frames: 10)[0] == Array(Self.sound.channels[0][place..<place + 10]), "\(place)")
      #expect(reader.damage == nil)
    }
    try reader.seek(to: 200_000)
    #expect(reader.read(frames: 10)[0].isEmpty && reader.damage == nil)
  }

  // MARK: Changes

  /// What may happen to a file while it is read.
  enum Change: CaseIterable { case overwritten, truncated, grown, replaced, removed }

  @Test(
    "A file that is changed in place ends by a fade within what was read before; one that grows, is replaced or removed goes on",
    arguments: Change.allCases, [Encoders.Format.wav, .flac, .mp3])
  func changed(change: Change, format: Encoders.Format) throws {
    let plain = try encoded(format)
    let path = try write(plain, "playing")
    let whole = try all(path).samples
    let reader = try SoundFileReader(path: path)
    var heard = reader.read(frames: 20_000)[0]
    let other = try Data(
      contentsOf: URL(fileURLWithPath: Encoders.write(Self.sound, .aiff, in: folder.path, name: "other")))
    switch change {
    case .overwritten:
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
      try file.truncate(atOffset: 0)
      try file.write(contentsOf: other)
    case .truncated: try FileHandle(forWritingTo: URL(fileURLWithPath: path)).truncate(atOffset: 3_000)
    case .grown:
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
      try file.seekToEnd()
      try file.write(contentsOf: Data(count: 1_000))
    case .replaced: try #require(rename(try write(other, "new"), path) == 0)
    case .removed: try FileManager.default.removeItem(atPath: path)
    }
    while case let piece = reader.read(frames: 20_000)[0], !piece.isEmpty { heard += piece }
    if [.grown, .replaced, .removed].contains(change) {
      #expect(heard == whole && reader.damage == nil)
    } else {
      #expect(heard.count == 20_960)
      #expect(heard.prefix(20_000).elementsEqual(whole.prefix(20_000)))
      for index in 20_000..<20_960 {
        #expect(abs(heard[index]) <= abs(whole[index]), "frame \(index)")
      }
      #expect(heard.last == 0)
      #expect(
        reader.damage?.description.hasSuffix("it was changed while it was read, 0.4 s after the start")
          == true)
      #expect(throws: MediaError.self) { try reader.seek(to: 0) }
    }
  }
}
