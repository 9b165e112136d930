import Parameters
import SessionModel

extension PresetDocument {
  /// What brings a router from a state to what the document says, in an order in which nothing is heard where it must not be.
  func steps(for state: RouterState) -> [Step] {
    var kept = state
    for (id, session) in sessions {
      // A stream cannot change its width; one that must is made anew, so nothing of it is in force.
      for (stream, entry) in session.streams
      where entry.isOtherWidth(than: state.sessions[id]?.streams[stream]) {
        kept.sessions[id]?.streams[stream] = nil
      }
    }
    var list = StepList(state: kept)
    for (id, port) in ports { port.appendSteps(id, to: &list) }
    list.append(leaves, of: .router, at: Target())
    list.append(ducking, of: .ducking, at: Target())
    list.append(interruptions, of: .interruptions, at: Target())
    for (id, session) in sessions { session.appendCreation(id, from: state, to: &list) }
    for (id, session) in sessions { session.appendSettings(id, from: state, to: &list) }
    for (id, session) in sessions {
      session.capture?.appendSteps(id, of: self, to: &list)
    }
    for (id, session) in sessions { session.appendActivation(id, to: &list) }
    for (id, session) in sessions {
      guard let isActive = session.isActive, isActive.value != state.sessions[id]?.isActive ?? false else {
        continue
      }
      let event: Event = isActive.value ? .activate(id) : .deactivate(id, notifyingOthers: true)
      list.append(event, about: Target(session: id), at: isActive.place)
    }
    return list.steps
  }
}

// MARK: Ports

extension PortEntry {
  func appendSteps(_ id: PortID, to list: inout StepList) {
    for direction in directions {
      let target = direction == .output ? Target(output: id) : Target(input: id)
      let port = port(id, direction, instead: list.state[direction][id])
      if !port.isDeclared(in: list.state[direction][id]) {
        list.append(.declarePort(direction, port), about: target, at: place)
      }
      let owner = direction.owner
      list.append(leaves.filter { isAbout($0, direction) }, of: owner, at: target)
    }
  }

  /// Name and plug are the device's; what else both directions have is that of the leading one.
  private func isAbout(_ leaf: Leaf, _ direction: Direction) -> Bool {
    direction == leading || Self.shared.contains(leaf.key) || !leaf.isKey(of: leading.owner)
  }

  private static let shared: Set<String> = ["name", "plugged"]

  private func port(_ id: PortID, _ direction: Direction, instead old: Port?) -> Port {
    let bridge = bridge.map {
      Bridge(direction, channels: channels?.value ?? Self.bridgedChannels, to: $0.value.far)
    }
    let globs =
      bridge.flatMap { [PortGlob("\($0.clientName(for: id)):*")] }?.compactMap(\.self)
      ?? globs[direction]?.map(\.value) ?? []
    // What could not be read counts as a port that streams may go to, so that one problem stays one.
    var port = Port(
      id: id, name: old?.name ?? id.name, type: type?.value ?? .virtual, globs: globs, channels: 0)
    port.node = node?.value
    if direction == .input {
      port.sources = sources.map { Port.DataSource(id: $0.name, globs: $1.map(\.value)) }
    }
    port.channels = max(Self.count(globs), port.sources.map { Self.count($0.globs) }.max() ?? 0)
    if direction == leading, let channels { port.channels = channels.value }
    if let bridge { (port.bridge, port.channels) = (bridge, bridge.channels) }
    return port
  }

  /// Channels of a bridged port that does not say.
  private static let bridgedChannels = 2

  /// How many channels globs stand for; 0 if only the server knows.
  private static func count(_ globs: [PortGlob]) -> Int {
    globs.contains(where: \.isPattern) ? 0 : globs.count
  }
}

extension Direction {
  /// Whose parameters its ports have.
  var owner: Table.Owner { self == .output ? .output : .input }
}

extension Port {
  /// Whether declaring the port would change nothing.
  fileprivate func isDeclared(in old: Port?) -> Bool {
    guard let old else { return false }
    return old.isNamedByPreset && old.type == type && old.globs == globs && old.node == node
      && old.bridge == bridge && old.sources == sources && old.channels >= channels
  }
}

// MARK: Sessions and streams

extension SessionEntry {
  /// The session, configured, and its streams.
  func appendCreation(_ id: SessionID, from state: RouterState, to list: inout StepList) {
    let old = state.sessions[id]
    let configuration = configuration(instead: old)
    if old == nil {
      list.append(.createSession(id, configuration), about: Target(session: id), at: place)
    } else if old?.configuration != configuration {
      list.append(.configure(id, configuration), about: Target(session: id), at: category?.place ?? place)
    }
    for (stream, entry) in streams {
      let target = Target(session: id, stream: stream)
      let existing = old?.streams[stream]
      let isOtherWidth = entry.isOtherWidth(than: existing)
      if isOtherWidth { list.append(.removeStream(id, stream), about: target, at: entry.place) }
      guard existing == nil || isOtherWidth else { continue }
      let channels = entry.channels?.value ?? StreamEntry.usualChannels
      list.append(
        .createStream(id, stream, channels: channels, placed: false), about: target,
        at: entry.channels?.place ?? entry.place)
      if let existing { entry.appendInheritance(from: existing, at: target, to: &list) }
    }
  }

  /// Options go with their category: one that stays keeps them unless the document names some.
  private func configuration(instead old: Session?) -> SessionConfiguration {
    let category = category?.value ?? old?.category ?? .multiRoute
    return SessionConfiguration(
      category: category, mode: mode?.value ?? old?.mode ?? .default,
      options: options?.value ?? (old?.category == category ? old?.requestedOptions : nil) ?? [])
  }

  /// Everything of the session but its capture and its activation.
  func appendSettings(_ id: SessionID, from state: RouterState, to list: inout StepList) {
    for (stream, entry) in streams {
      entry.appendSettings(at: Target(session: id, stream: stream), to: &list)
    }
    let target = Target(session: id)
    // Before the foreground: in the background it may be too late to run.
    list.append(io, of: .io, at: target)
    list.append(leaves.filter { $0.key != Self.activation }, of: .session, at: target)
    list.append(ducking, of: .ducker, at: target)
    guard list.state.sessions[id] == nil else { return }
    for (key, value) in Self.usual where leaves[key] == nil {
      list.append([Leaf(key, .text(value), at: place)], of: .session, at: target)
    }
  }

  /// How new sessions behave that do not say: JACK programs know nothing of interruptions and plugs, so the router plays their part.
  private static let usual = [
    ("resume", Resumption.recommended.rawValue), ("unplug", UnplugConduct.wait.rawValue),
  ]

  /// When it becomes active by itself: at the end, when all is in place; new ones follow their programs unless they say otherwise.
  func appendActivation(_ id: SessionID, to list: inout StepList) {
    let target = Target(session: id)
    if let activation = leaves[Self.activation] {
      list.append([activation], of: .session, at: target)
    } else if list.state.sessions[id] == nil {
      list.append(
        [Leaf(Self.activation, .text(Activation.connected.rawValue), at: place)], of: .session, at: target)
    }
  }

  private static let activation = "activate"
}

extension StreamEntry {
  /// Channels of a stream that does not say.
  static let usualChannels = 2

  func isOtherWidth(than stream: SessionStream?) -> Bool {
    guard let stream, let channels else { return false }
    return stream.channels != channels.value
  }

  func appendSettings(at target: Target, to list: inout StepList) {
    list.append(leaves.filter { $0.key == "never" }, of: .stream, at: target)
    list.append(leaves.filter { $0.key != "never" }, of: .stream, at: target)
    for (port, destination) in destinations {
      destination.appendSteps(
        at: Target(session: target.session, stream: target.stream, output: port), to: &list)
    }
  }

  /// A stream that is made anew keeps what its width does not matter for, its guard above all.
  func appendInheritance(from old: SessionStream, at target: Target, to list: inout StepList) {
    guard let session = target.session else { return }
    let settings: [StreamSetting] = [
      .never(old.never), .muted(old.isMuted), .gain(.set(old.gain.target)), .exclusive(old.isExclusive),
      .sources(old.sources),
    ]
    for setting in settings { list.append(.stream(session, old.id, setting), about: target, at: place) }
  }
}

extension DestinationEntry {
  /// The channels come first, so that every further step is judged by the channels that are meant, and it is switched on last.
  func appendSteps(at target: Target, to list: inout StepList) {
    guard let session = target.session, let stream = target.stream, let port = target.output else { return }
    let old = list.state.sessions[session]?.streams[stream]?.destinations[port]
    if leaves["map"] == nil, old?.channels != channels {
      list.append(.destination(session, stream, port, .channels(channels)), about: target, at: place)
    }
    list.append(leaves.filter { $0.key == "map" }, of: .destination, at: target)
    list.append(leaves.filter { $0.key != "map" && $0.key != "on" }, of: .destination, at: target)
    list.append([leaves["on"] ?? Leaf("on", .flag(true), at: place)], of: .destination, at: target)
  }
}

// MARK: Captures

extension CaptureEntry {
  func appendSteps(_ id: SessionID, of document: PresetDocument, to list: inout StepList) {
    let target = Target(session: id)
    let channels = leaves["channels"] ?? usualChannels(list.state.sessions[id])
    list.append([channels].compactMap(\.self), of: .capture, at: target)
    list.append(leaves.filter { $0.key != "channels" }, of: .capture, at: target)
    for (name, part) in mix {
      guard let source = document.contribution(name) else { continue }
      var target = target
      let owner: Table.Owner
      switch source {
      case .session(let other): (owner, target.other) = (.captureSession, other)
      case .input(let input): (owner, target.input) = (.captureInput, input)
      }
      list.append(part.leaves.filter { $0.key != "on" }, of: owner, at: target)
      list.append([part.leaves["on"] ?? Leaf("on", .flag(true), at: part.place)], of: owner, at: target)
    }
  }

  /// A capture that says nothing about its channels has one.
  private func usualChannels(_ session: Session?) -> Leaf? {
    session?.capture.channels ?? 0 > 0 ? nil : Leaf("channels", .integer(1), at: place)
  }
}

/// What a key of a capture's mix names.
enum Contribution: Equatable {
  case session(SessionID)
  case input(PortID)
}

extension PresetDocument {
  /// A session of the name, or else an input; `input:` says that an input is meant. Nil for what is no name.
  func contribution(_ key: String) -> Contribution? {
    if key.hasPrefix("input:") { return PortID(key.dropFirst("input:".count)).map { .input($0) } }
    guard let session = SessionID(key), let input = PortID(key) else { return nil }
    let isInput = sessions[session] == nil && ports[input]?.directions.contains(.input) == true
    return isInput ? .input(input) : .session(session)
  }
}
