import SessionModel

/// Who displaces whom, and what becomes of the displaced (semantics, sections 1, 6 and 7).
enum Interrupting {
  /// Interrupts those whom a session displaces by becoming active.
  static func displaceOthers(_ state: inout RouterState, for session: Session) -> [Notification] {
    let scope = state.interruptionScope
    return displace(&state, by: .session(session.id)) { other in
      guard other.id != session.id, other.isDisplaceable else { return false }
      guard !session.isMixable else {
        return session.options.contains(.interruptSpokenAudio) && other.mode == .spokenAudio
          && other.isPlaying
      }
      return !other.isMixable || (session.priority != .normal && scope == .all)
    }
  }

  /// Interrupts those whom a call from outside displaces; one that only rings spares those who ignore alerts.
  static func displaceOthers(
    _ state: inout RouterState, for source: Interruption
  ) -> [Notification] {
    let scope = state.interruptionScope
    return displace(&state, by: .source(source.id), source.reason) { other in
      other.isDisplaceable && (!other.isMixable || scope == .all) && (source.isOn || !other.ignoresAlerts)
    }
  }

  /// Interrupts all active sessions that `isMeant`, in order.
  static func displace(
    _ state: inout RouterState, by interrupter: Interrupter, _ reason: InterruptionReason = .default,
    where isMeant: (Session) -> Bool
  ) -> [Notification] {
    var told: [Notification] = []
    var overridden: [SessionID] = []
    let displacement = Displacement(by: interrupter, reason: reason)
    state.sessions.change(where: { $0.isActive && isMeant($0) }) { session in
      session.displace(by: displacement)
      told.append(.active(session.id, false, by: .system))
      told.append(.interruption(session.id, .began(reason), by: interrupter))
      if session.portOverride != .none { overridden.append(session.id) }
    }
    Overriding.end(&state, for: overridden)
    return told
  }

  // MARK: Ends

  /// A session has become inactive: those whom it displaced may return, or wait for who displaced it.
  static func leave(
    _ state: inout RouterState, _ session: Session, notifyingOthers: Bool
  ) -> [Notification] {
    let interrupter = Interrupter.session(session.id)
    switch session.displacement?.interrupter {
    case .session(let id): handOver(&state, from: interrupter, to: .session(id))
    case .source(let id): handOver(&state, from: interrupter, to: .source(id))
    // A port of its own is nobody that others wait for.
    case .input, .output, nil: break
    }
    return end(&state, by: interrupter, shouldResume: notifyingOthers, isCall: session.priority == .call)
  }

  /// Ends the interruptions by somebody who has gone; behind a call they wait for the next call that is on.
  ///
  /// They should resume if that was said and no session that is active now does not mix (semantics, section 7).
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

  /// Tells those who waited that they may return.
  private static func recommend(
    _ state: inout RouterState, after interrupter: Interrupter, _ shouldResume: Bool
  ) -> [Notification] {
    var told: [Notification] = []
    var playing: SessionID?
    state.sessions.change(where: { $0.waits(for: interrupter) }) { session in
      if session.displacement?.interrupter == interrupter {
        (session.displacement, session.mayReturn) = (nil, true)
        told.append(.interruption(session.id, .ended(shouldResume: shouldResume), by: interrupter))
      }
      if session.refusal == interrupter { session.refusal = nil }
      told.append(.recommendation(session.id, shouldResume: shouldResume))
      if shouldResume, session.countsAsPlaying { playing = session.id }
    }
    // Who is told to resume may do so from the background.
    if let playing { state.nowPlaying = playing }
    return told
  }

  private static func handOver(
    _ state: inout RouterState, from interrupter: Interrupter, to next: Interrupter
  ) {
    state.sessions.change(where: { $0.waits(for: interrupter) }) { session in
      if session.displacement?.interrupter == interrupter { session.displacement?.interrupter = next }
      if session.refusal == interrupter { session.refusal = next }
    }
  }

  // MARK: Changes that displace without an activation

  /// What settings change about who may be active together.
  static func settle(
    _ state: inout RouterState, after event: Event, since before: RouterState
  ) -> [Notification] {
    switch event {
    case .session(let id, .protected(false)): return unprotect(&state, id)
    case .sounding(let id, true), .session(let id, .outputIO), .session(let id, .foreground(true)):
      guard before.sessions[id]?.isPlaying != true else { return [] }
      return speak(&state, id)
    default: return []
    }
  }

  /// A session that is protected no longer loses what it would be refused; of those that do not mix the latest stays.
  private static func unprotect(_ state: inout RouterState, _ id: SessionID) -> [Notification] {
    guard let session = state.sessions[id], session.isActive else { return [] }
    if let holder = Admitting.holder(against: session, in: state) {
      return displace(&state, by: holder) { $0.id == id }
    }
    var latest: (number: Int, id: SessionID)?
    state.sessions.forEachValue { session in
      guard session.isActive, session.isDisplaceable, !session.isMixable else { return }
      if session.activationNumber > latest?.number ?? -1 { latest = (session.activationNumber, session.id) }
    }
    guard let latest else { return [] }
    return displace(&state, by: .session(latest.id)) {
      $0.id != latest.id && $0.isDisplaceable && !$0.isMixable
    }
  }

  /// Spoken audio that begins to play while somebody who interrupts it is active, and became so later.
  private static func speak(_ state: inout RouterState, _ id: SessionID) -> [Notification] {
    guard let session = state.sessions[id], session.isPlaying, session.mode == .spokenAudio,
      session.isDisplaceable
    else { return [] }
    let interrupters = state.sessions.keys {
      $0.isActive && $0.id != id && $0.options.contains(.interruptSpokenAudio)
        && $0.activationNumber > session.activationNumber
    }
    guard let interrupter = interrupters.first else { return [] }
    return displace(&state, by: .session(interrupter)) { $0.id == id }
  }
}

extension Session {
  /// Whether others may displace it: normal class, and not protected.
  fileprivate var isDisplaceable: Bool { priority == .normal && !isProtected }

  /// Whether it is interrupted, or was refused, because of somebody.
  fileprivate func waits(for interrupter: Interrupter) -> Bool {
    displacement?.interrupter == interrupter || refusal == interrupter
  }

  fileprivate mutating func displace(by displacement: Displacement) {
    let waits = activation == .signal && isSignalling
    end()
    self.displacement = displacement
    isHeldBack = waits
  }
}
