import Chance
import MixEngine
import SessionModel
import Testing

/// A plan that moves many stages alike is followed in chunks of neighbouring stages. It must sound as if each was followed by itself.
@Suite struct ManyRampsTests {
  /// Publishes levels with one revision for all of them, or with one for each, which leaves no chunk alike.
  private static func set(
    _ rig: Rig, _ levels: [StageKey: Float], _ shape: Ramp.Shape, _ frames: Int, isAlike: Bool, round: UInt32
  ) {
    var changes = StageChanges()
    for (index, key) in levels.keys.sorted(by: { "\($0)" < "\($1)" }).enumerated() {
      let level = StageLevel(
        target: levels[key] ?? 0, ramp: Ramp(shape, frames: frames),
        revision: isAlike ? round << 16 : round << 16 + UInt32(index))
      changes.append(key, level)
    }
    rig.engine.publish(changing: changes)
  }

  /// Whether all stages move in each round, which begins their ramps anew, or only some in some rounds.
  enum Extent: CaseIterable {
    case allStages, someStages
  }

  @Test(
    "A plan that moves stages alike sounds as if each had been set by itself",
    arguments: LoopBuild.allCases, Extent.allCases)
  func chunks(loops: LoopBuild, extent: Extent) {
    let rigs = [Rig(loops), Rig(loops)]
    let mix = Sample.matrix(24, 10)
    for (rig, isAlike) in zip(rigs, [true, false]) {
      var dice = SeededGenerator(seed: 11)
      rig.input = { noise($0, $1) }
      rig.publish(mix)
      rig.run(64)
      for round in 1...Soak.count(16, of: 40) {
        let shapes = extent == .allStages ? [.raisedCosine, .raisedCosine, .linear] : Ramp.Shape.allCases
        let shape = shapes.randomElement(using: &dice) ?? .linear
        let length = [64, 480, 960, 5_000].randomElement(using: &dice) ?? 960
        let hasAll = extent == .allStages || Bool.random(using: &dice)
        // A target that many stages have already, and some that only a few have.
        let targets: [Float] = [0.5, 0.5, Float.random(in: 0...1, using: &dice)]
        var levels: [StageKey: Float] = [:]
        for cell in mix.cells where hasAll || cell.sink < 4 {
          levels[cell.stage] = targets.randomElement(using: &dice)
        }
        Self.set(rig, levels, shape, length, isAlike: isAlike, round: UInt32(round))
        if round % 7 == 0 { rig.set(Sample.cell(round % 24, 2), 0.25) }
        if round % 9 == 0 { rig.publish(Sample.matrix(24, 10 - round / 9), [:]) }
        rig.run(Int.random(in: 1...900, using: &dice))
      }
    }
    for sink in 0..<6 {
      #expect(rigs[0].output[sink].map(\.bitPattern) == rigs[1].output[sink].map(\.bitPattern))
    }
    #expect(Set(rigs[0].output[0]).count > 4_000)
  }

  @Test("All gains of a large matrix reach their targets, whatever the phase of their ramps")
  func phases() {
    let rig = Rig()
    let mix = Sample.matrix(64, 64)
    rig.publish(mix)
    rig.input = { source, _ in source == 3 ? 1 : 0 }
    for round in 0..<10 {
      var levels: [StageKey: Float] = [:]
      for cell in mix.cells where cell.sink % 10 == round { levels[cell.stage] = Float(cell.sink) / 64 }
      Self.set(rig, levels, .raisedCosine, 960, isAlike: true, round: UInt32(round + 1))
      rig.run(64)
    }
    rig.run(1_024)
    for sink in 0..<64 { #expect(rig.output[sink].last == Float(sink) / 64) }
  }
}
