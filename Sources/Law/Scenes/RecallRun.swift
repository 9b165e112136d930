import JSON5
import Parameters
import Presets
import SessionModel

/// One run of a recall's steps on a copy of a state.
struct RecallRun {
  private(set) var state: RouterState
  private let preset: Preset
  private let fades: LevelFades
  private let time: Double
  private var told: [Notification] = []
  private var waiting: [SessionID] = []
  private var moving: [MarkedLevel] = []
  private var endings: [Ending] = []

  init(_ preset: Preset, _ state: RouterState, _ fades: LevelFades, at time: Double) {
    (self.preset, self.state, self.fades, self.time) = (preset, state, fades, time)
    self.state.isRecalling = true
  }

  /// Carries out a step.
  /// - Throws: `RecallRefusal` if the law refuses the step for good.
  mutating func perform(_ step: Step, _ law: PresetReader.Policy) throws(RecallRefusal) {
    do throws(SessionError) {
      try perform(try step.outcome.get(), step, law)
    } catch {
      if step.isOptional, let parameter = step.setting?.parameter {
        told.append(.error(client: 0, address: parameter.address(at: step.target), error))
        return
      }
      guard case .success(.activate(let id, _)) = step.outcome, error.isTemporary else {
        let problem = step.place.problem(error.sentence, fix: "change it, or apply the preset later")
        throw RecallRefusal(error: error, problem: problem)
      }
      keepWaiting(id, error, law)
    }
  }

  private mutating func perform(
    _ event: Event, _ step: Step, _ law: PresetReader.Policy
  ) throws(SessionError) {
    switch try fades.way(of: event, step) {
    case .moving(let event, let mark):
      told += try law(&state, event, time)
      moving.append(mark.marked(in: state))
      return
    case .later(let event, let mark):
      endings.append(Ending(event, level: mark.marked(in: state)))
      return
    case .now: break
    }
    switch event {
    case .session(let id, .priority(let priority))
    where isActive(id) && state.sessions[id]?.priority != priority:
      try dip(id, event, law)
    case .removeSession(let id) where fades.isFading && isActive(id): try fall(id, law)
    // A stream of another width is made at once, so the old one cannot stay.
    case .removeStream(let id, let stream)
    where fades.isFading && isActive(id) && !preset.streams(of: id).contains(stream):
      try fall(id, stream, law)
    default: told += try law(&state, event, time)
    }
  }

  /// Makes `/reset` return to the values that it returns to in another state.
  mutating func rememberResets(of origin: RouterState, _ law: PresetReader.Policy) {
    for parameter in Table.parameters {
      guard case .control(let moved) = parameter.binding else { continue }
      for target in parameter.targets(in: origin) {
        guard let stored = moved.control(origin, target)?.stored, let present = moved.control(state, target),
          present.stored != stored, !moved.isInherited(state, target),
          let event = try? moved.move(target, .remember(stored))
        else { continue }
        told += (try? law(&state, event, time)) ?? []
      }
    }
  }

  /// The outcome after all steps.
  func finished(_ law: PresetReader.Policy) -> RecallOutcome {
    var (next, told) = (state, told)
    next.isRecalling = false
    told += (try? law(&next, .elapsed, time)) ?? []
    return RecallOutcome(state: next, notifications: told, waiting: waiting, moving: moving, endings: endings)
  }

  /// Notes that a session waits until the law accepts its activation.
  private mutating func keepWaiting(_ id: SessionID, _ error: SessionError, _ law: PresetReader.Policy) {
    told += (try? law(&state, .activationRefused(id), time)) ?? []
    told.append(.error(client: 0, address: "/session/\(id)/active", error))
    waiting.append(id)
  }

  private func isActive(_ id: SessionID) -> Bool { state.sessions[id]?.isActive ?? false }

  // MARK: Changes that the law refuses for active sessions, and removals

  /// Changes the class of an active session, which is inactive for that moment.
  private mutating func dip(
    _ id: SessionID, _ event: Event, _ law: PresetReader.Policy
  ) throws(SessionError) {
    told += try law(&state, .deactivate(id, notifyingOthers: false), time)
    told += try law(&state, event, time)
    do throws(SessionError) { told += try law(&state, .activate(id), time) } catch {
      keepWaiting(id, error, law)
    }
  }

  /// Ends a session whose sound then falls. It is removed at the end of the fade.
  private mutating func fall(_ id: SessionID, _ law: PresetReader.Policy) throws(SessionError) {
    // Nothing but the operator may make it sound again.
    told += try law(&state, .session(id, .activation(.manual)), time)
    do throws(SessionError) {
      told += try law(&state, .deactivate(id, notifyingOthers: true), time)
      endings.append(Ending(.removeSession(id)))
    } catch {
      told += try law(&state, .removeSession(id), time)
    }
  }

  /// Silences a stream, which then falls. It is removed at the end of the fade.
  private mutating func fall(
    _ session: SessionID, _ id: StreamID, _ law: PresetReader.Policy
  ) throws(SessionError) {
    let isRouted = state.sessions[session]?.category == .multiRoute
    let silence: StreamSetting = isRouted ? .route(try StreamRoute("none")) : .muted(true)
    told += try law(&state, .stream(session, id, silence), time)
    endings.append(Ending(.removeStream(session, id)))
  }
}

extension SessionError {
  /// Whether an activation is refused for a temporary reason: a call, an absent input, no server.
  fileprivate var isTemporary: Bool {
    switch code {
    case .insufficientPriority, .resourceNotAvailable, .mediaServicesFailed: true
    default: false
    }
  }
}
