import SessionModel

/// A stream takes the monitor of an output that it goes to. The router does not connect it.
struct MonitorLoop: HealthCheck {
  static let rule = HealthRule.loop

  func sentence(_ view: HealthView) -> String? {
    var found: String?
    view.state.sessions.forEachValue { session in
      session.streams.forEachValue { stream in
        guard found == nil, let sentence = stream.loopSentence else { return }
        found =
          "\(session.id).\(stream.id) \(sentence); send it to another output, or allow it with /session/\(session.id)/stream/\(stream.id)/loop 1"
      }
    }
    return found
  }
}
