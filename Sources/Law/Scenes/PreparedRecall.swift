public import Presets
public import SessionModel

/// A recall that was decided ahead, so that GO need not wait for the decision.
///
/// It is of use only as long as nothing but the time changes, because a recall depends on every setting of the state.
public struct PreparedRecall: Sendable {
  private let recall: Recall
  /// The state and the time for which it was decided.
  private let (state, time): (RouterState, Double)
  private let outcome: RecallOutcome

  /// Why a recall cannot be decided ahead.
  public enum Obstacle: Error, Equatable {
    /// Something fades until this time, so that the outcome depends on the moment.
    case fade(end: Double)
    /// The recall ends what an earlier one has begun, or the law refuses it at present.
    case unready
  }

  /// Decides on a recall.
  ///
  /// - Parameters:
  ///   - time: router time in seconds.
  ///   - law: accepts or refuses each event.
  /// - Throws: `Obstacle` if the outcome would be of no use.
  public init(
    _ recall: Recall, of state: RouterState, at time: Double, law: PresetReader.Policy
  ) throws(Obstacle) {
    if let end = state.lastFadeEnd, end > time { throw .fade(end: end) }
    guard recall.pending.isEmpty, recall.unfinished.isEmpty, state.presets.fading == nil else {
      throw .unready
    }
    do throws(RecallRefusal) { outcome = try recall.outcome(of: state, at: time, law: law) } catch {
      throw .unready
    }
    (self.recall, self.state, self.time) = (recall, state, time)
  }

  /// The outcome of a recall, as the recall itself would decide on it; nil if that has to be decided anew, because anything but the time
  /// is different.
  ///
  /// - Parameter now: router time in seconds.
  public func outcome(of recall: Recall, on state: RouterState, at now: Double) -> RecallOutcome? {
    guard recall.decidesLike(self.recall), state.isInAllSettings(self.state),
      state.nextDeadline.map({ $0 > now }) ?? true, !state.hasStarts(after: time, until: now)
    else { return nil }
    var next = outcome.state
    next.moveStarts(from: time, to: now, since: self.state)
    (next.loop, next.presets.ordered) = (state.loop, state.presets.ordered)
    return outcome.replacing(next)
  }
}

extension Recall {
  /// Whether a recall decides like another one, if both have the safes of one state.
  fileprivate func decidesLike(_ other: Recall) -> Bool {
    guard preset.isSame(as: other.preset), fade == other.fade, scope == other.scope, touched == other.touched,
      pending.isEmpty, unfinished.isEmpty, origin == nil, other.origin == nil
    else { return false }
    switch (predecessor, other.predecessor) {
    case (nil, nil): return true
    case (let mine?, let others?):
      return mine.preset.isSame(as: others.preset) && mine.isEarlierVersion == others.isEarlierVersion
    default: return false
    }
  }
}

extension RouterState {
  /// Whether the state equals another one in all that a recall depends on. What was measured changes twice a second, and a recall is ordered before
  /// it is decided.
  fileprivate func isInAllSettings(_ other: RouterState) -> Bool {
    var same = self
    (same.loop, same.presets.ordered) = (other.loop, other.presets.ordered)
    return same == other
  }

  /// Whether the start of a player or recorder that was scheduled is due between two times.
  fileprivate func hasStarts(after begin: Double, until end: Double) -> Bool {
    func isBetween(_ start: Double?) -> Bool { start.map { $0 > begin && $0 <= end } ?? false }
    return players.contains { isBetween($0.startTime) } || recorders.contains { isBetween($0.startTime) }
  }
}
