import MixEngine
import SessionModel

/// Keeps an engine's mix in step with the state; the router and the renderer both go this way.
struct MixKeeper {
  let engine: MixEngine
  /// Frames per second.
  let rate: Double
  private var assembler = MixAssembler()
  /// What the mix was last made from.
  private var mixed = RouterState()
  private var mixedLiveness = Liveness()

  /// Gives handles for ports, made where they are missing; without one a port stays out of the mix.
  typealias Provide = ([PortKey]) -> [PortKey: PortHandle]

  init(engine: MixEngine, rate: Double) { (self.engine, self.rate) = (engine, rate) }

  /// The ports of ours that the mix needs, sources and sinks each in the order of the structure.
  var ports: [PortKey] { assembler.ports }
  /// The crosspoints that are wanted.
  var sounding: [MixTopology.CellKey] { assembler.sounding }
  var isFadingOut: Bool { assembler.isFadingOut }

  /// Publishes what changed: levels alone where the topology is the same.
  /// - Parameter margin: frames until the audio thread surely has what is published now.
  mutating func update(
    _ state: RouterState, _ liveness: Liveness, at time: Double, margin: Int, provide: Provide
  ) -> MixChange {
    guard state != mixed || liveness != mixedLiveness else { return .levels([:]) }
    let isSame = mixed.hasSameTopology(as: state)
    let part =
      isSame && liveness == mixedLiveness
      ? LevelBuilder.changes(of: state, since: mixed, liveness, at: time) : nil
    (mixed, mixedLiveness) = (state, liveness)
    if let part, !assembler.needsWhole(part) {
      return .levels(assembler.publish(changing: part, to: engine, rate: rate))
    }
    let levels = LevelBuilder.levels(of: state, liveness, at: time)
    if isSame, !assembler.needsWhole(levels) {
      return .levels(assembler.publish(changing: levels, to: engine, rate: rate))
    }
    if !isSame {
      assembler.fadeOutSeconds = state.ramp.target
      assembler.take(TopologyBuilder.topology(of: state), fadeOut: endOfRamp(state, margin: margin))
    }
    assembler.publish(levels, to: engine, handles: provide(ports), rate: rate)
    return .whole
  }

  /// Publishes the whole mix again, for a delay that a fade moves.
  mutating func refresh(at time: Double, provide: Provide) {
    let levels = LevelBuilder.levels(of: mixed, mixedLiveness, at: time)
    assembler.publish(levels, to: engine, handles: provide(ports), rate: rate)
  }

  /// Lets go of what has faded out.
  /// - Returns: whether anything went.
  mutating func release(at time: Double, provide: Provide) -> Bool {
    guard assembler.isFadingOut, assembler.release(at: engine.framesProcessed) else { return false }
    refresh(at: time, provide: provide)
    return true
  }

  /// The engine frame at which a ramp that is published now is over.
  func endOfRamp(_ state: RouterState, margin: Int) -> UInt64 {
    engine.framesProcessed + UInt64((state.ramp.target * rate).rounded(.up)) + UInt64(margin)
  }
}

/// What was published of a mix.
enum MixChange: Equatable {
  /// Some levels, or nothing.
  case levels([StageKey: StageLevel])
  /// Everything; ports may have come or gone.
  case whole
}
