import MixEngine
import SessionModel
import Testing

/// Crosspoints have numbers that only grow, so those in use lie close together at first, and far apart after an evening.
@Suite struct StageNumberTests {
  @Test("A level reaches the crosspoint of its number, and no other", arguments: [1, 3, 10_000])
  func distance(_ distance: Int) {
    let rig = Rig()
    var mix = Sample.matrix(1, 3)
    let keys = (0..<3).map { StageKey.crosspoint(7 + $0 * distance) }
    for sink in 0..<3 { mix.cells[sink].stage = keys[sink] }
    rig.publish(mix)
    rig.run(64)
    var changes = StageChanges()
    changes.append(keys[1], rig.level(0.5, from: nil, .linear, 1))
    // Numbers that no crosspoint has: below, between and above.
    for stranger in [0, 8 + 3 * distance] + (distance > 1 ? [8] : []) {
      changes.append(.crosspoint(stranger), rig.level(0, from: nil, .linear, 1))
    }
    rig.engine.publish(changing: changes)
    rig.run([64, 64])
    #expect((0..<3).map { rig.output[$0][191] } == [1, 0.5, 1])
    // Another structure has another range of numbers.
    mix.cells[0].stage = .crosspoint(9 + 3 * distance)
    rig.publish(mix)
    rig.set(.crosspoint(9 + 3 * distance), 0.25, .linear, 1)
    rig.set(keys[0], 0, .linear, 1)
    rig.run([64, 64])
    #expect(rig.output[0][319] == 0.25)
  }
}
