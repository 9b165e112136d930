import Effects
import JSON5
import Parameters
import SessionModel

extension PresetCheck {
  /// Applies the document to an empty router. A refusal there is a problem at the place that causes it.
  mutating func rehearse() {
    var rehearsal = Rehearsal(document: document, policy: policy)
    let steps = document.steps(for: rehearsal.state, at: 0).filter { !$0.isOptional }
    for row in steps.rows { rehearsal.perform(row) }
    rehearsal.finish()
    problems += rehearsal.problems
    rehearsed = rehearsal.state
  }
}

/// A router without sound, on which a document is tried.
private struct Rehearsal {
  let document: PresetDocument
  let policy: PresetReader.Policy
  private(set) var state = RouterState()
  private(set) var problems: [Problem] = []
  /// Objects that could not be made. Steps for them would only repeat the problem.
  private var lost = LostTargets()
  /// Sessions whose category was already reported as wrong.
  private var misfits: Set<SessionID> = []
  /// Whether the devices are present.
  private var hasDevices = false

  init(document: PresetDocument, policy: @escaping PresetReader.Policy) {
    (self.document, self.policy) = (document, policy)
    state.server.isRunning = true
    state.isRecalling = true
  }

  /// Fits levels to each other, as at the end of a recall. A lowered one is not wrong, but the preset does not say what is heard.
  mutating func finish() {
    state.isRecalling = false
    for case .error(_, let address, let error) in (try? policy(&state, .elapsed, 0)) ?? [] {
      guard let session = document.sessions.first(where: { address.hasPrefix("/session/\($0.key)/") })
      else { continue }
      let (what, fix) = error.parts
      problems.append(
        session.value.place.problem(
          what, fix: "lower one of these levels; otherwise \(fix)", severity: .warning))
    }
  }

  /// Carries out a row of steps together; one after the other if the policy finds fault with any of them.
  mutating func perform(_ row: [Step]) {
    if row.count > 1 {
      let former = state
      do throws(SessionError) {
        let told = try take(.row(row.compactMap { try? $0.outcome.get() }))
        guard told.contains(where: { if case .error = $0 { true } else { false } }) else { return }
      } catch {}
      state = former
    }
    for step in row { perform(step) }
  }

  private mutating func perform(_ step: Step) {
    guard !lost.cover(step.target) else { return }
    do throws(SessionError) {
      let event = try step.outcome.get()
      if event.isAboutActivity { plugIn() }
      let told = try take(event)
      // The refusal of the router's own follow-up actions is a notification, not an error of the event.
      for case .error(_, _, let error) in told { report(error, at: step.place) }
      if case .createSession(let id, _) = event, document.sessions[id]?.category == nil {
        lost.insert(Target(session: id))
      }
    } catch {
      refuse(step, error)
    }
  }

  /// Carries out an event, if ports, sessions and policy allow it.
  private mutating func take(_ event: Event) throws(SessionError) -> [Notification] {
    try document.requireNames(of: event)
    // The check of ports has already reported such a name.
    if case .declarePort = event {} else { try Table.checkName(of: event) }
    return try policy(&state, event, 0)
  }

  /// Throws if an event would be refused.
  private func attempt(_ event: Event) throws(SessionError) {
    var trial = self
    _ = try trial.take(event)
  }

  /// Makes all devices appear, as in the running show. This comes after all connections, since an absent
  /// device has no channels yet.
  private mutating func plugIn() {
    guard !hasDevices else { return }
    hasDevices = true
    let presences = [Direction.output, .input].flatMap { direction in
      state[direction].values.map { port in
        PortPresence(direction, port.id, members: (1...max(1, port.channels)).map { "\(port.id):\($0)" })
      }
    }
    _ = try? policy(&state, .portsPresent(presences), 0)
    guard state.inputs.isEmpty else { return }
    // A microphone that no entry names is found automatically.
    let microphone = Port(id: "mic", name: "mic", type: .builtInMic, globs: [], channels: 1)
    _ = try? policy(&state, .declarePort(.input, microphone), 0)
    _ = try? policy(&state, .portsPresent([PortPresence(.input, "mic", members: ["mic:1"])]), 0)
  }

  private mutating func refuse(_ step: Step, _ error: SessionError) {
    if case .createSession(let id, _)? = try? step.outcome.get() { return refuseSession(id, step, error) }
    switch try? step.outcome.get() {
    case .createStream, .player(_, .create), .recorder(_, .create), .group(_, .create):
      lost.insert(step.target)
    default: break
    }
    if step.target.output != nil { lost.insert(step.target) }
    if error.code == .incompatibleCategory, let session = step.target.session {
      guard misfits.insert(session).inserted else { return }
    }
    guard let (leaf, owner) = step.leaf else { return report(error, at: step.place) }
    // Of a list, those elements are at fault that are refused even alone.
    var isBlamed = false
    for element in leaf.elements.indices.compactMap(leaf.alone) {
      do throws(SessionError) {
        if let event = try element.event(of: owner, at: step.target) { try attempt(event) }
      } catch {
        report(error, at: element.place)
        isBlamed = true
      }
    }
    if !isBlamed { report(error, at: leaf.place) }
  }

  /// Finds the part of a session's configuration that is at fault, and continues with the other parts.
  private mutating func refuseSession(_ id: SessionID, _ step: Step, _ error: SessionError) {
    guard let session = document.sessions[id], let category = session.category else { return }
    let plain = SessionConfiguration(category: category.value)
    do throws(SessionError) { _ = try take(.createSession(id, plain)) } catch {
      lost.insert(step.target)
      return report(error, at: error.code == .badParam ? category.place : session.place)
    }
    guard let mode = session.mode, !mode.value.categories.contains(category.value) else {
      // The category allows the mode. So the options do not fit the two, or an option is missing that the
      // mode needs.
      return report(error, at: session.options?.place ?? session.mode?.place ?? session.place)
    }
    let parts = [
      (SessionConfiguration(category: category.value, mode: mode.value), mode.place),
      (
        SessionConfiguration(category: category.value, options: session.options?.value ?? []),
        session.options?.place ?? session.place
      ),
    ]
    for (configuration, place) in parts {
      do throws(SessionError) { try attempt(.configure(id, configuration)) } catch {
        report(error, at: place)
      }
    }
  }

  private mutating func report(_ error: SessionError, at place: Place) {
    let (what, fix) = error.parts
    problems.append(place.problem(what, fix: fix))
  }
}

/// Objects that could not be made, with all their parts.
private struct LostTargets {
  private var objects: Set<Object> = []

  private struct Object: Hashable {
    var session: SessionID?
    var stream: StreamID?
    var output: PortID?
    var player: PlayerID?
    var recorder: RecorderID?
    var group: GroupID?
  }

  mutating func insert(_ target: Target) {
    objects.insert(
      Object(
        session: target.session, stream: target.stream, output: target.output, player: target.player,
        recorder: target.recorder, group: target.group))
  }

  /// Whether a target is one of the objects, or a part of one.
  func cover(_ target: Target) -> Bool {
    guard !objects.isEmpty else { return false }
    if let other = target.other, objects.contains(Object(session: other)) { return true }
    if let player = target.player { return objects.contains(Object(player: player)) }
    if let recorder = target.recorder { return objects.contains(Object(recorder: recorder)) }
    if let group = target.group { return objects.contains(Object(group: group)) }
    let session = target.session
    return objects.contains(Object(session: session))
      || objects.contains(Object(session: session, stream: target.stream))
      || objects.contains(Object(session: session, output: target.output))
      || objects.contains(Object(session: session, stream: target.stream, output: target.output))
  }
}

extension SessionError {
  /// The sentence, split into the mistake and its correction.
  fileprivate var parts: (what: String, fix: String) {
    guard let semicolon = sentence.firstRange(of: "; ") else { return (sentence, "change it, or remove it") }
    return (String(sentence[..<semicolon.lowerBound]), String(sentence[semicolon.upperBound...]))
  }
}

extension Event {
  /// Whether the event may activate or deactivate a session.
  fileprivate var isAboutActivity: Bool {
    switch self {
    case .activate, .deactivate, .session(_, .activation): true
    default: false
    }
  }
}

// MARK: Names

extension PresetDocument {
  /// Whether the document contains the ports and sessions that an event names.
  ///
  /// A port that is found automatically has an id only while it is present, so a preset that needs one must
  /// declare it.
  /// - Throws: `SessionError` notFound with the nearest name as a suggestion.
  fileprivate func requireNames(of event: Event) throws(SessionError) {
    switch event {
    case .row(let events): for event in events { try requireNames(of: event) }
    case .destination(_, _, let port, _): try requirePort(port, .output)
    case .stream(_, _, .never(let ports)): for port in ports { try requirePort(port, .output) }
    case .stream(_, _, .sources(let sources)):
      for case .input(let port, _) in sources { try requirePort(port, .input) }
    case .session(_, .preferredOutput(let port?)): try requirePort(port, .output)
    case .session(_, .preferredInput(let port?)): try requirePort(port, .input)
    case .port(.input, _, .echo(let ports?)): for port in ports { try requirePort(port, .output) }
    case .captureInput(_, let port, _): try requirePort(port, .input)
    case .captureSession(_, let other, _): try requireSession(other)
    case .insert(_, .effects(let effects)):
      switch effects.lazy.compactMap(\.sideChain).first.flatMap(SideChainSource.init) {
      case .output(let port)?: try requirePort(port, .output)
      case .stream(let session, let stream)?: try requireStream(stream, of: session)
      case nil: break
      }
    default: break
    }
  }

  private func requireSession(_ id: SessionID) throws(SessionError) {
    guard sessions[id] == nil else { return }
    throw missing("session", id.name, among: sessions.keys.map(\.name), place: "sessions")
  }

  private func requireStream(_ id: StreamID, of session: SessionID) throws(SessionError) {
    try requireSession(session)
    guard let streams = sessions[session]?.streams, streams[id] == nil else { return }
    throw missing(
      "stream", "\(session).\(id)", among: streams.keys.map { "\(session).\($0)" },
      place: "sessions.\(session).streams")
  }

  private func requirePort(_ id: PortID, _ direction: Direction) throws(SessionError) {
    if ports[id]?.directions.contains(direction) == true || kept?.found[direction]?.contains(id) == true {
      return
    }
    let known = ports.filter { $0.value.directions.contains(direction) }.map(\.key.name)
    if ports[id] != nil {
      throw SessionError(
        .notFound,
        "\(id.name.quoted) has no \(direction.rawValue)s; add them to it, or use one that has some\(list(known))"
      )
    }
    throw missing(direction.rawValue, id.name, among: known, place: "ports")
  }

  private func missing(_ noun: String, _ name: String, among known: [String], place: String) -> SessionError {
    let near = NearestName.suggestion(for: name, among: known)
    let fix =
      near.map { "did you mean \($0.quoted)?" }
      ?? "add it to \"\(place)\", or use one that exists\(list(known))"
    return SessionError(.notFound, "there is no \(noun) \(name.quoted) in \"\(place)\"; \(fix)")
  }

  private func list(_ names: [String]) -> String {
    names.isEmpty ? "" : ": \(names.map(\.quoted).joined(separator: ", "))"
  }
}
