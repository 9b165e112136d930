import Foundation
import OSC
import SongFiles
import TestKit
import Testing

/// Players' queues and the music library of a running router, over UDP.
@Suite struct MusicTests {
  @Test("The library is found page by page, follows the disk, and is not read again after a restart")
  func library() async throws {
    let house = try await MusicHouse(songs: 60)
    let surface = house.surface
    try house.awaitSongs(60)
    #expect(try surface.number("/library/progress") == 1)
    try surface.tell("/library/find", "artist:Artist 0", 38, 5)
    let first = try surface.wait(for: "/library/find").arguments
    #expect(first.prefix(2) == [38, 40] && first[4] == "Artist 0" && first[5] == "Album 3", "\(first)")
    #expect(try surface.wait(for: "/library/find").arguments.prefix(2) == [39, 40])
    try surface.tell("/library/albums", 5)
    let album = try surface.wait(for: "/library/albums").arguments
    #expect(album.prefix(2) == [5, 6] && album[3] == "Album 5" && album.last == 10, "\(album)")
    #expect(try surface.send("/library/songs", 100, 1) == [100, 60])
    let id = try #require(first[2].text)
    #expect(id.hasPrefix("id:"))
    // What is listed is what a queue takes.
    try surface.send("/player/create", "walkin", "music", .string(id))
    try surface.send("/player/walkin/queue/add", album[2])
    #expect(try surface.number("/player/walkin/queue/length") == 11)
    // The disk changes.
    try house.write(try SongFile.flac(["TITLE": "New", "ARTIST": "Someone"]), to: "New.flac")
    try house.awaitSongs(61)
    #expect(try surface.send("/library/find", "title:New").count == 6)
    #expect(try surface.counters()["opened"] == 61)
    try house.restart()
    try house.awaitSongs(61)
    try house.surface.send("/library/scan")
    try FileManager.default.removeItem(atPath: "\(house.media)/New.flac")
    try house.awaitSongs(60)
    #expect(try house.surface.counters()["opened"] == 0)
  }

  @Test(
    "A queue is filled by files, folders, playlists and queries, moves on by repeat and shuffle, and is saved"
  )
  func queue() async throws {
    let house = try await MusicHouse(songs: 40)
    let surface = house.surface
    try house.awaitSongs(40)
    try surface.send("/player/create", "walkin", "music")
    // A play never overtakes the files, also without a request.
    try surface.tell("/player/walkin/queue/add", "Artist 0/Album 0")
    try surface.tell("/player/walkin/play")
    try surface.sync()
    #expect(try surface.number("/player/walkin/queue/length") == 10)
    #expect(try surface.number("/player/walkin/playing") == 1)
    let album = try house.titles("walkin")
    for _ in 0..<3 { try surface.send("/player/walkin/queue/next") }
    #expect(try surface.text("/player/walkin/title") == album[3])
    try surface.send("/player/walkin/queue/previous")
    #expect(try surface.number("/player/walkin/queue/index") == 2)
    // With repeat all the first follows the last.
    try surface.send("/player/walkin/queue/repeat", "all")
    try surface.send("/player/walkin/queue/index", 9)
    try surface.send("/player/walkin/queue/next")
    #expect(try surface.number("/player/walkin/queue/index") == 0)
    // Shuffle: each once before any repeats, and back through what was heard.
    try surface.send("/player/walkin/queue/shuffle", "songs")
    var heard = [try surface.number("/player/walkin/queue/index")]
    for _ in 1..<10 {
      try surface.send("/player/walkin/queue/next")
      heard.append(try surface.number("/player/walkin/queue/index"))
    }
    #expect(Set(heard).count == 10, "\(heard)")
    for index in heard.reversed().dropFirst() {
      try surface.send("/player/walkin/queue/previous")
      #expect(try surface.number("/player/walkin/queue/index") == index)
    }
    try surface.send("/player/walkin/queue/shuffle", "off")
    // Saved, and read again.
    try surface.send("/player/walkin/queue/move", 0, 9)
    let moved = try house.titles("walkin")
    #expect(moved == album.dropFirst() + [album[0]])
    try surface.send("/player/walkin/queue/save", "Walk-in.m3u8")
    let text = try String(contentsOfFile: "\(house.media)/Walk-in.m3u8", encoding: .utf8)
    #expect(text.hasPrefix("#EXTM3U\n") && text.contains("\nArtist 0/Album 0/2 Song 1.mp3\n"), "\(text)")
    try surface.send("/player/walkin/queue/clear")
    #expect(try surface.send("/player/walkin/queue/add", "Walk-in.m3u8") == [10])
    #expect(try house.titles("walkin") == moved)
    #expect(try surface.send("/player/walkin/queue/insert", 1, "album:Album 1") == [10])
    #expect(try house.titles("walkin").count == 20)
  }

  @Test(
    "What leads out of the media folder, is missing or is no sound is refused by name; the rest of a list counts"
  )
  func refused() async throws {
    let house = try await MusicHouse(songs: 10)
    let surface = house.surface
    try house.awaitSongs(10)
    try house.write(Array("....ftypM4A ................................".utf8), to: "song.m4a")
    try house.write([1, 2, 3], to: "noise.bin")
    try FileManager.default.createSymbolicLink(
      atPath: "\(house.media)/link.flac", withDestinationPath: "/etc/hostname")
    try house.write(
      Array("Artist 0/Album 0/1 Song 0.flac\n../x.flac\nsong.m4a\nmissing.flac\n".utf8), to: "mixed.m3u8")
    try surface.send("/player/create", "walkin", "music")
    for (word, part) in [
      ("song.m4a", "ffmpeg -i"), ("noise.bin", "noise.bin"),
      ("../show.json", "leads out of the media folder"),
      ("/etc/hostname", "is an absolute path"), ("link.flac", "outside the media folders"),
      ("no such thing", "there is no no such thing"), ("album:Nothing", "no song is found for album:Nothing"),
    ] {
      do {
        try surface.send("/player/walkin/queue/add", .string(word))
        Issue.record("\(word) was accepted")
      } catch let refusal as ControlSurface.Refusal {
        #expect(refusal.sentence.contains(part), "\(word): \(refusal)")
      }
    }
    #expect(try surface.number("/player/walkin/queue/length") == 0)
    let added = try surface.send("/player/walkin/queue/add", "mixed.m3u8")
    #expect(added.count == 4 && added[0] == 1, "\(added)")
    for part in ["../x.flac", "song.m4a", "missing.flac"] {
      #expect(added.contains { $0.text?.contains(part) ?? false }, "\(part): \(added)")
    }
    // Without a request each problem is an error, and an event for everybody.
    try surface.subscribe("/event/error")
    try surface.tell("/player/walkin/queue/add", "mixed.m3u8")
    for _ in 0..<3 { try surface.wait(for: "/error") }
    for _ in 0..<3 { try surface.event("error") { $0.last?.text?.isEmpty == false } }
    #expect(try surface.number("/player/walkin/queue/length") == 2)
    #expect(throws: ControlSurface.Refusal.self) {
      try surface.send("/player/walkin/queue/save", "../out.m3u8")
    }
    #expect(throws: ControlSurface.Refusal.self) { try surface.send("/player/walkin/queue/save", "out.txt") }
  }

  @Test("A file that is gone is told and skipped, the show goes on, and three in a row stop the player")
  func missing() async throws {
    let house = try await MusicHouse(songs: 10)
    let surface = house.surface
    try house.awaitSongs(10)
    try surface.send("/player/create", "walkin", "music", "Artist 0/Album 0")
    let titles = try house.titles("walkin")
    for index in [1, 3, 4, 5] {
      try FileManager.default.removeItem(atPath: "\(house.media)/\(SongCollectionFolder.name(of: index))")
    }
    try surface.subscribe("/event/player")
    try surface.subscribe("/event/nowplaying")
    try surface.subscribe("/event/error")
    try surface.send("/player/walkin/play")
    #expect(try surface.event("nowplaying").last == .string(titles[0]))
    #expect(try surface.event("player") { $0.last == "failed" } == ["walkin", "failed"])
    let name = SongCollectionFolder.name(of: 1)
    try surface.event("error") { $0.last?.text?.contains(name) ?? false }
    try surface.event("nowplaying") { $0.last == .string(titles[2]) }
    for _ in 0..<3 { try surface.event("player") { $0.last == "failed" } }
    try surface.event("player") { $0.last == "stopped" }
    #expect(try surface.text("/player/walkin/state") == "stopped")
  }

  @Test(
    "record records for a time and prints the name of the file, and --start and --stop do so in two steps")
  func record() async throws {
    let house = try await MusicHouse(songs: 1)
    for (id, source) in [("tape", "session:music"), ("room", "stream:music.main")] {
      try house.surface.send("/recorder/create", .string(id), .string(source))
    }
    let to = ["--to", "127.0.0.1:\(house.router.port)"]
    let timed = try Program.run(["record", "tape", "room", "--seconds", "0.3"] + to)
    #expect(timed.code == 0, "\(timed)")
    let files = timed.output.split(separator: "\n").map(String.init)
    #expect(files.count == 2 && files[0].hasPrefix("tape-") && files[1].hasPrefix("room-"), "\(timed)")
    for file in files { #expect(FileManager.default.fileExists(atPath: "\(house.media)/recordings/\(file)")) }
    let begun = try Program.run(["record", "tape", "--start"] + to)
    #expect(begun.code == 0 && begun.output.hasPrefix("tape-"), "\(begun)")
    #expect(try house.surface.text("/recorder/tape/state") == "recording")
    // The file that is being written stays.
    let name = begun.output.trimmingCharacters(in: .newlines)
    #expect(throws: ControlSurface.Refusal.self) {
      try house.surface.send("/recorder/tape/delete", .string(name))
    }
    let ended = try Program.run(["record", "tape", "--stop"] + to)
    #expect(ended.code == 0 && ended.output == begun.output, "\(ended)")
    try house.surface.send("/recorder/tape/delete", .string(name))
    #expect(!FileManager.default.fileExists(atPath: "\(house.media)/recordings/\(name)"))
  }

  @Test("status shows players and recorders, and record refuses what is not there")
  func commands() async throws {
    let house = try await MusicHouse(songs: 10)
    try house.awaitSongs(10)
    try house.surface.send("/player/create", "walkin", "music", "Artist 0/Album 0")
    try house.surface.send("/recorder/create", "tape", "session:music")
    let to = ["--to", "127.0.0.1:\(house.router.port)"]
    let status = try Program.run(["status"] + to)
    #expect(status.code == 0 && status.errors.isEmpty, "\(status)")
    let lines = status.output.split(separator: "\n").map {
      $0.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    #expect(lines.contains { $0.hasPrefix("walkin stopped") && $0.contains("1/10 Artist 0 - ") }, "\(lines)")
    #expect(lines.contains { $0.hasPrefix("tape stopped") && $0.contains("session:music") }, "\(lines)")
    let json = try Program.run(["status", "--json"] + to)
    let report = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    let player = (report?["players"] as? [[String: Any]])?.first
    #expect(player?["queue/length"] as? Int == 10 && player?["into"] as? String == "music.main")
    let refused = try Program.run(["record", "nobody", "tape"] + to)
    #expect(refused.code == 1 && refused.errors.contains("nobody"), "\(refused)")
    #expect(try house.surface.text("/recorder/tape/state") == "stopped")
    #expect(try Program.run(["record", "tape", "--start", "--stop"] + to).code == 64)
  }

  @Test("A recording is deleted by name, and no other file is")
  func deletion() async throws {
    let house = try await MusicHouse(songs: 1)
    let surface = house.surface
    try FileManager.default.createDirectory(
      atPath: "\(house.media)/recordings", withIntermediateDirectories: true)
    try house.write([1], to: "recordings/tape-1.wav")
    try house.write([1], to: "other.wav")
    try surface.send("/recorder/create", "tape", "session:music")
    for name in ["../other.wav", "/etc/passwd", "none.wav", "", ".hidden"] {
      #expect(throws: ControlSurface.Refusal.self, "\(name)") {
        try surface.send("/recorder/tape/delete", .string(name))
      }
    }
    try surface.send("/recorder/tape/delete", "tape-1.wav")
    #expect(!FileManager.default.fileExists(atPath: "\(house.media)/recordings/tape-1.wav"))
    #expect(FileManager.default.fileExists(atPath: "\(house.media)/other.wav"))
  }
}
