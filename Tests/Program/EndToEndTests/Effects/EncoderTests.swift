import OSC
import StageKit
import TestKit
import Testing

/// A row of encoders of a surface at real plugins.
@Suite struct EncoderTests {
  @Test("Encoders turn the controls of a chain: what they set is heard, and both addresses tell it")
  func turns() async throws {
    let house = try await EffectHouse(
      "[{ \"plugin\": \"urn:multiroute:wild\", \"set\": { \"gain\": 1 } }, \"eq off\"]", period: 64)
    let (surface, chain) = (house.surface, EffectHouse.stream)
    try house.wait(for: "working", of: 2)
    try surface.send("/bank/1/size", 4)
    try surface.send("/bank/1/over", .string(chain))
    func names() throws -> [String] { try (1...4).map { try surface.text("/strip/\($0)/name") } }
    #expect(try names() == ["gain", "fault", "delay", "step"])
    try house.house.freewheel()
    try surface.subscribe("/strip/1")
    try surface.subscribe("\(chain)/effect/1/control")
    let usb = try house.hear {
      try house.house.stage.do("frames 4800")
      try surface.tell("/strip/1/fader", 0.05)
      for address in ["/strip/1/gain", "\(chain)/effect/1/control/gain"] {
        try surface.wait(for: address) { $0.arguments == [0.5] }
      }
      try surface.wait(for: "/strip/1/gain/text") { $0.arguments == ["0.5"] }
      try surface.wait(for: "/strip/1/fader") { $0.arguments == [.float(0.05)] }
      try house.house.stage.do("frames 9600")
      // From the page back to the encoder.
      try surface.send("\(chain)/effect/1/control/gain", 0.25)
      try surface.wait(for: "/strip/1/gain/text") { $0.arguments == ["0.25"] }
      try house.house.stage.do("frames 9600")
      try surface.send("/strip/1/on", 0)
      try surface.wait(for: "/strip/1/state") { $0.arguments == ["muted"] }
      try house.house.stage.do("frames 9600")
    }
    let gains = house.gains(usb)
    #expect(gains.first == 1 && gains.contains(0.5) && gains.contains(0.25) && gains.last == 1)
    let step = zip(gains, gains.dropFirst()).map { abs($0 - $1) }.max() ?? 1
    #expect(step < 0.02, "\(step)")
    // Behind the controls of the first effect are those of the second.
    try surface.send("/bank/1/next")
    #expect(try surface.text("/strip/1/assign").hasPrefix("\(chain)/effect/2/control/"))
    try surface.send("/bank/1/over", .string("\(chain)/effect/2"))
    try surface.send("/strip/4/assign", .string("\(chain)/effect/2/control/HPfreq"))
    try surface.send("/strip/4/gain", 100)
    #expect(try surface.text("/strip/4/gain/text") == "100 Hz")
    // Another plugin brings its own controls.
    try surface.send("/bank/1/over", .string("\(chain)/effect/1"))
    try surface.subscribe("/strip/2/name")
    try surface.send("\(chain)/effect/1/plugin", "gate")
    try surface.wait(for: "/strip/2/name") { !["", "fault"].contains($0.arguments.first?.text) }
    #expect(try surface.text("/strip/2/assign").hasPrefix("\(chain)/effect/1/control/"))
  }
}
