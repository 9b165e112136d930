extension RouterState {
  /// Seconds that alignment should add to each output that is there, by the latencies known now: the output of a group that is
  /// furthest from its loudspeaker gets nothing, the others what they lack. One without a group gets nothing.
  ///
  /// Delays of their own do not count: who sets one wants it heard later than the group.
  public var alignments: [PortID: Double] {
    var furthest: [String: Double] = [:]
    for port in outputs.values where port.isAvailable {
      guard let group = port.alignmentGroup else { continue }
      furthest[group] = max(furthest[group] ?? 0, port.reportedLatency)
    }
    var alignments: [PortID: Double] = [:]
    for port in outputs.values where port.isAvailable || port.alignmentGroup == nil {
      let latency = port.alignmentGroup.flatMap { furthest[$0] } ?? port.reportedLatency
      alignments[port.id] = min(latency - port.reportedLatency, Port.longestDelay)
    }
    return alignments
  }
}
