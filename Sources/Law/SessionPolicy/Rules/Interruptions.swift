import SessionModel

/// Decides which sessions an activation or a call interrupts, and when they may resume (docs/develop/law/interruptions.md).
enum Interruptions {
  /// Interrupts the sessions that cannot play beside a session that becomes active.
  static func interruptOthers(_ state: inout RouterState, for session: Session) -> [Notification] {
    let scope = state.interruptionScope
    return interrupt(&state, by: .session(session.id)) { other in
      guard other.id != session.id, other.isDisplaceable else { return false }
      guard !session.isMixable else {
        return session.options.contains(.interruptSpokenAudio) && other.mode == .spokenAudio
          && other.isPlaying
      }
      return !other.isMixable || (session.priority != .normal && scope == .all)
    }
  }

  /// Interrupts the sessions that cannot play beside a call from outside. A call that only rings spares sessions that ignore alerts.
  static func interruptOthers(
    _ state: inout RouterState, for source: Interruption
  ) -> [Notification] {
    let scope = state.interruptionScope
    return interrupt(&state, by: .source(source.id), source.reason) { other in
      other.isDisplaceable && (!other.isMixable || scope == .all) && (source.isOn || !other.ignoresAlerts)
    }
  }

  /// Interrupts every active session for which `isMeant` is true, in the order in which they were created.
  static func interrupt(
    _ state: inout RouterState, by interrupter: Interrupter, _ reason: InterruptionReason = .default,
    where isMeant: (Session) -> Bool
  ) -> [Notification] {
    var notifications: [Notification] = []
    var overridden: [SessionID] = []
    let displacement = Displacement(by: interrupter, reason: reason)
    state.sessions.change(where: { $0.isActive && isMeant($0) }) { session in
      session.interrupt(by: displacement)
      notifications.append(.active(session.id, false, by: .system))
      notifications.append(.interruption(session.id, .began(reason), by: interrupter))
      if session.portOverride != .none { overridden.append(session.id) }
    }
    SpeakerOverride.end(&state, for: overridden)
    return notifications
  }

  // MARK: Ends

  /// Releases the sessions that a session interrupted, now that it is inactive. If the session was interrupted itself, they wait for
  /// its interrupter from now on.
  static func release(
    _ state: inout RouterState, _ session: Session, notifyingOthers: Bool
  ) -> [Notification] {
    let interrupter = Interrupter.session(session.id)
    switch session.displacement?.interrupter {
    case .session(let id): handOver(&state, from: interrupter, to: .session(id))
    case .source(let id): handOver(&state, from: interrupter, to: .source(id))
    // Other sessions do not wait for a port that interrupted this one.
    case .input, .output, nil: break
    }
    return end(&state, by: interrupter, shouldResume: notifyingOthers, isCall: session.priority == .call)
  }

  /// Ends all interruptions by one interrupter. After a call, interrupted sessions wait for the next call that is still on.
  ///
  /// The notifications recommend to resume if `shouldResume` is true and no call and no non-mixable session is active (docs/develop/law/interruptions.md#4-recommendations).
  static func end(
    _ state: inout RouterState, by interrupter: Interrupter, shouldResume: Bool, isCall: Bool = false
  ) -> [Notification] {
    guard state.sessions.contains(where: { (session: Session) in session.waits(for: interrupter) }) else {
      return []
    }
    let activity = Activity(state)
    if isCall, let next = activity.calls.first {
      handOver(&state, from: interrupter, to: next)
      return []
    }
    let shouldResume = shouldResume && activity.nonMixable.isEmpty && activity.calls.isEmpty
    return recommend(&state, after: interrupter, shouldResume)
  }

  /// Notifies the sessions that waited for an interrupter that they may become active again.
  private static func recommend(
    _ state: inout RouterState, after interrupter: Interrupter, _ shouldResume: Bool
  ) -> [Notification] {
    var notifications: [Notification] = []
    var playing: SessionID?
    state.sessions.change(where: { $0.waits(for: interrupter) }) { session in
      if session.displacement?.interrupter == interrupter {
        (session.displacement, session.mayReturn) = (nil, true)
        notifications.append(.interruption(session.id, .ended(shouldResume: shouldResume), by: interrupter))
      }
      if session.refusal == interrupter { session.refusal = nil }
      notifications.append(.recommendation(session.id, shouldResume: shouldResume))
      if shouldResume, session.countsAsPlaying { playing = session.id }
    }
    // A session that was told to resume may do so from the background.
    if let playing { state.nowPlaying = playing }
    return notifications
  }

  private static func handOver(
    _ state: inout RouterState, from interrupter: Interrupter, to next: Interrupter
  ) {
    state.sessions.change(where: { $0.waits(for: interrupter) }) { session in
      if session.displacement?.interrupter == interrupter { session.displacement?.interrupter = next }
      if session.refusal == interrupter { session.refusal = next }
    }
  }

  // MARK: Interruptions without an activation

  /// Interrupts sessions that may no longer be active together after a change of settings, or after spoken audio began to play.
  static func apply(
    _ state: inout RouterState, after event: Event, since before: RouterState
  ) -> [Notification] {
    switch event {
    case .session(let id, .protected(false)): return applyUnprotected(&state, id)
    case .sounding(let id, true), .session(let id, .outputIO), .session(let id, .foreground(true)):
      guard before.sessions[id]?.isPlaying != true else { return [] }
      return interruptSpokenAudio(&state, id)
    case .player(let id, .order), .player(let id, .report(.started)):
      guard let session = state.players[id]?.session, before.sessions[session]?.isPlaying != true else {
        return []
      }
      return interruptSpokenAudio(&state, session)
    default: return []
    }
  }

  /// Interrupts a session that is no longer protected if a call would refuse it. Otherwise, of the non-mixable sessions that are
  /// active together, only the one that was activated last stays active.
  private static func applyUnprotected(_ state: inout RouterState, _ id: SessionID) -> [Notification] {
    guard let session = state.sessions[id], session.isActive else { return [] }
    if let holder = Admission.holder(against: session, in: state) {
      return interrupt(&state, by: holder) { $0.id == id }
    }
    var latest: (number: Int, id: SessionID)?
    state.sessions.forEachValue { session in
      guard session.isActive, session.isDisplaceable, !session.isMixable else { return }
      if session.activationNumber > latest?.number ?? -1 { latest = (session.activationNumber, session.id) }
    }
    guard let latest else { return [] }
    return interrupt(&state, by: .session(latest.id)) {
      $0.id != latest.id && $0.isDisplaceable && !$0.isMixable
    }
  }

  /// Interrupts spoken audio that begins to play while a session is active that interrupts spoken audio and was activated later.
  private static func interruptSpokenAudio(_ state: inout RouterState, _ id: SessionID) -> [Notification] {
    guard let session = state.sessions[id], session.isPlaying, session.mode == .spokenAudio,
      session.isDisplaceable
    else { return [] }
    let interrupters = state.sessions.keys {
      $0.isActive && $0.id != id && $0.options.contains(.interruptSpokenAudio)
        && $0.activationNumber > session.activationNumber
    }
    guard let interrupter = interrupters.first else { return [] }
    return interrupt(&state, by: .session(interrupter)) { $0.id == id }
  }
}

extension Session {
  /// Whether other sessions may interrupt this one: its class is normal and it is not protected.
  fileprivate var isDisplaceable: Bool { priority == .normal && !isProtected }

  /// Whether the interrupter interrupted this session, or stood in the way of its activation.
  fileprivate func waits(for interrupter: Interrupter) -> Bool {
    displacement?.interrupter == interrupter || refusal == interrupter
  }

  fileprivate mutating func interrupt(by displacement: Displacement) {
    let waits = activation == .signal && isSignalling
    end()
    self.displacement = displacement
    isHeldBack = waits
  }
}
