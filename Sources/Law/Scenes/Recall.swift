public import JSON5
import Parameters
public import Presets
public import SessionModel

/// A preset that is to take the place of the one in force, and how.
///
/// The engine of scenes is pure: it knows no thread, clock, file or client. `outcome` decides on a state. The router puts the outcome
/// into force, lets the mix follow within the fade, and calls `Ending.conclude` at the fade's end.
public struct Recall: Sendable {
  public let preset: Preset
  /// The preset in force; nil at the start of a router.
  public let predecessor: Predecessor?
  /// Seconds in which levels move, and in which streams rise and fall.
  public var fade = 0.0
  /// The parts of the settings that may change.
  public var scope = Set(Scope.allCases)
  /// Whether an address must not be touched; nil if there are no safes.
  public var isSafe: (@Sendable (String) -> Bool)?
  /// The addresses of values whose faders have a finger on them. The recall leaves them alone.
  public var touched: Set<String> = []
  /// What was to change at the end of an earlier fade that still runs.
  public var pending: [Ending] = []
  /// The levels that an earlier recall has not brought to their ends. They go there now, unless the preset wants them elsewhere: what a preset has set,
  /// the next one sets or takes back, however its fade ended.
  public var unfinished: [MarkedLevel] = []
  /// The state that an undo brings back: `/reset` returns to the values that it returned to there. Nil for a preset of the library.
  public var origin: RouterState?

  public init(_ preset: Preset, replacing predecessor: Predecessor? = nil) {
    (self.preset, self.predecessor) = (preset, predecessor)
  }

  /// Whether a scope or safes have the recall leave settings alone, which the next one takes back. A level under a finger is the operator's.
  public var isBounded: Bool { scope.count < Scope.allCases.count || isSafe != nil }

  private var mustNotTouch: (@Sendable (String) -> Bool)? {
    guard !touched.isEmpty else { return isSafe }
    return { [touched, isSafe] in touched.contains($0) || isSafe?($0) == true }
  }

  /// Decides on the recall on a copy of a state, as a whole or not at all.
  ///
  /// Everything that switches is decided at once: a session that the preset ends is inactive at the beginning of the fade, and its sound
  /// falls until the end. What would be heard in the wrong way during the fade comes at its end (`RecallOutcome.endings`).
  ///
  /// The law may refuse an activation for a temporary reason: a call is on, an input is absent, no server runs. Such a refusal does not
  /// undo the recall. The session waits, as after a refused `/session/<s>/active 1`, and the notifications contain an error.
  /// - Parameters:
  ///   - time: router time in seconds.
  ///   - law: accepts or refuses each event.
  /// - Throws: `RecallRefusal` with the first setting that the law refuses.
  public func outcome(
    of state: RouterState, at time: Double, law: PresetReader.Policy
  ) throws(RecallRefusal) -> RecallOutcome {
    // What an earlier recall has ended and this one uses is made anew. Its sound goes on from its present level.
    let again = pending.filter { $0.isUsed(by: preset) }
    let left = pending.filter { ending in !ending.isUsed(by: preset) && !again.contains { $0.removes(ending) }
    }
    let (begin, told) = Ending.conclude(again, on: state, at: time, law: law)
    // A level that is still to come counts as there, so that a preset that wants the present one sets it again.
    let levels = left.filter(\.isLevel) + unfinished.compactMap(Ending.init)
    let settled = levels.isEmpty ? begin : Ending.conclude(levels, on: begin, at: time, law: law).state
    let steps =
      unfinished.map(\.step) + preset.steps(for: settled, replacing: predecessor, at: time, law: law)
    var fades = LevelFades(from: state, over: fade)
    var outcome = try run(steps, from: begin, fades, at: time, law)
    if fade > 0, outcome.state.hasTotalMaxima {
      // A total maximum counts each level on its way as the higher of its ends. Where it would lower a level for good, nothing fades.
      let unfaded = try run(steps, from: begin, LevelFades(from: state, over: 0), at: time, law)
      fades.unfaded = unfaded.state.sessionsWithOtherLevels(than: outcome.state, except: outcome.endings)
      if !fades.unfaded.isEmpty { outcome = try run(steps, from: begin, fades, at: time, law) }
    }
    return outcome.after(told, left, in: outcome.state)
  }

  private func run(
    _ steps: [Step], from state: RouterState, _ fades: LevelFades, at time: Double, _ law: PresetReader.Policy
  ) throws(RecallRefusal) -> RecallOutcome {
    var run = RecallRun(preset, state, fades, returningTo: origin, at: time)
    var filter = StepFilter(scope: scope, isSafe: mustNotTouch)
    for step in steps where filter.allowsLikeLast(step) ?? filter.allows(step, in: run.state, since: state) {
      try run.perform(step, law)
    }
    return try run.finished(law)
  }
}

/// The result of a recall: the preset is in force, and the sound may follow.
public struct RecallOutcome: Sendable {
  /// The state at the beginning of the fade.
  public let state: RouterState
  /// Notifications for the listeners, in order.
  public let notifications: [Notification]
  /// The sessions whose activation the law refuses at present.
  public let waiting: [SessionID]
  /// What needs an audio server, or the channels of an input that is not there. The router orders it again when they are.
  public let postponed: [Event]
  /// The levels that the fade moves.
  public let moving: [MarkedLevel]
  /// What changes at the end of the fade.
  public let endings: [Ending]

  /// The outcome with another state.
  func replacing(_ state: RouterState) -> Self {
    RecallOutcome(
      state: state, notifications: notifications, waiting: waiting, postponed: postponed, moving: moving,
      endings: endings)
  }

  /// The outcome with what came before it, and with what an earlier recall has left to do.
  fileprivate func after(_ told: [Notification], _ pending: [Ending], in state: RouterState) -> Self {
    let replaced = pending.isEmpty ? [] : Set(endings.compactMap(\.levelAddress))
    let left = pending.filter { ending in
      ending.isDue(in: state) && !(ending.levelAddress.map(replaced.contains) ?? false)
    }
    return RecallOutcome(
      state: state, notifications: told + notifications, waiting: waiting, postponed: postponed,
      moving: moving, endings: left + endings)
  }
}

extension RouterState {
  /// The sessions with a level, or a level of a send, that differs from another state, unless it is still to come there.
  fileprivate func sessionsWithOtherLevels(than other: RouterState, except endings: [Ending]) -> Set<
    SessionID
  > {
    let later = Set(endings.compactMap(\.session))
    var found: Set<SessionID> = []
    for id in sessions.keys(changedSince: other.sessions) where !later.contains(id) {
      guard let mine = sessions[id], let others = other.sessions[id] else { continue }
      let hasOtherSend = mine.streams.contains { stream, value in
        value.destinations.contains { port, destination in
          others.streams[stream]?.destinations[port].map { $0.gain.target != destination.gain.target }
            ?? false
        }
      }
      if mine.gain.target != others.gain.target || hasOtherSend { found.insert(id) }
    }
    return found
  }
}

/// Thrown when the law refuses one setting of a preset, so that none of the preset is applied.
public struct RecallRefusal: Error, Equatable, Sendable {
  /// The law's refusal.
  public let error: SessionError
  /// The place of the refused setting: the file, the line, and the key such as `sessions.show.priority`.
  public let problem: Problem

  /// The refusal as one sentence that names the key.
  public var sentence: String {
    "\(problem.file):\(problem.position): \(problem.path): \(error.sentence); nothing of the preset was applied"
  }
}
