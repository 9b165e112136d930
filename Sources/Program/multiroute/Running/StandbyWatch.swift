import ControlInterface
import SessionModel

/// Has the preset on standby read ahead whenever it becomes another one, so that GO need not wait for that.
final class StandbyWatch: ControlListener {
  private let desk: PresetDesk

  init(_ desk: PresetDesk) { self.desk = desk }

  func publish(_ change: Change) {
    guard let standby = change.after.presets.standby, standby != change.before.presets.standby else { return }
    desk.readAhead(standby)
  }
}
