import OSC
import TestKit
import Testing

/// A surface that holds a talkback open and vanishes without a word, as a tablet does whose battery is empty.
@Suite("A surface that vanishes")
struct VanishedSurfaceTests {
  private static let preset = House.preset(
    """
    "show": { "category": "multiRoute", "options": ["mixWithOthers"], "activate": "start", "streams": {
      "tone": { "channels": 1, "from": ["Tone:out_1"], "to": { "headphones": 0 } } } },
    "talk": { "category": "multiRoute", "options": ["mixWithOthers"], "streams": {
      "voice": { "channels": 1, "from": ["input:mic"], "to": {} } },
      "talkback": { "to": ["headphones"], "dim": -20, "latch": 0 } }
    """)

  /// The level in dBFS of the tone at the headphones.
  private static let level = -6.0

  private func house(_ flags: String...) async throws -> House {
    let house = try await House(
      Self.preset, programs: ["source Tone 1 sine 1000 \(Self.level)"], flags: flags)
    try house.surface.subscribe("/talkback/talk/*")
    try house.stage.awaitTone(1_000, Self.level, at: "Headphones", 1)
    return house
  }

  /// Has a surface open the talkback, which lowers the tone.
  private func open(_ surface: ControlSurface, in house: House) throws {
    try surface.send("/hello", "tablet")
    try surface.send("/talkback/talk/on", 1)
    try house.surface.wait(for: "/talkback/talk/on") { $0.arguments == [.int32(1)] }
    try house.stage.awaitTone(1_000, Self.level - 20, at: "Headphones", 1)
  }

  private func expectClosed(_ house: House, seconds: Double) throws {
    try house.surface.wait(for: "/talkback/talk/on", seconds: seconds) { $0.arguments == [.int32(0)] }
    try house.stage.awaitTone(1_000, Self.level, at: "Headphones", 1)
    #expect(try house.surface.text("/talkback/talk/why") == "closed; speaks to headphones")
  }

  @Test("closes its talkback when its lease of 30 s ends, and not before")
  func lease() async throws {
    let house = try await house()
    do {
      let tablet = try ControlSurface(port: house.router.port)
      try open(tablet, in: house)
    }
    let start = ContinuousClock.now
    try expectClosed(house, seconds: 120)
    #expect(ContinuousClock.now - start > .seconds(25))
  }

  @Test("closes its talkback at once when its connection ends")
  func connection() async throws {
    let house = try await house("--osc", "tcp:127.0.0.1:0", "--osc", "127.0.0.1:0")
    do {
      let tablet = try ControlSurface(at: .tcp(host: "127.0.0.1", port: house.router.tcpPort))
      try open(tablet, in: house)
    }
    try expectClosed(house, seconds: ControlSurface.patience)
  }
}
