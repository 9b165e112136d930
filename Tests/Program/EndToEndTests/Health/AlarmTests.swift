import Foundation
import JackServer
import OSC
import TestKit
import Testing

/// Alarms of a router at a real server (docs/operate/health.md#alarms).
@Suite struct AlarmTests {
  @Test("A program that falls silent on air is dead air, until it sounds again; a silenced rule says nothing")
  func deadAir() async throws {
    let house = try await House(
      House.preset(
        """
        "music": { "category": "playback", "activate": "start", "quiet": 1,
          "streams": { "main": { "channels": 2, "from": ["Band:out_*"] } } }
        """), programs: ["source Band 2 sine 997 0"])
    let surface = house.surface
    try surface.subscribe("/event/*")
    func play(_ signal: String) throws {
      for channel in 1...2 { try house.stage.do("play Band \(channel) \(signal)") }
    }
    func alarm() throws -> [OSCArgument] { try surface.event("health", seconds: 10) { $0[0] == "quiet" } }
    try play("silence")
    let begun = try alarm()
    #expect(begun[1] == 1 && begun[2].text?.contains("music is on air without sound") == true)
    #expect(try surface.number("/health/quiet/on") == 1)
    try play("sine 997 0")
    #expect(try alarm()[1] == 0)
    try surface.send("/health/quiet/silenced", 1)
    try play("silence")
    // The session has fallen silent, and the router has looked at it several times since.
    try house.stage.do("frames 192000")
    // Other alarms, such as that of a busy server, may come.
    let alarms = try surface.takeAll().filter {
      $0.address == "/event/health" && $0.arguments.first == "quiet"
    }
    #expect(alarms.isEmpty)
    try surface.send("/health/quiet/silenced", 0)
    #expect(try alarm()[1] == 1)
  }

  @Test("An output that limits for ten seconds, and one that rests again")
  func limiting() async throws {
    let house = try await House(
      House.preset(
        """
        "music": { "category": "playback", "activate": "start", "gain": 10,
          "streams": { "main": { "channels": 2, "from": ["Band:out_*"] } } }
        """), programs: ["source Band 2 sine 997 0"])
    try house.surface.subscribe("/event/health")
    func alarm() throws -> [OSCArgument] {
      try house.surface.event("health", seconds: 20) { $0[0] == "limiting" }
    }
    #expect(try alarm()[1] == 1)
    try house.surface.send("/session/music/gain", -20.0)
    #expect(try alarm()[1] == 0)
  }

  @Test("A server without real-time threads is told, and one with them is not")
  func priority() async throws {
    let server = try await PrivateServer { $0.scheduling = .ordinary }
    let folder = try TemporaryFolder()
    let router = try RouterProcess(
      preset: folder.write(House.preset(""), to: "show.json"), server: server.name, in: folder)
    let surface = try ControlSurface(port: router.port)
    try Self.awaitAlarm("priority", at: surface)
    #expect(try surface.text("/health/state").contains("no real-time priority"))
  }

  @Test("A stopped program that holds up the server is named, until it goes on")
  func stall() async throws {
    let house = try await House(programs: ["source Band 2 sine 997 0", "source Metronome 1 silence"])
    let other = try house.server.stage()
    try other.do("source Synth 2 silence")
    try other.do("connect Synth:out_1 \"USB Interface:playback_3\"")
    try house.surface.subscribe("/event/health")
    other.send(signal: SIGSTOP)
    defer { other.send(signal: SIGCONT) }
    func alarm() throws -> [OSCArgument] {
      try house.surface.event("health", seconds: 20) { $0[0] == "stall" }
    }
    try house.surface.send("/session/create", "late", "playback")
    let begun = try alarm()
    #expect(begun[1] == 1 && begun[2].text?.contains("Synth") == true, "\(begun)")
    other.send(signal: SIGCONT)
    #expect(try alarm()[1] == 0)
  }

  @Test("A disk of the recordings with little room is told")
  func disk() async throws {
    let rig = try await RouterOnSmallDisk(preset: House.preset("")) { ["--media", $0] }
    try Self.awaitAlarm("disk", at: rig.surface)
    #expect(try rig.surface.send("/health/list").isEmpty == false)
  }

  /// Waits until an alarm is on, which it may be from the start.
  private static func awaitAlarm(_ rule: String, at surface: ControlSurface) throws {
    let lamp = "/health/\(rule)/on"
    guard try surface.subscribe(lamp).first(where: { $0.address == lamp })?.arguments != [1] else { return }
    try surface.wait(for: lamp, seconds: 15) { $0.arguments == [1] }
  }
}
