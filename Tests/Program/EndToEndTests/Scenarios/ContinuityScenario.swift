import OSC
import TestKit
import Testing

extension RealTimeScenarios {
  /// Many changes while all sessions play.
  @Suite struct Continuity {
    let rig: Rig

    init() throws { rig = try Rig.fresh() }

    @Test(
      "A99: a hundred changes of route, duck and mute in 20 s among eight sessions make no click and no xrun")
    func a99() throws { try ContinuityRun(rig, seconds: 20).expectClean() }
  }
}

/// Eight sessions play in real time during a hundred changes.
struct ContinuityRun {
  private static let changes = 100
  /// Frames: 85 ms, so that a machine that gets no processor for a while still gives the server its period in time.
  private static let period = 4_096
  private static let players = ["a", "b", "c", "m", "call", "alert"]
  private static let duckers = ["x", "y"]
  /// dB. A duck begins with a corner, because its ramp is linear in dB. At -20 dBFS the residues of the six corners add up to -57 dBFS
  /// if the sines are at their peaks together.
  private static let gain = -6.0

  private let rig: Rig
  private let seconds: Int

  init(_ rig: Rig, seconds: Int) { (self.rig, self.seconds) = (rig, seconds) }

  /// Expects no click and no xrun, and that all sessions are heard as before.
  ///
  /// The server reports an xrun to all clients, but not which client caused it. Xruns are excused only if the router never worked for
  /// half a period, so that it cannot have caused them. The router counts from its start, so the test starts it again.
  func expectClean() throws {
    let usual = Int(try rig.stage.value("period", of: "period"))
    rig.afterwards { [rig] in try rig.stage.do("period \(usual)") }
    try rig.stage.do("period \(Self.period)")
    try rig.restart()
    for id in Self.players {
      try rig.playing(id, .playback, .default, .mix)
      try rig.surface.send("/session/\(id)/gain", .float(Float(Self.gain)))
    }
    for id in Self.duckers { try rig.session(id, .playback, .default, .duck) }
    let before = try rig.surface.counters()
    let sound = try rig.listen(tail: 72_000) {
      for number in 0..<Self.changes {
        try change(number)
        // The residues of two changes that begin in one period add up, so each one is in force before the next.
        try rig.surface.sync()
        try rig.frames(seconds * Sound.rate / Self.changes)
      }
    }
    let after = try rig.surface.counters()
    let xruns = try #require(after["xruns"]) - #require(before["xruns"])
    let longest = try #require(after["longest"])
    let period = Self.period * 1_000_000 / Sound.rate
    #expect(longest < period / 2, "microseconds that the router took for its longest period")
    if xruns > 0, longest < period / 2 {
      TestNotes.excuse("\(xruns) xruns, while the router took at most \(longest) of \(period) microseconds")
    }
    sound.expectNoClick()
    try rig.expectHeard(
      spk: Dictionary(uniqueKeysWithValues: Self.players.map { ($0, Self.gain) }))
  }

  /// Makes one change. Each setting is changed back as often as forth, so that a run ends with the settings of its start.
  private func change(_ number: Int) throws {
    let isOn: OSCArgument = number / 5 % 2 == 0 ? 1 : 0
    let player = Self.players[number / 10 % Self.players.count]
    switch number % 5 {
    case 0: try rig.surface.send("/session/\(Self.duckers[0])/active", isOn)
    case 1: try rig.surface.send("/session/\(player)/mute", isOn)
    case 2: try rig.surface.send("/session/\(player)/output/preferred", isOn == 1 ? "ear" : "none")
    case 3: try rig.surface.send("/session/\(Self.duckers[1])/active", isOn)
    default: try rig.surface.send("/session/\(player)/output/mute", isOn)
    }
  }
}
