extension RouterState {
  /// Greatest number of groups.
  public static let maximumGroups = 64

  /// The groups that something is a member of, in their order.
  public func groups(of member: GroupMember) -> [SoundGroup] {
    guard !groups.isEmpty else { return [] }
    let text = member.text
    return groups.keys { $0.contains(text) }.compactMap { groups[$0] }
  }

  /// Everything that exists now and may be a member, in the order of the state.
  public var possibleMembers: [GroupMember] {
    var members: [GroupMember] = []
    sessions.forEachEntry { id, session in
      members.append(.session(id))
      members += session.streams.keys.map { .stream(id, $0) }
      if session.hasCapture { members.append(.capture(id)) }
    }
    return members + outputs.keys.map { .output($0) } + players.keys.map { .player($0) }
  }

  /// The members of a group that exist now, in the order of the state.
  public func members(of group: SoundGroup) -> [GroupMember] {
    group.members.isEmpty ? [] : possibleMembers.filter { group.contains($0.text) }
  }

  /// Whether a group has any member that exists now.
  public func hasMembers(_ group: SoundGroup) -> Bool {
    group.members.contains { pattern in
      pattern.isPattern
        ? possibleMembers.contains { pattern.matches($0.text) }
        : GroupMember(pattern.text).map(exists) ?? false
    }
  }

  /// The most channels of a group's members.
  public func channels(of group: SoundGroup) -> Int {
    members(of: group).map { member in
      switch member {
      case .session(let id): sessions[id]?.streams.values.map(\.channels).max() ?? 0
      case .stream(let id, let stream): sessions[id]?.streams[stream]?.channels ?? 0
      case .capture(let id): sessions[id]?.capture.channels ?? 0
      case .output(let id): outputs[id]?.channels ?? 0
      case .player(let id): players[id].map { channels(of: $0) } ?? 0
      }
    }.max() ?? 0
  }

  /// Whether something exists now.
  public func exists(_ member: GroupMember) -> Bool {
    switch member {
    case .session(let id): sessions.contains(id)
    case .stream(let id, let stream): sessions.contains(id) { $0.streams.contains(stream) }
    case .capture(let id): sessions.contains(id, where: \.hasCapture)
    case .output(let id): outputs.contains(id)
    case .player(let id): players.contains(id)
    }
  }

  /// Whether any group mutes something.
  public func isMutedByGroup(_ member: GroupMember) -> Bool { silencer(of: member, byGain: false) != nil }

  /// The first group that silences something; nil if none does.
  /// - Parameter byGain: whether a group silences by a gain that is off, too. A send before the gains hears it still.
  public func silencer(of member: GroupMember, byGain: Bool = true) -> GroupID? {
    guard groups.contains(where: { $0.silences(byGain: byGain) }) else { return nil }
    let text = member.text
    return groups.keys { $0.silences(byGain: byGain) && $0.contains(text) }.first
  }

  /// The dB that groups add to a member's own level; of a level on its way the higher of present and final value.
  public func highestGroupGain(of member: GroupMember, at time: Double) -> Double {
    groups(of: member).reduce(0) { $0 + max($1.gain.target, $1.gain.value(at: time, isLevel: true)) }
  }

  /// A member's own mute; nil if it has none, as a capture, or if it does not exist.
  public func isMuted(_ member: GroupMember) -> Bool? {
    switch member {
    case .session(let id): sessions.read(id, \.isMuted)
    case .stream(let id, let stream): sessions[id]?.streams.read(stream, \.isMuted)
    case .capture: nil
    case .output(let id): outputs.read(id, \.isMuted)
    case .player(let id): players.read(id, \.isMuted)
    }
  }

  /// The nearest names for a member that does not exist now; nil for one that exists, and for a pattern.
  public func hint(forMissing member: GroupPattern) -> String? {
    guard !member.isPattern, GroupMember(member.text).map(exists) != true else { return nil }
    return NearestName.hint(for: member.text, among: possibleMembers.map(\.text))
  }
}
