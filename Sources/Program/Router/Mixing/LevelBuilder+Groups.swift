import MixEngine
import MixKernel
import SessionModel

// The levels of members of groups. A group has no stage in the mix: its gain and mute are part of the stages of its members.

extension LevelBuilder {
  /// Adds all levels of a member that its groups change.
  mutating func addGroupLevels(of member: GroupMember) {
    addGain(of: member)
    switch member {
    case .session(let id):
      guard let session = state.sessions[id] else { return }
      levels.stages[.sessionMute(id)] = level(isOpen: !session.isMuted, member)
    case .stream(let id, let stream):
      guard let isMuted = state.isMuted(member) else { return }
      levels.stages[.streamMute(id, stream)] = level(isOpen: !isMuted, member)
    case .capture: break
    case .output(let id):
      guard let port = state.outputs[id] else { return }
      levels.stages[.outputMute(id)] = level(ofMutedOrDimmed: port)
    case .player(let id):
      guard let player = state.players[id] else { return }
      levels.stages[.playerMute(id)] = level(isOpen: !player.isMuted, member)
    }
  }

  /// Adds the level to which the gains of a member's groups belong.
  mutating func addGain(of member: GroupMember) {
    switch member {
    case .session(let id): if let session = state.sessions[id] { addGain(ofSession: session) }
    case .stream(let id, let stream):
      if let stream = state.sessions[id]?.streams[stream] { addGain(of: stream, of: id) }
    case .capture(let id): if let session = state.sessions[id] { addCaptureGate(of: session) }
    case .output(let id): if let port = state.outputs[id] { addGain(ofOutput: port) }
    case .player(let id): if let player = state.players[id] { addGain(of: player) }
    }
  }

  mutating func addGain(ofOutput port: Port) {
    levels.stages[.outputGain(port.id)] = level(port.gain, .output(port.id), maximum: port.maximum)
  }

  mutating func addGain(of player: MediaPlayer) {
    levels.stages[.playerGain(player.id)] = level(player.gain, .player(player.id))
  }

  mutating func addGain(ofSession session: Session) {
    levels.stages[.sessionGain(session.id)] = level(
      session.gain, .session(session.id), maximum: session.maximum)
  }

  mutating func addGain(of stream: SessionStream, of session: SessionID) {
    levels.stages[.streamGain(session, stream.id)] = level(stream.gain, .stream(session, stream.id))
  }

  mutating func addCaptureGate(of session: Session) {
    levels.stages[.captureGate(session.id)] = captureLevel(of: session)
    levels.stages[.captureReturn(session.id)] = gate(
      isOpen(captureOf: session) && !state.isMutedByGroup(.capture(session.id)))
  }

  private func isOpen(captureOf session: Session) -> Bool {
    state.isCaptureOpen(session) && liveness.captures.contains(session.id)
  }

  /// A capture has no gain of its own, so that of its groups is part of its gate.
  private mutating func captureLevel(of session: Session) -> MixLevels.Level {
    let member = GroupMember.capture(session.id)
    let isOpen = isOpen(captureOf: session)
    guard isOpen, !state.groups.isEmpty, !state.isMutedByGroup(member), !state.groups(of: member).isEmpty
    else {
      return gate(isOpen && !state.isMutedByGroup(member))
    }
    var level = level(Control(0), member)
    level.initial = 0
    return level
  }

  /// The level of a member's mute. In an exclusive group one member falls while another one rises, so they cross with equal power.
  func level(isOpen: Bool, _ member: GroupMember) -> MixLevels.Level {
    guard !state.groups.isEmpty else { return level(isOpen: isOpen) }
    var level = level(isOpen: isOpen && !state.isMutedByGroup(member))
    if state.groups(of: member).contains(where: \.isExclusive) { level.shape = .equalPower }
    return level
  }

  /// The level of a member's gain with the gains of its groups, up to its maximum.
  private mutating func level(
    _ own: Control, _ member: GroupMember, maximum: Double = .infinity
  ) -> MixLevels.Level {
    let groups = state.groups(of: member)
    guard !groups.isEmpty else { return level(own) }
    let controls = [own] + groups.map(\.gain)
    let most = maximum.isFinite ? Decibels(maximum).amplitude : .infinity
    func amplitude(at time: Double) -> Float {
      min(most, controls.reduce(1) { $0 * Decibels($1.value(at: time, isLevel: true)).amplitude })
    }
    let revision = controls.reduce(0) { $0 &+ $1.revision }
    guard let end = controls.compactMap({ $0.fade?.end }).max(), time < end else {
      return MixLevels.Level(
        target: amplitude(at: .infinity), revision: revision, seconds: state.ramp.target)
    }
    // Fades with different ends and curves add up to no curve that the mix knows, so their sum goes in short straight pieces.
    slides[member] = end
    return MixLevels.Level(
      target: amplitude(at: time + Self.piece), revision: revision, shape: .linear, seconds: Self.piece,
      present: amplitude(at: time))
  }

  /// Seconds that a piece of a sum of fades takes. A new piece replaces it before its end.
  private static let piece = 0.02
}

extension RouterState {
  /// The members whose gain or mute may differ from an earlier state because their groups have changed.
  func regroupedMembers(since before: RouterState) -> Set<GroupMember> {
    let changed = groups.keys(changedSince: before.groups) + before.groups.keys(missingIn: groups)
    let versions = changed.flatMap { [groups[$0], before.groups[$0]].compactMap(\.self) }
    return Set(versions.flatMap { members(of: $0) })
  }
}
