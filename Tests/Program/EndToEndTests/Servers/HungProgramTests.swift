import Foundation
import OSC
import TestKit
import Testing

/// Another program at the server is stopped. The server waits for this program whenever it sends a notice to its clients.
@Suite struct HungProgramTests {
  /// A program without connections, which is stopped while this object exists.
  private final class Bystander {
    private let stage: StageProcess

    init(_ server: PrivateServer) throws {
      stage = try server.stage()
      try stage.do("source Sleeper 1 silence")
    }

    func stop() { stage.send(signal: SIGSTOP) }
    func goOn() { stage.send(signal: SIGCONT) }

    deinit { goOn() }
  }

  /// Runs work with a second stage on another thread, because the server may make the work wait.
  private final class Helper: Sendable {
    /// Used by one thread, from `begin` on.
    private nonisolated(unsafe) let stage: StageProcess
    private let done = DispatchSemaphore(value: 0)

    init(_ server: PrivateServer) throws { stage = try server.stage() }

    func begin(_ commands: String...) {
      Thread.detachNewThread { [self] in
        for command in commands { _ = try? stage.do(command, seconds: 120) }
        done.signal()
      }
    }

    func wait(seconds: Double) -> Bool { done.wait(timeout: .now() + seconds) == .success }
  }

  @Test(
    "While another program hangs and devices, sessions and the period change, every command is answered and every level applies"
  )
  func bystander() async throws {
    let house = try await House(programs: ["source Band 2 sine 997 0", "source Metronome 1 silence"])
    let surface = house.surface
    let bystander = try Bystander(house.server)
    let (plugger, changer) = (try Helper(house.server), try Helper(house.server))
    try surface.subscribe("/event/*")
    try house.stage.do("wait-signal \"USB Interface\" 1 -1 5")
    bystander.stop()
    plugger.begin("device Big 8 0")
    changer.begin("period 512")

    var longest = 0.0
    func answered(_ body: () throws -> Void) throws {
      let start = ContinuousClock.now
      try body()
      longest = max(longest, start.secondsSince)
    }
    try answered { try surface.send("/session/create", "first", "playback") }
    let said = try surface.event("error", seconds: 8) { words in
      words.contains { $0.text?.contains("waiting for JACK: the program Sleeper does not answer") == true }
    }
    #expect(!said.isEmpty)
    let status = try Program.run(["status", "--to", "127.0.0.1:\(house.router.port)"]).output
    #expect(status.contains("waiting for JACK: the program Sleeper does not answer"))
    for round in 0..<3 {
      try answered { try surface.send("/session/create", "again", "playback") }
      try answered { try surface.send("/system/panic", 1) }
      try house.stage.do("frames 7200")
      #expect(try house.stage.value("tone", of: "level \"USB Interface\" 1 997 0.05") < -100, "\(round)")
      try answered { try surface.send("/system/panic", 0) }
      try house.stage.do("wait-signal \"USB Interface\" 1 -1 5")
      try answered { try surface.send("/session/show/stream/band/mute", 1) }
      try house.stage.do("frames 4800")
      #expect(try house.stage.value("tone", of: "level \"USB Interface\" 1 997 0.05") < -100, "\(round)")
      try answered { try surface.send("/session/show/stream/band/mute", 0) }
      try answered { try surface.send("/session/show/stream/band/gain", -6) }
      try house.stage.do("frames 4800")
      let level = try house.stage.value("tone", of: "level \"USB Interface\" 1 997 0.05")
      #expect(abs(level + 6) < 0.1, "\(round)")
      try answered { try surface.send("/session/show/stream/band/gain", 0) }
      try answered { try surface.send("/session/remove", "again") }
      for _ in 0..<20 {
        try answered { _ = try surface.number("/session/show/stream/band/gain") }
        usleep(5_000)
      }
    }
    #expect(longest < 0.05)
    #expect(try surface.text("/media/state") == "running")
    try surface.send("/session/create", "last", "playback")
    bystander.goOn()

    // All wanted ports and connections exist, and no others.
    #expect(plugger.wait(seconds: 30) && changer.wait(seconds: 30))
    #expect(try surface.event("port", seconds: 10) { $0.contains("big") } == ["out", "big", 1])
    try house.stage.do("await-port multiroute:last.main_1")
    try surface.sync()
    let ports = try house.stage.names("ports").filter { $0.hasPrefix("multiroute:") }
    #expect(ports.contains { $0.hasPrefix("multiroute:first.") })
    #expect(!ports.contains { $0.hasPrefix("multiroute:again.") })
    #expect(abs(try surface.number("/session/show/period") - 512.0 / 48_000) < 1e-6)
    let rest = try surface.takeAll().filter { $0.address == "/event/error" }
    let again = rest.filter { $0.arguments.contains { $0.text?.contains("the program Sleeper") == true } }
    #expect(again.count <= 1, "\(again)")
    #expect(
      try !Program.run(["status", "--to", "127.0.0.1:\(house.router.port)"]).output.contains("Sleeper"))
    #expect(house.router.terminate().code == 0)
  }

  @Test("A router whose calls wait for a hung program ends at a signal within a second")
  func ends() async throws {
    let house = try await House()
    let bystander = try Bystander(house.server)
    try house.surface.subscribe("/event/*")
    bystander.stop()
    for name in ["one", "two", "three", "four"] {
      try house.surface.send("/session/create", .string(name), "playback")
    }
    try house.surface.event("error", seconds: 8) { words in
      words.contains { $0.text?.contains("the program Sleeper does not answer") == true }
    }
    let end = house.router.terminate()
    #expect(end.code == 0)
    #expect(end.seconds < 1)
    bystander.goOn()
  }
}
