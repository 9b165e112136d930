import Foundation
import OSC
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
    try playerctl(["stop"])
    #expect(try surface.event("player") == ["walkin", "stopped"])
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
