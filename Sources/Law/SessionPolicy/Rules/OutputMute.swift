import SessionModel

/// AVAudioSession's output mute (docs/develop/law/mutes.md#2-output-mute). The operator's mute is a different setting and is always obeyed.
enum OutputMute {
  static func set(
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

  /// Unmutes a session whose new category and mode do not allow an output mute.
  static func apply(_ session: inout Session) -> [Notification] {
    guard session.isOutputMuted, !allows(session.category, session.mode) else { return [] }
    session.isOutputMuted = false
    return [.outputMute(session.id, false)]
  }

  private static func allows(_ category: Category, _ mode: Mode) -> Bool {
    category != .playAndRecord || mode == .default
  }
}
