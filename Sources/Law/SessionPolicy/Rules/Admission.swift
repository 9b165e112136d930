import SessionModel

/// Decides whether a session may become active (docs/develop/law/activation.md#1-admission).
enum Admission {
  /// Refuses a session that may not be active with its present category, options and place in the background.
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

  /// Refuses a session in the background that would interrupt others, unless it is the "now playing" session.
  private static func checkBackground(_ session: Session, in state: RouterState) throws(SessionError) {
    guard !session.isForeground, !session.isMixable, session.priority == .normal,
      state.nowPlaying != session.id
    else { return }
    let holder = state.nowPlaying.map { "\($0) is" } ?? "no session is"
    throw SessionError(
      .cannotInterruptOthers,
      "\(session.id) is in the background and \(holder) the one that plays now; bring it to the foreground, or let it mix"
    )
  }

  /// The call that keeps a session from becoming active; nil for a session that may play beside calls.
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
