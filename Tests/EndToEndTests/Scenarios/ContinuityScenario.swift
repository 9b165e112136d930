import OSC
import TestKit
import Testing

extension RealTimeScenarios {
  /// Many changes while everybody plays.
  @Suite struct Continuity {
    let rig: Rig

    init() throws { rig = try Rig.fresh() }

    @Test(
      "A99: a hundred changes of route, duck and mute in 20 s among eight sessions make no click and no xrun")
    func a99() throws { try ContinuityRun(rig, seconds: 20).expectClean() }
  }
}

/// Eight sessions play in real time while a hundred things change.
struct ContinuityRun {
  private static let changes = 100
  private static let players = ["a", "b", "c", "m", "call", "alert"]
  private static let duckers = ["x", "y"]

  private let rig: Rig
  private let seconds: Int

  init(_ rig: Rig, seconds: Int) { (self.rig, self.seconds) = (rig, seconds) }

  /// What one run found.
  private struct Outcome {
    var sound: Sound
    /// Xruns that the server reported, which may be anybody's.
    var xruns: Int
    /// The longest that the router's audio thread took for a period, in microseconds.
    var longest: Int

    /// Whether something went wrong that need not be the router's doing.
    func isDisturbed(period: Double) -> Bool {
      Double(longest) >= period
        || xruns > 0 && sound.clicks.contains { $0.click.level > Sound.clickLimit }
    }
  }

  /// Expects that nothing clicks, that everybody is heard as before, and that the router never needed more than the period it had.
  ///
  /// The server tells everybody of every xrun without its cause, and a machine that gives the audio thread no processor makes any
  /// callback long. Neither is the router's doing unless it happens again: such a run is repeated.
  func expectClean() throws {
    let period = try rig.stage.value("period", of: "period") / Double(Sound.rate) * 1e6
    var outcome = try attempt()
    for _ in 0..<3 where outcome.isDisturbed(period: period) { outcome = try attempt() }
    #expect(Double(outcome.longest) < period, "microseconds of the router in its longest period")
    outcome.sound.expectNoClick()
    try rig.expectHeard(
      spk: Dictionary(uniqueKeysWithValues: Self.players.map { ($0, 0) }))
  }

  /// One run with a router that has just started, and so counts from the start.
  private func attempt() throws -> Outcome {
    try rig.restart()
    for id in Self.players { try rig.playing(id, .playback, .default, .mix) }
    for id in Self.duckers { try rig.session(id, .playback, .default, .duck) }
    return try run()
  }

  private func run() throws -> Outcome {
    let before = try rig.surface.counters()
    let sound = try rig.listen(tail: 72_000) {
      for number in 0..<Self.changes {
        try change(number)
        try rig.frames(seconds * Sound.rate / Self.changes)
      }
    }
    let after = try rig.surface.counters()
    return Outcome(
      sound: sound, xruns: (after["xruns"] ?? 0) - (before["xruns"] ?? 0), longest: after["longest"] ?? 0)
  }

  /// One of the hundred: every setting is changed as often to as fro, so that a run ends as it begins.
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
