import SessionModel

/// Compares the needs of two states at the audio server: connections, devices that presets name, and exclusive ports.
///
/// The router asks after every change, and most changes only move a level. To be fast, this compares only values that differ between
/// the states, and only the properties that `WantedLinks`, `Discovery` and `ExclusivePorts` read.
enum ConnectionNeeds {
  /// Whether the later state may need other connections than the earlier one.
  static func differ(_ before: RouterState, _ after: RouterState) -> Bool {
    !(before.sessions.allMatch(after.sessions, areSame) && before.outputs.allMatch(after.outputs, areSame)
      && before.inputs.allMatch(after.inputs, areSame))
  }

  private static func areSame(_ old: Session, _ new: Session) -> Bool {
    areSame(old.capture, new.capture)
      && old.streams.allMatch(new.streams) {
        $0.sources == $1.sources && $0.channels == $1.channels && $0.gaps.isFolded == $1.gaps.isFolded
          && $0.isExclusive == $1.isExclusive
          && $0.never == $1.never && $0.neverByPorts == $1.neverByPorts && $0.allowsLoop == $1.allowsLoop
      } && haveSameLoops(old, new)
  }

  /// Whether a stream that takes a monitor, which must not come back to its own output, goes where it went.
  private static func haveSameLoops(_ old: Session, _ new: Session) -> Bool {
    guard old.streams.contains(where: { $0.value.takesMonitors }) else { return true }
    return old.route.outputs == new.route.outputs
      && old.streams.allMatch(new.streams) {
        $0.destinations.keys(where: \.isOn) == $1.destinations.keys(where: \.isOn)
      }
  }

  private static func areSame(_ old: Capture, _ new: Capture) -> Bool {
    old.destinations == new.destinations && old.channels == new.channels && old.isSole == new.isSole
      && old.sessions.keys(where: \.isOn) == new.sessions.keys(where: \.isOn)
  }

  private static func areSame(_ old: Port, _ new: Port) -> Bool {
    old.members == new.members && old.memberGlobs == new.memberGlobs && old.globs == new.globs
      && old.sources == new.sources && old.node == new.node && old.channels == new.channels
      && old.isPlugged == new.isPlugged && old.bridge == new.bridge
      && old.isNamedByPreset == new.isNamedByPreset
  }
}

extension SessionStream {
  fileprivate var takesMonitors: Bool {
    sources.contains { source in
      if case .ports(let entry) = source { entry.ports?.namesMonitors ?? false } else { false }
    }
  }
}

extension RouterState {
  /// Takes the objects of another state that `ConnectionNeeds` compares.
  mutating func followObjects(of state: RouterState) {
    (sessions, outputs, inputs) = (state.sessions, state.outputs, state.inputs)
  }
}
