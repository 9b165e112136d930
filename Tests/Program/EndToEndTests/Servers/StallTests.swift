import Foundation
import OSC
import TestKit
import Testing

/// A destination of the router's output blocks. Sound and answers must go on, and the router must end within a second.
@Suite struct StallTests {
  private static let programs = ["source Band 2 sine 997 0", "source Metronome 1 silence"]

  /// Expects that pings are answered, that a level takes effect, and that SIGTERM ends the router within a second.
  private func expectLife(of house: House) throws {
    var waits: [Double] = []
    for number in Int32(1)...21 {
      let start = ContinuousClock.now
      try house.surface.tell("/ping", .int32(number))
      try house.surface.wait(for: "/pong", seconds: 2) { $0.arguments == [.int32(number)] }
      waits.append(start.secondsSince)
    }
    // One ping may be late because the machine is busy.
    #expect(waits.sorted()[19] < 0.05, "\(waits)")
    try house.stage.do("wait-signal \"USB Interface\" 1 -1")
    try house.surface.send("/session/show/stream/band/gain", -6)
    try house.stage.do("frames 20000")
    let level = try house.stage.value("tone", of: "level \"USB Interface\" 1 997 0.2")
    #expect(abs(level + 6) < 0.02)
  }

  /// Sends SIGTERM, and expects the end within a second.
  private func expectEnd(of house: House) {
    let child = house.router.child
    let start = ContinuousClock.now
    child.send(signal: SIGTERM)
    while child.isRunning, start.secondsSince < 10 { usleep(1_000) }
    #expect(start.secondsSince < 1)
    child.errors.goOn()
    #expect(child.wait(seconds: 1) == 0)
  }

  /// A session that becomes active and inactive. Each change is an event.
  private static let blinker = String(repeating: "x", count: 32)

  /// A house with this session.
  private func house(_ flags: String..., environment: [String: String] = [:]) async throws -> House {
    let house = try await House(programs: Self.programs, flags: flags, environment: environment)
    try house.surface.send("/session/create", .string(Self.blinker), "playback", "default", "mixWithOthers")
    return house
  }

  /// Makes the router publish many events. Each takes about 60 bytes in the log.
  private func makeEvents(_ count: Int, _ house: House) throws {
    let toggles = (0..<100).map { step in
      OSCPacket.message(OSCMessage("/session/\(Self.blinker)/active", .int32(Int32(1 - step % 2))))
    }
    for _ in 0..<(count / 100) {
      try house.surface.client.send(.bundle(OSCBundle(toggles)))
      // After the answer, the router has carried out the bundle.
      _ = try house.surface.takeAll()
    }
  }

  @Test("Standard error without a reader: everything goes on, and the number of lost lines is reported")
  func standardError() async throws {
    let house = try await house("--log", "debug")
    let errors = house.router.child.errors
    errors.pause()
    // Several times what the pipe and the queue hold together.
    try makeEvents(30_000, house)
    try expectLife(of: house)
    errors.goOn()
    #expect(errors.line(containing: "lines are missing here", seconds: 20) != nil)
    errors.pause()
    try makeEvents(3_000, house)
    expectEnd(of: house)
  }

  @Test("An events file whose reader sleeps: everything goes on, and the loss is reported once")
  func sleepingReader() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("events")
    #expect(mkfifo(path, 0o600) == 0)
    let reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(reader) }
    let house = try await house("--events", path)
    try makeEvents(30_000, house)
    #expect(house.router.child.errors.line(containing: "\(path) is losing events") != nil)
    try expectLife(of: house)
    expectEnd(of: house)
    #expect(house.router.child.errors.text.components(separatedBy: "is losing events").count == 2)
  }

  @Test("An events file that is a FIFO without a reader is refused at once")
  func noReader() throws {
    let folder = try TemporaryFolder()
    #expect(mkfifo(folder.file("events"), 0o600) == 0)
    let run = try Program.run(
      ["run", "--events", folder.file("events"), "--config", "none", "--osc", "127.0.0.1:0"], in: folder)
    #expect(run.code == 66)
    #expect(run.errors.contains("no program reads it"))
  }

  @Test("A disk that stands still under the events file: everything goes on")
  func eventsDisk() async throws {
    let folder = try TemporaryFolder()
    let disk = try StalledDisk(holding: "/events.jsonl", in: folder)
    let house = try await house(
      "--events", folder.file("events.jsonl"), environment: disk.environment)
    disk.stop()
    try makeEvents(100, house)
    #expect(disk.waitUntilReached())
    try expectLife(of: house)
    disk.goOn()
    disk.stop()
    try makeEvents(100, house)
    expectEnd(of: house)
  }

  @Test(
    "A disk that stands still under the kept state: everything goes on")
  func stateDisk() async throws {
    let folder = try TemporaryFolder()
    let disk = try StalledDisk(holding: "/multiroute.json", in: folder)
    let house = try await house(environment: disk.environment)
    disk.stop()
    try house.surface.send("/output/headphones/gain", -3)
    #expect(disk.waitUntilReached())
    try expectLife(of: house)
    expectEnd(of: house)
  }

  @Test("The router does not wait for a FIFO in place of the kept state")
  func stateFIFO() async throws {
    let server = try await PrivateServer()
    let folder = try TemporaryFolder()
    let state = folder.file("XDG_STATE_HOME/multiroute")
    try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
    for name in ["multiroute.json", "multiroute.json.new"] {
      #expect(mkfifo("\(state)/\(name)", 0o600) == 0)
    }
    let router = try RouterProcess(
      preset: folder.write(House.show, to: "show.json"), server: server.name, in: folder, owners: [server])
    let surface = try ControlSurface(port: router.port)
    try surface.send("/output/headphones/gain", -3)
    #expect(try surface.number("/output/headphones/gain") == -3)
    let end = router.terminate()
    #expect(end.code == 0)
    #expect(end.seconds < 1)
  }
}
