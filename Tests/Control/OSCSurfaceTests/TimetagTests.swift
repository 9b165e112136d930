import ControlInterface
import OSC
import SessionModel
import Testing

@testable import OSCSurface

/// docs/develop/law/osc.md#8-timetags. The time of day begins with the desk's present: a timetag is so many seconds ahead.
@Suite("Timetags")
struct TimetagTests {
  private func punctual() throws -> Desk {
    var desk = try Desk.stage()
    desk.send("/subscribe", "/session/*/gain")
    desk.send("/client/timetags", "honour")
    desk.send("/client/echo", "always")
    desk.wait(1)
    return desk
  }

  private func bundle(_ seconds: Double, _ elements: OSCPacket...) -> OSCPacket {
    .bundle(OSCBundle(timetag: OSCTimetag(unixTime: seconds), elements))
  }

  private func gain(_ level: Float) -> OSCPacket { .message(OSCMessage("/session/show/gain", .float(level))) }

  /// Lets time pass, and has the bundles carried out that become due. Returns the gains that are heard, with the seconds since now.
  private func gains(_ desk: inout Desk, _ seconds: Double) -> [Float] {
    var heard: [Float] = []
    for _ in 0..<Int(seconds / 0.05) {
      let messages = desk.wait(0.05)
      heard += messages.filter { $0.address == "/session/show/gain" }.compactMap {
        if case .float(let level)? = $0.arguments.first { level } else { nil }
      }
    }
    return heard
  }

  @Test("Without the setting a bundle takes effect when it arrives, an hour ahead too")
  func now() throws {
    var desk = try Desk.stage()
    #expect(desk.send(bundle(3_600, gain(-3))).isEmpty)
    #expect(desk.get("/session/show/gain") == [-3.0])
    desk.send("/subscribe", "/ramp")
    desk.send(bundle(10, gain(-4)))
    #expect(desk.get("/session/show/gain") == [-4.0])
  }

  @Test("A client that asks gets its bundle at its time, and others are not kept waiting")
  func honour() throws {
    var desk = try punctual()
    #expect(desk.send(bundle(2, gain(-3))).isEmpty)
    #expect(desk.get("/session/show/gain") == [0.0])
    #expect(gains(&desk, 1.9).isEmpty)
    #expect(gains(&desk, 0.2) == [-3])
    #expect(desk.send(bundle(-5, gain(-4))).errorCode == nil)
    #expect(desk.get("/session/show/gain") == [-4.0])
    desk.send(bundle(0, gain(-5)))
    #expect(desk.get("/session/show/gain") == [-5.0])
    desk.wait(0.1)
    #expect(desk.isIdle)
  }

  @Test("E10: bundles within bundles go by their own timetags, in the order of time")
  func nested() throws {
    var desk = try punctual()
    let packet = bundle(
      3, gain(-3), bundle(1, gain(-1), bundle(2, gain(-2))),
      .bundle(OSCBundle(timetag: .immediately, [gain(-0.5)])))
    #expect(desk.send(packet).errorCode == nil)
    #expect(desk.get("/session/show/gain") == [-0.5])
    #expect(gains(&desk, 4) == [-1, -2, -3])
    // Past ones keep the order of time, too.
    desk.send(bundle(-1, gain(-10), bundle(-2, gain(-11))))
    #expect(desk.get("/session/show/gain") == [-10.0])
  }

  @Test(
    "M22: more than 60 s ahead, and more than 64 bundles, are refused, and nothing of the packet takes effect"
  )
  func limits() throws {
    var desk = try punctual()
    for _ in 1...1_000 {
      let answers = desk.send(bundle(3_600, gain(-3)))
      #expect([.tooFar, .rateLimited, nil].contains(answers.errorCode))
    }
    desk.wait(2)
    #expect(desk.send(bundle(61, gain(-3))).errorCode == .tooFar)
    let mixed = bundle(0, gain(-9), bundle(61, gain(-3)))
    #expect(desk.send(mixed).errorCode == .tooFar)
    #expect(desk.get("/session/show/gain") == [0.0])
    for number in 1...64 { #expect(desk.send(bundle(Double(number) / 10, gain(-3))).isEmpty) }
    #expect(desk.send(bundle(1, gain(-3))).errorCode == .full)
    // Another client has room of its own.
    desk.send("/subscribe", "/ramp", from: Desk.other)
    desk.send("/client/timetags", "honour", from: Desk.other)
    #expect(desk.send(bundle(1, gain(-3)), from: Desk.other).isEmpty)
  }

  @Test("A bundle that is refused when its time comes is told then, and undone as a whole")
  func refused() throws {
    var desk = try punctual()
    #expect(desk.send(bundle(1, gain(-3), .message(OSCMessage("/session/show/gain", 40)))).isEmpty)
    var heard: [OSCMessage] = []
    for _ in 1...30 { heard += desk.wait(0.05) }
    #expect(heard.errorCode == .outOfRange)
    #expect(desk.get("/session/show/gain") == [0.0])
  }

  @Test("The bundles of a client that leaves are dropped")
  func leaving() throws {
    var desk = try punctual()
    desk.send(bundle(1, gain(-3)))
    desk.send("/bye")
    _ = gains(&desk, 2)
    #expect(desk.get("/session/show/gain") == [0.0])
  }

  @Test("Two bundles of one fader wait side by side, although the newest value of a fader wins otherwise")
  func inbox() throws {
    let desk = try punctual()
    let rig = ServiceRig(desk)
    func level() -> Double? { rig.state.sessions["show"]?.gain.target }
    // The service learns from a turn which clients want their bundles in time.
    rig.receive("/ping")
    rig.receive(bundle(1, gain(-3)), bundle(2, gain(-6)))
    #expect(level() == 0)
    rig.wait(1.1)
    #expect(level() == -3)
    rig.wait(1.1)
    #expect(level() == -6)
  }
}
