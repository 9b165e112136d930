import MixEngine
import MixKernel
import SessionModel
import Testing

/// Levels that are sent before a plan decides about them.
@Suite struct EarlyLevelTests {
  /// A mix at rest with a gain of 1, and its stage for early levels.
  private static func rest() throws -> (rig: Rig, stage: EarlySender.Stage) {
    let rig = Rig()
    rig.publish(Sample.single)
    rig.run(64)
    return (rig, try #require(rig.engine.earlyStage(Sample.gain)))
  }

  /// Sends a level early.
  private static func send(_ rig: Rig, _ stage: EarlySender.Stage, _ target: Float) throws -> UInt64 {
    try #require(rig.engine.early.send(stage, to: target))
  }

  /// The greatest difference between consecutive samples.
  private static func greatestStep(_ samples: [Float]) -> Float {
    zip(samples, samples.dropFirst()).reduce(0) { max($0, abs($1.0 - $1.1)) }
  }

  /// The steepest step of a raised cosine from 1 to 0 over 960 frames, which is in its middle.
  private static let steepest: Float = .pi / 2 / 960 * 1.05

  @Test(
    "An early level sounds as if its plan had come at once, whenever the plan that confirms it comes",
    arguments: [1, 2, 7, 15, 16, 40])
  func agreed(periods: Int) throws {
    let (rig, stage) = try Self.rest()
    let (other, _) = try Self.rest()
    let serial = try Self.send(rig, stage, 0.25)
    other.set(Sample.gain, 0.25)
    for _ in 0..<periods {
      rig.run(64)
      other.run(64)
    }
    rig.engine.decide(early: serial)
    rig.set(Sample.gain, 0.25)
    for _ in 0..<30 {
      rig.run(64)
      other.run(64)
    }
    #expect(rig.output == other.output)
    #expect(rig.output[0].last == 0.25)
  }

  @Test(
    "A plan that confirms an early level with a ramp of another length moves along its own ramp",
    arguments: [1, 5, 14])
  func otherLength(periods: Int) throws {
    let (rig, stage) = try Self.rest()
    let serial = try Self.send(rig, stage, 0)
    rig.run(Array(repeating: 64, count: periods))
    let level = try #require(rig.output[0].last)
    rig.engine.decide(early: serial)
    rig.set(Sample.gain, 0, .raisedCosine, 9_600)
    // The early level would have arrived by now.
    rig.run(Array(repeating: 64, count: 16))
    #expect(rig.output[0].last! > level / 2)
    rig.run(Array(repeating: 64, count: 150))
    #expect(rig.output[0].last == 0)
    #expect(Self.greatestStep(rig.output[0]) <= Self.steepest)
  }

  @Test("An early level that the plan reverts goes back without a step", arguments: [1, 5, 15, 40])
  func refused(periods: Int) throws {
    let (rig, stage) = try Self.rest()
    let serial = try Self.send(rig, stage, 0)
    rig.run(Array(repeating: 64, count: periods))
    #expect(rig.output[0].last! < 1)
    rig.engine.decide(early: serial)
    rig.engine.publishDecision()
    rig.run(Array(repeating: 64, count: 20))
    #expect(rig.output[0].last == 1)
    #expect(Self.greatestStep(rig.output[0]) <= Self.steepest)
  }

  @Test("An early level stays while plans come that do not decide about it, and reaches its target")
  func otherPlans() throws {
    let rig = Rig()
    let before = rig.level(1)
    rig.publish(Sample.single, [Sample.gain: before])
    rig.run(64)
    let stage = try #require(rig.engine.earlyStage(Sample.gain))
    let serial = try Self.send(rig, stage, 0.5)
    for period in 0..<20 {
      if period % 3 == 1 { rig.set(Sample.duck, 1) }
      if period == 10 {
        var wider = Sample.single
        wider.sources.append(.init(.port(PortHandle(rawValue: 2))))
        rig.publish(wider, [Sample.gain: before])
      }
      rig.run(64)
    }
    #expect(rig.output[0].last == 0.5)
    #expect(Self.greatestStep(rig.output[0]) <= Self.steepest)
    rig.engine.decide(early: serial)
    rig.set(Sample.gain, 0.5)
    rig.run(64)
    #expect(rig.output[0].last == 0.5)
  }

  @Test(
    "A plan that moves the stage without deciding about the early level replaces it, and the plan that decides has the last word",
    arguments: [1, 7, 40])
  func overtaken(periods: Int) throws {
    let (rig, stage) = try Self.rest()
    let serial = try Self.send(rig, stage, 0.5)
    rig.run(64)
    rig.set(Sample.gain, 0)
    rig.run(Array(repeating: 64, count: periods))
    rig.engine.decide(early: serial)
    rig.set(Sample.gain, 0.5)
    rig.run(Array(repeating: 64, count: 20))
    #expect(rig.output[0].last == 0.5)
    #expect(Self.greatestStep(rig.output[0]) <= Self.steepest)
  }

  @Test("If the plan has the same level with another ramp, the plan's ramp is used")
  func otherRamp() throws {
    let (rig, stage) = try Self.rest()
    let serial = try Self.send(rig, stage, 0.25)
    rig.run(64)
    rig.engine.decide(early: serial)
    rig.set(Sample.gain, 0.25, .fader, 48_000)
    rig.run(Array(repeating: 64, count: 20))
    #expect(rig.output[0].last! > 0.9)
    rig.run(Array(repeating: 64, count: 750))
    #expect(rig.output[0].last == 0.25)
    #expect(Self.greatestStep(rig.output[0]) <= Self.steepest)
  }

  @Test("An early level for a stage with a ramp begins at the stage's present gain")
  func moving() throws {
    let (rig, stage) = try Self.rest()
    rig.set(Sample.gain, 0)
    rig.run(Array(repeating: 64, count: 6))
    let serial = try Self.send(rig, stage, 0.8)
    rig.run(64)
    rig.engine.decide(early: serial)
    rig.set(Sample.gain, 0.8)
    rig.run(Array(repeating: 64, count: 20))
    #expect(rig.output[0].last == 0.8)
    #expect(Self.greatestStep(rig.output[0]) <= Self.steepest)
  }

  @Test("A level that a plan has already decided about is ignored")
  func late() throws {
    let (rig, stage) = try Self.rest()
    let serial = try Self.send(rig, stage, 0.1)
    rig.engine.decide(early: serial)
    rig.engine.publishDecision()
    rig.run(Array(repeating: 64, count: 20))
    #expect(rig.output[0].allSatisfy { $0 == 1 })
    // A decision is not published twice.
    let plans = rig.engine.serial
    rig.engine.publishDecision()
    #expect(rig.engine.serial == plans)
  }

  @Test(
    "A level for a stage that no longer exists has no effect, not even on the stage that has its index now")
  func gone() throws {
    let (rig, stage) = try Self.rest()
    var other = Sample.single
    other.rows = [.init(source: 0, stages: [.sessionGain("other")], ducked: "other")]
    rig.publish(other)
    rig.run(Array(repeating: 64, count: 2))
    // The next structure uses the index that the last one has freed.
    other.rows[0].stages.append(.sessionMute("other"))
    rig.publish(other)
    rig.run(64)
    _ = try Self.send(rig, stage, 0)
    rig.run(Array(repeating: 64, count: 20))
    #expect(rig.output[0].suffix(1_280).allSatisfy { $0 == 1 })
  }

  @Test(
    "While the audio thread stands still only four levels are accepted, and decided ones are ignored later")
  func standstill() throws {
    let (rig, stage) = try Self.rest()
    for target: Float in [0.1, 0.2, 0.3, 0.4] {
      rig.engine.decide(early: try Self.send(rig, stage, target))
      rig.set(Sample.gain, target)
    }
    #expect(rig.engine.early.send(stage, to: 0.5) == nil)
    rig.run(Array(repeating: 64, count: 20))
    #expect(rig.output[0].last == 0.4)
    #expect(rig.engine.early.send(stage, to: 0.5) == 5)
  }

  @Test("A level waits until a plan has decided about the level before")
  func twoAtOnce() throws {
    let (rig, stage) = try Self.rest()
    let first = try Self.send(rig, stage, 0.5)
    let second = try Self.send(rig, stage, 0)
    rig.run(64)
    #expect(rig.output[0].last == 1)
    rig.engine.decide(early: first)
    rig.set(Sample.gain, 0.5)
    rig.run(Array(repeating: 64, count: 20))
    #expect(rig.output[0].last == 0)
    rig.engine.decide(early: second)
    rig.engine.publishDecision()
    rig.run(Array(repeating: 64, count: 20))
    #expect(rig.output[0].last == 0.5)
    #expect(Self.greatestStep(rig.output[0]) <= Self.steepest)
  }
}
