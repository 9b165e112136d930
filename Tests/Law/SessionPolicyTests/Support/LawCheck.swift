import SessionModel

/// Properties that must hold after every event. The check looks only at states and notifications and does not use the policy's code.
struct LawCheck {
  /// Number of interruptions whose beginning was notified but whose end was not, by session.
  private var begun: [SessionID: Int] = [:]

  /// The properties that an accepted event broke, each as a sentence.
  mutating func violations(
    _ before: RouterState, _ event: Event, _ told: [Notification], _ after: RouterState
  ) -> [String] {
    notices(told, after) + Self.activity(after) + Self.interrupters(after) + Self.ducks(after)
      + Self.operatorSettings(before, event, after) + Self.routes(before, told, after)
      + Self.hardware(after) + Self.media(after) + Self.voice(after)
  }

  // MARK: Notifications

  /// "Began" follows "inactive"; "ended" comes at most once for each "began", and a recommendation follows it.
  private mutating func notices(_ told: [Notification], _ after: RouterState) -> [String] {
    var found: [String] = []
    for (index, notification) in told.enumerated() {
      guard case .interruption(let id, let phase, let interrupter) = notification else { continue }
      switch phase {
      case .began:
        begun[id] = 1
        if index == 0 || told[index - 1] != .active(id, false, by: .system) {
          found.append("\(id) was interrupted before it was inactive")
        }
        if case .output = interrupter { continue }
        if after.sessions[id]?.isProtected == true { found.append("\(id) is protected and was interrupted") }
      case .ended(let shouldResume):
        if begun.removeValue(forKey: id) == nil { found.append("\(id) ended what had not begun") }
        if index + 1 == told.count || told[index + 1] != .recommendation(id, shouldResume: shouldResume) {
          found.append("\(id) ended without its recommendation")
        }
      }
    }
    let confirmations = told.compactMap { if case .active(let id, true, _) = $0 { id } else { nil } }
    if Set(confirmations).count != confirmations.count { found.append("an activation was confirmed twice") }
    return found
  }

  // MARK: Active sessions

  /// At most one non-mixable session of normal class is active. Protected sessions, calls and alerts are exceptions.
  private static func activity(_ state: RouterState) -> [String] {
    var found: [String] = []
    if state.activity != Activity(state) { found.append("the activity is not that of the sessions") }
    let sessions = state.sessions.values
    let alone = sessions.filter {
      $0.isActive && !$0.isMixable && $0.priority == .normal && !$0.isProtected
    }
    if alone.count > 1 { found.append("\(alone.map(\.id)) are active and do not mix") }
    for session in sessions where session.isActive {
      if session.displacement != nil || session.mayReturn || session.refusal != nil {
        found.append("\(session.id) is active and waits to be")
      }
      if !state.server.isRunning { found.append("\(session.id) is active without a server") }
    }
    let calls = sessions.filter { $0.isActive && !$0.isMixable && $0.priority == .call && !$0.isProtected }
    if calls.count > 1 { found.append("\(calls.map(\.id)) are calls at the same time") }
    return found
  }

  /// Every interrupter exists, and no chain of interrupters is a circle.
  private static func interrupters(_ state: RouterState) -> [String] {
    var found: [String] = []
    for session in state.sessions.values {
      for interrupter in [session.displacement?.interrupter, session.refusal].compactMap(\.self)
      where !isThere(interrupter, state) {
        found.append("\(session.id) waits for \(interrupter), which is not there")
      }
      var (next, steps) = (session.displacement?.interrupter, 0)
      while case .session(let id) = next, steps <= state.sessions.count {
        (next, steps) = (state.sessions[id]?.displacement?.interrupter, steps + 1)
      }
      if steps > state.sessions.count { found.append("\(session.id) waits in a circle") }
    }
    return found
  }

  private static func isThere(_ interrupter: Interrupter, _ state: RouterState) -> Bool {
    switch interrupter {
    case .session(let id):
      state.sessions[id].map { $0.isActive || $0.displacement != nil || $0.mayReturn } ?? false
    case .source(let id): state.interruptions[id].map { $0.isOn || $0.isRinging } ?? false
    case .input(let id): state.inputs[id].map { $0.isAvailable && $0.isHardwareMuted } ?? false
    case .output(let id): state.outputs[id].map { !$0.isAvailable } ?? false
    }
  }

  // MARK: Ducks

  /// Every session is ducked exactly as the active duckers demand, output by output.
  private static func ducks(_ state: RouterState) -> [String] {
    var found: [String] = []
    // One whose devices are all away is heard nowhere.
    let duckers = state.sessions.values.filter {
      $0.isActive && $0.options.contains(.duckOthers) && !$0.sentOutputs.isEmpty
    }
    for session in state.sessions.values {
      for output in Set(session.sentOutputs + session.ducks.map(\.output)) {
        let expected = level(of: session, in: output, by: duckers, state)
        let duck = session.duck(in: output)
        if (duck?.target ?? 0) != expected {
          found.append("\(session.id) is ducked to \(duck?.target ?? 0) in \(output), not \(expected)")
        }
        if expected < 0, !duckers.contains(where: { $0.id == duck?.ducker }) {
          found.append("\(session.id) has a duck without a ducker in \(output)")
        }
      }
    }
    return found
  }

  private static func level(
    of session: Session, in output: PortID, by duckers: [Session], _ state: RouterState
  ) -> Double {
    guard session.priority == .normal, !session.isDuckExempt else { return 0 }
    var deepest = 0.0
    for ducker in duckers where ducker.id != session.id {
      if session.isActive, let own = session.duckingNumber, ducker.duckingNumber! < own { continue }
      switch state.ducking.scope {
      case .all: break
      case .shared where Set(ducker.sentOutputs).isDisjoint(with: session.sentOutputs): continue
      case .heard where !ducker.sentOutputs.contains(output): continue
      case .shared, .heard: break
      }
      deepest = min(deepest, ducker.ducker.level?.target ?? state.ducking.level.target)
    }
    return max(deepest, state.outputs[output]?.duckLimit.target ?? -60)
  }

  // MARK: The operator's settings

  private static func operatorSettings(
    _ before: RouterState, _ event: Event, _ after: RouterState
  ) -> [String] {
    if case .session(_, .gain) = event { return [] }
    if case .session(_, .muted) = event { return [] }
    return after.sessions.values.compactMap { session in
      guard let old = before.sessions[session.id] else { return nil }
      return old.gain == session.gain && old.isMuted == session.isMuted
        ? nil : "the policy moved the level or mute of \(session.id)"
    }
  }
}
