import Parameters
import SessionModel

/// A preset that takes the place of the one in force.
///
/// The successor sets or takes back what its predecessor has set. What neither of them names stays, since only
/// the operator has set it. Guards and maxima change only if the successor itself names them, or belongs to another project.
struct Succession {
  let old: PresetDocument
  let new: PresetDocument
  /// The state of a router that started with the successor and that knows the ports of both: the source of
  /// default values.
  let fresh: RouterState
  let manner: Manner

  /// How much of the successor is applied.
  enum Manner {
    /// Everything that it names.
    case recall
    /// What differs from the predecessor: an earlier version of the same file.
    case reload
    /// Everything that it names. Guards and maxima that it does not name go, too.
    case replacement
  }

  /// The steps that bring a router from a state to the successor.
  ///
  /// - Parameter time: router time in seconds.
  func steps(for state: RouterState, at time: Double) -> [Step] {
    let before =
      removals(from: state) + settingsOfDroppedPorts(state, time) + settingsOfFoundPorts(state, time)
    let steps = reduced(for: state).steps(for: state, at: time)
    return before.isEmpty ? steps : before + steps
  }

  // MARK: Settings

  /// The settings of one object: those of the successor, and the defaults of those that only the predecessor
  /// names.
  func leaves(
    _ wanted: [Leaf], after old: [Leaf], of owner: Table.Owner, at target: Target
  ) -> [Leaf] {
    let named =
      manner != .reload
      ? wanted : wanted.filter { leaf in old[leaf.key].map { $0.value != leaf.value } ?? true }
    let dropped = old.filter {
      wanted[$0.key] == nil && (manner == .replacement || !Self.limits.contains($0.key))
    }
    return named + dropped.compactMap { $0.value(of: owner, at: target, in: fresh) }
  }

  /// The settings without a preset key, and the defaults of those that only the predecessor names.
  private func settings() -> [SettingEntry] {
    let named =
      manner != .reload
      ? new.settings
      : new.settings.filter { setting in
        !old.settings.contains { $0.isSame(as: setting) && $0.value == setting.value }
      }
    let dropped = old.settings.filter { setting in !new.settings.contains { $0.isSame(as: setting) } }
    return named
      + dropped.compactMap { setting in
        let usual =
          setting.parameter.wantedValue(at: setting.target, in: fresh) ?? setting.parameter.kind.rest
        return usual.map {
          SettingEntry(parameter: setting.parameter, target: setting.target, value: $0, place: setting.place)
        }
      }
  }

  /// Guards and maxima, which no omission takes away.
  private static let limits: Set<String> = ["never", "max", "maxTotal"]

  /// The successor with the defaults of what only the predecessor names; for a reload, without what both name
  /// alike.
  private func reduced(for state: RouterState) -> PresetDocument {
    var document = new
    document.leaves = leaves(new.leaves, after: old.leaves, of: .router, at: Target())
    document.ducking = leaves(new.ducking, after: old.ducking, of: .ducking, at: Target())
    document.settings = settings()
    document.interruptions = leaves(
      new.interruptions, after: old.interruptions, of: .interruptions, at: Target())
    for (id, port) in new.ports {
      guard let before = old.ports[id] else { continue }
      document.ports[id]?.leaves = leaves(of: port, id, after: before)
      document.ports[id]?.solo = leaves(
        port.solo, after: before.solo, of: .monitor, at: Target(id, .output))
    }
    for (id, session) in new.sessions {
      guard let before = old.sessions[id], let present = state.sessions[id] else { continue }
      document.sessions[id] = reduced(session, id, after: before, present)
    }
    for (id, player) in new.players { document.players[id] = reduced(player, id) }
    for (id, recorder) in new.recorders { document.recorders[id] = reduced(recorder, id) }
    for (id, group) in new.groups { document.groups[id] = reduced(group, id) }
    return document
  }

  private func leaves(of port: PortEntry, _ id: PortID, after before: PortEntry) -> [Leaf] {
    [Direction.output, .input].flatMap { direction in
      // A key of both directions belongs to the leading one.
      let isOwn = { (leaf: Leaf) in
        leaf.isKey(of: direction.owner) && (direction == port.leading || !leaf.isKey(of: port.leading.owner))
      }
      return leaves(
        port.leaves.filter(isOwn), after: before.leaves.filter(isOwn), of: direction.owner,
        at: Target(id, direction))
    }
  }

  private func reduced(
    _ session: SessionEntry, _ id: SessionID, after before: SessionEntry, _ present: Session
  ) -> SessionEntry {
    var entry = session
    let target = Target(session: id)
    entry.leaves = leaves(session.leaves, after: before.leaves, of: .session, at: target)
    entry.io = leaves(session.io, after: before.io, of: .io, at: target)
    entry.ducking = leaves(session.ducking, after: before.ducking, of: .ducker, at: target)
    entry.voice = leaves(session.voice, after: before.voice, of: .voice, at: target)
    entry.talkback = leaves(session.talkback, after: before.talkback, of: .talkback, at: target)
    let isAlike =
      session.category?.value == before.category?.value && session.mode?.value == before.mode?.value
    // Another mode may have ended switches that both documents name.
    if !isAlike { entry.voice.extend(by: session.voice) }
    if manner == .reload, isAlike, session.options?.value == before.options?.value {
      (entry.category, entry.mode, entry.options) = (nil, nil, nil)
    } else if let fresh = fresh.sessions[id] {
      if let mode = before.mode { entry.mode = session.mode ?? Placed(value: fresh.mode, place: mode.place) }
      if before.asksForEchoCanceller, entry.mode == nil {
        entry.mode = Placed(value: fresh.mode, place: session.place)
      }
      if session.options == nil,
        before.options != nil || before.usualOptions(fresh) != session.usualOptions(fresh)
      {
        entry.options = Placed(value: fresh.requestedOptions, place: session.place)
      }
    }
    if manner == .reload, session.isActive?.value == before.isActive?.value { entry.isActive = nil }
    // One that only the predecessor has ended starts again, if it starts by itself with the successor.
    if session.isActive == nil, let ended = before.isActive, !ended.value,
      fresh.sessions[id]?.isActive == true
    {
      entry.isActive = Placed(value: true, place: ended.place)
    }
    for (stream, wanted) in session.streams {
      entry.streams[stream] = reduced(
        wanted, Target(session: id, stream: stream), after: before.streams[stream], present.streams[stream])
    }
    if let capture = session.capture, let before = before.capture {
      entry.capture = reduced(capture, target, after: before)
    }
    return entry
  }

  private func reduced(
    _ stream: StreamEntry, _ target: Target, after before: StreamEntry?, _ present: SessionStream?
  ) -> StreamEntry {
    guard let before, let present else { return stream }
    var entry = stream
    if let channels = before.channels, stream.channels == nil {
      entry.channels = Placed(value: SessionDefaults.streamChannels, place: channels.place)
    }
    // A stream that is made anew needs all of its settings.
    let isMadeAnew = entry.isMadeAnew(insteadOf: present)
    entry.leaves =
      isMadeAnew && manner == .reload
      ? stream.leaves : leaves(stream.leaves, after: before.leaves, of: .stream, at: target)
    entry.areDestinationsWhole = true
    guard manner == .reload, !isMadeAnew else { return entry }
    for (port, destination) in stream.destinations
    where before.destinations[port]?.isLike(destination) == true {
      entry.destinations[port] = nil
    }
    return entry
  }

  /// The settings of a contribution with defaults for those that the successor does not name: like destinations, contributions are
  /// replaced as wholes.
  private func whole(_ wanted: [Leaf], of owner: Table.Owner, at target: Target, _ place: Place) -> [Leaf] {
    wanted
      + Table.keys(of: owner).compactMap { parameter in
        guard let key = parameter.key, wanted[key] == nil else { return nil }
        return parameter.wantedValue(at: target, in: fresh).map { Leaf(key, $0, at: place) }
      }
  }

  private func reduced(_ capture: CaptureEntry, _ target: Target, after before: CaptureEntry) -> CaptureEntry
  {
    var entry = capture
    entry.leaves = leaves(capture.leaves, after: before.leaves, of: .capture, at: target)
    // Without a mix the capture contains its route again.
    if before.namesMix, !capture.namesMix, capture.leaves["route"] == nil {
      entry.leaves.append(Leaf("route", .flag(true), at: capture.place))
    }
    for (key, part) in capture.mix {
      if manner == .reload, before.mix[key]?.leaves.isLike(part.leaves) == true {
        entry.mix[key] = nil
      } else if let contribution = new.contribution(key) {
        let (owner, target) = contribution.send(in: target)
        entry.mix[key]?.leaves = whole(part.leaves, of: owner, at: target, part.place)
      }
    }
    return entry
  }

  /// The settings of ports that only the predecessor names. The ports themselves stay, because the operator's
  /// sessions may use them.
  private func settingsOfDroppedPorts(_ state: RouterState, _ time: Double) -> [Step] {
    var list = StepList(state: state, for: .recall, at: time)
    for (id, port) in old.ports where !new.ports.contains(id) {
      let dropped = PortEntry(place: port.place)
      for direction in port.directions where state[direction].contains(id) && port.bridge == nil {
        let target = Target(id, direction)
        let settings = leaves(of: dropped, id, after: port).filter { $0.isKey(of: direction.owner) }
        list.append(settings.filter { $0.key != "auto" }, of: direction.owner, at: target)
        // By default a port that a preset names again is automatic, and one that none names is not.
        if port.leaves["auto"] != nil {
          list.append(.port(direction, id, .automatic(nil)), about: target, at: port.place)
        }
        if direction == .output {
          list.append(
            leaves([], after: port.solo, of: .monitor, at: target), of: .monitor, at: target)
        }
      }
    }
    return list.steps
  }

  /// The settings of ports that the predecessor has only found. They are the operator's, so only a successor of another project takes them
  /// back, and only those that it does not name itself.
  private func settingsOfFoundPorts(_ state: RouterState, _ time: Double) -> [Step] {
    guard manner == .replacement else { return [] }
    var list = StepList(state: state, for: .recall, at: time)
    for direction in [Direction.output, .input] {
      for (id, port) in old.kept?.found[direction] ?? Registry()
      where state[direction].contains(id) && new.kept?.found[direction]?.contains(id) != true {
        let target = Target(id, direction)
        let named = new.ports[id].map { entry in entry.leaves.filter { entry.isAbout($0, direction) } } ?? []
        let dropped = port.leaves.filter { leaf in
          named[leaf.key] == nil
            && !new.settings.contains { $0.target == target && $0.parameter.key == leaf.key }
        }
        list.append(
          leaves([], after: dropped, of: direction.owner, at: target), of: direction.owner, at: target)
        guard direction == .output else { continue }
        let solo = port.solo.filter { new.ports[id]?.solo[$0.key] == nil }
        list.append(leaves([], after: solo, of: .monitor, at: target), of: .monitor, at: target)
      }
    }
    return list.steps
  }

  // MARK: Removals

  /// Steps that remove what the predecessor made and the successor does not name.
  private func removals(from state: RouterState) -> [Step] {
    // Captures lose their sends from sessions before those sessions are removed.
    portRemovals(from: state) + mediaRemovals(from: state) + groupRemovals(from: state)
      + state.sessions.values.flatMap { session -> [Step] in
        guard let wanted = new.sessions[session.id] else { return [] }
        let before = old.sessions[session.id]
        return streamRemovals(from: session, before, wanted)
          + captureRemovals(from: session, before?.capture, wanted)
      }
      + state.sessions.keys.compactMap { id in
        guard !new.sessions.contains(id), let place = old.sessions[id]?.place ?? removalOfOthers else {
          return nil
        }
        return Step(.removeSession(id), about: Target(session: id), at: place)
      }
  }

  /// The place that asks for the removal of sessions that no preset names.
  var removalOfOthers: Place? { new.others.flatMap { $0.value == .remove ? $0.place : nil } }

  /// Ports that only the predecessor names become found ports. A bridged one ends with its program, and is forgotten unless a guard or a
  /// maximum belongs to its id.
  private func portRemovals(from state: RouterState) -> [Step] {
    old.ports.flatMap { id, entry in
      entry.directions.compactMap { direction -> Step? in
        guard new.ports[id]?.directions.contains(direction) != true, var port = state[direction][id],
          port.isNamedByPreset
        else { return nil }
        (port.isNamedByPreset, port.typeReason) = (false, "named by an earlier preset")
        let isForgotten = entry.bridge != nil && state.limit(of: direction, port) == nil
        port.bridge = nil
        let event: Event = isForgotten ? .forgetPort(direction, id) : .declarePort(direction, port)
        return Step(event, about: Target(id, direction), at: entry.place)
      }
    }
  }

  private func streamRemovals(
    from session: Session, _ before: SessionEntry?, _ wanted: SessionEntry
  ) -> [Step] {
    session.streams.values.flatMap { stream -> [Step] in
      let target = Target(session: session.id, stream: stream.id)
      guard let entry = wanted.streams[stream.id] else {
        let isNamed = before?.streams.contains(stream.id) == true || isWhole(wanted.namesStreams)
        return isNamed ? [Step(.removeStream(session.id, stream.id), about: target, at: wanted.place)] : []
      }
      let isWhole = isWhole(entry.namesRoute)
      let dropped =
        isWhole
        ? stream.destinations.keys(missingIn: entry.destinations)
        : before?.streams[stream.id]?.destinations.keys(missingIn: entry.destinations) ?? []
      guard isWhole || !dropped.isEmpty else { return [] }
      let events = stream.events(keeping: { !dropped.contains($0) }, in: session.id)
      return events.map { Step($0, about: target, at: entry.place) }
    }
  }

  private func captureRemovals(
    from session: Session, _ before: CaptureEntry?, _ wanted: SessionEntry
  ) -> [Step] {
    let events: [Event]
    if let capture = wanted.capture {
      let (isWhole, named) = (isWhole(capture.namesMix), new.contributions(to: capture))
      let dropped = before.map { old.contributions(to: $0) } ?? []
      events = session.withoutSends { !named.contains($0) && (isWhole || dropped.contains($0)) }
    } else if before != nil {
      events = session.withoutCapture
    } else {
      events = []
    }
    return events.map { Step($0, about: Target(session: session.id), at: wanted.place) }
  }

  /// Whether a part that the successor names is applied as a whole, so that the operator's additions go.
  private func isWhole(_ isNamed: Bool) -> Bool { isNamed && manner == .recall }
}

extension SessionEntry {
  /// The options that the entry implies for a session of another one's category and mode.
  fileprivate func usualOptions(_ session: Session) -> SessionOptions {
    usualOptions(category?.value ?? session.category, mode?.value ?? session.mode)
  }
}

extension Kind {
  /// The value of a leaf that nothing has set, for objects that a fresh state does not have; nil if the kind tells none.
  fileprivate var rest: Value? {
    switch self {
    case .level: .number(0)
    case .toggle: .flag(false)
    default: nil
    }
  }
}

extension Target {
  fileprivate init(_ port: PortID, _ direction: Direction) {
    self = direction == .output ? Target(output: port) : Target(input: port)
  }
}

extension [Leaf] {
  /// Whether the settings are the same, wherever they stand.
  fileprivate func isLike(_ other: [Leaf]) -> Bool {
    count == other.count && allSatisfy { leaf in other[leaf.key].map { $0.value == leaf.value } ?? false }
  }
}

extension DestinationEntry {
  fileprivate func isLike(_ other: Self) -> Bool {
    channels == other.channels && leaves.isLike(other.leaves)
  }
}
