import SessionModel

/// The router resumes for those who cannot: after an interruption, or when what they were refused is free (osc contract, `resume`).
enum Resuming {
  static func resume(
    _ state: inout RouterState, after told: [Notification], at time: Double
  ) -> [Notification] {
    told.flatMap { notification -> [Notification] in
      guard case .recommendation(let id, let shouldResume) = notification,
        let session = state.sessions[id], session.displacement == nil
      else { return [] }
      switch session.resumption {
      case .always: return Activating.start(&state, id, at: time)
      case .recommended where shouldResume: return Activating.start(&state, id, at: time)
      case .recommended, .never: return []
      }
    }
  }
}
