import Foundation
import OSC
import TestKit
import Testing

extension Scenarios {
  /// Ducking: depth, speed, duration and exempt sessions.
  @Suite struct Ducking {
    let rig: Rig

    init() throws { rig = try Rig.fresh() }

    /// The start of most scenarios: A plays, and B, which ducks others, is ready.
    private func ready() throws {
      try rig.playing("a")
      try rig.session("b", .playback, .default, .duck)
    }

    @Test("A38: a ducker lowers the others within its attack, without an event for them")
    func a38() throws {
      try ready()
      let sound = try rig.listen { try rig.activate("b") }
      sound.expectMove("a", from: 0, to: try rig.duck(), within: try rig.number("/duck/attack"))
      sound.expectNoClick()
      try rig.expectEvents([:])
      try rig.expectHeard(spk: ["a": rig.duck(), "b": 0])
      #expect(try rig.number("/session/a/ducked") == 1)
    }

    @Test("A39: a ducker that is silent still ducks until it deactivates")
    func a39() throws {
      try ready()
      try rig.activate("b")
      try rig.expectHeard(spk: ["a": rig.duck(), "b": 0])
      try rig.program("b", plays: "silence")
      let silent = try rig.listen { try rig.frames(5 * Sound.rate) }
      silent.expectSteady("a", try rig.duck())
      let end = try rig.listen { try rig.deactivate("b") }
      end.expectMove("a", from: try rig.duck(), to: 0, within: try rig.number("/duck/release"))
      end.expectNoClick()
    }

    @Test("A40: a duck is a stage of its own and does not change the level that the operator sets")
    func a40() throws {
      try ready()
      try rig.activate("b")
      try rig.surface.send("/session/a/gain", -6.0)
      try rig.expectHeard(spk: ["a": rig.duck() - 6, "b": 0])
      #expect(try rig.number("/session/a/gain") == -6)
      try rig.deactivate("b")
      try rig.expectHeard(spk: ["a": -6])
      #expect(try rig.number("/session/a/gain") == -6)
    }

    @Test("A42: several ducks do not add up, and the duck ends with the last ducker")
    func a42() throws {
      try ready()
      try rig.session("c", .playback, .default, .duck)
      let duck = try rig.duck()
      let sound = try rig.listen {
        try rig.activate("b")
        try rig.expectHeard(spk: ["a": duck, "b": 0])
        try rig.activate("c")
        // The later ducker ducks the earlier one, and is not ducked by it.
        try rig.expectHeard(spk: ["a": duck, "b": duck, "c": 0])
        try rig.deactivate("b")
        try rig.expectHeard(spk: ["a": duck, "c": 0])
        try rig.deactivate("c")
      }
      #expect(sound.levels("a").allSatisfy { $0 >= duck - Rig.tolerance })
      sound.expectNoClick()
      try rig.expectEvents([:])
      try rig.expectHeard(spk: ["a": 0])
    }

    @Test("A43: begin and end of a duck are straight lines in decibels, of their set length")
    func a43() throws {
      try ready()
      let duck = try rig.duck()
      // The ducker is silent, so that only A is heard.
      try rig.program("b", plays: "silence")
      let begin = try rig.trace { try rig.activate("b") }
      try Self.expectLine(begin, from: 0, to: duck, seconds: try rig.number("/duck/attack"))
      let end = try rig.trace { try rig.deactivate("b") }
      try Self.expectLine(end, from: duck, to: 0, seconds: try rig.number("/duck/release"))
    }

    /// Expects one move without a step: monotone, linear in dB, and of the right length within a tenth.
    private static func expectLine(
      _ trace: GainTrace, from first: Double, to last: Double, seconds: Double
    ) throws {
      let move = try #require(
        trace.move(from: GainTrace.amplitude(first), to: GainTrace.amplitude(last)), "the gain moves once")
      let frames = seconds * Double(Sound.rate)
      #expect(abs(Double(move.count) - frames) <= 0.1 * frames, "frames moved")
      let levels = trace.gains[move].map { 20 * log10($0) }
      let direction = last > first ? 1.0 : -1.0
      let steps = zip(levels, levels.dropFirst()).map { ($1 - $0) * direction }
      #expect(steps.allSatisfy { $0 >= -1e-5 }, "it never turns back")
      #expect(steps.allSatisfy { $0 <= 2 * abs(last - first) / frames }, "no step")
      let farthest = levels.enumerated().map { index, level in
        abs(level - first - (last - first) * Double(index + 1) / Double(levels.count))
      }.max()
      #expect(try #require(farthest) <= 0.1, "dB from the straight line")
    }

    @Test("A44: a call is never ducked")
    func a44() throws {
      try rig.calling()
      try rig.session("b", .playback, .default, .duck)
      let sound = try rig.listen { try rig.activate("b") }
      sound.expectSteady("call", at: .ear, 0)
      try rig.expectEvents([:])
      try rig.expectHeard(spk: ["b": 0], ear: ["call": 0])
    }
  }
}
