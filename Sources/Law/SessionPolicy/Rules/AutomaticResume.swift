import SessionModel

/// Activates sessions again whose programs cannot do so themselves: after an interruption, or when the call that stood in their way
/// has ended (docs/develop/law/conduct.md#5-resume).
enum AutomaticResume {
  static func apply(
    _ state: inout RouterState, after notifications: [Notification], at time: Double
  ) -> [Notification] {
    var told: [Notification] = []
    for case .recommendation(let id, let shouldResume) in notifications {
      let resumes = state.sessions.contains(id) { session in
        session.displacement == nil
          && (session.resumption == .always || session.resumption == .recommended && shouldResume)
      }
      if resumes { told += Activations.start(&state, id, at: time) }
    }
    return told
  }
}
