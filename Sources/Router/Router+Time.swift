import Bridges
import MixEngine
public import SessionModel
import Surface

extension Router {
  /// Runs until `stop`: looks at the server's notices, the audio thread's telemetry and what has become due.
  public func run() async {
    while !isStopping {
      tick()
      await executor.sleep(seconds: interval)
    }
  }

  /// Short while somebody waits for an answer, a cable or a snapshot, so that none is held up; long while there is no server to
  /// heed.
  private var interval: Double {
    guard syncs.isEmpty else { return 0.000_5 }
    guard !reconciler.isClosing else { return 0.001 }
    return surface.isIdle ? (mix == nil ? 0.05 : 0.01) : 0.005
  }

  private func tick() {
    if mix == nil { followSearch() } else { heed(backend.takeNotices()) }
    answerSyncs()
    readTelemetry()
    releaseFaded()
    let mustTake = exclusives.due.map { $0 <= now } ?? false
    let hasRetry = reconciler.hasRefusals && now >= nextRetry
    let hasClosed = mix.map { reconciler.isDue(at: $0.engine.framesProcessed) } ?? false
    if !settling.isPending, mustTake || watch.isWaiting || hasClosed || hasRetry {
      retryDelay = min(2 * retryDelay, 1)
      nextRetry = now + retryDelay
      wire()
    }
    if !reconciler.hasRefusals { retryDelay = 0.05 }
    followDelays()
    if let deadline = state.nextDeadline, deadline <= now { happen(.elapsed) }
    keep()
    if !surface.isIdle { deliver(surface.advance(state, at: now)) }
  }

  private func readTelemetry() {
    guard let mix, meters.read(mix.engine, of: state, rate: mix.rate, at: now) else {
      heed(sounds.note(MeterLevels(), in: state, at: now))
      return
    }
    surface.measure(meters.levels)
    heed(sounds.note(meters.levels, in: state, at: now))
    let isDue = now >= nextLatencies
    if isDue { nextLatencies = now + 0.1 }
    for port in state.outputs.values {
      let isLimiting = meters.isLimiting(port.id, at: now)
      let latency = isDue ? latency(of: port, .output) : port.reportedLatency
      if isLimiting != port.isLimiting || abs(latency - port.reportedLatency) > 1e-9 {
        happen(.measured(.output, port.id, latency: latency, isLimiting: isLimiting))
      }
    }
    quiet.note(meters.levels, at: now)
    if isDue {
      measureInputs()
      alignQuietly()
    }
  }

  /// Looks how long sound takes from the microphones.
  func measureInputs() {
    for port in state.inputs.values {
      let latency = latency(of: port, .input)
      if abs(latency - port.reportedLatency) > 1e-9 { happen(.measured(.input, port.id, latency: latency)) }
    }
  }

  private func heed(_ events: [Event]) {
    for event in events { happen(event) }
  }

  /// Fades everything out and leaves the server.
  public func stop() async {
    guard !isStopping else { return }
    isStopping = true
    lane.use(nil)
    if let engine = mix?.engine {
      state.isPanicking = true
      updateMix()
      let end =
        engine.framesProcessed + UInt64(0.06 * Double(backend.sampleRate)) + UInt64(2 * backend.period)
      let deadline = now + 0.5
      while engine.framesProcessed < end, now < deadline { await executor.sleep(seconds: 0.005) }
      // A server that does not even run its periods is asked for nothing.
      if engine.framesProcessed >= end { exclusives.giveBack(at: backend) }
    }
    backend.close()
    bridges?.stop()
    mix = nil
    // A run that never began leaves what an earlier one kept.
    if preset != nil { settings.stateFile?.remove() }
  }

  /// Whether there is an audio server and its devices are known.
  public var isReady: Bool { state.server.isRunning && !awaitsNodes }

  /// Whether there is no audio server.
  public var isLost: Bool { mix == nil }

  /// A copy of the state, for those who report on it.
  public var snapshot: RouterState { state }
}
