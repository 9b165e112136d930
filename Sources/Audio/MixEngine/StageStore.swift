internal import MixKernel
internal import MixLoops

/// Memory for the present gains and ramps of stages. It is freed together with the last plan that uses it.
final class StageStore {
  let capacity: Int
  let pointer: UnsafeMutablePointer<StageMemory>
  private let arena: Arena

  /// Elements after the last ramp that the widest registers may write.
  private static let padding = 16

  /// Makes room for at least `count` stages.
  init(count: Int) {
    var capacity = 256
    while capacity < count { capacity *= 2 }
    self.capacity = capacity
    let room = capacity + Self.padding
    arena = Arena(blockSize: 8 * room * MemoryLayout<Float>.stride)
    var ramps: [RampList] = []
    for _ in 0..<StageMemory.curveCount {
      ramps.append(
        RampList(
          stages: arena.make(room, of: 0), elapsed: arena.make(room, of: 0), lengths: arena.make(room, of: 0),
          blocks: arena.make(room, of: 0),
          inverses: arena.make(room, of: 0), starts: arena.make(room, of: 0), spans: arena.make(room, of: 0),
          values: arena.make(room, of: 0)))
    }
    let values: UnsafeMutablePointer<Float> = arena.make(capacity, of: 0)
    values[StageTable.openIndex] = 1
    pointer = arena.make([
      StageMemory(
        capacity: capacity, values: values, identities: arena.make(capacity, of: 0),
        revisions: arena.make(capacity, of: 0), chunkRevisions: arena.make(capacity / chunkStages, of: -1),
        curves: arena.make(capacity, of: -1), changed: arena.make(capacity, of: 0),
        runs: arena.make(
          capacity / chunkStages, of: StageRun(first: 0, count: 0, length: 1, curve: .linear)),
        ramps: arena.make(ramps))
    ])
  }
}
