import Parameters
public import Presets
public import SessionModel

/// A change at the end of a recall's fade: the removal of what has fallen silent, or a level behind a closed switch.
public struct Ending: Sendable {
  private let event: Event
  /// Makes `/reset` return to an earlier value of the level, after an undo.
  private let reset: Event?
  /// The level that the event sets; nil for a removal.
  private let level: MarkedLevel?

  init(_ event: Event, _ reset: Event? = nil, level: MarkedLevel? = nil) {
    (self.event, self.reset, self.level) = (event, reset, level)
  }

  /// The end of a level that an earlier recall has not brought there.
  init?(_ unfinished: MarkedLevel) {
    guard let event = try? unfinished.step.outcome.get() else { return nil }
    self.init(event, level: unfinished)
  }

  /// Carries out endings on a copy of a state. What the operator has taken into use during the fade stays as it is.
  ///
  /// - Parameters:
  ///   - time: router time in seconds.
  ///   - law: accepts or refuses each event.
  public static func conclude(
    _ endings: [Ending], on state: RouterState, at time: Double, law: PresetReader.Policy
  ) -> (state: RouterState, notifications: [Notification]) {
    var (next, told) = (state, [Notification]())
    next.isRecalling = true
    for ending in endings where ending.isDue(in: next) {
      for event in [ending.event, ending.reset].compactMap(\.self) {
        told += (try? law(&next, event, time)) ?? []
      }
    }
    next.isRecalling = state.isRecalling
    if !endings.isEmpty { told += (try? law(&next, .elapsed, time)) ?? [] }
    return (next, told)
  }

  /// Whether the change is still to be made: the operator has not taken its object into use.
  func isDue(in state: RouterState) -> Bool {
    if let level { return level.isUntouched(in: state) }
    return switch event {
    case .removeSession(let id): state.sessions[id].map { !$0.isActive } ?? false
    case .removeStream(let session, let id): state.sessions[session]?.streams[id]?.isSilenced ?? false
    case .forgetPort(let direction, let id): state[direction][id].map { !$0.isPlugged } ?? false
    default: false
    }
  }

  /// Whether the change is a level, no removal.
  var isLevel: Bool { level != nil }

  /// The address of the level; nil for a removal.
  var levelAddress: String? { level?.address }

  /// The session that changes.
  var session: SessionID? {
    switch event {
    case .removeSession(let id), .removeStream(let id, _): id
    default: level?.target.session
    }
  }

  /// Whether the removal takes away the object of another ending's level.
  func removes(_ other: Ending) -> Bool {
    guard let target = other.level?.target else { return false }
    return switch event {
    case .removeSession(let id): target.session == id
    case .removeStream(let session, let id): target.session == session && target.stream == id
    default: false
    }
  }

  /// Whether a preset has the object that is to be removed.
  func isUsed(by preset: Preset) -> Bool {
    switch event {
    case .removeSession(let id): preset.sessions.contains(id)
    case .removeStream(let session, let id): preset.streams(of: session).contains(id)
    case .forgetPort(let direction, let id): preset.has(direction, id)
    default: false
    }
  }
}

extension SessionStream {
  /// Whether the stream is muted or goes nowhere.
  fileprivate var isSilenced: Bool { isMuted || !destinations.contains { $0.value.isOn } }
}
