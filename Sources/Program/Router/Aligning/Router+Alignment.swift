import ServerInterface
import SessionModel

extension Router {
  /// Seconds that sound takes between a port's JACK ports and its loudspeaker or microphone, as the server last reported.
  private func latency(of port: Port, _ connection: Connection) -> Double {
    let frames = port.members.compactMap(\.self).map { connection.graph.latencies[$0] ?? 0 }.max() ?? 0
    return Double(frames) / Double(connection.facts.sampleRate)
  }

  /// Tells the law every latency of an output or input that has changed.
  func measureLatencies() {
    guard let connection else { return }
    for direction in [Direction.output, .input] {
      for port in state[direction].values {
        let latency = latency(of: port, connection)
        if abs(latency - port.reportedLatency) > 1e-9 {
          happen(.measured(direction, port.id, latency: latency, isLimiting: port.isLimiting))
        }
      }
    }
  }

  /// Aligns outputs that have just appeared. Call it before they are connected, so that the change of delay is not heard.
  func alignArrivals() {
    guard let connection else { return }
    let arrived = state.outputs.values.filter {
      $0.isAvailable && connection.arrivals[$0.id]?.number != $0.arrival
    }
    guard !arrived.isEmpty else { return }
    for port in arrived {
      connection.arrivals[port.id] = (port.arrival, now)
      guard port.alignmentGroup != nil else { continue }
      let latency = latency(of: port, connection)
      happen(.measured(.output, port.id, latency: latency, isLimiting: port.isLimiting))
    }
    alignQuietly()
  }

  /// Aligns outputs whose delays can change without being heard.
  func alignQuietly() {
    let wanted = state.alignments
    let astray = state.outputs.values.filter { port in
      wanted[port.id].map { abs($0 - port.alignment) > 1e-9 } ?? false
    }
    guard !astray.isEmpty else { return }
    // The outputs of a group change together or not at all.
    let loud = Set(astray.filter { !mayMove($0) }.compactMap(\.alignmentGroup))
    let ready = astray.filter { port in
      port.alignmentGroup.map { !loud.contains($0) } ?? mayMove(port)
    }.map(\.id)
    if !ready.isEmpty { happen(.align(ready)) }
  }

  /// Whether the router may change an output's delay without a command: the output is silent, or it appeared so recently that the
  /// server may not have reported its whole latency.
  private func mayMove(_ port: Port) -> Bool {
    guard let connection else { return true }
    if connection.quiet.isQuiet(port.id, at: now) { return true }
    return connection.arrivals[port.id].map { now - $0.time < Self.settling } ?? false
  }

  /// Seconds that a new device may take to report its latency.
  private static let settling = 1.0
}
