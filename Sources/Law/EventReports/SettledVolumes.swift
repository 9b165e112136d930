import SessionModel

/// Reports the fader of an output once it has come to rest.
struct SettledVolumes: Sendable {
  /// When a moving fader may have come to rest, in seconds of the router's time.
  private var due: [PortID: Double] = [:]
  /// The positions that were reported last, 0 to 100.
  private var reported: [PortID: Int] = [:]

  /// Seconds without another move after which a fader has come to rest.
  private static let rest = 0.2

  /// When `take` must be called next; nil if no fader moves.
  var nextDue: Double? { due.values.min() }

  /// Notes which faders have begun to move.
  mutating func note(from before: RouterState, to after: RouterState, at time: Double) {
    guard before.outputs != after.outputs else { return }
    for id in after.outputs.keys(changedSince: before.outputs) {
      guard let former = before.outputs[id]?.gain, let gain = after.outputs[id]?.gain,
        gain.revision != former.revision
      else { continue }
      if reported[id] == nil { reported[id] = former.position(at: time) }
      due[id] = max(time, gain.fade.map(\.end) ?? time) + Self.rest
    }
  }

  /// Takes the reports of faders at rest, one for each active session whose first output it is.
  mutating func take(_ state: RouterState, at time: Double) -> [Notification] {
    var reports: [Notification] = []
    for id in state.outputs.keys {
      guard let end = due[id], end <= time, let gain = state.outputs[id]?.gain else { continue }
      due[id] = nil
      let position = gain.position(at: time)
      guard reported.updateValue(position, forKey: id) != position else { continue }
      state.sessions.forEachValue { session in
        guard session.isActive, session.route.outputs.first == id else { return }
        reports.append(.report(session.id, EventReport(.systemVolume, position)))
      }
    }
    for id in due.keys where state.outputs[id] == nil { due[id] = nil }
    return reports
  }
}

extension Control {
  /// The position of a level's fader in hundredths of its travel.
  fileprivate func position(at time: Double) -> Int {
    Int((Decibels(value(at: time, isLevel: true)).fader * 100).rounded())
  }
}
