import SessionModel

/// What sessions would like of the hardware: remembered, and answered by what is true (semantics, section 12).
enum Wishing {
  static func wish(
    _ state: inout RouterState, _ id: SessionID, _ change: (inout HardwareWishes) -> Void
  ) throws(SessionError) {
    try checkServer(state)
    try state.withSession(id) { session in change(&session.wishes) }
  }

  static func channels(
    _ state: inout RouterState, _ id: SessionID, _ direction: Direction, _ count: Int
  ) throws(SessionError) {
    try checkServer(state)
    let world = state
    try state.withSession(id) { session throws(SessionError) in
      guard session.category.uses(direction) else {
        throw SessionError(
          .incompatibleCategory,
          "\(id) is \(session.category.rawValue), which has no \(direction.rawValue) whose channels could be chosen"
        )
      }
      guard session.isActive else {
        throw SessionError(
          .sessionNotActive, "\(id) is not active, and so has no channels yet; activate it first")
      }
      let most = world.maximumChannels(of: session, direction)
      guard (1...max(1, most)).contains(count), most > 0 else {
        throw SessionError(
          .badParam,
          "\(id) cannot have \(count) \(direction.rawValue) channels at \(session.route.text); the most there are is \(most)"
        )
      }
      session.wishes[direction] = count
    }
  }

  /// While there is no server, wishes are refused (semantics, head).
  static func checkServer(_ state: RouterState) throws(SessionError) {
    guard state.server.isRunning else {
      throw SessionError(
        .mediaServicesFailed,
        "there is no audio server, so nobody can grant a wish; wait for /event/media reset")
    }
  }

  /// The period that the newest active session would like, as a server can have it.
  static func settle(_ state: inout RouterState, _ activity: Activity) {
    state.wishedPeriod = activity.wishedPeriod.flatMap { frames(of: $0, rate: state.server.rate) }
  }

  /// The nearest power of two, by ratio, of those that servers take.
  private static func frames(of seconds: Double, rate: Int) -> Int? {
    guard rate > 0 else { return nil }
    let wanted = seconds * Double(rate)
    var frames = 16
    while frames < 8_192, Double(frames) * Double(2).squareRoot() <= wanted { frames *= 2 }
    return frames
  }
}
