import SessionModel

extension RouterState {
  /// Whether another state has the same crosspoints, whatever its levels.
  func hasSameTopology(as other: RouterState) -> Bool {
    let (left, right) = (self, other)
    return left.sessions.keys == right.sessions.keys && left.outputs.keys == right.outputs.keys
      && left.inputs.keys == right.inputs.keys
      && zip(left.outputs.values, right.outputs.values).allSatisfy { $0.channels == $1.channels }
      && zip(left.inputs.values, right.inputs.values).allSatisfy { $0.channels == $1.channels }
      && zip(left.sessions.values, right.sessions.values).allSatisfy(Self.haveSameCrosspoints)
  }

  private static func haveSameCrosspoints(_ left: Session, _ right: Session) -> Bool {
    left.category == right.category && left.route.outputs == right.route.outputs
      && left.streams.keys == right.streams.keys && left.capture.channels == right.capture.channels
      && sends(left) == sends(right)
      && zip(left.streams.values, right.streams.values).allSatisfy { old, new in
        old.channels == new.channels && old.sources == new.sources && old.never == new.never
          && old.destinations.keys == new.destinations.keys
          && zip(old.destinations.values, new.destinations.values).allSatisfy {
            $0.isOn == $1.isOn && $0.channels == $1.channels && $0.tap == $1.tap
          }
      }
  }

  private static func sends(_ session: Session) -> [SendKey] {
    session.capture.sessions.filter(\.value.isOn).map { .captureSession(session.id, $0.key) }
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
    (ownInput.map { [$0] } ?? []) + capture.inputs.filter(\.value.isOn).map(\.key)
  }
}
