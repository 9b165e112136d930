import SessionModel

/// AVAudioSession's output mute (semantics, section 13); the operator's mute is another one.
enum Muting {
  static func output(
    _ state: inout RouterState, _ id: SessionID, _ isMuted: Bool
  ) throws(SessionError) -> [Notification] {
    try state.withSession(id) { session throws(SessionError) in
      guard !isMuted || allows(session.category, session.mode) else {
        throw SessionError(
          .badParam,
          "\(id) is playAndRecord in mode \(session.mode.rawValue), whose output is never muted; the mode default allows it"
        )
      }
      guard session.isOutputMuted != isMuted else { return [] }
      session.isOutputMuted = isMuted
      return [.outputMute(id, isMuted)]
    }
  }

  /// A configuration that knows no output mute unmutes.
  static func settle(_ session: inout Session) -> [Notification] {
    guard session.isOutputMuted, !allows(session.category, session.mode) else { return [] }
    session.isOutputMuted = false
    return [.outputMute(session.id, false)]
  }

  private static func allows(_ category: Category, _ mode: Mode) -> Bool {
    category != .playAndRecord || mode == .default
  }
}
