import Foundation
import SongFiles
import Testing

@testable import Commands

@Suite("library scans, finds and shows, without a router")
struct LibraryCommandTests {
  private let folder: TemporaryFolder
  private var shell = Shell()

  init() throws {
    folder = try TemporaryFolder()
    shell.environment = Environment(["HOME": folder.path("home")])
    let media = try folder.folder("home/.local/share/multiroute/media/Joni/Blue")
    for (index, title) in ["All I Want", "My Old Man"].enumerated() {
      try Data(
        SongFile.flac([
          "TITLE": title, "ARTIST": "Joni Mitchell", "ALBUM": "Blue", "TRACKNUMBER": "\(index + 1)",
        ])
      ).write(to: URL(filePath: "\(media)/\(index).flac"))
    }
    _ = try folder.file("home/.local/share/multiroute/media/Walk-in.m3u8", "Joni/Blue/1.flac\n/etc/passwd\n")
    _ = try folder.file("home/.local/share/multiroute/media/broken.mp3", "text")
  }

  @Test("A scan tells what it found, and the next one reads no file again")
  func scan() throws {
    #expect(shell.run("library", "scan") == .success)
    #expect(shell.run("library", "scan") == .success)
    #expect(
      shell.terminal.lines == [
        "2 songs, 4 files read, 1 that cannot be used", "2 songs, 0 files read, 1 that cannot be used",
      ])
    #expect(shell.terminal.error.contains("multiroute library show unusable"))
  }

  @Test("Songs are found by words and fields, in the order of the album, a page at a time")
  func find() throws {
    shell.run("library", "scan")
    var copy = Shell()
    copy.environment = shell.environment
    #expect(copy.run("library", "find", "album:Blue") == .success)
    let lines = copy.terminal.lines
    #expect(lines[0].hasPrefix("TITLE       ARTIST         ALBUM  LENGTH  ID"))
    #expect(lines[1].hasPrefix("All I Want  Joni Mitchell  Blue     0:00  id:"))
    #expect(lines.count == 3)
    #expect(copy.run("library", "find", "joni", "--count", "1") == .success)
    #expect(copy.terminal.error == "1 to 1 of 2; the next: --from 1\n")
    #expect(copy.run("library", "find", "old", "man", "--json") == .success)
    let json = copy.terminal.output.drop { $0 != "{" }
    let value = try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    let items = try #require(value["items"] as? [[String: Any]])
    #expect(value["total"] as? Int == 1 && items[0]["file"] as? String == "Joni/Blue/1.flac")
    #expect(copy.run("library", "find", "xyzzy") == .failure)
  }

  @Test("Lists, playlists, ids and files are shown, and what is refused is told")
  func show() throws {
    shell.run("library", "scan")
    #expect(shell.run("library", "show") == .success)
    #expect(shell.terminal.output.contains("\nalbums              1\n"))
    #expect(shell.run("library", "show", "albums") == .success)
    #expect(shell.terminal.lines.last?.hasSuffix(#"album:"Blue" albumartist:"Joni Mitchell""#) == true)
    #expect(shell.run("library", "show", "unusable") == .success)
    #expect(shell.terminal.lines.last == "broken.mp3  its first bytes are those of no format that is read")
    #expect(shell.run("library", "show", "Walk-in.m3u8") == .success)
    #expect(
      shell.terminal.error.contains(
        "/etc/passwd in the playlist Walk-in.m3u8: /etc/passwd is an absolute path"))
    #expect(shell.terminal.lines.last?.contains("Joni/Blue/1.flac") == true)
    #expect(shell.run("library", "show", "../secret.wav") == .failure)
    #expect(shell.terminal.error.contains("../secret.wav leads out of the media folder"))
  }

  @Test("--media and --state choose other folders, and so does the configuration")
  func folders() throws {
    let other = try folder.folder("other")
    #expect(shell.run("library", "scan", "--media", other, "--state", folder.path("state")) == .success)
    #expect(shell.terminal.lines.last == "0 songs, 0 files read, 0 that cannot be used")
    #expect(FileManager.default.fileExists(atPath: folder.path("state")))
    let file = try folder.file("config.json", #"{ "multiroute": 1, "media": "other" }"#)
    #expect(shell.run("library", "show", "--config", file) == .success)
    #expect(shell.terminal.lines.contains("folder \(folder.path("other"))"))
    #expect(shell.terminal.error.contains("The library is empty."))
  }

  @Test("A scan that is interrupted keeps what it has found")
  func interrupted() throws {
    var shell = shell
    shell.interruption = EndRequest { { true } }
    #expect(shell.run("library", "scan") == .success)
    #expect(shell.terminal.error.contains("Stopped; the next scan goes on here."))
  }

  @Test("A state folder that cannot be used ends with 66, and a wrong job with 64")
  func failures() throws {
    let file = try folder.file("file", "")
    #expect(shell.run("library", "scan", "--state", file) == .unreadableFile)
    #expect(shell.terminal.error.contains("the library \(file)/library-"))
    for words in [["library"], ["library", "sing"], ["library", "find"], ["library", "scan", "now"]] {
      #expect(shell.run(words) == .usage, "\(words)")
    }
  }
}
