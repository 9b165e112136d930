import MixEngine
import MixKernel
import SessionModel

// The levels of members of groups. A group has no stage in the mix: its gain and mute are part of the stages of its members.

extension LevelBuilder {
  mutating func addGain(ofOutput port: Port) {
    levels.stages[.outputGain(port.id)] = level(port.gain, .output(port.id), maximum: port.maximum)
  }

  mutating func addGain(of player: MediaPlayer) {
    levels.stages[.playerGain(player.id)] = level(player.gain, .player(player.id))
  }

  /// Adds the gains of a session, its streams and its capture.
  mutating func addGains(of session: Session) {
    levels.stages[.sessionGain(session.id)] = level(
      session.gain, .session(session.id), maximum: session.maximum)
    for stream in session.streams.values {
      levels.stages[.streamGain(session.id, stream.id)] = level(stream.gain, .stream(session.id, stream.id))
    }
    levels.stages[.captureGate(session.id)] = captureLevel(of: session)
  }

  /// A capture has no gain of its own, so that of its groups is part of its gate.
  private mutating func captureLevel(of session: Session) -> MixLevels.Level {
    let member = GroupMember.capture(session.id)
    let isOpen = state.isCaptureOpen(session) && liveness.captures.contains(session.id)
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

/// The members of groups whose levels may differ between two states because of their groups.
struct RegroupedMembers {
  private let texts: (GroupMember) -> Bool
  private let state: RouterState
  private let isEmpty: Bool

  init(_ state: RouterState, since before: RouterState) {
    self.state = state
    let ids =
      state.groups.keys(changedSince: before.groups) + before.groups.keys(missingIn: state.groups)
    isEmpty = ids.isEmpty
    let groups = ids.flatMap { [state.groups[$0], before.groups[$0]].compactMap(\.self) }
    texts = { member in groups.contains { $0.contains(member) } }
  }

  /// Some outputs, and those whose groups have changed.
  func outputs(_ changed: [PortID]) -> [PortID] {
    with(changed, among: state.outputs.keys) { texts(.output($0)) }
  }

  /// Some players, and those whose groups have changed.
  func players(_ changed: [PlayerID]) -> [PlayerID] {
    with(changed, among: state.players.keys) { texts(.player($0)) }
  }

  /// Some sessions, and those of which the groups of any part have changed.
  func sessions(_ changed: [SessionID]) -> [SessionID] {
    with(changed, among: state.sessions.keys) { id in
      texts(.session(id)) || texts(.capture(id))
        || state.sessions[id]?.streams.keys.contains { texts(.stream(id, $0)) } ?? false
    }
  }

  private func with<ID: Hashable>(_ changed: [ID], among all: [ID], _ isRegrouped: (ID) -> Bool) -> [ID] {
    guard !isEmpty else { return changed }
    let known = Set(changed)
    return changed + all.filter { !known.contains($0) && isRegrouped($0) }
  }
}
