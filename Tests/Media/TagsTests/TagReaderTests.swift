import SongFiles
import SystemCalls
import TemporaryFolders
import Testing

@testable import Tags

@Suite struct TagReaderTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func read<Value>(_ bytes: [UInt8], _ body: (Int32) throws -> Value) throws -> Value {
    let path = folder.file("song")
    try WholeFile.replace(path, with: bytes, permissions: 0o600)
    let descriptor = try System.open(path)
    defer { System.close(descriptor) }
    return try body(descriptor)
  }

  @Test("Tags, length and cover are read in every format", arguments: SongFile.samples)
  func formats(ending: String) throws {
    let bytes = try SongFile.sample(ending)
    let tags = try read(bytes) { try TagReader.tags(of: $0) }
    #expect(tags.title == "Café Größe" && tags.artist == "Åsa Öberg" && tags.album == "Blue")
    #expect(tags.albumArtist == "Various Artists" && tags.composer == "Dvořák" && tags.genre == "Jazz")
    #expect(tags.track == 3 && tags.disc == 2 && tags.isCompilation && tags.hasPicture)
    #expect((0.24...0.32).contains(tags.seconds), "\(tags.seconds)")
    let cover = try #require(try read(bytes) { try TagReader.cover(of: $0) })
    #expect(cover.type == "image/png" && cover.bytes.count == 69)
    #expect(cover.bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
  }

  @Test("Files made with other tags have those tags and no cover")
  func made() throws {
    for bytes in [
      try SongFile.flac(["TITLE": "A", "ARTIST": "B", "TRACKNUMBER": "07/12", "DISCNUMBER": "1"]),
      try SongFile.mp3(["TITLE": "A", "ARTIST": "B", "TRACKNUMBER": "07/12", "DISCNUMBER": "1"]),
    ] {
      let tags = try read(bytes) { try TagReader.tags(of: $0) }
      #expect(tags.title == "A" && tags.artist == "B" && tags.track == 7 && tags.disc == 1)
      #expect(!tags.hasPicture && tags.seconds > 0.2)
      #expect(try read(bytes) { try TagReader.cover(of: $0) } == nil)
    }
  }

  @Test("An mp3's tag before FLAC does not hide the FLAC")
  func tagBeforeFLAC() throws {
    let bytes = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 10] + [UInt8](repeating: 0, count: 10)
    let tags = try read(bytes + (try SongFile.flac(["TITLE": "Behind"]))) { try TagReader.tags(of: $0) }
    #expect(tags.title == "Behind")
  }

  @Test("Several values become one text, and control characters become blanks")
  func values() throws {
    let tags = try read(
      try SongFile.flac(["ARTIST": "Simon", "ARTIST": "Garfunkel", "TITLE": "two\nlines\u{7} \u{1b}[31m"])
    ) { try TagReader.tags(of: $0) }
    #expect(tags.artist == "Simon; Garfunkel" && tags.title == "two lines [31m")
  }

  @Test(
    "A file of another kind is unknown",
    arguments: ["", "O", "text", "<html>", "RIFF\u{0}\u{0}\u{0}\u{0}AVI ", "OggS", "ftypM4A "])
  func unknown(text: String) throws {
    #expect(throws: TagError.unknown) { try read(Array(text.utf8)) { try TagReader.tags(of: $0) } }
  }

  @Test("A folder has no tags, and neither has a closed descriptor")
  func noFile() throws {
    let descriptor = try System.open(folder.path, .folder)
    #expect(throws: TagError.unknown) { try TagReader.tags(of: descriptor) }
    System.close(descriptor)
    #expect(throws: TagError.unknown) { try TagReader.tags(of: -1) }
  }

  @Test("A file that claims a tag of 256 MB costs no more than its bytes")
  func lyingSize() throws {
    var bytes = try SongFile.mp3(["TITLE": "A"])
    for index in 6..<10 { bytes[index] = 0x7f }
    _ = try? read(bytes) { try TagReader.tags(of: $0) }
    var flac = try SongFile.flac(["TITLE": "A"])
    // The size of the comments.
    for index in 43..<46 { flac[index] = 0xff }
    _ = try? read(flac) { try TagReader.tags(of: $0) }
  }

  @Test("No more than the budget is read, and what lies behind is as if it were not there")
  func budget() throws {
    let bytes = try SongFile.flac(["TITLE": "A"])
    let small = try read(bytes) { descriptor -> String in
      var title = ""
      _ = try? TagCalls.read(descriptor, 560, property: { if $0 == "TITLE" { title = $1 } })
      return title
    }
    #expect(small.isEmpty)
    #expect(try read(bytes) { try TagReader.tags(of: $0) }.title == "A")
  }
}
