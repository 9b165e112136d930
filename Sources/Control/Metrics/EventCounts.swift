public import ControlInterface
public import SessionModel

/// Counts of what has happened since the router's start. They only grow, also when the server restarts, or when a player begins to count anew.
public struct EventCounts: Equatable, Sendable {
  /// How often the audio server has come back.
  public private(set) var serverRestarts = 0
  /// Interruptions of sessions, by the id of the session, source or port that caused them.
  public private(set) var interruptions: [String: Int] = [:]
  /// Errors that were answered to clients of OSC.
  public private(set) var errors: [ErrorCode: Int] = [:]
  /// How often frames were missing, by player.
  public private(set) var underruns: [PlayerID: Int] = [:]
  /// Frames for which silence stands because the disk was too slow, by recorder.
  public private(set) var lostFrames: [RecorderID: Int] = [:]

  private var hadServer = false

  /// Greatest number of causes that are counted apart; the others count as `others`.
  static let mostCauses = 256

  public init() {}

  /// Counts a change.
  public mutating func add(_ change: Change) {
    for event in change.events { add(event.notification) }
    if change.after.server.isRunning, !change.before.server.isRunning {
      if hadServer { serverRestarts += 1 }
      hadServer = true
    }
    for id in change.after.players.keys(changedSince: change.before.players) {
      let (old, new) = (
        change.before.players[id]?.facts.underruns ?? 0, change.after.players[id]?.facts.underruns ?? 0
      )
      if let more = Self.growth(from: old, to: new) { underruns[id, default: 0] += more }
    }
    for id in change.after.recorders.keys(changedSince: change.before.recorders) {
      let (old, new) = (
        change.before.recorders[id]?.facts.lost ?? 0, change.after.recorders[id]?.facts.lost ?? 0
      )
      let rate = max(change.after.server.rate, change.before.server.rate)
      if let more = Self.growth(from: old, to: new) {
        lostFrames[id, default: 0] += Int((more * Double(rate)).rounded())
      }
    }
  }

  private mutating func add(_ notification: Notification) {
    switch notification {
    case .interruption(_, .began, let interrupter):
      let isKnown = interruptions[interrupter.name] != nil
      interruptions[
        isKnown || interruptions.count < Self.mostCauses ? interrupter.name : "others", default: 0] += 1
    case .error(let client, let address, let error) where client != 0 || !address.isEmpty:
      errors[error.code, default: 0] += 1
    default: break
    }
  }

  /// By how much a count has grown; nil if it has not. A smaller count was begun anew.
  private static func growth<Count: Numeric & Comparable>(from old: Count, to new: Count) -> Count? {
    if new > old { return new - old }
    return new < old && new > 0 ? new : nil
  }
}
