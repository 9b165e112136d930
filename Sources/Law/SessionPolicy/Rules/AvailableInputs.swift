import SessionModel

/// AVAudioSession's availableInputs: notifies active sessions when an input that they may capture from has appeared or disappeared
/// (docs/develop/law/routes.md#8-available-inputs).
enum AvailableInputs {
  static func decide(
    _ state: RouterState, after event: Event, since before: RouterState
  ) -> [Notification] {
    guard event.isAboutPorts else { return [] }
    let former = before.inputs.values.filter(\.isAvailable)
    let present = state.inputs.values.filter(\.isAvailable)
    // A port whose type changed counts as a different port.
    let gone = former.filter { port in !present.contains { port.isOffered(as: $0) } }
    let changed = gone + present.filter { port in !former.contains { port.isOffered(as: $0) } }
    guard !changed.isEmpty else { return [] }
    return state.sessions.keys { session in
      session.isActive && changed.contains { session.mayUse($0, .input) }
    }.map { .inputs($0) }
  }
}

extension Port {
  fileprivate func isOffered(as other: Port) -> Bool {
    (id, type, isNamedByPreset) == (other.id, other.type, other.isNamedByPreset)
  }
}
