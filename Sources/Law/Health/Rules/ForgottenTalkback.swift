import SessionModel

/// A talkback has been open for longer than its own limit: somebody has forgotten a microphone.
struct ForgottenTalkback: HealthCheck {
  static let rule = HealthRule.talkback

  func sentence(_ view: HealthView) -> String? {
    let forgotten = view.state.monitoring.talkbacks.filter { open in
      view.state.alarmTime(of: open).map { $0 <= view.time } ?? false
    }
    guard let first = forgotten.first?.session else { return nil }
    let names = forgotten.map(\.session.name).joined(separator: ", ")
    return
      "talkback \(names) is still open; close it with /talkback/\(first)/on 0, or give it more time with /session/\(first)/talkback/alarm"
  }
}
