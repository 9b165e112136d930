import JSON5
import Parameters
import Presets
import SessionModel

/// One run of a recall's steps on a copy of a state.
struct RecallRun {
  private(set) var state: RouterState
  private let preset: Preset
  private var fades: LevelFades
  /// The state that an undo brings back.
  private let origin: RouterState?
  private let time: Double
  private var told: [Notification] = []
  private var waiting: [SessionID] = []
  private var postponed: [Event] = []
  private var endings: [Ending] = []
  /// Settings that the law has not got yet. It gets them as one row, because the rules that follow from a setting look at all sessions.
  private var row = Row()
  /// Steps that set levels which are heard before. Whether these move or wait depends on all switches of the recall.
  private var levels: [Step] = []

  private struct Row {
    var events: [Event] = []
    /// The steps of the events.
    var steps: [Step] = []
  }

  init(
    _ preset: Preset, _ state: RouterState, _ fades: LevelFades, returningTo origin: RouterState?,
    at time: Double
  ) {
    (self.preset, self.state, self.fades, self.time) = (preset, state, fades, time)
    self.origin = origin
    self.state.isRecalling = true
  }

  /// Carries out a step.
  /// - Throws: `RecallRefusal` if the law refuses the step for good.
  mutating func perform(_ step: Step, _ law: PresetReader.Policy) throws(RecallRefusal) {
    let event: Event
    do throws(SessionError) { event = try step.outcome.get() } catch { return try refuse(step, error, law) }
    if fades.setsHeardLevel(step) { levels.append(step) } else { try perform(event, of: step, law) }
  }

  /// Carries out the levels that were heard before, now that all switches are decided.
  /// - Returns: the levels that move.
  private mutating func performLevels(_ law: PresetReader.Policy) throws(RecallRefusal) -> [MarkedLevel] {
    try completeRow(law)
    let switched = MarkedLevel.Marking(state)
    var (open, moving) = (OpenLevels(state), [Step]())
    // A property would be copied at each call.
    let fades = fades
    moving.reserveCapacity(levels.count)
    row.events.reserveCapacity(levels.count)
    for step in levels {
      let move: Event?
      do throws(SessionError) { move = try fades.move(step, in: &open) } catch {
        try refuse(step, error, law)
        continue
      }
      if let move {
        if try perform(move, of: step, law) { moving.append(step) }
      } else if let event = try? step.outcome.get() {
        let resets = origin.flatMap { step.setting?.parameter.reset(asIn: $0, step.target) }
        endings.append(Ending(event, resets, level: MarkedLevel(step, switched)))
      }
    }
    try completeRow(law)
    let moved = MarkedLevel.Marking(state)
    return moving.map { MarkedLevel($0, moved) }
  }

  /// Has the law decide on an event, now or in a row with others.
  /// - Returns: false if the law has refused the event, which does not stop the recall.
  @discardableResult
  private mutating func perform(
    _ event: Event, of step: Step, _ law: PresetReader.Policy
  ) throws(RecallRefusal) -> Bool {
    if event.joinsRows, !step.isOptional {
      row.events.append(event)
      row.steps.append(step)
      return true
    }
    try completeRow(law)
    do throws(SessionError) {
      try carryOut(event, law)
      return true
    } catch {
      try refuse(step, error, law)
      return false
    }
  }

  /// Has the law decide on the row.
  private mutating func completeRow(_ law: PresetReader.Policy) throws(RecallRefusal) {
    guard !row.events.isEmpty else { return }
    let complete = row
    row = Row()
    do throws(SessionError) { told += try law(&state, .row(complete.events), time) } catch {
      // One after the other, to find the one that is refused.
      for (event, step) in zip(complete.events, complete.steps) {
        do throws(SessionError) { told += try law(&state, event, time) } catch {
          try refuse(step, error, law)
        }
      }
    }
  }

  private mutating func carryOut(_ event: Event, _ law: PresetReader.Policy) throws(SessionError) {
    switch event {
    case .session(let id, .priority(let priority))
    where isActive(id) && state.sessions[id]?.priority != priority:
      try dip(id, event, law)
    case .removeSession(let id) where fades.isFading && isActive(id): try fall(id, law)
    // A stream of another width is made at once, so the old one cannot stay.
    case .removeStream(let id, let stream)
    where fades.isFading && isActive(id) && !preset.streams(of: id).contains(stream):
      try fall(id, stream, law)
    case .forgetPort(let direction, let id)
    where fades.isFading && state[direction].contains(id, where: { $0.isAvailable }):
      try fall(direction, id, law)
    default: told += try law(&state, event, time)
    }
  }

  /// Goes on after a refusal that does not stop the recall.
  /// - Throws: `RecallRefusal` for any other refusal.
  private mutating func refuse(
    _ step: Step, _ error: SessionError, _ law: PresetReader.Policy
  ) throws(RecallRefusal) {
    if let event = try? step.outcome.get() {
      if error.code == .mediaServicesFailed { postponed.append(event) }
      // An input without channels of its own has those of its device, which may not be known yet.
      if case .channel(let input, _, _) = event, state.inputs.contains(input), step.isOptional {
        return postponed.append(event)
      }
    }
    if case .success(.activate(let id, _)) = step.outcome, error.isTemporary {
      return keepWaiting(id, error, law)
    }
    if case .success(.player(let id, .order(.play))) = step.outcome, error.isTemporary,
      let session = state.players[id]?.session
    {
      return keepWaiting(session, error, law)
    }
    guard step.isOptional || preset.isKept else {
      let problem = step.place.problem(error.sentence, fix: "change it, or apply the preset later")
      throw RecallRefusal(error: error, problem: problem)
    }
    told.append(.error(client: 0, address: step.address, error))
  }

  /// Brings back which sessions a call interrupts that is still on, and which sessions it does not. A preset says of both only that people want
  /// them active.
  private mutating func restoreInterruptions(of origin: RouterState, _ law: PresetReader.Policy) {
    for (id, former) in origin.sessions {
      guard let session = state.sessions[id] else { continue }
      let event: Event
      if case .source(let source)? = former.displacement?.interrupter, session.isActive {
        event = .interrupt(id, by: source)
      } else if former.isActive, case .source? = session.displacement?.interrupter {
        event = .activate(id)
      } else {
        continue
      }
      told += (try? law(&state, event, time)) ?? []
    }
  }

  /// Makes `/reset` return to the values that it returned to in another state.
  private mutating func restoreResets(of origin: RouterState, _ law: PresetReader.Policy) {
    var events: [Event] = []
    for parameter in Table.parameters {
      for target in parameter.targets(in: origin) {
        if let event = parameter.reset(asIn: origin, target, unlikeIn: state) { events.append(event) }
      }
    }
    // Nothing moves, so no rule needs to see them one by one.
    if !events.isEmpty { told += (try? law(&state, .row(events), time)) ?? [] }
  }

  /// The outcome after all steps.
  /// - Throws: `RecallRefusal` if the law refuses one of the last steps.
  mutating func finished(_ law: PresetReader.Policy) throws(RecallRefusal) -> RecallOutcome {
    let moving = try performLevels(law)
    if let origin {
      restoreInterruptions(of: origin, law)
      restoreResets(of: origin, law)
    }
    var (next, told) = (state, told)
    next.isRecalling = false
    told += (try? law(&next, .elapsed, time)) ?? []
    return RecallOutcome(
      state: next, notifications: told, waiting: waiting, postponed: postponed, moving: moving,
      endings: endings)
  }

  /// Notes that a session waits until the law accepts its activation.
  private mutating func keepWaiting(_ id: SessionID, _ error: SessionError, _ law: PresetReader.Policy) {
    told += (try? law(&state, .activationRefused(id), time)) ?? []
    told.append(.error(client: 0, address: "/session/\(id)/active", error))
    waiting.append(id)
  }

  private func isActive(_ id: SessionID) -> Bool { state.sessions[id]?.isActive ?? false }

  // MARK: Changes that the law refuses for active sessions, and removals

  /// Changes the class of an active session, which is inactive for that moment. Its players go on.
  private mutating func dip(
    _ id: SessionID, _ event: Event, _ law: PresetReader.Policy
  ) throws(SessionError) {
    let playing = state.players.keys { $0.session == id && $0.isPlaying }
    told += try law(&state, .deactivate(id, notifyingOthers: false), time)
    told += try law(&state, event, time)
    do throws(SessionError) {
      told += try law(&state, .activate(id), time)
      for player in playing { told += try law(&state, .player(player, .order(.play())), time) }
    } catch {
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

  /// Unplugs a bridged port, whose sound then falls. It is forgotten, so that its program ends, at the end of the fade.
  private mutating func fall(
    _ direction: Direction, _ id: PortID, _ law: PresetReader.Policy
  ) throws(SessionError) {
    guard var port = state[direction][id] else { return }
    // The preset no longer names it, so that other ports may be the ones that sessions choose.
    (port.isNamedByPreset, port.typeReason) = (false, "named by an earlier preset")
    let unplugged = Event.row([.declarePort(direction, port), .port(direction, id, .plugged(false))])
    told += try law(&state, unplugged, time)
    endings.append(Ending(.forgetPort(direction, id)))
  }
}

extension Parameter {
  /// The event that makes `/reset` return to the value that it returned to in another state; nil if there is none.
  fileprivate func reset(asIn origin: RouterState, _ target: Target) -> Event? {
    guard case .control(let moved) = binding, let stored = moved.control(origin, target)?.stored else {
      return nil
    }
    return try? moved.move(target, .remember(stored))
  }

  /// The same; nil also if a state has that value already, or if the object inherits its value there.
  fileprivate func reset(
    asIn origin: RouterState, _ target: Target, unlikeIn state: RouterState
  ) -> Event? {
    guard case .control(let moved) = binding, let present = moved.own(state, target),
      present.stored != moved.control(origin, target)?.stored
    else { return nil }
    return reset(asIn: origin, target)
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
