import SessionModel
import Threads
import Voice

/// Voice processing: makes it, and tells the law of it.
extension Router {
  /// Makes voice processing on a thread of its own, because it loads a library and tries it.
  func makeVoice(_ plan: VoicePlan, of session: SessionID, number: Int) {
    OwnThread("mr-voice-make") { [weak self] in
      let made = VoiceKeeper.made(plan)
      guard let router = self else { return }
      _ = router.executor.post(limit: .max) {
        router.assumeIsolated { $0.take(made, plan, for: session, number) }
      }
    }.detach()
  }

  private func take(
    _ made: Result<VoiceProcessor, VoiceError>, _ plan: VoicePlan, for session: SessionID, _ number: Int
  ) {
    guard !isStopping, let connection else { return }
    connection.voices.take(made, plan, for: session, number: number)
    updateMix()
    reportVoices()
    handOver()
  }

  /// Looks at the voices if that is due.
  func followVoices() {
    guard let connection, let due = connection.voices.due, due <= now else { return }
    reportVoices()
    connection.voices.due = connection.voices.isEmpty ? nil : now + Self.voiceInterval
  }

  /// Tells the law what has changed.
  private func reportVoices() {
    guard let connection else { return }
    for (id, report) in connection.voices.reports(state, at: now)
    where state.sessions[id]?.voiceReport != report { happen(.voiceReported(id, report)) }
  }

  /// Seconds between two looks at the voices.
  private static let voiceInterval = 0.5
}
