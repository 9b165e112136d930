import MixEngine
import SessionModel

extension Router {
  /// Publishes what the state wants of the mix.
  ///
  /// - Parameter time: from when fades count; nil is now.
  /// - Returns: what was published; nil while there is no audio server.
  @discardableResult
  func updateMix(at time: Double? = nil) -> MixChange? {
    // In place: a copy would have it copy its tables with every fader.
    let change = mix?.update(state, liveness, at: time ?? now, margin: margin, provide: provide)
    if let mix, change == .whole { portsMayHaveChanged(mix) }
    return change
  }

  /// Frames until the audio thread surely has what is published now.
  var margin: Int { 2 * backend.period }

  /// Makes the ports that the mix needs; what the server refuses is told, and stays out of the mix.
  func provide(_ ports: [PortKey]) -> [PortKey: PortHandle] {
    for (port, error) in book.provide(ports, at: backend, in: state) {
      refusals.append("\(port.name): \(error)")
    }
    return book.handles
  }

  /// Follows a new structure: meters, ports that go, latencies.
  private func portsMayHaveChanged(_ mix: MixKeeper) {
    let ports = mix.ports
    meters.follow(ports.filter { book.handles[$0] != nil }, from: mix.engine.structureSerial)
    book.retire(allBut: ports, from: mix.engine.serial)
    publishPaths(mix)
    let refused = refusals
    refusals = []
    for sentence in refused { tell(.error(client: 0, address: "", SessionError(.io, sentence))) }
  }

  /// Lets go of what has faded out.
  func releaseFaded() {
    if mix?.isFadingOut == true, mix?.release(at: now, provide: provide) == true, let mix {
      portsMayHaveChanged(mix)
    }
    // The server gives the numbers of ports that are gone to others: what is declared must not mean them any more.
    if let mix, book.hasRetiring, book.clean(at: backend, adopted: mix.engine.adoptedSerial) {
      paths = nil
      publishPaths(mix)
    }
  }

  /// A fading delay moves in steps that each crossfade.
  func followDelays() {
    guard mix != nil, state.outputs.values.contains(where: { $0.delay.isFading(at: now) }) else { return }
    mix?.refresh(at: now, provide: provide)
  }

  /// Tells the server how long each way through the matrix takes, if that changed: everybody works out latencies then.
  private func publishPaths(_ mix: MixKeeper) {
    var paths = Set<LatencyPath>()
    for cell in mix.sounding {
      guard let source = book.handles[cell.row.source], let sink = book.handles[cell.sink] else { continue }
      var delay = 0
      if case .output(let port, _) = cell.sink {
        delay = state.outputs[port].map { Int(($0.heldBack($0.delay.target) * mix.rate).rounded()) } ?? 0
      }
      paths.insert(LatencyPath(source: source, sink: sink, delay: delay))
    }
    guard paths != self.paths else { return }
    self.paths = paths
    backend.publish(Array(paths))
  }
}
