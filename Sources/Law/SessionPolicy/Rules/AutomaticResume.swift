import SessionModel

/// Activates sessions again whose programs cannot do so themselves: after an interruption, or when the call that stood in their way
/// has ended (docs/law/conduct.md#5-resume).
enum AutomaticResume {
  static func apply(
    _ state: inout RouterState, after notifications: [Notification], at time: Double
  ) -> [Notification] {
    notifications.flatMap { notification -> [Notification] in
      guard case .recommendation(let id, let shouldResume) = notification,
        let session = state.sessions[id], session.displacement == nil
      else { return [] }
      switch session.resumption {
      case .always: return Activations.start(&state, id, at: time)
      case .recommended where shouldResume: return Activations.start(&state, id, at: time)
      case .recommended, .never: return []
      }
    }
  }
}
