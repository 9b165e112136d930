import Encoders
import Foundation
import MediaFolders
import Queues
import SoundFiles
import SystemCalls
import TemporaryFolders
import Testing

@testable import MusicLibrary

/// Files with names and contents that few programs expect.
@Suite struct OddNameTests {
  /// A path that is not UTF-8, as C takes it: one byte between two parts.
  private func path(_ beginning: String, _ byte: UInt8, _ end: String) -> [CChar] {
    var bytes = [UInt8](beginning.utf8)
    bytes.append(byte)
    bytes += end.utf8
    bytes.append(0)
    return bytes.map(CChar.init(bitPattern:))
  }

  @Test("A name that is not UTF-8 is listed with the reason, for a file and a folder, until it is renamed")
  func notUTF8() throws {
    let place = try LibraryPlace()
    try place.add("plain.flac")
    try place.add("caf.flac")
    try place.add("Musik/deep.flac")
    let odd = path("\(place.media)/caf", 0xE9, ".flac")
    try #require(rename("\(place.media)/caf.flac", odd) == 0)
    try #require(rename("\(place.media)/Musik", path("\(place.media)/M", 0xFC, "sik")) == 0)
    let library = place.library()
    try library.scan()
    #expect(try library.find("").items.map(\.name) == ["plain.flac"])
    let unusable = try library.unusable().items.sorted { $0.name < $1.name }
    #expect(unusable.map(\.name) == [#"M\xFCsik"#, #"caf\xE9.flac"#])
    #expect(unusable[0].reason.hasPrefix("the name of the folder is not UTF-8"))
    #expect(unusable[1].reason == "its name is not UTF-8, so that it cannot be named; rename it")
    // A folder as a word says what it leaves out.
    let addition = library.items(for: ".")
    #expect(addition.items.map(\.name) == ["plain.flac"])
    #expect(
      addition.problems.contains(
        #"caf\xE9.flac cannot be played: its name is not UTF-8, so that it cannot be named; rename it"#))
    #expect(try library.scan() == 0, "they are not looked at again")

    try #require(rename(odd, "\(place.media)/café.flac") == 0)
    try library.scan()
    #expect(try library.unusable().items.map(\.name) == [#"M\xFCsik"#])
    #expect(try library.find("").total == 2)
  }

  @Test("A name with a new line in it is a name as any other")
  func newLine() throws {
    let place = try LibraryPlace()
    try place.add("two\nlines.flac", ["TITLE": "Two"])
    let library = place.library()
    try library.scan()
    let song = try #require(try library.find("two").items.first)
    #expect(song.name == "two\nlines.flac")
    #expect(try library.file(song.id).path == "\(place.media)/two\nlines.flac")
  }

  @Test("A chained Ogg file has the length of all its links", arguments: [Encoders.Format.vorbis, .opus])
  func chained(format: Encoders.Format) throws {
    let place = try LibraryPlace()
    var bytes: [UInt8] = []
    for (name, frames) in [("a", 96_000), ("b", 48_000)] {
      let path = try Encoders.write(
        CountedSound.sound(0..<frames), format, in: place.folder.path, name: name)
      bytes += try WholeFile.bytes(path)
    }
    try place.write(bytes, to: "chain.ogg")
    let library = place.library()
    try library.scan()
    #expect(try library.find("").items.map(\.seconds) == [3])
  }
}
