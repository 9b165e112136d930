import Parameters
import SessionModel

extension PresetCheck {
  /// Applies the document to an empty router: what the policy refuses there is a problem where it is written.
  mutating func rehearse() {
    var rehearsal = Rehearsal(document: document, policy: policy)
    for step in document.steps(for: rehearsal.state) { rehearsal.perform(step) }
    for (key, part) in document.sessions.values.compactMap(\.capture).flatMap(\.mix)
    where document.contribution(key) == nil {
      report(
        part.place, "\(key.quoted) is no name of a session or input",
        fix: "write an id such as \"show\", or \"input:mic\"")
    }
    problems += rehearsal.problems
  }
}

/// A router that nobody hears, to try a document on.
private struct Rehearsal {
  let document: PresetDocument
  let policy: PresetReader.Policy
  private(set) var state = RouterState()
  private(set) var problems: [Problem] = []
  /// What could not be made; steps about it would only repeat that.
  private var lost: [Target] = []
  /// Sessions that were told that they are of the wrong category.
  private var misfits: Set<SessionID> = []

  init(document: PresetDocument, policy: @escaping PresetReader.Policy) {
    (self.document, self.policy) = (document, policy)
    state.server.isRunning = true
  }

  mutating func perform(_ step: Step) {
    guard !lost.contains(where: { $0.covers(step.target) }) else { return }
    do throws(SessionError) {
      let event = try step.outcome.get()
      state = try after(event)
      if case .createSession(let id, _) = event, document.sessions[id]?.category == nil {
        lost.append(Target(session: id))
      }
    } catch {
      refuse(step, error)
    }
  }

  /// The state after an event, if ports, sessions and policy allow it.
  private func after(_ event: Event) throws(SessionError) -> RouterState {
    try document.requireNames(of: event)
    var next = state
    _ = try policy(&next, event, 0)
    return next
  }

  private mutating func refuse(_ step: Step, _ error: SessionError) {
    if case .createSession(let id, _)? = try? step.outcome.get() { return refuseSession(id, step, error) }
    if case .createStream? = try? step.outcome.get() { lost.append(step.target) }
    if step.target.output != nil { lost.append(step.target) }
    if error.code == .incompatibleCategory, let session = step.target.session {
      guard misfits.insert(session).inserted else { return }
    }
    guard let (leaf, owner) = step.leaf else { return report(error, at: step.place) }
    // Of a list, the elements that are refused even alone are to blame.
    var isBlamed = false
    for element in leaf.elements.indices.compactMap(leaf.alone) {
      do throws(SessionError) {
        if let event = try element.event(of: owner, at: step.target) { _ = try after(event) }
      } catch {
        report(error, at: element.place)
        isBlamed = true
      }
    }
    if !isBlamed { report(error, at: leaf.place) }
  }

  /// Finds which part of a session's configuration is to blame, and goes on with the rest of it.
  private mutating func refuseSession(_ id: SessionID, _ step: Step, _ error: SessionError) {
    guard let session = document.sessions[id], let category = session.category else { return }
    let plain = SessionConfiguration(category: category.value)
    do throws(SessionError) { state = try after(.createSession(id, plain)) } catch {
      lost.append(step.target)
      let isAboutCategory = error.code == .notYet || error.code == .badParam
      return report(error, at: isAboutCategory ? category.place : session.place)
    }
    var isBlamed = false
    let parts = [
      (
        SessionConfiguration(category: category.value, mode: session.mode?.value ?? .default),
        session.mode?.place
      ),
      (
        SessionConfiguration(category: category.value, options: session.options?.value ?? []),
        session.options?.place
      ),
    ]
    for (configuration, place) in parts {
      guard let place else { continue }
      do throws(SessionError) { _ = try after(.configure(id, configuration)) } catch {
        report(error, at: place)
        isBlamed = true
      }
    }
    if !isBlamed { report(error, at: session.options?.place ?? session.place) }
  }

  private mutating func report(_ error: SessionError, at place: Place) {
    let (what, fix) = error.parts
    problems.append(place.problem(what, fix: fix))
  }
}

extension Target {
  /// Whether another target is the same or a part of it.
  fileprivate func covers(_ other: Target) -> Bool {
    if other.other != nil, other.other == session, stream == nil { return true }
    return session == other.session && (stream == nil || stream == other.stream)
      && (output == nil || output == other.output)
  }
}

extension SessionError {
  /// The sentence as what is wrong and what would be right.
  fileprivate var parts: (what: String, fix: String) {
    let number = code == .notYet ? " (\(code.rawValue), \(code.symbol))" : ""
    guard let semicolon = sentence.firstRange(of: "; ") else {
      return (sentence + number, code == .notYet ? "remove it for now" : "change it, or remove it")
    }
    return (sentence[..<semicolon.lowerBound] + number, String(sentence[semicolon.upperBound...]))
  }
}

// MARK: Names

extension PresetDocument {
  /// Whether the ports and sessions that an event names stand in the document.
  ///
  /// A port that is found by itself has an id only when it is there, so a preset that counts on one must say what it is.
  /// - Throws: `SessionError` notFound that suggests the nearest name.
  fileprivate func requireNames(of event: Event) throws(SessionError) {
    switch event {
    case .destination(_, _, let port, _): try requirePort(port, .output)
    case .stream(_, _, .never(let ports)): for port in ports { try requirePort(port, .output) }
    case .stream(_, _, .sources(let sources)):
      for case .input(let port, _) in sources { try requirePort(port, .input) }
    case .session(_, .preferredOutput(let port?)): try requirePort(port, .output)
    case .captureInput(_, let port, _): try requirePort(port, .input)
    case .captureSession(_, let other, _) where sessions[other] == nil:
      throw missing("session", other.name, among: sessions.keys.map(\.name), place: "sessions")
    default: break
    }
  }

  private func requirePort(_ id: PortID, _ direction: Direction) throws(SessionError) {
    if ports[id]?.directions.contains(direction) == true { return }
    let known = ports.filter { $0.value.directions.contains(direction) }.map(\.key.name)
    if ports[id] != nil {
      throw SessionError(
        .notFound,
        "\(id.name.quoted) has no \(direction.rawValue)s; add them to it, or write one that has some\(list(known))"
      )
    }
    throw missing(direction.rawValue, id.name, among: known, place: "ports")
  }

  private func missing(_ noun: String, _ name: String, among known: [String], place: String) -> SessionError {
    let near = NearestName.suggestion(for: name, among: known)
    let fix =
      near.map { "did you mean \($0.quoted)?" }
      ?? "add it to \"\(place)\", or write one that is there\(list(known))"
    return SessionError(.notFound, "there is no \(noun) \(name.quoted) in \"\(place)\"; \(fix)")
  }

  private func list(_ names: [String]) -> String {
    names.isEmpty ? "" : ": \(names.map(\.quoted).joined(separator: ", "))"
  }
}
