import MixEngine
import SessionModel

/// Computes the levels of the mix from the state, as a pure function.
struct LevelBuilder {
  let state: RouterState
  let liveness: Liveness
  /// Which sessions in `state` play, record and duck.
  private let activity: Activity
  let time: Double
  let switching: MixLevels.Switching
  var levels = MixLevels()
  /// Members of groups whose level is on its way, with the end of the way, in seconds of the router's time.
  var slides: [GroupMember: Double] = [:]

  /// - Parameter switching: how long what opens or closes takes; nil is the router's ramp.
  static func levels(
    of state: RouterState, _ liveness: Liveness, at time: Double, _ switching: MixLevels.Switching? = nil
  ) -> MixLevels {
    var builder = LevelBuilder(state: state, liveness: liveness, time: time, switching)
    for port in state.outputs.values { builder.add(output: port) }
    for port in state.inputs.values { builder.add(input: port) }
    for session in state.sessions.values { builder.add(session) }
    for player in state.players.values { builder.add(player) }
    for id in state.recorders.keys { builder.add(.recorder(id), builder.unity) }
    builder.addSolos()
    for (number, isOpen) in liveness.voices {
      builder.levels.stages[.voiceGate(number)] = builder.gate(isOpen)
    }
    // Down in 0.05 s, back over 1 s (docs/develop/law/osc.md#17-panic).
    builder.levels.stages[.panic] = MixLevels.Level(
      target: state.isPanicking ? 0 : 1, seconds: state.isPanicking ? 0.05 : 1)
    builder.levels.slides = builder.slides
    return builder.levels
  }

  /// The levels of all sessions and outputs that changed since an earlier state with the same topology; nil if the change may
  /// concern every level.
  static func changes(
    of state: RouterState, since before: RouterState, _ liveness: Liveness, at time: Double,
    _ switching: MixLevels.Switching? = nil
  ) -> MixLevels? {
    // Sends depend on whether their output is available.
    guard state.ramp == before.ramp, state.monitoring == before.monitoring,
      state.isPanicking == before.isPanicking, state.inputs == before.inputs,
      state.outputs.allMatch(before.outputs, { $0.isAvailable == $1.isAvailable })
    else { return nil }
    var builder = LevelBuilder(state: state, liveness: liveness, time: time, switching)
    // These values can open or close the gate of any session.
    guard state.isSilent == before.isSilent, state.server.isOffline == before.server.isOffline,
      builder.activity.recorders == before.activity.recorders, state.recorders.keys == before.recorders.keys
    else { return nil }
    for id in state.outputs.keys(changedSince: before.outputs) {
      if let port = state.outputs[id] { builder.add(output: port) }
    }
    let changed = state.sessions.keys(changedSince: before.sessions)
    builder.levels.sends.reserveCapacity(changed.reduce(0) { $0 + (state.sessions[$1]?.sendCount ?? 0) })
    for id in changed {
      if let session = state.sessions[id] { builder.add(session) }
    }
    for id in state.players.keys(changedSince: before.players) {
      if let player = state.players[id] { builder.add(player) }
    }
    for member in state.regroupedMembers(since: before) { builder.addGroupLevels(of: member) }
    if !state.monitoring.isEmpty { builder.addSolos() }
    builder.levels.slides = builder.slides
    return builder.levels
  }

  /// The levels of members of groups that are on their way.
  static func levels(
    of members: some Sequence<GroupMember>, in state: RouterState, _ liveness: Liveness, at time: Double
  ) -> MixLevels {
    var builder = LevelBuilder(state: state, liveness: liveness, time: time, nil)
    for member in members { builder.addGain(of: member) }
    builder.levels.slides = builder.slides
    return builder.levels
  }

  private init(state: RouterState, liveness: Liveness, time: Double, _ switching: MixLevels.Switching?) {
    (self.state, self.liveness, self.time, activity) = (state, liveness, time, state.activity)
    self.switching = switching ?? MixLevels.Switching(seconds: state.ramp.target)
  }

  private mutating func add(output port: Port) {
    addGain(ofOutput: port)
    levels.stages[.outputMute(port.id)] = level(ofMutedOrDimmed: port)
    addBalance(of: port, isHeard: liveness.outputs.contains(port.id))
    levels.stages[.outputGate(port.id)] = gate(port.isAvailable && liveness.outputs.contains(port.id))
    levels.treatments[port.id] = MixLevels.Treatment(
      delay: port.heldBack(port.delay.value(at: time, isLevel: false)))
    if port.monitor.isOn { addDim(of: port) }
    if !port.insert.isEmpty { add(.effects(.output(port.id)), unity) }
    levels.stages[.outputCeiling(port.id)] = level(port.ceiling, fadeShape: .decibels, isLevel: false) {
      Decibels($0).amplitude
    }
  }

  private mutating func add(input port: Port) {
    levels.stages[.inputGain(port.id)] = level(port.gain)
    if !port.insert.isEmpty { add(.effects(.input(port.id)), unity) }
    levels.stages[.inputMute(port.id)] = level(isOpen: !port.isMuted)
    addChannelControls(of: port)
    levels.stages[.inputLevel(port.id)] = level(port.level, fadeShape: .linear, isLevel: false) { Float($0) }
    levels.stages[.inputGate(port.id)] = gate(port.isAvailable && liveness.inputs.contains(port.id))
    for (index, strip) in port.channelStrips.enumerated() {
      levels.stages[.inputChannelGain(port.id, channel: index + 1)] = level(strip.gain)
      levels.stages[.inputChannelMute(port.id, channel: index + 1)] = level(isOpen: !strip.isMuted)
    }
  }

  private mutating func add(_ session: Session) {
    levels.stages[.sessionGate(session.id)] = gate(
      state.isGateOpen(session, activity), isAtOnce: liveness.beginningSessions.contains(session.id))
    levels.stages[.sessionMute(session.id)] = level(isOpen: !session.isMuted, .session(session.id))
    addGain(ofSession: session)
    if session.capture.channels > 0 { addCaptureGate(of: session) }
    for stream in session.streams.values { add(stream, of: session) }
    for duck in session.ducks { levels.stages[.duck(session.id, duck.output)] = level(duck) }
    addCapture(of: session)
    if session.isTalkback { addTalkback(session) }
  }

  private mutating func addCapture(of session: Session) {
    if session.processesVoice { add(.voice(session.id), unity) }
    if !session.capture.insert.isEmpty { add(.effects(.capture(session.id)), unity) }
    for (other, send) in session.capture.sessions {
      add(.captureSession(session.id, other), level(send.gain, initial: 0))
    }
    for port in session.capturedInputs {
      let gain = session.capture.inputs[port]?.gain ?? Control(0)
      // A program hears zeros if it has no permission, or if the microphone's own button mutes the microphone.
      let isOpen = state.isInputOpen(session, from: port)
      add(.captureInput(session.id, port), isOpen ? level(gain, initial: 0) : gate(false))
    }
  }

  /// A duck moves linearly in dB and ends at its own time. A new stage begins at the present level of the duck.
  private func level(_ duck: Duck) -> MixLevels.Level {
    MixLevels.Level(
      target: Decibels(duck.target).amplitude, revision: duck.revision, shape: .decibels,
      seconds: max(0, duck.start + duck.seconds - time), present: Decibels(duck.level(at: time)).amplitude)
  }

  private mutating func add(_ stream: SessionStream, of session: Session) {
    let address = StreamAddress(session: session.id, stream: stream.id)
    levels.stages[.streamGate(session.id, stream.id)] = gate(
      liveness.streams.contains(address), isAtOnce: liveness.beginning.contains(address))
    addGain(of: stream, of: session.id)
    levels.stages[.streamMute(session.id, stream.id)] = level(
      isOpen: !stream.isMuted, .stream(session.id, stream.id))
    for side in 0...1 {
      levels.stages[.streamPan(session.id, stream.id, channel: side)] = level(balance: stream.pan, side)
    }
    addWidth(of: stream, of: session.id)
    addPans(ofSendsOf: stream, of: session)
    if !stream.insert.isEmpty { add(.effects(.stream(session.id, stream.id)), unity) }
    // Out of the levels meanwhile: a list in two places would be copied.
    var sends: [MixLevels.Send] = []
    swap(&sends, &levels.sends)
    addSends(of: stream, of: session, to: &sends)
    levels.sends = sends
  }

  /// Adds the sends of a stream. They need no ramp if the session's gate was closed until now and opens at once: a ramp would cut the attack.
  private func addSends(of stream: SessionStream, of session: Session, to sends: inout [MixLevels.Send]) {
    let isAtOnce = liveness.beginningSessions.contains(session.id)
    func add(_ port: PortID, _ level: MixLevels.Level) {
      var send = MixLevels.Send(key: .stream(session.id, stream.id, port), level: level)
      send.level.isAtOnce = isAtOnce
      sends.append(send)
    }
    if session.category == .multiRoute {
      var route = RouteSearch(session.route.outputs)
      stream.destinations.forEachEntry {
        add(
          $0,
          state.isOutsoloed(session.id, stream.id, at: $0) ? gate(false) : level(of: $1, at: $0, in: &route))
      }
    } else if let port = session.route.outputs.first {
      add(port, level(Control(0), initial: 0))
    }
  }

  mutating func add(_ send: SendKey, _ level: MixLevels.Level) {
    levels.sends.append(MixLevels.Send(key: send, level: level))
  }

  /// A multiRoute stream is heard at those of its destinations that are in the session's route. The send to an output that is away
  /// keeps its level: the output's gate is closed, and the level must be right when the output returns.
  private func level(of destination: Destination, at port: PortID, in route: inout RouteSearch)
    -> MixLevels.Level
  {
    guard route.contains(port) || !state.outputs.contains(port, where: { $0.isAvailable }) else {
      // A send to an output that has just appeared needs no ramp, because the output's gate is still closed.
      let isHeard = liveness.outputs.contains(port)
      return MixLevels.Level(target: 0, seconds: isHeard ? state.ramp.target : 0, initial: 0)
    }
    return level(destination.gain, initial: 0)
  }

  /// A balance: left min(1, 1-p), right min(1, 1+p) (docs/develop/law/streams.md#4-balance).
  func level(balance: Control, _ side: Int) -> MixLevels.Level {
    level(balance, fadeShape: .linear, isLevel: false) { Float(min(1, 1 + (side == 0 ? -1 : 1) * $0)) }
  }

  /// The level of a stage that is open or closed.
  func level(isOpen: Bool) -> MixLevels.Level {
    MixLevels.Level(target: isOpen ? 1 : 0, shape: switching.shape, seconds: switching.seconds)
  }

  /// The level of a gate. A new gate begins closed, so that the sound behind it begins with a ramp.
  /// - Parameter isAtOnce: whether the gate opens without a ramp.
  func gate(_ isOpen: Bool, isAtOnce: Bool = false) -> MixLevels.Level {
    MixLevels.Level(
      target: isOpen ? 1 : 0, shape: switching.shape, seconds: switching.seconds,
      isAtOnce: isOpen && isAtOnce, initial: 0)
  }

  /// The level of a control that the operator sets or fades.
  func level(_ control: Control, initial: Float? = nil) -> MixLevels.Level {
    let shape: Ramp.Shape =
      switch control.fade?.curve {
      case .linear: .linear
      case .sCurve: .sCurve
      default: .fader
      }
    var level = level(control, fadeShape: shape, isLevel: true) { Decibels($0).amplitude }
    level.initial = initial
    return level
  }

  func level(
    _ control: Control, fadeShape: Ramp.Shape, isLevel: Bool, amplitude: (Double) -> Float
  ) -> MixLevels.Level {
    let target = amplitude(control.target)
    guard let fade = control.fade, time < fade.end else {
      return MixLevels.Level(target: target, revision: control.revision, seconds: state.ramp.target)
    }
    return MixLevels.Level(
      target: target, revision: control.revision, shape: fadeShape, seconds: fade.end - time,
      present: amplitude(control.value(at: time, isLevel: isLevel)))
  }
}

/// A search in the outputs of a session's route, which has them in the order of the destinations.
private struct RouteSearch {
  private let outputs: [PortID]
  private var next = 0

  init(_ outputs: [PortID]) { self.outputs = outputs }

  mutating func contains(_ port: PortID) -> Bool {
    let isNext = next < outputs.count && outputs[next] == port
    guard let place = isNext ? next : outputs.firstIndex(of: port) else { return false }
    next = place + 1
    return true
  }
}

extension Session {
  /// The greatest number of sends of its streams.
  fileprivate var sendCount: Int { streams.values.reduce(0) { $0 + $1.destinations.count } }
}
