import Chance
import Playlists
import Testing

@Suite struct PlaylistTests {
  @Test(
    "A playlist is read with every line break, with and without a byte order mark",
    arguments: ["\n", "\r\n", "\r"])
  func lines(end: String) {
    let text = [
      "#EXTM3U", "#PLAYLIST: Walk-in ", "#EXTINF:123,Åsa - Blue", "Jazz/Blue.flac", "", "# a remark",
      "  b.mp3  ",
      "#EXTINF:-1 tvg-name=\"x\",Live", "c.ogg", "#EXTINF:12.7,", "d.wav",
    ].joined(separator: end)
    let expected = Playlist(
      title: "Walk-in",
      [
        .init("Jazz/Blue.flac", title: "Åsa - Blue", seconds: 123), .init("b.mp3"),
        .init("c.ogg", title: "Live"), .init("d.wav", seconds: 12),
      ])
    #expect(Playlist(Array(text.utf8)) == expected)
    #expect(Playlist([0xEF, 0xBB, 0xBF] + Array(text.utf8)) == expected)
    let units = Array("\u{FEFF}\(text)".utf16)
    #expect(Playlist(units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }) == expected)
    #expect(Playlist(units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }) == expected)
  }

  @Test("A sentence about a file that is no playlist shows its control characters instead of sending them")
  func sentence() {
    let problem = PlaylistProblem(playlist: "a.m3u8", line: "b\0", reason: "there is no b\0")
    #expect(problem.description == #"b\u{0} in the playlist a.m3u8: there is no b\u{0}"#)
  }

  @Test("An old playlist that is not UTF-8 is read as Latin-1")
  func latin() {
    #expect(Playlist([0x43, 0x61, 0x66, 0xE9, 0x2E, 0x6D, 0x70, 0x33]).entries == [.init("Café.mp3")])
  }

  @Test("What is written is read back, with any names")
  func roundTrip() {
    let playlist = Playlist(
      title: "Two",
      [.init("#1 hit.mp3", title: "One", seconds: 0), .init(" blank.wav"), .init("ß/日本.flac", title: "日本")])
    let text = playlist.text
    #expect(text.hasPrefix("#EXTM3U\n#PLAYLIST:Two\n#EXTINF:0,One\n./#1 hit.mp3\n./ blank.wav\n"))
    let read = Playlist(Array(text.utf8))
    #expect(read.entries.map(\.path) == ["./#1 hit.mp3", "./ blank.wav", "ß/日本.flac"])
    #expect(read.entries.map(\.title) == ["One", nil, "日本"] && read.title == "Two")
    #expect(!Playlist.canHold("a\nb") && !Playlist.canHold("a ") && Playlist.canHold("a b"))
  }

  @Test("Random bytes are read as some list, and its text is read as that list again")
  func randomBytes() {
    var generator = SeededGenerator(seed: FuzzBudget.seed(41))
    let pieces: [[UInt8]] = [
      Array("#EXTINF:".utf8), Array("#EXTM3U".utf8), Array("\r\n".utf8), [10], [13], [0], [0xFF],
      [0xEF, 0xBB, 0xBF],
      Array("a.mp3".utf8), Array("12,".utf8), Array("../".utf8), [0xC3], Array("é".utf8), [32], [9],
    ]
    for _ in FuzzBudget(rounds: 2_000) {
      let bytes = (0..<Int.random(in: 0...30, using: &generator)).flatMap { _ in
        pieces.randomElement(using: &generator)!
      }
      let playlist = Playlist(bytes)
      #expect(playlist.entries.allSatisfy { !$0.path.isEmpty })
      let again = Playlist(Array(playlist.text.utf8))
      #expect(again.entries.count == playlist.entries.count)
      #expect(again.entries.map(\.seconds) == playlist.entries.map(\.seconds))
    }
  }
}
