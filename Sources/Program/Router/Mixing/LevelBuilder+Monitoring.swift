import MixEngine
import SessionModel

extension LevelBuilder {
  /// Adds the stage that lowers the own content of a monitor output while anything is soloed.
  mutating func addDim(of monitor: Port) {
    let isSoloing = state.isSoloing(at: monitor.id)
    levels.stages[.soloDim(monitor.id)] = ramp(to: isSoloing ? Decibels(monitor.monitor.dim).amplitude : 1)
  }

  /// Adds the levels of what is soloed. They depend on the gains of all that is soloed.
  mutating func addSolos() {
    for monitor in state.monitors {
      var level = level(monitor.monitor.level)
      let highest = state.soloLevel(at: monitor, time: time)
      if highest < monitor.monitor.level.target { level = ramp(to: Decibels(highest).amplitude) }
      levels.stages[.soloLevel(monitor.id)] = level
      add(.solo(monitor.id), MixLevels.Level(target: 1, seconds: switching.seconds, initial: 0))
    }
  }

  /// Adds the gate of a talkback, its send, and the stages that lower all else in its outputs.
  mutating func addTalkback(_ session: Session) {
    levels.stages[.talkbackGate(session.id)] = gate(state.monitoring.isOpen(session.id))
    for output in state.talkbackOutputs(of: session) {
      levels.stages[.talkbackDim(output)] = ramp(to: Decibels(state.talkbackDim(at: output)).amplitude)
    }
    add(.talkback(session.id), MixLevels.Level(target: 1, seconds: switching.seconds, initial: 0))
  }

  private func ramp(to amplitude: Float) -> MixLevels.Level {
    MixLevels.Level(target: amplitude, shape: switching.shape, seconds: switching.seconds)
  }
}
