import OSC
import TestKit
import Testing

/// A moving fader sends early levels to the audio thread. The sound must be the same as without them.
@Suite struct FaderTests {
  private static let gain = "/session/show/stream/band/gain"

  @Test("A fader that sends early levels is heard as an ordinary ramp, and the router knows its level")
  func ahead() async throws {
    let house = try await House(period: 256)
    try house.surface.subscribe("/event/*")
    try house.connect()
    // The program is also heard directly, for the comparison. The alarm of that is a change as well, and would end the early levels.
    try house.surface.event("health") { $0.first == .string("direct") }
    try house.surface.subscribe(Self.gain)
    try house.freewheel()
    let fader = try ControlSurface(port: house.router.port)
    func move(to level: Float) throws {
      try fader.tell(Self.gain, .float(level))
      // A query would end the early levels, so the test reads the feedback of a subscription.
      try house.surface.wait(for: Self.gain) { $0.arguments == [.float(level)] }
    }
    try move(to: -3)
    // Its ramp must have ended before the first recording begins.
    try house.stage.do("frames 4800")
    let levels: [Float] = [-6, 0, -20, -90, -1]
    var last: Float = -3
    for level in levels {
      let usb = try house.hear {
        try move(to: level)
        try house.stage.do("frames 120000")
      }
      GainTrace(usb[0], of: usb[3]).expectMove(
        from: GainTrace.amplitude(Double(last)), to: GainTrace.amplitude(Double(level)), frames: 960)
      last = level
    }
    // Alarms of a busy machine are changes, too, and the level after each one is an ordinary one.
    let early = try #require(house.surface.counters()["early"])
    #expect((1...levels.count).contains(early))
  }
}
