import JSON5
import SessionModel

extension PresetCheck {
  /// Warns of each session that would interrupt another one on activation while all others play. Only for a
  /// document without errors, since an error may be the cause.
  mutating func checkInterruptions() {
    let stage = Self.everySessionPlaying(in: rehearsed)
    for (id, entry) in document.sessions {
      guard let session = rehearsed.sessions[id] else { continue }
      let interrupted = interrupted(by: id, in: stage)
      guard !interrupted.isEmpty else { continue }
      report(
        place(of: entry, session),
        "\(id.name.quoted) interrupts \(Self.list(interrupted)) when it becomes active",
        fix: "\(Self.remedy(for: session)), unless that is intended", severity: .warning)
    }
  }

  /// The state with all sessions active and sounding, except those of class call: these would keep others
  /// inactive.
  private static func everySessionPlaying(in state: RouterState) -> RouterState {
    var stage = state
    for var session in state.sessions.values {
      session.setActive(session.priority != .call)
      (session.displacement, session.isConnected, session.isSounding) = (nil, true, true)
      stage.sessions[session.id] = session
    }
    return stage
  }

  private func interrupted(by id: SessionID, in stage: RouterState) -> [SessionID] {
    var stage = stage
    stage.sessions[id]?.setActive(false)
    // A session that may not become active interrupts no other.
    let told = (try? policy(&stage, .activate(id), 0)) ?? []
    return told.compactMap { notification in
      guard case .interruption(let other, .began, by: .session(id)) = notification else { return nil }
      return other
    }
  }

  /// The place in the document that makes the session interrupt others.
  private func place(of entry: SessionEntry, _ session: Session) -> Place {
    let priority = session.priority == .normal ? nil : entry.leaves["priority"]?.place
    return priority ?? entry.options?.place ?? entry.category?.place ?? entry.place
  }

  private static func remedy(for session: Session) -> String {
    if session.priority == .call { return "set \"protected\" in sessions that must go on" }
    if session.isMixable { return "remove interruptSpokenAudioAndMixWithOthers" }
    return "add \"mixWithOthers\" to the options of one of them"
  }

  /// The first few sessions, and the number of the others.
  private static func list(_ sessions: [SessionID]) -> String {
    let shown = sessions.prefix(mostNames).map(\.name.quoted).joined(separator: ", ")
    return sessions.count > mostNames ? "\(shown) and \(sessions.count - mostNames) more" : shown
  }

  private static let mostNames = 4
}
