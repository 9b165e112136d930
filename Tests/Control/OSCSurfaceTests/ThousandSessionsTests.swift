import OSC
import SessionModel
import Testing

@Suite("A thousand sessions")
struct ThousandSessionsTests {
  @Test("A thousand sessions are made, found, set by a pattern, fed back and listed like two")
  func many() throws {
    var desk = try Desk.stage()
    for number in 3...1_000 {
      #expect(desk.send("/session/create", .string("s\(number)"), "multiRoute").isEmpty)
    }
    let clock = ContinuousClock()
    // The times are printed only: the speed of a machine must not decide whether a test passes.
    let unwatched = clock.measure {
      desk.send("/session/s500/gain", -3)
      desk.send("/session/s500/active", 1)
      desk.send("/session/s500/active", 0)
      desk.send("/silent", 1)
      desk.send("/silent", 0)
    }
    desk.send("/subscribe", "/session/s500", from: Desk.other)
    desk.wait(1, as: Desk.other)
    let single = clock.measure {
      for step in 1...100 { desk.send("/session/s500/gain", .float(Float(-step) / 4)) }
    }
    #expect(desk.wait(0.2, as: Desk.other)["/session/s500/gain"] == [-25.0])
    let output = clock.measure {
      for step in 1...100 { desk.send("/output/usb/gain", .float(Float(-step) / 4)) }
    }
    let panic = clock.measure { desk.send("/system/panic", 1) }
    let all = clock.measure { desk.send("/session/*/gain", -30) }
    #expect(desk.get("/session/s1000/gain") == [-30.0])
    #expect(desk.wait(0.2, as: Desk.other)["/session/s500/gain"] == [-30.0])
    // One announcement ducks a thousand sessions, one call interrupts them, and every session gets the feedback of it.
    desk.send("/session/s3/set", "playback", "default", "duckOthers")
    let begin = clock.measure { desk.send("/session/s3/active", 1) }
    #expect(desk.wait(0.5, as: Desk.other)["/session/s500/duck/now"] == [-14.0])
    let end = clock.measure { desk.send("/session/s3/active", 0) }
    let call = clock.measure { desk.send("/interruption/phone/on", 1) }
    #expect(desk.wait(0.2, as: Desk.other)["/session/s500/prompt"] == ["short"])
    let unplug = try clock.measure { try desk.unplug(.output, "headphones") }
    #expect(desk.send("/session/list").count == 1_000)
    print(
      "1,000 sessions: a message without subscribers \(unwatched / 5), a session's gain \(single / 100), an output's gain \(output / 100), panic \(panic), all gains by one pattern \(all), an unplugged device \(unplug), a duck \(begin) and its end \(end), a call \(call)"
    )
  }
}
