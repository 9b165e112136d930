import SessionModel

/// The voice processing of a session does not do its work, so that its programs hear the echo of the loudspeakers.
struct UnprocessedVoice: HealthCheck {
  static let rule = HealthRule.voice

  mutating func sentence(_ view: HealthView) -> String? {
    let faults = view.state.reportingVoices.compactMap { id in
      view.state.sessions[id].flatMap { fault(of: $0.voiceReport) }.map { "\(id): \($0)" }
    }
    return faults.isEmpty ? nil : faults.sorted().joined(separator: "; ")
  }

  private func fault(of report: VoiceReport) -> String? {
    if let refusal = report.refusal { return "its voice is not processed: \(refusal)" }
    return switch report.state {
    case .late:
      "its voice processing is late (\(report.lateFrames) frames passed on unprocessed so far); allow real-time priority (`multiroute doctor`), or process fewer voices"
    case .diverged:
      "its echo canceller does not find the echo; look at /input/<i>/echo and at the volume of the loudspeakers, and whether the microphone has the server's clock"
    case .off, .working: nil
    }
  }
}
