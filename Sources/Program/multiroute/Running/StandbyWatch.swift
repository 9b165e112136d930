import ControlInterface
import SessionModel
import Synchronization

/// Has the recall of the preset on standby prepared whenever nothing has changed for a moment, so that GO need wait neither for the file nor for
/// the decision.
final class StandbyWatch: ControlListener, Sendable {
  private let desk: PresetDesk
  /// When the recall is to be prepared, in seconds of the router's time; nil while it is, or while no preset is on standby.
  private let due = Mutex<Double?>(nil)

  /// Seconds without a change after which the operator probably moves nothing more before GO.
  private static let rest = 0.25

  init(_ desk: PresetDesk) { self.desk = desk }

  func publish(_ change: Change) {
    let hasStandby = change.after.presets.standby != nil
    due.withLock { $0 = hasStandby ? change.time + Self.rest : nil }
  }

  func nextDue(at time: Double) -> Double? { due.withLock { $0 } }

  func advance(_ state: RouterState, at time: Double) {
    due.withLock { $0 = nil }
    guard let standby = state.presets.standby else { return }
    desk.prepare(standby) { [self] end in due.withLock { $0 = max($0 ?? end, end) } }
  }
}
