import Foundation
import SoundFiles
import TemporaryFolders
import Testing

@Suite struct SoundFileTests {
  /// Values that stay the same only without rounding, clipping and dither.
  static let sound = SoundFile(
    channels: [
      (0..<20_000).map { Float($0) / 16_777_216 },
      (0..<20_000).map { $0 % 3 == 0 ? -1.75 : Float($0) * 1e-7 },
    ], sampleRate: 44_100)

  @Test("A sound written as WAV is read back bit for bit, with its rate")
  func roundTrip() throws {
    let folder = try TemporaryFolder()
    try Self.sound.write(path: folder.file("a.wav"))
    #expect(try SoundFile(path: folder.file("a.wav")) == Self.sound)
  }

  @Test(
    "The ending of the name decides the format, in any case of letters",
    arguments: [
      ("a.wav", "RIFF"), ("a.WAV", "RIFF"), ("a.b.flac", "fLaC"), ("a.ogg", "OggS"), ("a.aiff", "FORM"),
      ("a.aif", "FORM"),
    ])
  func formats(name: String, begin: String) throws {
    let folder = try TemporaryFolder()
    let sound = SoundFile(channels: [(0..<4_800).map { sinf(Float($0) / 20) / 2 }], sampleRate: 48_000)
    try sound.write(path: folder.file(name))
    let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file(name)))
    #expect(String(decoding: bytes.prefix(4), as: UTF8.self) == begin)
    let read = try SoundFile(path: folder.file(name))
    #expect(read.frames == 4_800 && read.sampleRate == 48_000)
    let loss = zip(read.channels[0], sound.channels[0]).map { abs($0 - $1) }.max() ?? 1
    #expect(loss < (begin == "OggS" ? 0.05 : 1e-6), "\(loss)")
  }

  @Test("Samples beyond full scale are clipped where a format has no room for them, and never wrap")
  func clipping() throws {
    let folder = try TemporaryFolder()
    try SoundFile(channels: [[1.5, -1.5]], sampleRate: 48_000).write(path: folder.file("a.flac"))
    let read = try SoundFile(path: folder.file("a.flac")).channels[0]
    #expect(read[0] > 0.999 && read[1] == -1)
  }

  @Test("A name without a known ending is refused before a file is made", arguments: ["a.mp3", "wav", "a"])
  func unknownEnding(name: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.file(name)
    let error = #expect(throws: MediaError.unknownFormat(path: path)) { try Self.sound.write(path: path) }
    #expect(error.map { "\($0)" }?.hasSuffix("end the name with .wav, .flac, .ogg, .aiff, .opus") == true)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("The header of a WAV file of floats is the extensible one, which sox reads without a warning")
  func extensibleHeader() throws {
    let folder = try TemporaryFolder()
    try Self.sound.write(path: folder.file("a.wav"))
    let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file("a.wav")))
    let chunk = try #require(bytes.range(of: Data("fmt ".utf8)))
    // The size of the chunk, and the tag WAVE_FORMAT_EXTENSIBLE.
    #expect(bytes[chunk.upperBound..<chunk.upperBound + 6] == Data([40, 0, 0, 0, 0xFE, 0xFF]))
  }

  @Test("Equal sounds make equal files")
  func reproducible() throws {
    let folder = try TemporaryFolder()
    for name in ["a.wav", "b.wav"] { try Self.sound.write(path: folder.file(name)) }
    let (first, second) = (folder.file("a.wav"), folder.file("b.wav"))
    #expect(FileManager.default.contentsEqual(atPath: first, andPath: second))
  }

  @Test("Reading in pieces gives the same samples as reading the whole file, and nothing after its end")
  func pieces() throws {
    let folder = try TemporaryFolder()
    try Self.sound.write(path: folder.file("a.wav"))
    let reader = try SoundFileReader(path: folder.file("a.wav"))
    #expect(reader.length == 20_000)
    var joined: [Float] = []
    while true {
      let block = reader.read(frames: 777)
      if block[1].isEmpty { break }
      joined += block[1]
    }
    #expect(joined == Self.sound.channels[1])
    try reader.seek(to: 19_999)
    #expect(
      reader.read(frames: 10) == [[Self.sound.channels[0][19_999]], [Self.sound.channels[1][19_999]]])
  }

  @Test("Sound can be appended in pieces of any size")
  func appending() throws {
    let folder = try TemporaryFolder()
    let writer = try SoundFileWriter(path: folder.file("a.wav"), channelCount: 2, sampleRate: 44_100)
    for start in stride(from: 0, to: 20_000, by: 333) {
      let end = min(20_000, start + 333)
      try writer.write(Self.sound.channels.map { Array($0[start..<end]) })
    }
    try writer.close()
    #expect(try SoundFile(path: folder.file("a.wav")) == Self.sound)
  }

  @Test("A missing file is unreadable, with the system's reason")
  func absent() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("absent.wav")
    #expect(throws: MediaError.unreadable(path: path, reason: "No such file or directory")) {
      try SoundFile(path: path)
    }
  }

  @Test("A folder is unreadable as a sound")
  func folder() throws {
    let folder = try TemporaryFolder()
    #expect(throws: MediaError.unreadable(path: folder.path, reason: "Is a directory")) {
      try SoundFile(path: folder.path)
    }
  }

  @Test(
    "A file of text is not audio, and the error names the file",
    arguments: ["", "Hello, this is no sound.\n"])
  func text(content: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("letter.wav")
    try content.write(toFile: path, atomically: true, encoding: .utf8)
    let error = #expect(throws: MediaError.self) { try SoundFile(path: path) }
    guard case .notAudio(path, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect("\(try #require(error))".contains("letter.wav is not a sound file"))
  }

  @Test("A file in a missing folder cannot be written")
  func unwritable() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("nowhere/a.wav")
    let error = #expect(throws: MediaError.self) { try Self.sound.write(path: path) }
    guard case .unwritable(path, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}
