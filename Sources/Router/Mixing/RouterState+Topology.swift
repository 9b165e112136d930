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
  /// The input of its route, which its capture contains unless something else is said of it.
  var ownInput: PortID? {
    guard let input = route.input, capture.inputs[input] == nil else { return nil }
    return input
  }

  /// The inputs that its capture contains.
  var capturedInputs: [PortID] {
    (ownInput.map { [$0] } ?? []) + capture.inputs.filter { $0.value.isOn }.map { $0.key }
  }
}
