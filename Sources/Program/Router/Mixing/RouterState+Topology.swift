import SessionModel

extension RouterState {
  /// Whether another state has the same crosspoints; levels do not matter. The router asks at every change, so values that both
  /// states share are not compared in detail.
  func hasSameTopology(as other: RouterState) -> Bool {
    outputs.allMatch(other.outputs) {
      $0.isMixed(like: $1) && $0.monitor.isOn == $1.monitor.isOn && $0.monitor.point == $1.monitor.point
    }
      && monitoring.solos == other.monitoring.solos && (monitoring.solos.isEmpty || groups == other.groups)
      && haveSameTalkbackMembers(as: other)
      && inputs.allMatch(other.inputs) { $0.isMixed(like: $1) }
      && sessions.allMatch(other.sessions, Self.haveSameCrosspoints)
  }

  /// Whether talkbacks to groups speak to the same outputs, although members may have changed.
  private func haveSameTalkbackMembers(as other: RouterState) -> Bool {
    groups.allMatch(other.groups) { $0.members == $1.members }
      || talkbackSessions.compactMap { sessions[$0] }.allSatisfy { session in
        talkbackOutputs(of: session) == other.talkbackOutputs(of: session)
      }
  }

  private static func haveSameCrosspoints(_ left: Session, _ right: Session) -> Bool {
    left.category == right.category && left.route.outputs == right.route.outputs
      && left.capture.channels == right.capture.channels && sends(left) == sends(right)
      && left.ownInputs == right.ownInputs
      && left.talkback.outputs == right.talkback.outputs
      && left.talkback.groups == right.talkback.groups
      && left.streams.allMatch(right.streams) { old, new in
        old.channels == new.channels && old.gaps.isFolded == new.gaps.isFolded && old.sources == new.sources
          && old.never == new.never
          && old.neverByPorts == new.neverByPorts
          && old.isDuckExempt == new.isDuckExempt
          && old.inverted == new.inverted && old.width.isUsed == new.width.isUsed
          && old.destinations.allMatch(new.destinations) {
            $0.isOn == $1.isOn && $0.channels == $1.channels && $0.tap == $1.tap
              && $0.pan.isUsed == $1.pan.isUsed
          }
      }
  }

  private static func sends(_ session: Session) -> [SendKey] {
    session.capture.sessions.filter { $0.value.isOn }.map { .captureSession(session.id, $0.key) }
      + session.capturedInputs.map { .captureInput(session.id, $0) }
  }
}
