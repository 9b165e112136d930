import ControlInterface
import KeptState
import MixEngine
import ServerInterface
import SessionModel
import Threads

/// The router's work at certain times, without a command or a notice.
extension Router {
  /// Makes the policy thread call `tick` when work is due and when the server has news, until `stop`.
  func followTime() {
    server.wakeOnNews { [weak self] in
      guard let router = self else { return }
      _ = router.executor.post(limit: .max) { router.assumeIsolated { $0.tick() } }
    }
    executor.follow(
      ThreadExecutor.Routine(
        due: { [weak self] in self?.assumeIsolated { $0.due } },
        perform: { [weak self] in self?.assumeIsolated { $0.tick() } }))
  }

  /// When the router's next work is due, in seconds of `MonotonicTime`; nil while there is none.
  private var due: Double? {
    guard !isStopping else { return nil }
    let time = now
    let listeners = publishing.nextDue(at: time)
    // Without a preset nothing is kept.
    let keeping = presets.inForce == nil ? nil : keeper?.nextDue
    return [
      state.nextDeadline, listeners, keeping, nextEndOfFade, listening.health.due, endOfRejoining,
      connection.flatMap { due(of: $0, at: time) },
    ]
    .compactMap(\.self).min().map { $0 + startTime }
  }

  /// When to look again whether a recall's fade has ended, in seconds since the start; nil if no fade runs.
  private var nextEndOfFade: Double? {
    // No notice tells that the audio thread has processed a frame.
    presets.fading.map { max($0.end, now + Self.moveInterval) }
  }

  /// When the next work of the connection is due, in seconds since the start.
  private func due(of connection: Connection, at time: Double) -> Double? {
    // No notice tells that the audio thread has adopted a plan or closed a gate, so the router looks often.
    if publishing.hasPending { return time + 0.000_5 }
    if connection.reconciler.isClosing, !connection.isSetAside { return time + 0.001 }
    let isMoving =
      connection.mix.isFadingOut || connection.book.hasRetiring || hasMovingDelays || media.isReleasing
      || connection.mix.isSliding || connection.metering.isReleasing
      || connection.voices.isSwitching || connection.effects.isSwitching || connection.effects.isReleasing
    let wait = graph.busySince.map { $0 - startTime + GraphThread.patience }
    return [
      connection.isSetAside
        ? nil
        : [connection.settling.due(isAnswered: connection.isAnswered) ?? connection.due, wait].compactMap(
          \.self
        ).min(),
      isMoving ? time + Self.moveInterval : nil,
      listening.next(isUrgent: needsSound), media.due, connection.voices.due,
    ].compactMap(\.self).min()
  }

  /// Seconds between two checks of crosspoints that fade out and delays that move.
  private static let moveInterval = 0.005

  /// Whether meters, or sessions that their signal activates, need measurements without delay.
  private var needsSound: Bool {
    isWatchingMeters
      || state.sessions.values.contains { $0.activation == .signal }
  }

  /// Whether a client subscribes to meters.
  var isWatchingMeters: Bool { publishing.listeners.contains(where: \.needsMeters) }

  /// Does all work that is due.
  func tick() {
    guard !isStopping else { return }
    if connection == nil { followSearch() } else { observe(server.takeNotices()) }
    followGraph()
    followPorts()
    followWait()
    followHangs()
    answerPending()
    listen()
    releaseFaded()
    followMedia()
    followVoices()
    followEffects()
    followDue()
    followMoves()
    finishRecall()
    followHealth()
    if let deadline = state.nextDeadline, deadline <= now { happen(.elapsed) }
    handOver()
    followGraph()
    keep()
    publishing.advance(state, at: now)
  }

  /// Reacts to devices whose ports have all changed. The newest report of the ports comes first: a router that had no processor for a while
  /// would else judge by an old one.
  private func followPorts() {
    guard let connection else { return }
    if connection.settling.isOver(at: now, isAnswered: connection.isAnswered) { wire() }
  }

  /// Decides on connections again if a gate has closed, or if the time of a postponed decision has come.
  private func followDue() {
    guard let connection, !connection.settling.isPending, !connection.isSetAside else { return }
    let hasClosed = connection.reconciler.isDue(at: connection.mix.engine.framesProcessed)
    let isDue = connection.due.map { $0 <= now } ?? false
    guard hasClosed || isDue else { return }
    wire(retrying: connection.retry.isOver(at: now))
  }

  /// Reads the measurements of the audio thread.
  private func listen() {
    let time = now
    listening.note(at: time)
    if connection?.metering.mustFollow(isWatched: isWatchingMeters) == true { updateMix(at: time) }
    let hasRead = readMeasurements(at: time)
    defer { if connection != nil { followLoop() } }
    if connection?.isSetAside == true {
      listening.sounds.pause(at: time)
      return
    }
    guard let connection, hasRead else {
      for event in listening.sounds.note(MeterLevels(), in: state, at: time) { happen(event) }
      return
    }
    var levels = connection.meters.levels
    levels.readings = connection.metering.takeReadings()
    connection.effects.noteMeters(in: &levels)
    for listener in publishing.listeners { listener.measure(levels) }
    let sounds = listening.sounds.note(
      connection.meters.levels, connected: connection.liveness.streams, in: state, at: time)
    for event in sounds { happen(event) }
    for port in state.outputs.values {
      let isLimiting = connection.meters.isLimiting(port.id, at: time)
      if isLimiting != port.isLimiting {
        happen(.measured(.output, port.id, latency: port.reportedLatency, isLimiting: isLimiting))
      }
    }
    connection.quiet.note(connection.meters.levels, at: time)
    alignQuietly()
  }

  /// Reads the records of the audio thread. Returns whether any had arrived.
  private func readMeasurements(at time: Double) -> Bool {
    guard let connection else { return false }
    return connection.meters.read(
      connection.mix.engine, of: state, rate: connection.mix.rate, at: time, counting: &counters.audio
    ) { listening.loop.note($0, at: time) }
  }
}
