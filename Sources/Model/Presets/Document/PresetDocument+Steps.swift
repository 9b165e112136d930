import Parameters
import SessionModel

extension PresetDocument {
  /// The steps that bring a router from a state to the document. In their order no sound goes where it must
  /// not, not even briefly.
  ///
  /// - Parameters:
  ///   - time: router time in seconds.
  ///   - session: the only session whose steps are wanted; nil for all of them. Other objects than sessions always have theirs.
  func steps(
    for state: RouterState, purpose: StepList.Purpose = .recall, of session: SessionID? = nil, at time: Double
  ) -> [Step] {
    let sessions = sessions(only: session)
    var known = state
    for (id, session) in sessions {
      // A stream cannot change its width. A stream with another width is made again, so none of its settings
      // is in force.
      for (stream, entry) in session.streams
      where entry.isMadeAnew(insteadOf: state.sessions[id]?.streams[stream]) {
        known.sessions[id]?.streams[stream] = nil
        for player in known.players.keys(where: { $0.session == id && $0.stream == stream }) {
          known.players[player] = nil
        }
      }
      // Another configuration ends the override of the session's route.
      if let old = state.sessions[id] {
        let configuration = session.configuration(instead: old)
        if old.configuration != configuration { known.sessions[id]?.portOverride = .none }
        // A mode without voice processing ends the switches of the session.
        if !configuration.mode.processesVoice { known.sessions[id]?.voice.inherit() }
      }
    }
    var list = StepList(state: known, for: purpose, at: time)
    for (id, port) in ports { port.appendSteps(id, to: &list) }
    for direction in [Direction.output, .input] {
      for (id, port) in kept?.found[direction] ?? Registry() {
        port.appendStepsOfFound(id, direction, to: &list)
      }
    }
    list.append(leaves, of: .router, at: Target())
    list.append(ducking, of: .ducking, at: Target())
    list.append(interruptions, of: .interruptions, at: Target())
    for (id, group) in groups { group.appendSteps(id, to: &list) }
    for (id, session) in sessions { session.appendCreation(id, from: state, to: &list) }
    for (id, session) in sessions { session.appendSettings(id, from: state, to: &list) }
    for (id, session) in sessions {
      session.capture?.appendSteps(id, of: self, to: &list)
    }
    for (id, player) in players(only: session) { player.appendSteps(id, of: self, to: &list) }
    if session == nil { for (id, recorder) in recorders { recorder.appendSteps(id, to: &list) } }
    for (id, session) in sessions { session.appendActivation(id, to: &list) }
    // A restoration brings back these settings and the activity itself, in an order of its own.
    guard purpose == .recall else { return list.steps }
    for setting in settings { list.append(setting) }
    for (id, session) in sessions {
      guard let isActive = session.isActive, isActive.value != state.sessions[id]?.isWantedActive ?? false
      else {
        continue
      }
      let event: Event = isActive.value ? .activate(id) : .deactivate(id, notifyingOthers: true)
      list.append(event, about: Target(session: id), at: isActive.place)
    }
    for (id, player) in players { player.appendTransport(id, to: &list) }
    for (id, recorder) in recorders { recorder.appendTransport(id, to: &list) }
    for (id, session) in sessions { session.appendBackground(id, to: &list) }
    return list.steps
  }

  /// All sessions, or only one of them.
  func sessions(only id: SessionID?) -> Registry<SessionID, SessionEntry> {
    guard let id else { return sessions }
    var registry = Registry<SessionID, SessionEntry>()
    registry[id] = sessions[id]
    return registry
  }
}

// MARK: Ports

extension PortEntry {
  func appendSteps(_ id: PortID, to list: inout StepList) {
    for direction in directions {
      let target = direction == .output ? Target(output: id) : Target(input: id)
      let port = port(id, direction, instead: list.state[direction][id])
      let old = list.state[direction][id]
      if list.purpose == .restoration ? old == nil : !port.isDeclared(in: old) {
        list.append(declaring: port, direction, about: target, at: place)
      }
      let owner = direction.owner
      list.append(leaves.filter { isAbout($0, direction) }, of: owner, at: target)
      if direction == .output { list.append(solo, of: .monitor, at: target) }
    }
  }

  /// Adds a port that no entry names and that a kept state contains. It may be absent now; its settings and
  /// the routes to it are kept for its return.
  func appendStepsOfFound(_ id: PortID, _ direction: Direction, to list: inout StepList) {
    let target = direction == .output ? Target(output: id) : Target(input: id)
    if !list.state[direction].contains(id) {
      var port = port(id, direction, instead: nil)
      (port.isNamedByPreset, port.typeReason) = (false, "found before the router was started again")
      list.append(.declarePort(direction, port), about: target, at: place)
    }
    list.append(leaves, of: direction.owner, at: target)
    if direction == .output { list.append(solo, of: .monitor, at: target) }
  }

  /// Whether a setting is about a direction. Name, colour and plug belong to both; other keys of both belong to the
  /// leading one.
  func isAbout(_ leaf: Leaf, _ direction: Direction) -> Bool {
    direction == leading || Self.shared.contains(leaf.key) || !leaf.isKey(of: leading.owner)
  }

  /// Keys for both directions of a device.
  static let shared: Set<String> = ["name", "color", "plugged"]

  func port(_ id: PortID, _ direction: Direction, instead old: Port?) -> Port {
    let bridge = bridge.map {
      Bridge(direction, channels: channels?.value ?? Self.bridgedChannels, to: $0.value.far)
    }
    let globs =
      bridge.flatMap { [PortGlob("\($0.clientName(for: id)):*")] }?.compactMap(\.self)
      ?? globs[direction]?.map(\.value) ?? []
    // An unreadable direction counts as a port that streams may go to, so that its problem is reported only
    // once.
    let type = type?.value ?? .virtual
    var port = Port(
      id: id, name: old?.name ?? id.name, type: direction == .input ? type.ofInputs : type, globs: globs,
      channels: 0)
    port.node = node?.value
    if direction == .input {
      port.sources = sources.map {
        Port.DataSource(id: $0.name, globs: $1.globs.map(\.value), modes: $1.modes.map(\.value))
      }
    }
    port.declaredChannels = max(Self.count(globs), port.sources.map { Self.count($0.globs) }.max() ?? 0)
    if direction == leading, let channels { port.declaredChannels = channels.value }
    if let bridge { (port.bridge, port.declaredChannels) = (bridge, bridge.channels) }
    return port
  }

  /// The channels of a bridged port without the key `channels`.
  private static let bridgedChannels = 2

  /// The number of channels of globs; 0 if only the server knows it.
  private static func count(_ globs: [PortGlob]) -> Int {
    globs.contains(where: \.isPattern) ? 0 : globs.count
  }
}

extension Direction {
  /// The owner of the parameters of such ports.
  var owner: Table.Owner { self == .output ? .output : .input }
}

extension Port {
  /// Whether declaring the port would change nothing.
  fileprivate func isDeclared(in old: Port?) -> Bool {
    guard let old else { return false }
    return old.isNamedByPreset && old.type == type && old.globs == globs && old.node == node
      && old.bridge == bridge && old.sources == sources
      && (declaredChannels == 0 || old.declaredChannels == declaredChannels)
  }
}

// MARK: Sessions and streams

extension SessionEntry {
  /// Adds the steps that make the session, configured, and its streams.
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
      let isMadeAnew = entry.isMadeAnew(insteadOf: existing)
      if isMadeAnew { list.append(.removeStream(id, stream), about: target, at: entry.place) }
      guard existing == nil || isMadeAnew else { continue }
      list.append(
        .createStream(id, stream, channels: entry.width, placed: entry.isPlacedByDefault), about: target,
        at: entry.channels?.place ?? entry.place)
      if let existing { entry.appendInheritance(from: existing, at: target, to: &list) }
    }
  }

  /// The configuration after the document. A session that stays keeps its options, unless the document names
  /// some or changes the category. Other sessions mix with each other, as sources on a stage do.
  fileprivate func configuration(instead old: Session?) -> SessionConfiguration {
    let category = category?.value ?? old?.category ?? .multiRoute
    let mode = mode(in: category, instead: old)
    let kept = old?.category == category ? old?.requestedOptions : nil
    return SessionConfiguration(
      category: category, mode: mode,
      options: options?.value ?? kept ?? usualOptions(category, mode))
  }

  /// The mode after the document. To switch the echo canceller on in the mode default is to ask for voiceChat, as it is over OSC.
  private func mode(in category: Category, instead old: Session?) -> Mode {
    let mode = mode?.value ?? old?.mode ?? .default
    let asksForVoiceChat = mode == .default && category == .playAndRecord && asksForEchoCanceller
    return asksForVoiceChat ? .voiceChat : mode
  }

  /// Whether the document switches the echo canceller on.
  var asksForEchoCanceller: Bool { voice[VoicePart.echo.rawValue]?.value == .flag(true) }

  /// The options of a session for which the document names none: it mixes with others wherever the law lets it,
  /// except that a call interrupts.
  func usualOptions(_ category: Category, _ mode: Mode) -> SessionOptions {
    let policy = leaves["policy"]?.value ?? .text(SharingPolicy.default.rawValue)
    let mixes =
      category.takesMixWithOthers && mode != .dualRoute && policy == .text(SharingPolicy.default.rawValue)
      && leaves["priority"]?.value != .text(Priority.call.rawValue)
    return mixes ? .mixWithOthers : []
  }

  /// Adds all steps of the session except those of its capture and activation.
  func appendSettings(_ id: SessionID, from state: RouterState, to list: inout StepList) {
    for (stream, entry) in streams {
      entry.appendSettings(at: Target(session: id, stream: stream), to: &list)
    }
    let target = Target(session: id)
    appendForeground(id, to: &list)
    list.append(io, of: .io, at: target)
    list.append(voice, of: .voice, at: target)
    list.append(
      leaves.filter { $0.key != Self.activation && $0.key != Self.foreground }, of: .session, at: target)
    list.append(ducking, of: .ducker, at: target)
    list.append(talkback, of: .talkback, at: target)
    guard list.state.sessions[id] == nil else { return }
    for (key, value) in Self.usual where leaves[key] == nil {
      list.append([Leaf(key, .text(value), at: place)], of: .session, at: target)
    }
  }

  /// The settings of new sessions, unless the document has others.
  private static let usual = [
    ("resume", SessionDefaults.ofPresets.resumption.rawValue),
    ("unplug", SessionDefaults.ofPresets.unplug.rawValue),
  ]

  /// Brings the session to the foreground before all else, if the document wants that, or wants it to begin something that the law refuses in
  /// the background.
  private func appendForeground(_ id: SessionID, to list: inout StepList) {
    guard let leaf = leaves[Self.foreground], begins(list.state.sessions[id]) || leaf.value == .flag(true)
    else {
      return
    }
    list.append([Leaf(leaf.key, .flag(true), at: leaf.place)], of: .session, at: Target(session: id))
  }

  /// Takes the session to the background after all else: that ends nothing.
  fileprivate func appendBackground(_ id: SessionID, to list: inout StepList) {
    guard let leaf = leaves[Self.foreground], leaf.value == .flag(false),
      let parameter = Table.parameter(leaf.key, of: .session)
    else { return }
    let session = list.state.sessions[id]
    if session?.isForeground != false || begins(session) {
      list.append(changed: leaf, parameter, at: Target(session: id))
    }
  }

  /// Whether the session, its input or its output is to begin.
  private func begins(_ session: Session?) -> Bool {
    guard let session else { return false }
    let running = Value.text(IOState.running.rawValue)
    return isActive?.value == true && !session.isWantedActive
      || io["input"]?.value == running && session.inputIO != .running
      || io["output"]?.value == running && session.outputIO != .running
  }

  private static let foreground = "foreground"

  /// Adds the automatic activation at the end, when all else is in place. By default new sessions follow
  /// their programs.
  func appendActivation(_ id: SessionID, to list: inout StepList) {
    let target = Target(session: id)
    if let activation = leaves[Self.activation] {
      list.append([activation], of: .session, at: target)
    } else if list.state.sessions[id] == nil {
      list.append(
        [Leaf(Self.activation, .text(SessionDefaults.ofPresets.activation.rawValue), at: place)],
        of: .session,
        at: target)
    }
  }

  private static let activation = "activate"
}

extension StreamEntry {
  /// Whether a stream must be removed and made again, for another width or for a placement by the law.
  func isMadeAnew(insteadOf stream: SessionStream?) -> Bool {
    guard let stream else { return false }
    return channels.map { $0.value != stream.channels } ?? false
      || isPlacedByDefault && !stream.isPlacedByDefault
  }

  func appendSettings(at target: Target, to list: inout StepList) {
    list.append(leaves.filter { $0.key == "never" }, of: .stream, at: target)
    list.append(leaves.filter { $0.key != "never" }, of: .stream, at: target)
    guard !isPlacedByDefault, let session = target.session, let stream = target.stream else { return }
    // Nothing is in force at a new stream, which may inherit levels from one that it replaces.
    let former = list.state.sessions[session]?.streams[stream].map(\.destinations)
    var cursor = Registry<PortID, Destination>.Cursor()
    destinations.forEachEntry { port, entry in
      let needs = entry.needs(
        among: former, port, at: &cursor, isWhole: areDestinationsWhole, time: list.time,
        storing: list.isStored)
      guard !needs.isEmpty else { return }
      entry.appendSteps(needs, to: &list) { Target(session: session, stream: stream, output: port) }
    }
  }

  /// A stream that is made again keeps all settings that its width does not matter for, above all its guard.
  func appendInheritance(from old: SessionStream, at target: Target, to list: inout StepList) {
    guard let session = target.session else { return }
    let settings: [StreamSetting] = [
      .never(old.never), .muted(old.isMuted), .gain(.set(old.gain.target)), .exclusive(old.isExclusive),
      .loop(old.allowsLoop),
      .duckExempt(old.isDuckExempt), .color(old.color),
      .sources(old.sources.filter { $0.fits(channels?.value ?? old.channels) }),
    ]
    for setting in settings { list.append(.stream(session, old.id, setting), about: target, at: place) }
    let width = channels?.value ?? old.channels
    if !old.insert.isEmpty, width <= Insert.mostChannels {
      list.append(
        .insert(.stream(session, old.id), .effects(old.insert.effects)), about: target, at: place)
    }
    if !old.inverted.isEmpty {
      let kept = old.inverted.filter { $0.value <= width }
      list.append(.stream(session, old.id, .inverted(kept)), about: target, at: place)
    }
    if width == 2, old.channels == 2, old.width.target != 1 {
      list.append(.stream(session, old.id, .width(.set(old.width.target))), about: target, at: place)
    }
    let isBalanced = width <= 2
    if isBalanced, old.pan.target != 0 {
      list.append(.stream(session, old.id, .pan(.set(old.pan.target))), about: target, at: place)
    }
    for port in destinations.keys where !isPlacedByDefault {
      guard let former = old.destinations[port] else { continue }
      let target = Target(session: session, stream: old.id, output: port)
      for (level, setting) in [
        (former.gain.target, DestinationSetting.gain(.set(former.gain.target))),
        (isBalanced ? former.pan.target : 0, .pan(.set(former.pan.target))),
      ] where level != 0 {
        list.append(.destination(session, old.id, port, setting), about: target, at: place)
      }
    }
  }
}

extension StreamSource {
  /// Whether a stream of so many channels may have the source.
  fileprivate func fits(_ channels: Int) -> Bool {
    guard case .ports(let entry) = self, let channel = entry.channel else { return true }
    return channel <= channels
  }
}

// MARK: Captures

extension CaptureEntry {
  func appendSteps(_ id: SessionID, of document: PresetDocument, to list: inout StepList) {
    let target = Target(session: id)
    let channels = leaves["channels"] ?? usualChannels(list.state.sessions[id])
    list.append([channels].compactMap(\.self), of: .capture, at: target)
    list.append(leaves.filter { $0.key != "channels" }, of: .capture, at: target)
    if leaves["sole"] == nil { list.append([Leaf("sole", .flag(true), at: place)], of: .capture, at: target) }
    if namesMix, leaves["route"] == nil {
      list.append([Leaf("route", .flag(false), at: place)], of: .capture, at: target)
    }
    for (name, part) in mix {
      guard let (owner, target) = document.contribution(name)?.send(in: target) else { continue }
      list.append(part.leaves.filter { $0.key != "on" }, of: owner, at: target)
      list.append([part.leaves["on"] ?? Leaf("on", .flag(true), at: part.place)], of: owner, at: target)
    }
  }

  /// The channels of a capture that does not name them.
  private func usualChannels(_ session: Session?) -> Leaf? {
    session?.capture.channels ?? 0 > 0
      ? nil : Leaf("channels", .integer(SessionDefaults.captureChannels), at: place)
  }
}

/// The object that a key in a capture's mix names.
enum Contribution: Hashable {
  case session(SessionID)
  case input(PortID)

  /// The send of this contribution to the capture of a session: the kind of the object, and the object.
  func send(in session: Target) -> (owner: Table.Owner, target: Target) {
    var target = session
    switch self {
    case .session(let other):
      target.other = other
      return (.captureSession, target)
    case .input(let input):
      target.input = input
      return (.captureInput, target)
    }
  }
}

extension PresetDocument {
  /// A session of this name, or else an input; the prefix `input:` means an input. Nil for an invalid name.
  func contribution(_ key: String) -> Contribution? {
    if key.hasPrefix("input:") { return PortID(key.dropFirst("input:".count)).map { .input($0) } }
    guard let session = SessionID(key), let input = PortID(key) else { return nil }
    let isInput = sessions[session] == nil && ports[input]?.directions.contains(.input) == true
    return isInput ? .input(input) : .session(session)
  }
}

extension Session {
  /// Whether the session is active, or would be without a call and with an audio server. Presets contain what people want, and both come to an
  /// end by themselves.
  var isWantedActive: Bool {
    if case .source? = displacement?.interrupter { true } else { isActive || returnsAfterReset }
  }
}
