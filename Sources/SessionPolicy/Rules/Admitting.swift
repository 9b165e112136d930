import SessionModel

/// Who may become active (semantics, head and sections 5 and 6).
enum Admitting {
  /// Whether a session may be active as it is.
  /// - Throws: `SessionError` `!pla`, `!int`, `!pri` or `!res`.
  static func check(_ session: Session, in state: RouterState) throws(SessionError) {
    guard !session.isSuspended else {
      throw SessionError(
        .cannotStartPlaying,
        "\(session.id) is \(session.category.rawValue) in the background, where it may not play; bring it to the foreground"
      )
    }
    try checkBackground(session, in: state)
    if let holder = holder(against: session, in: state) {
      let accepted =
        session.priority == .call
        ? "there is one call at a time" : "playback and sessions that mix are admitted meanwhile"
      throw SessionError(
        .insufficientPriority,
        "\(holder.name) is a call and holds the hardware, so \(session.id) (\(session.category.rawValue)) must wait until it has ended; \(accepted)"
      )
    }
    guard session.category != .record || Routing.input(of: session, in: state) != nil else {
      throw SessionError(
        .resourceNotAvailable, "\(session.id) cannot record: there is no input; connect one first")
    }
  }

  /// In the background only the session that plays now, or did last, may interrupt others.
  private static func checkBackground(_ session: Session, in state: RouterState) throws(SessionError) {
    guard !session.isForeground, !session.isMixable, session.priority == .normal,
      state.nowPlaying != session.id
    else { return }
    let holder = state.nowPlaying.map { "\($0) is" } ?? "nobody is"
    throw SessionError(
      .cannotInterruptOthers,
      "\(session.id) is in the background and \(holder) the one that plays now; bring it to the foreground, or let it mix"
    )
  }

  /// The call that keeps a session from becoming active; nil for those who are admitted beside calls.
  static func holder(against session: Session, in state: RouterState) -> Interrupter? {
    guard !session.isMixable, !session.isProtected else { return nil }
    switch session.priority {
    case .alert: return nil
    case .normal where !yieldsToCalls.contains(session.category): return nil
    case .normal, .call: return Activity(state).calls.first { $0 != .session(session.id) }
    }
  }

  private static let yieldsToCalls: Set<Category> = [.record, .playAndRecord, .multiRoute, .soloAmbient]
}
