import Foundation
import Media
import Testing

@Suite struct SoundFileTests {
  /// A folder that goes away with the test.
  final class Folder {
    let path = NSTemporaryDirectory() + "media-" + UUID().uuidString
    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: path) }
    func file(_ name: String) -> String { path + "/" + name }
  }

  /// Values that only survive if nothing is rounded, clipped or dithered.
  static let sound = SoundFile(
    channels: [
      (0..<20_000).map { Float($0) / 16_777_216 },
      (0..<20_000).map { $0 % 3 == 0 ? -1.75 : Float($0) * 1e-7 },
    ], sampleRate: 44_100)

  @Test("A sound written as WAV is read back bit for bit, with its rate")
  func roundTrip() throws {
    let folder = try Folder()
    try Self.sound.write(path: folder.file("a.wav"))
    #expect(try SoundFile(path: folder.file("a.wav")) == Self.sound)
  }

  @Test("Equal sounds make equal files")
  func reproducible() throws {
    let folder = try Folder()
    for name in ["a.wav", "b.wav"] { try Self.sound.write(path: folder.file(name)) }
    let (first, second) = (folder.file("a.wav"), folder.file("b.wav"))
    #expect(FileManager.default.contentsEqual(atPath: first, andPath: second))
  }

  @Test("Reading piece by piece gives the same as reading at once, and then nothing more")
  func pieces() throws {
    let folder = try Folder()
    try Self.sound.write(path: folder.file("a.wav"))
    let reader = try SoundFileReader(path: folder.file("a.wav"))
    #expect(reader.frames == 20_000)
    var joined: [Float] = []
    while true {
      let block = try reader.read(frames: 777)
      if block[1].isEmpty { break }
      joined += block[1]
    }
    #expect(joined == Self.sound.channels[1])
    try reader.seek(to: 19_999)
    #expect(
      try reader.read(frames: 10) == [[Self.sound.channels[0][19_999]], [Self.sound.channels[1][19_999]]])
  }

  @Test("Sound can be appended in pieces of any size")
  func appending() throws {
    let folder = try Folder()
    let writer = try SoundFileWriter(path: folder.file("a.wav"), channelCount: 2, sampleRate: 44_100)
    for start in stride(from: 0, to: 20_000, by: 333) {
      let end = min(20_000, start + 333)
      try writer.write(Self.sound.channels.map { Array($0[start..<end]) })
    }
    try writer.close()
    #expect(try SoundFile(path: folder.file("a.wav")) == Self.sound)
  }

  @Test("An absent file is unreadable, in the system's words")
  func absent() throws {
    let folder = try Folder()
    let path = folder.file("absent.wav")
    #expect(throws: MediaError.unreadable(path: path, reason: "No such file or directory")) {
      try SoundFile(path: path)
    }
  }

  @Test("A folder is unreadable")
  func folder() throws {
    let folder = try Folder()
    #expect(throws: MediaError.unreadable(path: folder.path, reason: "Is a directory")) {
      try SoundFile(path: folder.path)
    }
  }

  @Test(
    "A file of text is not audio, and the error says which file",
    arguments: ["", "Hello, this is no sound.\n"])
  func text(content: String) throws {
    let folder = try Folder()
    let path = folder.file("letter.wav")
    try content.write(toFile: path, atomically: true, encoding: .utf8)
    let error = #expect(throws: MediaError.self) { try SoundFile(path: path) }
    guard case .notAudio(path, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect("\(try #require(error))".contains("letter.wav is not a sound file"))
  }

  @Test("A file in a folder that is not there cannot be written")
  func unwritable() throws {
    let folder = try Folder()
    let path = folder.file("nowhere/a.wav")
    let error = #expect(throws: MediaError.self) { try Self.sound.write(path: path) }
    guard case .unwritable(path, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}
