import SessionModel

/// Outputs of one group are held back so that a sound sent to all of them leaves all at the same time (osc contract,
/// `/output/<o>/align`).
enum Aligning {
  /// Outputs take what aligns them now; who is away keeps what it has.
  static func align(_ state: inout RouterState, _ outputs: [PortID]) {
    let wanted = state.alignments
    for id in outputs { if let alignment = wanted[id] { state.outputs[id]?.alignment = alignment } }
  }
}
