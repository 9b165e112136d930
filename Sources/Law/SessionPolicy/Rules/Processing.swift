import SessionModel

/// Decides which session may process a file, and when its job ends (docs/develop/law/categories.md#6-offline-sound).
enum Processing {
  /// - Throws: `SessionError` notFound, incompatibleCategory, sessionNotActive or isBusy.
  static func take(
    _ state: inout RouterState, _ id: SessionID, _ event: ProcessEvent
  ) throws(SessionError) -> [Notification] {
    switch event {
    case .began(let process):
      guard let session = state.sessions[id] else {
        throw missing("session", id.name, among: state.sessions.keys)
      }
      try check(session)
      state.sessions[id]?.process = process
      state.processing.append(id)
    case .started(let number):
      guard change(&state, id, number, { $0.phase = .started }) else { return [] }
      return report(state, id)
    case .progress(let number, let progress):
      _ = change(&state, id, number) { $0.progress = max($0.progress, min(progress, 1)) }
    case .done(let number): return end(&state, id, number, .done)
    case .failed(let number, let error):
      let told = end(&state, id, number, .failed)
      return told.isEmpty
        ? [] : told + [.error(client: 0, address: "/session/\(id)/process", error)]
    case .cancelled:
      guard let session = state.sessions[id] else {
        throw missing("session", id.name, among: state.sessions.keys)
      }
      guard let process = session.process, process.isPending else {
        throw SessionError(.notFound, "\(id) processes no file, so there is nothing to cancel")
      }
      return end(&state, id, process.number, .cancelled)
    }
    return []
  }

  private static func check(_ session: Session) throws(SessionError) {
    let id = session.id
    guard session.category == .audioProcessing else {
      throw SessionError(
        .incompatibleCategory,
        "\(id) is \(session.category.rawValue), which is heard live; only audioProcessing processes files (/session/\(id)/category audioProcessing)"
      )
    }
    guard session.isActive else {
      let cure =
        session.displacement.map { "is interrupted by \($0.interrupter.name); wait for its end" }
        ?? "is not active; activate it first (/session/\(id)/active 1)"
      throw SessionError(.sessionNotActive, "\(id) \(cure)")
    }
    if let process = session.process, process.isPending {
      throw SessionError(
        .isBusy,
        "\(id) processes \(process.input) already; wait for its end, cancel it (/session/\(id)/process/cancel), or use another session"
      )
    }
  }

  /// Ends the jobs of sessions that were removed, deactivated or configured otherwise. A job of an interrupted session waits.
  static func apply(
    _ state: inout RouterState, since before: RouterState, appendingTo notifications: inout [Notification]
  ) {
    guard !state.processing.isEmpty else { return }
    for id in state.processing {
      guard let session = state.sessions[id], let process = session.process, process.isPending else {
        // The session was removed, and perhaps made anew in the same event.
        state.processing.removeAll { $0 == id }
        if let output = before.sessions[id]?.process?.output {
          notifications.append(.process(id, .cancelled, output: output))
        }
        continue
      }
      let isWanted =
        session.isActive || session.displacement != nil || session.mayReturn || session.returnsAfterReset
      if !isWanted || session.category != .audioProcessing {
        notifications += end(&state, id, process.number, .cancelled)
      }
    }
  }

  // MARK: Steps

  /// Changes the job of a number; false if the session has no such job any more.
  private static func change(
    _ state: inout RouterState, _ id: SessionID, _ number: Int, _ body: (inout FileProcess) -> Void
  ) -> Bool {
    guard let process = state.sessions[id]?.process, process.number == number, process.isPending else {
      return false
    }
    var next = process
    body(&next)
    state.sessions[id]?.process = next
    return true
  }

  private static func end(
    _ state: inout RouterState, _ id: SessionID, _ number: Int, _ phase: FileProcess.Phase
  ) -> [Notification] {
    let isChanged = change(&state, id, number) {
      $0.phase = phase
      $0.progress = phase == .done ? 1 : 0
    }
    guard isChanged else { return [] }
    state.processing.removeAll { $0 == id }
    return report(state, id)
  }

  private static func report(_ state: RouterState, _ id: SessionID) -> [Notification] {
    state.sessions[id]?.process.map { [.process(id, $0.phase, output: $0.output)] } ?? []
  }
}
