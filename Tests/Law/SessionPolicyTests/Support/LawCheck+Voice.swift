import SessionModel

extension LawCheck {
  /// Only conversations process the voice: no switch and no report is left of a mode that is over.
  static func voice(_ state: RouterState) -> [String] {
    state.sessions.values.flatMap { session -> [String] in
      let isConversation =
        session.category == .playAndRecord && [.voiceChat, .videoChat].contains(session.mode)
      var found: [String] = []
      for part in VoicePart.allCases where session.voice[part] != nil && !isConversation {
        found.append("\(session.id) has a switch of \(part) in the mode \(session.mode)")
      }
      if session.voiceReport != VoiceReport(), !isConversation || session.capture.channels == 0 {
        found.append("\(session.id) reports on its voice, which nothing processes")
      }
      return found
    }
  }
}
