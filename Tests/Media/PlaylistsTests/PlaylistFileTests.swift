import Foundation
import MediaFolders
import Playlists
import TemporaryFolders
import Testing

@Suite struct PlaylistFileTests {
  let place: TemporaryFolder
  let playlists: PlaylistFile

  init() throws {
    place = try TemporaryFolder()
    for name in ["m/Jazz/a.flac", "m/Jazz/b.flac", "m/c.mp3", "secret.wav"] { try place.write("x", to: name) }
    playlists = PlaylistFile(in: MediaFolders([place.file("m")]))
  }

  @Test("Paths are relative to the playlist's folder, and playlists may name playlists")
  func content() throws {
    try place.write("a.flac\n../c.mp3\n./b.flac\n", to: "m/Jazz/one.m3u8")
    try place.write("Jazz/one.m3u8\nJazz\\b.flac\n", to: "m/two.m3u")
    let content = try playlists.content(of: "two.m3u")
    #expect(content.files.map(\.name) == ["Jazz/a.flac", "c.mp3", "Jazz/b.flac", "Jazz/b.flac"])
    #expect(content.problems.isEmpty)
  }

  @Test("A line that leads out is refused by name, and the rest of the list is played")
  func hostile() throws {
    try FileManager.default.createSymbolicLink(
      atPath: place.file("m/link.wav"), withDestinationPath: place.file("secret.wav"))
    let lines = [
      "../secret.wav", "/etc/passwd", "link.wav", "Jazz", "http://example.org/a.mp3", "file:///etc/passwd",
      "gone.mp3", "c.mp3",
    ]
    try place.write(lines.joined(separator: "\n"), to: "m/list.m3u8")
    let content = try playlists.content(of: "list.m3u8")
    #expect(content.files.map(\.name) == ["c.mp3"])
    #expect(content.problems.map(\.line) == Array(lines.dropLast()))
    #expect(
      content.problems[1].description
        == "/etc/passwd in the playlist list.m3u8: /etc/passwd is an absolute path; write the name below a media folder, such as Jazz/Blue.flac"
    )
  }

  @Test("A playlist that names itself, directly or through others, ends and says the way")
  func cycles() throws {
    try place.write("c.mp3\nself.m3u8\n", to: "m/self.m3u8")
    let own = try playlists.content(of: "self.m3u8")
    #expect(own.files.map(\.name) == ["c.mp3"])
    #expect(
      own.problems.map(\.description) == [
        "self.m3u8 in the playlist self.m3u8: it would never end: self.m3u8 names self.m3u8"
      ])
    try place.write("y.m3u8\n", to: "m/x.m3u8")
    try place.write("z.m3u8\nc.mp3\n", to: "m/y.m3u8")
    try place.write("x.m3u8\n", to: "m/z.m3u8")
    let ring = try playlists.content(of: "x.m3u8")
    #expect(ring.files.map(\.name) == ["c.mp3"])
    #expect(
      ring.problems.map(\.reason) == ["it would never end: x.m3u8 names y.m3u8 names z.m3u8 names x.m3u8"])
  }

  @Test("Playlists that double each other stay within the limits")
  func bomb() throws {
    for level in 0..<8 {
      let line = level == 7 ? "c.mp3\n" : "\(level + 1).m3u8\n"
      try place.write(String(repeating: line, count: 12), to: "m/\(level).m3u8")
    }
    let content = try playlists.content(of: "0.m3u8")
    #expect(content.files.count == PlaylistFile.longest)
    #expect(content.problems.contains { $0.reason == "only the first 10000 files are taken" })
  }

  @Test("A playlist that is missing, a folder, or too large is refused")
  func unreadable() throws {
    #expect(throws: PlaylistProblem.self) { try playlists.content(of: "none.m3u8") }
    #expect(throws: PlaylistProblem.self) { try playlists.content(of: "../x.m3u8") }
    try place.write("", to: "m/large.m3u8")
    #expect(truncate(place.file("m/large.m3u8"), PlaylistFile.largest + 1) == 0)
    let error = #expect(throws: PlaylistProblem.self) { try playlists.content(of: "large.m3u8") }
    #expect(error?.description.contains("may have 4194304") == true)
  }

  @Test("A playlist is written with relative paths, and read back")
  func writing() throws {
    let entries = ["c.mp3", "Jazz/a.flac", "Jazz/b.flac"].map {
      Playlist.Entry($0, title: "T \($0)", seconds: 3)
    }
    try playlists.write("Jazz/mine.m3u8", title: "Mine", entries)
    #expect(try place.text(of: "m/Jazz/mine.m3u8").contains("#EXTINF:3,T c.mp3\n../c.mp3\n"))
    #expect(try playlists.content(of: "Jazz/mine.m3u8").files.map(\.name) == entries.map(\.path))
    for (name, entry) in [
      ("x.m3u", "c.mp3"), ("../x.m3u8", "c.mp3"), ("no/x.m3u8", "c.mp3"), ("x.m3u8", "/etc/passwd"),
      ("x.m3u8", "gone.mp3"),
    ] {
      #expect(throws: PlaylistProblem.self, "\(name) \(entry)") {
        try playlists.write(name, title: nil, [.init(entry)])
      }
    }
    #expect(!FileManager.default.fileExists(atPath: place.file("m/x.m3u8")))
  }
}
