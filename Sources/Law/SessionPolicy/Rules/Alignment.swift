import SessionModel

/// Delays the outputs of an alignment group so that a sound sent to all of them leaves every loudspeaker at the same time (osc
/// contract, `/output/<o>/align`).
enum Alignment {
  /// Gives outputs the delays that align them now. An output whose device is away keeps the delay that it had.
  static func apply(_ state: inout RouterState, _ outputs: [PortID]) {
    let wanted = state.alignments
    for id in outputs { if let alignment = wanted[id] { state.outputs[id]?.alignment = alignment } }
  }
}
