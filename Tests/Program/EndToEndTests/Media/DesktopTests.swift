import Foundation
import OSC
import SongFiles
import TestKit
import Testing

/// The router as a media player of the desktop, on a message bus of the test's own.
@Suite struct DesktopTests {
  private let bus: PrivateBus
  private let house: MusicHouse

  init() async throws {
    bus = try PrivateBus()
    house = try await MusicHouse(
      songs: 10, joinsDesktop: true, environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
    try house.awaitSongs(10)
  }

  @discardableResult
  private func playerctl(_ words: [String]) throws -> String {
    let child = try ChildProcess("playerctl", words, environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
    _ = child.wait(seconds: 10)
    return (child.output.text + child.errors.text).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Waits until a command of playerctl prints a text.
  private func await(_ text: String, _ words: String...) throws {
    let end = Date() + 10
    var said = ""
    while Date() < end {
      said = try playerctl(words)
      if said == text { return }
      usleep(20_000)
    }
    Issue.record("playerctl \(words) says \(said), not \(text)")
  }

  @Test("playerctl sees what plays, and its keys reach the player as /remote does")
  func keys() throws {
    let surface = house.surface
    try surface.send("/player/create", "walkin", "music", "Artist 0/Album 0")
    try surface.send("/player/walkin/play")
    let titles = try house.titles("walkin")
    try self.await("Playing", "status")
    try self.await(titles[0], "metadata", "title")
    try surface.subscribe("/event/player")
    try playerctl(["pause"])
    #expect(try surface.event("player") == ["walkin", "paused"])
    try playerctl(["play-pause"])
    #expect(try surface.event("player") == ["walkin", "playing"])
    try playerctl(["next"])
    try self.await(titles[1], "metadata", "title")
    #expect(try surface.number("/player/walkin/queue/index") == 1)
    try surface.send("/remote/previous")
    try self.await(titles[0], "metadata", "title")
    try playerctl(["position", "0.1"])
    try playerctl(["stop"])
    #expect(try surface.event("player") == ["walkin", "stopped"])
    // What plays after a stop begins at the start of the track.
    try self.await("0.000000", "position")
    #expect(try surface.number("/player/walkin/position") == 0)
  }

  @Test("The desktop gets the picture in a sound file, and the one beside it, as a file that it can read")
  func covers() throws {
    // The sample has a cover of 69 bytes.
    let sample = try SongFile.sample("flac")
    try Data(sample).write(to: URL(filePath: "\(house.media)/tagged.flac"))
    try FileManager.default.createDirectory(
      atPath: "\(house.media)/Beside", withIntermediateDirectories: false)
    try Data(SongFile.flac(["TITLE": "Beside"])).write(to: URL(filePath: "\(house.media)/Beside/song.flac"))
    try Data([1, 2, 3]).write(to: URL(filePath: "\(house.media)/Beside/folder.jpg"))
    let surface = house.surface
    try surface.send("/player/create", "walkin", "music", "tagged.flac")
    try surface.send("/player/walkin/loops", .int32(-1))
    try surface.send("/player/walkin/play")
    func picture(_ isRight: (Data) -> Bool) throws -> String {
      let end = Date() + 10
      var said = ""
      while Date() < end {
        said = try playerctl(["metadata", "mpris:artUrl"])
        if let url = URL(string: said), url.isFileURL, let bytes = try? Data(contentsOf: url), isRight(bytes)
        {
          return url.path
        }
        usleep(20_000)
      }
      Issue.record("no picture: \(said)")
      return ""
    }
    let embedded = try picture { $0.count == 69 }
    #expect(embedded.contains("/multiroute/covers/"))
    try surface.send("/player/walkin/queue/add", "Beside/song.flac")
    try surface.send("/player/walkin/queue/next")
    #expect(try picture { $0 == Data([1, 2, 3]) } == "\(house.media)/Beside/folder.jpg")
  }

  @Test(
    "Without a player of the router, /remote reaches that of another program, and an interruption pauses it")
  func others() async throws {
    // Another router stands for the other program.
    let other = try await MusicHouse(
      songs: 10, on: house.server, joinsDesktop: true, flags: ["--name", "other"],
      environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
    try other.awaitSongs(10)
    try other.surface.send("/player/create", "theirs", "music", "Artist 0/Album 0")
    // The songs are short.
    try other.surface.send("/player/theirs/loops", .int32(-1))
    try other.surface.subscribe("/event/player")
    try other.surface.send("/player/theirs/play")
    #expect(try other.surface.event("player") == ["theirs", "playing"])
    func expect(_ state: String, after address: String, _ arguments: OSCArgument...) throws {
      // The router learns of the other player soon after it has begun to play.
      let end = Date() + 10
      while true {
        do {
          try house.surface.send(address, arguments)
          break
        } catch let refusal as ControlSurface.Refusal where refusal.symbol == "notFound" && Date() < end {
          usleep(20_000)
        }
      }
      let told = try other.surface.event("player")
      #expect(told == ["theirs", .string(state)], "\(address) \(arguments)")
    }
    try expect("paused", after: "/remote/pause")
    try expect("playing", after: "/remote/play")
    try expect("paused", after: "/interruption/phone/on", 1)
    try expect("playing", after: "/interruption/phone/on", 0)
    // What somebody else paused stays paused.
    try expect("paused", after: "/remote/pause")
    try house.surface.send("/interruption/phone/on", 1)
    try house.surface.send("/interruption/phone/on", 0)
    try expect("playing", after: "/remote/play")
  }

  @Test("Without a player of the router or another program, /remote says so")
  func nobody() throws {
    do {
      try house.surface.send("/remote/play")
      Issue.record("accepted")
    } catch let refusal as ControlSurface.Refusal {
      #expect(refusal.sentence.contains("no other program has played"), "\(refusal)")
    }
  }
}
