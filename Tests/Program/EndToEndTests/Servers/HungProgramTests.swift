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

  /// A house whose band is heard at its level and whose surface gets all events, and a program beside it.
  private func playing() async throws -> (House, Bystander) {
    let house = try await House(programs: ["source Band 2 sine 997 0", "source Metronome 1 silence"])
    let bystander = try Bystander(house.server)
    try house.surface.subscribe("/event/*")
    try house.stage.do("wait-signal \"USB Interface\" 1 -1")
    return (house, bystander)
  }

  @Test(
    "While another program hangs and devices, sessions and the period change, every command is answered and every level applies"
  )
  func bystander() async throws {
    let (house, bystander) = try await playing()
    let surface = house.surface
    let (plugger, changer) = (try Helper(house.server), try Helper(house.server))
    bystander.stop()
    plugger.begin("device Big 8 0")
    changer.begin("period 512")

    let start = ContinuousClock.now
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
      try house.stage.do("wait-signal \"USB Interface\" 1 -1")
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
    // A router that waits for the hung program waits for seconds.
    #expect(longest < 0.5)
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
    // It is no flood of errors, however long all this took.
    #expect(again.count <= 1 + Int(start.secondsSince / 10), "\(again)")
    #expect(
      try !Program.run(["status", "--to", "127.0.0.1:\(house.router.port)"]).output.contains("Sleeper"))
    #expect(house.router.terminate().code == 0)
  }

  /// The server runs no period until both clients of the stopped program have cost it 2 s.
  @Test(
    "While a program hangs and the period changes, the router stays at the server, and all sounds again by itself"
  )
  func standstill() async throws {
    let (house, bystander) = try await playing()
    let surface = house.surface
    let changer = try Helper(house.server)
    bystander.stop()
    changer.begin("period 512")
    #expect(changer.wait(seconds: 60))
    try house.stage.do("wait-signal \"USB Interface\" 1 -1")
    let lost = try surface.takeAll().filter { $0.address == "/event/media" }
    #expect(lost.isEmpty, "\(lost)")
    bystander.goOn()
    #expect(house.router.terminate().code == 0)
  }

  /// Each notice to a stopped client costs the server 2 s. mpv gets one with each change of the graph.
  @Test(
    "A player hangs: within ten seconds all else sounds without it, and when it goes on it is heard again"
  )
  func player() async throws {
    let house = try await House(programs: ["source Band 2 sine 440 0", "source Metronome 1 silence"])
    let (stage, surface) = (house.stage, house.surface)
    try surface.send("/session/create", "film", "multiRoute")
    try surface.send("/session/film/activate", "connected")
    try surface.send("/session/film/stream/main/route", "headphones")
    try surface.send("/session/film/stream/main/from", "mpv:out*")
    func play() throws -> ChildProcess {
      try house.start("mpv", RealProgram.quietPlayer + ["--ao=jack", RealProgram.tone(in: house.folder)])
    }
    func expectFilm() throws { try stage.awaitTone(997, -12.04, at: "Headphones", 1) }
    func awaitError(_ text: String) throws {
      try surface.event("error", seconds: 10) { words in
        words.contains { $0.text?.contains(text) == true }
      }
    }
    func status() throws -> String {
      try Program.run(["status", "--to", "127.0.0.1:\(house.router.port)"]).output
    }
    var mpv = try play()
    defer { mpv.send(signal: SIGKILL) }
    try expectFilm()
    try stage.awaitTone(440, 0, at: "USB Interface", 1)
    // mpv also connects itself to the first device, which then waits for mpv as well.
    try stage.do("await-connection mpv:out_0 \"USB Interface:playback_1\"")
    let cables = Set(try stage.names("connections mpv:out_0"))
    #expect(cables == ["USB Interface:playback_1", "multiroute:film.main_1"])
    try surface.subscribe("/event/*")
    for end in [SIGCONT, SIGKILL] {
      // The server has told all clients of the last change of the graph.
      try surface.sync()
      try stage.do("frames 9600")
      let stop = ContinuousClock.now
      mpv.send(signal: SIGSTOP)
      try awaitError("the program mpv hangs")
      try stage.awaitTone(440, 0, at: "USB Interface", 1)
      #expect(stop.secondsSince < 10)
      #expect(try surface.text("/media/state") == "running")
      for session in ["film", "show"] { #expect(try surface.number("/session/\(session)/active") == 1) }
      #expect(try status().contains("the program mpv hangs"))
      let begin = ContinuousClock.now
      mpv.send(signal: end)
      if end == SIGCONT {
        try expectFilm()
        #expect(Set(try stage.names("connections mpv:out_0")) == cables)
      } else {
        try awaitError("the program mpv goes on or has ended")
      }
      #expect(begin.secondsSince < 5)
      #expect(try !status().contains("mpv hangs"))
      let lost = try surface.takeAll().filter { $0.address == "/event/session" }
      #expect(end == SIGKILL || lost.isEmpty, "\(lost)")
    }
    mpv = try play()
    try expectFilm()
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
