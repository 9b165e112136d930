import SessionModel

extension RouterState {
  /// Whether another state has the same crosspoints, whatever its levels. Asked at every change: what both share is passed over.
  func hasSameTopology(as other: RouterState) -> Bool {
    outputs.allMatch(other.outputs) { $0.channels == $1.channels }
      && inputs.allMatch(other.inputs) { $0.channels == $1.channels }
      && sessions.allMatch(other.sessions, Self.haveSameCrosspoints)
  }

  private static func haveSameCrosspoints(_ left: Session, _ right: Session) -> Bool {
    left.category == right.category && left.route.outputs == right.route.outputs
      && left.capture.channels == right.capture.channels && sends(left) == sends(right)
      && left.ownInputs == right.ownInputs
      && left.streams.allMatch(right.streams) { old, new in
        old.channels == new.channels && old.sources == new.sources && old.never == new.never
          && old.isDuckExempt == new.isDuckExempt
          && old.destinations.allMatch(new.destinations) {
            $0.isOn == $1.isOn && $0.channels == $1.channels && $0.tap == $1.tap
          }
      }
  }

  private static func sends(_ session: Session) -> [SendKey] {
    session.capture.sessions.filter { $0.value.isOn }.map { .captureSession(session.id, $0.key) }
      + session.capturedInputs.map { .captureInput(session.id, $0) }
  }
}

extension Session {
  /// The inputs of its route, which its capture contains unless something else is said of them.
  var ownInputs: [PortID] { route.inputs.filter { capture.inputs[$0] == nil } }

  /// The inputs that its capture contains.
  var capturedInputs: [PortID] {
    ownInputs + capture.inputs.filter { $0.value.isOn }.map { $0.key }
  }
}
