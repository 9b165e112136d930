import MixEngine
import SessionModel

extension Router {
  /// Publishes what the state wants of the mix: levels alone where the topology is the same.
  func updateMix() {
    guard let engine else { return }
    let levels = LevelBuilder.levels(of: state, liveness, at: now)
    let rate = Double(backend.sampleRate)
    let topologyChanged = !Self.sameTopology(mixed, state)
    (mixed, mixedLiveness) = (state, liveness)
    if !topologyChanged, !assembler.needsWhole(levels) {
      assembler.publish(changing: levels, to: engine, rate: rate)
      return
    }
    if topologyChanged {
      assembler.fadeOutSeconds = state.ramp.target
      assembler.take(TopologyBuilder.topology(of: state), fadeOut: endOfRamp(engine))
    }
    publishWhole(levels, to: engine)
  }

  /// Publishes the whole mix, and has the ports that it needs.
  func publishWhole(_ levels: MixLevels, to engine: MixEngine) {
    let ports = assembler.ports
    for (port, error) in book.provide(ports, at: backend, in: state) {
      tell(.error(client: 0, address: port.name, SessionError(.io, "\(error)")))
    }
    assembler.publish(levels, to: engine, handles: book.handles, rate: Double(backend.sampleRate))
    meters.follow(ports.filter { book.handles[$0] != nil }, from: engine.structureSerial)
    book.retire(allBut: ports, from: engine.serial)
    publishPaths()
  }

  /// The engine frame at which what starts to fade now is over; two periods for the way to the audio thread.
  func endOfRamp(_ engine: MixEngine) -> UInt64 {
    let ramp = (state.ramp.target * Double(backend.sampleRate)).rounded(.up)
    return engine.framesProcessed + UInt64(ramp) + UInt64(2 * backend.period)
  }

  /// Lets go of what has faded out.
  func releaseFaded() {
    guard let engine else { return }
    if assembler.isFadingOut, assembler.release(at: engine.framesProcessed) {
      publishWhole(LevelBuilder.levels(of: state, liveness, at: now), to: engine)
    }
    if book.hasRetiring { book.clean(at: backend, adopted: engine.adoptedSerial) }
  }

  /// Tells the server how long each way through the matrix takes.
  private func publishPaths() {
    var paths = Set<LatencyPath>()
    for cell in assembler.sounding {
      guard let source = book.handles[cell.row.source], let sink = book.handles[cell.sink] else { continue }
      var extra = 0
      if case .output(let port, _) = cell.sink {
        extra = Int(((state.outputs[port]?.delay.target ?? 0) * Double(backend.sampleRate)).rounded())
      }
      paths.insert(LatencyPath(source: source, sink: sink, delay: extra))
    }
    backend.publish(Array(paths))
  }

  /// Whether two states have the same crosspoints, whatever their levels.
  static func sameTopology(_ left: RouterState, _ right: RouterState) -> Bool {
    left.sessions.keys == right.sessions.keys && left.outputs.keys == right.outputs.keys
      && left.inputs.keys == right.inputs.keys
      && zip(left.outputs.values, right.outputs.values).allSatisfy { $0.channels == $1.channels }
      && zip(left.inputs.values, right.inputs.values).allSatisfy { $0.channels == $1.channels }
      && zip(left.sessions.values, right.sessions.values).allSatisfy(sameCrosspoints)
  }

  private static func sameCrosspoints(_ left: Session, _ right: Session) -> Bool {
    left.category == right.category && left.route.outputs == right.route.outputs
      && left.streams.keys == right.streams.keys && left.capture.channels == right.capture.channels
      && sends(left.capture) == sends(right.capture)
      && zip(left.streams.values, right.streams.values).allSatisfy { old, new in
        old.channels == new.channels && old.sources == new.sources && old.never == new.never
          && old.destinations.keys == new.destinations.keys
          && zip(old.destinations.values, new.destinations.values).allSatisfy {
            $0.isOn == $1.isOn && $0.channels == $1.channels && $0.tap == $1.tap
          }
      }
  }

  private static func sends(_ capture: Capture) -> [SendKey] {
    capture.sessions.filter(\.value.isOn).map { .captureSession("x", $0.key) }
      + capture.inputs.filter(\.value.isOn).map { .captureInput("x", $0.key) }
  }
}
