import SessionModel

/// A session's preferred sample rate, period and number of channels. The router remembers preferences; reading gives the values that
/// are in force (docs/develop/law/hardware.md#1-preferences).
enum HardwarePreferences {
  static func set(
    _ state: inout RouterState, _ id: SessionID, _ change: (inout PreferredHardware) -> Void
  ) throws(SessionError) {
    try checkServer(state)
    try state.withSession(id) { session in change(&session.preferredHardware) }
  }

  static func setChannels(
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
      session.preferredHardware[direction] = count
    }
  }

  /// Refuses preferences while there is no audio server (docs/develop/law/ports.md#6-media-lost-and-reset).
  static func checkServer(_ state: RouterState) throws(SessionError) {
    guard state.server.isRunning else {
      throw SessionError(
        .mediaServicesFailed,
        "there is no audio server, so no preference can take effect; wait for /event/media reset")
    }
  }

  /// Computes the period that the most recently activated session prefers, in frames that a server accepts.
  static func apply(_ state: inout RouterState, _ activity: Activity) {
    state.preferredPeriod = activity.preferredPeriod.flatMap { frames(of: $0, rate: state.server.rate) }
  }

  /// The power of two from 16 to 8192 whose ratio to the wanted number of frames is nearest to 1.
  private static func frames(of seconds: Double, rate: Int) -> Int? {
    guard rate > 0 else { return nil }
    let wanted = seconds * Double(rate)
    var frames = 16
    while frames < 8_192, Double(frames) * Double(2).squareRoot() <= wanted { frames *= 2 }
    return frames
  }
}
