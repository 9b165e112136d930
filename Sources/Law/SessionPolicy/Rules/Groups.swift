import SessionModel

/// Makes, sets and removes groups, and keeps at most one member of an exclusive group open (docs/develop/law/groups.md).
enum Groups {
  static func decide(
    _ state: inout RouterState, _ id: GroupID, _ event: GroupEvent, at time: Double
  ) throws(SessionError) -> [Notification] {
    switch event {
    case .create:
      guard !state.groups.contains(id) else {
        throw SessionError(.exists, "there is a group \(id) already; remove it first or choose another id")
      }
      guard state.groups.count < RouterState.maximumGroups else {
        throw SessionError(.full, "there are \(state.groups.count) groups, the maximum; remove one first")
      }
      state.groups[id] = SoundGroup(id)
    case .remove:
      guard state.groups.contains(id) else { throw missing("group", id.name, among: state.groups.keys) }
      state.groups[id] = nil
      Talkbacks.forget(id, in: &state)
    case .set(let setting):
      try set(&state, id, setting, at: time)
      if case .members(let members) = setting, !state.isRecalling {
        return warnings(about: members, of: id, in: state)
      }
    }
    return []
  }

  private static func set(
    _ state: inout RouterState, _ id: GroupID, _ setting: GroupSetting, at time: Double
  ) throws(SessionError) {
    let curve = state.fadeCurve
    let result: Void? = try state.groups.update(id) { group throws(SessionError) in
      switch setting {
      case .name(let name): group.name = name
      case .color(let color): group.color = color
      case .members(let members):
        guard members.count <= SoundGroup.mostMembers else {
          throw SessionError(
            .full,
            "a group has at most \(SoundGroup.mostMembers) members, not \(members.count); use a pattern such as session:iem-*"
          )
        }
        group.setMembers(members)
      case .gain(let move):
        group.gain.move(move, curve: curve, at: time, isLevel: true, maximum: group.maximum)
      case .maximum(let level):
        group.maximum = level
        group.gain.lower(to: level, at: time)
      case .muted(let isMuted): group.isMuted = isMuted
      case .exclusive(let isExclusive): group.isExclusive = isExclusive
      }
    }
    guard result != nil else { throw missing("group", id.name, among: state.groups.keys) }
  }

  /// Tells which new members do not exist.
  private static func warnings(
    about members: [GroupPattern], of id: GroupID, in state: RouterState
  ) -> [Notification] {
    members.compactMap { member in
      state.hint(forMissing: member).map { hint in
        .error(
          client: 0, address: "/group/\(id)/members",
          SessionError(
            .notFound, "there is no \(member.text), which joins group \(id) when it comes; \(hint)"))
      }
    }
  }

  // MARK: Exclusive groups

  /// Mutes the other members of an exclusive group when one is unmuted. If members are open together for another reason, the one that was
  /// open before stays open, or else the first.
  static func apply(_ state: inout RouterState, after event: Event, since former: RouterState) {
    guard !state.isRecalling, state.groups.contains(where: \.isExclusive), event.mayOpenMembers else {
      return
    }
    for group in state.groups.values where group.isExclusive {
      let open = state.members(of: group).filter { state.isMuted($0) == false }
      guard open.count > 1 else { continue }
      let stays =
        open.first { former.isMuted($0) == true } ?? open.first { former.isMuted($0) == false } ?? open[0]
      for member in open where member != stays { state.mute(member) }
    }
  }
}

extension Event {
  /// Whether the event may unmute something, make something, or change who belongs to a group.
  fileprivate var mayOpenMembers: Bool {
    switch self {
    case .session(_, .muted), .stream(_, _, .muted), .port(_, _, .muted), .player(_, .set(.muted)),
      .createSession, .createStream, .declarePort, .player(_, .create), .group, .row, .elapsed:
      true
    default: false
    }
  }
}

extension RouterState {
  /// Mutes a member of a group by its own mute.
  fileprivate mutating func mute(_ member: GroupMember) {
    switch member {
    case .session(let id): sessions.update(id) { $0.isMuted = true }
    case .stream(let id, let stream):
      sessions.update(id) { session in _ = session.streams.update(stream) { $0.isMuted = true } }
    case .capture: break
    case .output(let id): outputs.update(id) { $0.isMuted = true }
    case .player(let id): players.update(id) { $0.isMuted = true }
    }
  }
}
