import SessionModel
import Voice
import VoiceKernel

/// The voice processing of one session: the one that is heard, and the one that takes its place.
struct KeptVoice {
  var running: Running?
  var next: Next?
  /// Whether the session is gone.
  var isGone = false
  /// Seconds from a loudspeaker to its echo in the microphone.
  private var delay = 0.0
  private var fallback = VoiceFallback.dry
  /// Frames for which the worker was late, at the last look, and the time of the last look at which there were more.
  private var late = 0
  private var lastLate: Double?

  /// A processing in the mix.
  struct Running {
    let plan: VoicePlan
    let number: Int
    let processor: VoiceProcessor
    /// The engine frame at which the capture without it has faded out, so that it may be heard; `.max` while that frame is not known, nil
    /// from then on.
    var begin: UInt64? = .max
    /// The engine frame at which it has faded out; `.max` while that frame is not known, nil while the processing is wanted.
    var end: UInt64?

    /// Whether it is let through.
    var isOpen: Bool { begin == nil && end == nil }
  }

  /// A processing that is being made, or waits until another one has faded out.
  struct Next {
    let plan: VoicePlan
    let number: Int
    /// Nil while it is being made.
    var result: Result<VoiceProcessor, VoiceError>?
  }

  /// Seconds for which a worker counts as late after it was.
  private static let lateness = 1.0

  /// Takes the next step: fades out a processing that is not wanted, or lets the next one be heard.
  mutating func turn(isWanted: Bool) {
    let isReady = next?.result != nil
    if running != nil, running?.end == nil, !isWanted || isReady { running?.end = .max }
    guard running == nil, let next, case .success(let processor) = next.result else { return }
    running = Running(plan: next.plan, number: next.number, processor: processor)
    self.next = nil
    (late, lastLate) = (0, nil)
    tell(processor)
  }

  /// Whether there is nothing to do for a session, nor to tell of it.
  func isIdle(_ session: Session?) -> Bool {
    running == nil && next == nil && (isGone || session?.processesVoice != true)
  }

  // MARK: The processing

  /// Tells the processing what has changed for it.
  mutating func follow(_ session: Session, in state: RouterState) {
    let delay = state.echoDelay(of: session)?.fromLoudspeaker ?? 0
    guard delay != self.delay || session.voice.fallback != fallback else { return }
    (self.delay, fallback) = (delay, session.voice.fallback)
    if let running { tell(running.processor) }
  }

  private func tell(_ processor: VoiceProcessor) {
    processor.setEchoDelay(delay)
    processor.node.setGated(fallback == .gated)
  }

  /// Notes whether the worker is late.
  mutating func look(at time: Double) {
    guard let processor = running?.processor else { return }
    let now = processor.node.late
    if now > late { (late, lastLate) = (now, time) }
  }

  /// What the law is told of the processing.
  func report(at time: Double) -> VoiceReport {
    var report = VoiceReport()
    if case .failure(let error) = next?.result { report.refusal = error.description }
    guard let running, running.end == nil else { return report }
    let timing = running.processor.node.timing
    report.latency = Double(timing.latency) / Double(running.plan.rate)
    report.lateFrames = late
    report.state =
      lastLate.map { time - $0 < Self.lateness } ?? false
      ? .late : running.processor.measures.isDiverged ? .diverged : .working
    return report
  }
}
