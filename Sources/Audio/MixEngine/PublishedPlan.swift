internal import MediaKernel
internal import MixKernel
internal import SessionModel

/// A plan with everything that it points to, kept until the audio thread has given the plan back.
final class PublishedPlan {
  let pointer: UnsafeMutablePointer<Plan>
  private let arena = Arena()
  private let structure: CompiledStructure
  private let memory: StageStore
  private let lines: [DelayStore?]

  /// Copies levels, treatments and orders, so that the originals can change while the audio thread reads the plan.
  /// - Parameters:
  ///   - lines: for each sink its delay line, or nil.
  ///   - treatments: for each sink its delay; nil for captures.
  init(
    serial: UInt64, structure: CompiledStructure, memory: StageStore, stages: StageTable,
    earlyDecided: UInt64, lines: [DelayStore?], treatments: [OutputTreatment?],
    deckOrders: OrderTable<DeckOrder>, tapOrders: OrderTable<TapOrder>
  ) {
    self.structure = structure
    self.memory = memory
    self.lines = lines
    let padding = 0..<(wholeGroups(lines.count) - lines.count)
    pointer = arena.make([
      Plan(
        serial: serial, structure: structure.pointer, memory: memory.pointer, stageCount: stages.count,
        earlyDecided: earlyDecided, goals: stages.place(in: arena),
        delays: arena.make(treatments.map { $0?.delay ?? 0 }),
        lines: arena.make(lines.map { $0?.pointer } + padding.map { _ in nil }),
        deckOrders: deckOrders.place(in: arena), tapOrders: tapOrders.place(in: arena))
    ])
  }
}
