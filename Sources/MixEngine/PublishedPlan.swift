internal import MixKernel
internal import SessionModel

/// A plan and everything it points to, kept until it has come back from the audio thread.
final class PublishedPlan {
  let pointer: UnsafeMutablePointer<Plan>
  private let arena = Arena()
  private let structure: CompiledStructure
  private let memory: StageStore
  private let lines: [DelayStore?]

  /// Copies levels and treatments, so that they can change while the audio thread reads.
  /// - Parameters:
  ///   - lines: the delay line of each sink that has one.
  ///   - treatments: what is done to each sink; nil for captures.
  init(
    serial: UInt64, structure: CompiledStructure, memory: StageStore, stages: StageTable,
    earlyDecided: UInt64, lines: [DelayStore?], treatments: [OutputTreatment?]
  ) {
    self.structure = structure
    self.memory = memory
    self.lines = lines
    let padding = 0..<(wholeGroups(lines.count) - lines.count)
    pointer = arena.make([
      Plan(
        serial: serial, structure: structure.pointer, memory: memory.pointer, stageCount: stages.count,
        earlyDecided: earlyDecided, goals: stages.place(in: arena),
        ceilings: arena.make(treatments.map { $0?.ceiling ?? .infinity } + padding.map { _ in .infinity }),
        delays: arena.make(treatments.map { $0?.delay ?? 0 }),
        lines: arena.make(lines.map { $0?.pointer } + padding.map { _ in nil }))
    ])
  }
}
