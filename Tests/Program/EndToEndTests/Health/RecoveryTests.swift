import Foundation
import JackServer
import OSC
import TestKit
import Testing

/// `/system/recover` (docs/operate/health.md#recovery).
@Suite struct RecoveryTests {
  @Test("A recovery makes all connections again within two seconds, fades, and changes no session")
  func torn() async throws {
    let house = try await House(programs: ["source Band 2 sine 997 0", "source Metronome 1 silence"])
    let surface = house.surface
    try surface.subscribe("/event/*")
    try surface.send("/session/show/gain", -6.0)
    try house.stage.do("wait-signal \"USB Interface\" 1 -9")
    let before = try Self.connections(house)
    var seconds = 0.0
    let usb = try house.hear {
      let start = ContinuousClock.now
      try surface.send("/system/recover")
      seconds = start.secondsSince
      try house.stage.do("wait-signal \"USB Interface\" 1 -9")
    }
    #expect(seconds < 2, "\(seconds)")
    #expect(try Self.connections(house) == before)
    #expect(try surface.number("/session/show/gain") == -6)
    #expect(try surface.number("/session/show/active") == 1)
    // Nothing was wrong, and no listener hears of a loss.
    let told = try surface.takeAll().filter { $0.address.hasPrefix("/event/") }
    #expect(
      !told.contains { ["/event/media", "/event/error", "/event/active"].contains($0.address) }, "\(told)")
    // A step of a sine of 997 Hz at half its amplitude is far steeper than this.
    let steepest = zip(usb.channels[0], usb.channels[0].dropFirst()).map { abs($0 - $1) }.max() ?? 0
    #expect(steepest < 0.5 * 2 * .pi * 997 / 48_000 * 1.02, "\(steepest)")
  }

  @Test("A recovery while a stopped program holds up the server tells which, and is over in two seconds")
  func stalled() async throws {
    let house = try await House(programs: ["source Band 2 sine 997 0", "source Metronome 1 silence"])
    let other = try house.server.stage()
    try other.do("source Synth 2 silence")
    try house.surface.subscribe("/event/error")
    other.send(signal: SIGSTOP)
    defer { other.send(signal: SIGCONT) }
    let start = ContinuousClock.now
    // A server that waits for a stopped program may refuse the new client until the program goes on.
    let outcome = Result { try house.surface.send("/system/recover") }
    #expect(start.secondsSince < 2)
    if case .failure(let error) = outcome {
      #expect((error as? ControlSurface.Refusal)?.symbol == "msrv", "\(error)")
    }
    other.send(signal: SIGCONT)
    try house.stage.do("wait-signal \"USB Interface\" 1 -9")
  }

  @Test("Without a server a recovery says so; only admin may order one")
  func refusals() async throws {
    let house = try await House()
    house.server.server.kill()
    try house.surface.subscribe("/event/media")
    #expect(throws: ControlSurface.Refusal.self) { try house.surface.send("/system/recover") }
  }

  private static func connections(_ house: House) throws -> [[String]] {
    try ["USB Interface:playback_1", "USB Interface:playback_2", "Headphones:playback_1", "Band:out_1"].map {
      try house.stage.names("connections \"\($0)\"").sorted()
    }
  }
}
