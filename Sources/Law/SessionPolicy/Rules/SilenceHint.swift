import SessionModel

/// AVAudioSession's secondaryAudioShouldBeSilencedHint: notifies active sessions in the foreground when primary audio of other
/// sessions begins or ends (docs/develop/law/hints.md#2-the-silence-hint).
enum SilenceHint {
  static func decide(
    _ state: RouterState, since before: RouterState, _ activities: (before: Activity, now: Activity)
  ) -> [Notification] {
    let (former, present) = (activities.before.primaries, activities.now.primaries)
    guard former != present else { return [] }
    let listeners = state.sessions.keys { $0.isActive && $0.isForeground }
    return listeners.compactMap { id in
      guard let old = before.sessions[id], old.isActive, old.isForeground else { return nil }
      let isSilenced = present.contains { $0 != id }
      return isSilenced == former.contains { $0 != id } ? nil : .hint(id, isSilenced)
    }
  }
}
