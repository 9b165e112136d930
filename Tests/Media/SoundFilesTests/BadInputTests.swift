import Encoders
import Foundation
import SoundFiles
import TemporaryFolders
import Testing

@Suite struct BadInputTests {
  /// The header of a wav file with 16 bits, and its samples.
  private static func wav(channels: Int, rate: Int, declared: Int? = nil, samples: Int) -> Data {
    var data = Data()
    func number<Value: FixedWidthInteger>(_ value: Value) {
      withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) }
    }
    let bytes = declared ?? samples * 2
    data += Data("RIFF".utf8)
    number(UInt32(truncatingIfNeeded: bytes + 36))
    data += Data("WAVEfmt ".utf8)
    number(UInt32(16))
    number(UInt16(1))
    number(UInt16(channels))
    number(UInt32(rate))
    number(UInt32(truncatingIfNeeded: rate * channels * 2))
    number(UInt16(truncatingIfNeeded: channels * 2))
    number(UInt16(16))
    data += Data("data".utf8)
    number(UInt32(truncatingIfNeeded: bytes))
    return data + Data(repeating: 1, count: samples * 2)
  }

  private static func error(_ data: Data, name: String = "a.wav") throws -> String {
    let folder = try TemporaryFolder()
    try data.write(to: URL(fileURLWithPath: folder.file(name)))
    let error = #expect(throws: MediaError.self) { try SoundFileReader(path: folder.file(name)) }
    return "\(try #require(error))".split(separator: folder.path + "/", omittingEmptySubsequences: false)
      .joined()
  }

  @Test("Rates and channels that cannot be meant are refused with what would be right")
  func absurd() throws {
    #expect(
      try Self.error(Self.wav(channels: 1_000, rate: 48_000, samples: 4_000))
        == "cannot play a.wav: it has 1000 channels, and a sound file may have 64")
    #expect(
      try Self.error(Self.wav(channels: 2, rate: 1, samples: 400))
        == "cannot play a.wav: its rate is 1 Hz, and may be 4000 to 768000 Hz")
    #expect(
      try Self.error(Self.wav(channels: 2, rate: 0, samples: 400)).hasPrefix("a.wav is not a sound file: "))
  }

  @Test("An mp3 whose frames change to another layer is refused: the decoder would write beyond its buffer")
  func changingLayer() throws {
    let folder = try TemporaryFolder()
    let tone = (0..<12_000).map { Float(($0 * 7_919) % 2_003) / 4_006 - 0.25 }
    let sound = SoundFile(channels: [tone, tone.reversed()], sampleRate: 48_000)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: Encoders.write(sound, .mp3, in: folder.path)))
    // The two bits of the layer are 01 for layer 3, and 11 for layer 1.
    let headers = bytes.indices.dropLast().filter { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xFB }
    bytes[headers[5] + 1] |= 0b110
    #expect(
      try Self.error(bytes, name: "a.mp3")
        == "a.mp3 is not a sound file: its frames change from layer 3 of MPEG audio to another kind")
  }

  @Test("AAC is refused by name, with the line that converts it")
  func aac() throws {
    let atom = Data([0, 0, 0, 24]) + Data("ftypM4A ".utf8) + Data(repeating: 0, count: 40)
    let said = try Self.error(atom, name: "it's.m4a")
    #expect(
      said.hasPrefix(
        "it's.m4a contains MPEG-4 audio (m4a, AAC), which is not read; convert it with: ffmpeg -i '"))
    #expect(said.hasSuffix(#"it'\''s.m4a' 'it'\''s.flac'"#))
    #expect(try Self.error(Data([0xFF, 0xF1, 0x50, 0x80, 0, 0, 0, 0])).contains("contains AAC"))
  }

  @Test("Files without sound are refused in plain words")
  func nothing() throws {
    #expect(try Self.error(Data()) == "a.wav is not a sound file: it has no bytes")
    #expect(
      try Self.error(Data("Hello".utf8))
        == "a.wav is not a sound file: its first bytes are those of no format that is read")
    #expect(
      try Self.error(Data("ID3".utf8) + Data(repeating: 0, count: 50)).hasPrefix(
        "a.wav is not a sound file: "))
    let folder = try TemporaryFolder()
    try Encoders.run("mkfifo", [folder.file("fifo")])
    #expect(throws: MediaError.unreadable(path: folder.file("fifo"), reason: "it is a FIFO, not a file")) {
      try SoundFileReader(path: folder.file("fifo"))
    }
  }

  @Test("A file that declares more than it has is read to its end", arguments: [Int(UInt32.max), 1_000_000])
  func lying(declared: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.wav")
    try Self.wav(channels: 1, rate: 48_000, declared: declared, samples: 5_000).write(
      to: URL(fileURLWithPath: path))
    #expect(try SoundFile(path: path).frames == 5_000)
  }

  @Test(
    "A file that is cut gives what it has, and says that it is damaged",
    arguments: [Encoders.Format.flac, .oggFlac, .mp3])
  func cut(format: Encoders.Format) throws {
    let folder = try TemporaryFolder()
    let path = try Encoders.write(CountedSound.sound(0..<200_000), format, in: folder.path)
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: path))
    let reader = try SoundFileReader(path: path)
    var frames = 0
    while case let count = reader.read(frames: 8_192)[0].count, count > 0 { frames += count }
    #expect((10_000..<190_000).contains(frames), "\(frames)")
    // What is left of an mp3 is an mp3; its table of contents is not compared.
    if format != .mp3 { #expect("\(try #require(reader.damage))".contains("is damaged")) }
  }

  @Test("The length of an mp3 is that of the sound that was encoded, with and without the encoder's tag")
  func gapless() throws {
    let folder = try TemporaryFolder()
    let path = try Encoders.write(CountedSound.sound(0..<200_000), .mp3, in: folder.path)
    #expect(try SoundFileReader(path: path).length == 200_000)
    let bare = folder.file("bare.mp3")
    try Encoders.run("lame", ["--quiet", "-t", "-V", "2", "\(path).16.wav", bare])
    let sound = try SoundFile(path: bare)
    let length = try SoundFileReader(path: bare).length
    #expect(sound.frames >= 200_000 && sound.frames == length)
  }

  @Test("Tags are read from every format that has them")
  func tags() throws {
    let folder = try TemporaryFolder()
    let raw = folder.file("raw.wav")
    try CountedSound.sound(0..<48_000).write(path: raw)
    try Encoders.run("sox", ["-D", raw, "-b", "16", folder.file("b.wav")])
    let mp3 = folder.file("a.mp3")
    try Encoders.run(
      "lame",
      ["--quiet", "--tt", "Blå", "--ta", "Ann", "--tl", "Sky", "--tn", "3/12", folder.file("b.wav"), mp3])
    let flac = folder.file("a.flac")
    try Encoders.run(
      "flac",
      ["-s", "-T", "TITLE=Blå", "-T", "ARTIST=Ann", "-T", "ALBUM=Sky", "-o", flac, folder.file("b.wav")])
    let ogg = folder.file("a.oga")
    try Encoders.run("flac", ["-s", "--ogg", "-o", ogg, flac])
    for path in [mp3, flac, ogg] {
      let tags = try SoundFileReader(path: path).tags
      #expect((tags.title, tags.artist, tags.album) == ("Blå", "Ann", "Sky"))
    }
    #expect(try SoundFileReader(path: mp3).tags.track == "3/12")
  }
}
