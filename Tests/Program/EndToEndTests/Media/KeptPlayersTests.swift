import Encoders
import Foundation
import OSC
import SoundFiles
import TestKit
import Testing

/// What is left of players after `kill -9` of a router.
@Suite struct KeptPlayersTests {
  @Test("A killed router's player that keeps its place goes on there with its queue; others start stopped")
  func killed() async throws {
    let server = try await PrivateServer()
    let folder = try TemporaryFolder()
    let media = folder.file("media")
    try FileManager.default.createDirectory(atPath: media, withIntermediateDirectories: true)
    for name in ["one", "two", "three"] {
      try CountedSound.sound(1..<960_000).write(path: "\(media)/\(name).wav")
    }
    let preset = try folder.write(
      """
      { "multiroute": 1, "sessions": {
        "music": { "category": "playback", "options": ["mixWithOthers"], "activate": "manual", "streams": {
          "main": { "channels": 2 }, "side": { "channels": 2 } } } },
        "players": {
          "bed": { "session": "music", "stream": "main", "queue": ["one.wav", "two.wav", "three.wav"], "keep": true },
          "cue": { "session": "music", "stream": "side", "queue": ["one.wav"] } } }
      """, to: "show.json")
    func start() throws -> (RouterProcess, ControlSurface) {
      let router = try RouterProcess(
        preset: preset, server: server.name, in: folder, flags: ["--media", media], owners: [server])
      return (router, try ControlSurface(port: router.port))
    }
    let (first, surface) = try start()
    for player in ["bed", "cue"] { try surface.send("/player/\(player)/play") }
    try surface.send("/player/bed/queue/index", .int32(1))
    try surface.send("/player/bed/position", 4.0)
    // The state is written at most once a second, and a busy machine writes it a moment later.
    _ = try await surface.number("/player/bed/position", isAtLeast: 6.5)
    #expect(first.terminate(by: SIGKILL).code == -SIGKILL)

    let (second, after) = try start()
    #expect(try after.text("/player/bed/state") == "playing")
    #expect(try after.text("/player/cue/state") == "stopped")
    // The place is kept every five seconds, and where the player was sent since.
    let place = try after.number("/player/bed/position")
    #expect((4..<8).contains(place), "\(place)")
    // What plays has found its files.
    _ = try await after.number("/player/bed/position", isAtLeast: place + 0.2)
    #expect(try after.number("/player/bed/queue/index") == 1)
    try after.send("/player/bed/queue/next")
    #expect(try after.number("/player/bed/queue/index") == 2)
    _ = second.terminate()
  }
}

extension ControlSurface {
  /// Asks for a number until it is great enough.
  fileprivate func number(_ address: String, isAtLeast least: Double) async throws -> Double {
    let end = ContinuousClock.now + .seconds(10)
    while true {
      let value = try number(address)
      if value >= least { return value }
      try #require(ContinuousClock.now < end, "\(address) is \(value)")
      try await Task.sleep(for: .milliseconds(20))
    }
  }
}
