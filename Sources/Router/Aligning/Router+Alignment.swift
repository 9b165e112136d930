import SessionModel

extension Router {
  /// Seconds between a port's JACK ports and the loudspeaker, or the microphone, as the server reports it.
  func latency(of port: Port, _ direction: Direction) -> Double {
    let report = direction == .output ? backend.playbackLatency : backend.captureLatency
    return Double(port.members.compactMap(\.self).map(report).max() ?? 0) / Double(backend.sampleRate)
  }

  /// Aligns what has just come, before it is connected.
  func alignArrivals() {
    let arrived = state.outputs.values.filter { $0.isAvailable && arrivals[$0.id]?.number != $0.arrival }
    guard !arrived.isEmpty else { return }
    for port in arrived {
      arrivals[port.id] = (port.arrival, now)
      guard port.alignmentGroup != nil else { continue }
      happen(.measured(.output, port.id, latency: latency(of: port, .output), isLimiting: port.isLimiting))
    }
    alignQuietly()
  }

  /// Aligns the groups that can be without moving anything that sounds.
  func alignQuietly() {
    let wanted = state.alignments
    let astray = state.outputs.values.filter { port in
      wanted[port.id].map { abs($0 - port.alignment) > 1e-9 } ?? false
    }
    guard !astray.isEmpty else { return }
    // A group moves as a whole or not at all.
    let loud = Set(astray.filter { !mayMove($0) }.compactMap(\.alignmentGroup))
    let ready = astray.filter { port in
      port.alignmentGroup.map { !loud.contains($0) } ?? mayMove(port)
    }.map(\.id)
    if !ready.isEmpty { happen(.align(ready)) }
  }

  /// Whether an output's delay may change by itself: nothing is heard from it, or it has only just come, and its latency may not
  /// have been told in full yet.
  private func mayMove(_ port: Port) -> Bool {
    if quiet.isQuiet(port.id, at: now) { return true }
    return arrivals[port.id].map { now - $0.time < Self.settling } ?? false
  }

  /// Seconds that a device may take to tell its latency.
  private static let settling = 1.0
}
