import SessionModel

/// What the voice processing of a session's capture consists of. It never changes: another plan is another processing.
struct VoicePlan: Equatable {
  let parts: VoiceProcessing
  /// The channels of outputs that the echo canceller knows.
  let loudspeakers: [PortKey]
  /// Frames per second, and frames per period of the server.
  let rate, period: Int

  /// Nil if nothing processes the session's capture.
  init?(_ session: Session, in state: RouterState, rate: Int, period: Int) {
    guard let parts = state.voiceProcessing(of: session) else { return nil }
    (self.parts, self.rate, self.period) = (parts, rate, period)
    let outputs = parts.echo ? state.echoOutputs(of: session) : []
    loudspeakers = outputs.flatMap { id in
      (0..<(state.outputs[id]?.channels ?? 0)).map { PortKey.output(id, $0 + 1) }
    }
  }
}
