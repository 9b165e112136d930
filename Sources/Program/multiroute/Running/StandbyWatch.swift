import ControlInterface
import SessionModel
import Synchronization

/// Has the preset on standby read as soon as it is, and its recall decided once nothing has changed for a moment, so that GO need wait neither for
/// the file nor for the decision.
final class StandbyWatch: ControlListener, Sendable {
  private let desk: PresetDesk
  /// When the recall is to be decided, in seconds of the router's time; nil once it is, until the next change.
  private let due = Mutex<Double?>(nil)

  /// Seconds without a change after which the operator probably moves nothing more before GO.
  private static let rest = 0.25

  init(_ desk: PresetDesk) { self.desk = desk }

  func publish(_ change: Change) {
    // Questions are published, too, and an error changes nothing.
    guard change.before != change.after else { return }
    let (standby, former) = (change.after.presets.standby, change.before.presets.standby)
    if let standby, standby != former { desk.readAhead(standby) }
    due.withLock { $0 = standby == nil ? nil : change.time + Self.rest }
  }

  func nextDue(at time: Double) -> Double? { due.withLock { $0 } }

  func advance(_ state: RouterState, at time: Double) {
    due.withLock { $0 = nil }
    guard let standby = state.presets.standby else { return }
    // A change that came meanwhile has set an earlier time.
    desk.decideAhead(standby) { [self] end in due.withLock { $0 = $0 ?? end } }
  }
}
