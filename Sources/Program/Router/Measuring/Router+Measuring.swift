import ControlInterface
import ServerInterface
import SessionModel
import Threads

/// Measures the audio loop, and tells of glitches.
extension Router {
  /// Looks at what the audio thread has measured since the last look. Called after its records were read.
  func followLoop() {
    let time = now
    listening.loop.standstills.look(at: time, processor: OwnThread.processorSeconds)
    let isDue = listening.loop.isDue(at: time)
    if isDue || listening.loop.hasFlight {
      listening.loop.witness.look(at: server.audioThread, worked: listening.loop.worked)
    }
    if listening.loop.hasFlight { listening.loop.conclude(hung: state.hungPrograms.map(\.client), at: time) }
    noteHang(at: time)
    let glitch = listening.loop.takeGlitch(at: time)
    // A client that hears of the glitch reads the counts that contain it.
    if isDue || glitch != nil { updateLoop(at: time) }
    if let glitch { tell(glitch) }
    let next = listening.next(isUrgent: isWatchingMeters)
    listening.loop.standstills.expect(at: next, processor: OwnThread.processorSeconds)
  }

  /// Notes a glitch that lasts, because the server waits for a program that hangs.
  ///
  /// It may last until the program goes on: jackd answers no request, also none to leave the program out, while the program's socket is full
  /// of notices.
  private func noteHang(at time: Double) {
    guard let connection, !state.hungPrograms.isEmpty, !media.files.freewheels,
      let seconds = server.secondsWithoutCall, seconds > HangWatch.patience
    else { return }
    let runs = server.secondsWithoutPeriod.map { $0 < HangWatch.patience } ?? false
    listening.loop.noteHang(
      seconds: seconds, period: connection.period, runs: runs, hung: state.hungPrograms.map(\.client),
      at: time)
  }

  /// Publishes what was measured. Nothing else depends on it, so neither the law nor the mix sees the change.
  func updateLoop(at time: Double) {
    var facts = state.loop
    let passes = media.files.takePasses()
    listening.loop.disk.note(passes.sum, longest: passes.longest, at: time)
    listening.loop.update(&facts, at: time)
    facts.counts.xruns = counters.xruns
    facts.load.server = connection == nil ? 0 : server.load ?? 0
    (facts.outputDrifts, facts.inputDrifts) = bridging.drifts
    facts.freeBytes = listening.health.freeBytes
    facts.voices = connection?.voices.enhancements ?? [:]
    facts.writtenBytes = media.writtenBytes
    facts.rings = listening.loop.rings(media.fills, at: time)
    let before = state
    state.loop = facts
    publishing.publishMeasurements(from: before, to: state, at: time)
  }
}
