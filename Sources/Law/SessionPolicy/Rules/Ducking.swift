import SessionModel

/// Decides which sessions are ducked, by which ducker, in which outputs, how deep and how fast (docs/develop/law/ducking.md#1-duckers).
struct Ducking {
  private let before: Registry<SessionID, Session>
  /// The sessions that the event changed.
  private let changed: Set<SessionID>
  private let duckers: [Activity.Ducker]
  /// The sessions that duck no longer, in the order in which they began; their release times count.
  private let ended: [Activity.Ducker]
  private let time: Double

  /// Gives every session the ducks that the active duckers demand.
  static func apply(
    _ state: inout RouterState, since before: RouterState, _ activities: (before: Activity, now: Activity),
    at time: Double
  ) {
    let (former, present) = (activities.before.duckers, activities.now.duckers)
    guard !former.isEmpty || !present.isEmpty else { return }
    let changed = state.sessions.keys(changedSince: before.sessions)
    let rule = Ducking(
      before: before.sessions, changed: Set(changed), duckers: present,
      ended: former.filter { old in !present.contains { $0.id == old.id } }, time: time)
    let concernsAll =
      former != present || state.ducking != before.ducking
      || !state.outputs.allMatch(before.outputs) { $0.duckLimit == $1.duckLimit }
    guard concernsAll else {
      for id in changed {
        guard let session = state.sessions[id] else { continue }
        let ducks = rule.ducks(of: session, &state)
        if ducks != session.ducks { state.sessions[id]?.ducks = ducks }
      }
      return
    }
    var sessions = state.sessions
    var ducks: [Duck] = []
    sessions.change(where: { session in
      ducks = rule.ducks(of: session, &state)
      return ducks != session.ducks
    }) { $0.ducks = ducks }
    state.sessions = sessions
  }

  /// The ducks of one session: one for each output that it is sent to, or was ducked in.
  private func ducks(of session: Session, _ state: inout RouterState) -> [Duck] {
    let sent = session.sentOutputs
    var ducks = session.ducks
    for output in sent where !ducks.contains(where: { $0.output == output }) {
      // A session that no ducker reaches has no entry for the output.
      if let duck = begin(session, in: output, sent, &state) { ducks.append(duck) }
    }
    for index in ducks.indices where session.ducks.indices.contains(index) {
      ducks[index] = move(ducks[index], of: session, sent, &state)
    }
    return ducks
  }

  /// The first duck of a session in an output. A session that is new in the output starts ducked; one that played there already
  /// fades down to the duck level.
  private func begin(
    _ session: Session, in output: PortID, _ sent: [PortID], _ state: inout RouterState
  ) -> Duck? {
    guard let ducker = deepest(of: session, in: output, sent, state) else { return nil }
    let target = level(of: ducker, in: output, state)
    guard target < 0 else { return nil }
    let wasThere =
      !changed.contains(session.id) || before[session.id]?.isSent(to: output) == true
    state.duckMoves &+= 1
    return Duck(
      output: output, target: target, origin: wasThere ? 0 : target, start: time,
      seconds: wasThere ? seconds(duckers[ducker].attack, session, state) : 0,
      revision: state.duckMoves, ducker: duckers[ducker].id)
  }

  /// A duck with its present target. If the target changed, a new move begins from the level that the last one has reached.
  private func move(
    _ duck: Duck, of session: Session, _ sent: [PortID], _ state: inout RouterState
  ) -> Duck {
    let ducker = deepest(of: session, in: duck.output, sent, state)
    let target = ducker.map { level(of: $0, in: duck.output, state) } ?? 0
    var moved = duck
    moved.ducker = target < 0 ? ducker.map { duckers[$0].id } : nil
    guard target != duck.target else { return moved }
    let length = target < duck.target ? ducker.map { duckers[$0].attack } : release(of: duck)
    (moved.target, moved.origin, moved.start) = (target, duck.level(at: time), time)
    moved.seconds = seconds(length ?? state.ducking.release.target, session, state)
    state.duckMoves &+= 1
    moved.revision = state.duckMoves
    return moved
  }

  /// The release time of the ducker that ended, or of the present ducker if it merely ducks less deep now.
  private func release(of duck: Duck) -> Double? {
    if let own = ended.firstIndex(where: { $0.id == duck.ducker }) { return ended[own].release }
    if let last = ended.indices.last { return ended[last].release }
    return duckers.firstIndex { $0.id == duck.ducker }.map { duckers[$0].release }
  }

  /// The length of a move: the ordinary ramp if the session's gate is closed, because then the move is not heard anyway.
  private func seconds(_ length: Double, _ session: Session, _ state: RouterState) -> Double {
    session.isActive || session.isAwaitingSignal ? length : state.ramp.target
  }

  private func level(of ducker: Int, in output: PortID, _ state: RouterState) -> Double {
    max(duckers[ducker].level, state.outputs[output]?.duckLimit.target ?? -60)
  }

  /// Chooses the ducker that ducks a session in an output. Duckers do not add up: the deepest wins (docs/develop/law/ducking.md#2-depth), and of equally
  /// deep ones the earliest.
  /// - Returns: the ducker's index in `duckers`; copying each ducker would take longer than the choice.
  private func deepest(
    of session: Session, in output: PortID, _ sent: [PortID], _ state: RouterState
  ) -> Int? {
    guard !session.isExemptFromDucks else { return nil }
    let own = session.isActive ? session.duckingNumber : nil
    var (deepest, depth): (Int?, Double) = (nil, 0)
    for index in duckers.indices where duckers[index].level < depth && duckers[index].id != session.id {
      // A later ducker ducks an earlier one, not the reverse (docs/develop/law/ducking.md#1-duckers).
      if let own, duckers[index].number < own { continue }
      let isMet =
        switch state.ducking.scope {
        case .all: true
        case .shared: duckers[index].outputs.contains { sent.contains($0) }
        case .heard: duckers[index].outputs.contains(output)
        }
      if isMet { (deepest, depth) = (index, duckers[index].level) }
    }
    return deepest
  }
}
