import OSC
import TestKit
import Testing

/// A fader that moves sends its level ahead of the policy; it must be heard as if it had not.
@Suite(.repeatedAfterStalls) struct FaderTests {
  private static let gain = "/session/show/stream/band/gain"

  @Test("A fader that goes ahead is heard as the ramp of the contract, and the policy knows where it stands")
  func ahead() async throws {
    let house = try await House(period: 256)
    try house.cable()
    try house.surface.subscribe(Self.gain)
    try house.freewheel()
    let fader = try ControlSurface(port: house.router.port)
    func move(to level: Float) throws {
      try fader.tell(Self.gain, .float(level))
      // Whoever asks anything makes the router forget the fader, so the answer is what a subscriber hears.
      try house.surface.wait(for: Self.gain) { $0.arguments == [.float(level)] }
    }
    try move(to: -3)
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
    #expect(try house.surface.counters()["early"] == levels.count)
  }
}
