import Parameters
import SessionModel

extension Comparison {
  /// The sessions that are heard otherwise, or for other reasons.
  var sounds: [Difference] {
    let interrupted = interrupted
    return heardOtherwise(interrupted.keys).compactMap { id in
      let (now, then) = (sound(of: id, in: before), sound(of: id, in: after))
      let effect = effect(on: id, now, then, interrupting: interrupted)
      guard now.sentence != then.sentence || !effect.isEmpty else { return nil }
      return Difference(
        address: "/session/\(id)/why", now: now.sentence, then: then.sentence, effect: effect)
    }
  }

  /// How a session is heard.
  private struct Sound {
    /// The sentence of `/session/<s>/why`.
    var sentence = Comparison.absent
    var outputs: [PortID] = []
    var ducker: SessionID?
    var interrupter: Interrupter?
  }

  private func sound(of id: SessionID, in state: RouterState) -> Sound {
    let sound = state.sessions.read(id) { session in
      let verdict = state.verdict(of: session, state.activity)
      var sound = Sound(sentence: state.why(session, as: verdict, state.activity))
      switch verdict {
      case .heard(let ports): sound.outputs = ports
      case .ducked(let ports, let ducker): (sound.outputs, sound.ducker) = (ports, ducker)
      case .interrupted, .silent: break
      }
      sound.interrupter = session.displacement?.interrupter
      return sound
    }
    return sound ?? Sound()
  }

  /// The outputs where a session is heard in both states.
  func outputsInBoth(of id: SessionID) -> [PortID] {
    let then = sound(of: id, in: after).outputs
    return sound(of: id, in: before).outputs.filter(then.contains)
  }

  // MARK: The sessions in question

  /// The sessions that are interrupted anew, by the names of their interrupters.
  private var interrupted: [String: [SessionID]] {
    var interrupted: [String: [SessionID]] = [:]
    for id in changed {
      let (was, will) = (interrupter(id, in: before), interrupter(id, in: after))
      guard was != will, let name = will?.name, was?.name != name else { continue }
      interrupted[name, default: []].append(id)
    }
    return interrupted
  }

  private func interrupter(_ id: SessionID, in state: RouterState) -> Interrupter? {
    state.sessions.read(id) { $0.displacement?.interrupter } ?? nil
  }

  /// The sessions that may be heard otherwise: those that have changed, those that wait, those that interrupt, and all if something around
  /// them has changed that their sentences mention.
  private func heardOtherwise(_ interrupters: some Sequence<String>) -> [SessionID] {
    let all = after.sessions.keys + removed
    guard changed.count + removed.count < all.count, !areSurroundingsNew else { return all }
    let ids = Set(changed + removed + waiting + interrupters.compactMap { SessionID($0) })
    return all.filter(ids.contains)
  }

  private var areSurroundingsNew: Bool {
    if before.outputs.keys != after.outputs.keys || before.inputs.keys != after.inputs.keys { return true }
    let (former, present) = (Moment(before, at: time), Moment(after, at: time))
    return Surroundings(present).leaves(changedSince: Surroundings(former)).contains("why")
  }

  // MARK: Effects

  private func effect(
    on id: SessionID, _ now: Sound, _ then: Sound, interrupting interrupted: [String: [SessionID]]
  ) -> String {
    let effects = [hearing(id, now, then), refusal(id), interrupting(interrupted[id.name])]
    return effects.compactMap(\.self).joined(separator: "; ")
  }

  /// How a session is heard otherwise.
  private func hearing(_ id: SessionID, _ now: Sound, _ then: Sound) -> String? {
    let (was, will) = (now.outputs, then.outputs)
    if now.interrupter != then.interrupter, let cause = then.interrupter?.name, now.interrupter?.name != cause
    {
      return "is interrupted by \(cause)"
    }
    let (came, went) = (will.filter { !was.contains($0) }, was.filter { !will.contains($0) })
    if was.isEmpty, !will.isEmpty { return "becomes audible at \(Self.list(will))" }
    if !was.isEmpty, will.isEmpty { return absence(id) ?? "falls silent" }
    if !came.isEmpty, !went.isEmpty { return "moves from \(Self.list(went)) to \(Self.list(came))" }
    if !came.isEmpty { return "becomes audible at \(Self.list(came)), too" }
    if !went.isEmpty { return "falls silent at \(Self.list(went))" }
    if now.ducker == then.ducker { return will.isEmpty ? absence(id) : nil }
    return then.ducker.map { "is ducked by \($0)" } ?? "is no longer ducked"
  }

  /// That a session waits for a device; nil if it does not, or did so before.
  private func absence(_ id: SessionID) -> String? {
    let (was, will) = (awaited(id, in: before), awaited(id, in: after))
    return will.isEmpty || will == was ? nil : "waits for \(Self.list(will)), which is absent"
  }

  private func refusal(_ id: SessionID) -> String? {
    guard waiting.contains(id) else { return nil }
    let reason = after.sessions[id]?.refusal.map { " because of \($0.name)" } ?? ""
    return "is refused at present\(reason), and waits"
  }

  /// The sessions that a session interrupts.
  private func interrupting(_ others: [SessionID]?) -> String? {
    others.map { "interrupts \($0.map(\.name).joined(separator: ", "))" }
  }

  /// The outputs that an active session is to reach and that are absent.
  private func awaited(_ id: SessionID, in state: RouterState) -> [PortID] {
    let awaited = state.sessions.read(id) { session -> [PortID] in
      guard session.isActive else { return [] }
      if let port = session.awaitedOutput { return [port] }
      guard session.category == .multiRoute else { return [] }
      return state.outputs.keys { !$0.isAvailable && session.hasDestination(at: $0.id) }
    }
    return awaited ?? []
  }

  private static func list(_ ports: [PortID]) -> String { ports.map(\.name).joined(separator: ", ") }
}
