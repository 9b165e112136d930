extension RouterState {
  /// The delay in seconds that aligns each available output with its group, by the latencies that the audio server reports now, with the effects: an
  /// output gets the difference between its latency and the longest latency in its group. An output without a group gets none.
  ///
  /// The operator's delays do not count, because an output with such a delay shall be heard later than its group.
  public var alignments: [PortID: Double] {
    var furthest: [String: Double] = [:]
    for port in outputs.values where port.isAvailable {
      guard let group = port.alignmentGroup else { continue }
      furthest[group] = max(furthest[group] ?? 0, port.latencyWithEffects)
    }
    var alignments: [PortID: Double] = [:]
    for port in outputs.values where port.isAvailable || port.alignmentGroup == nil {
      let latency = port.alignmentGroup.flatMap { furthest[$0] } ?? port.latencyWithEffects
      alignments[port.id] = min(latency - port.latencyWithEffects, Port.longestDelay)
    }
    return alignments
  }
}
