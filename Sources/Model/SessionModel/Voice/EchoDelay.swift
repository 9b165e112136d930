/// The times after which the microphones of a session hear the loudspeakers, in seconds.
public struct EchoDelay: Equatable, Sendable {
  /// From what the mix gives an output: with the output's own delay.
  public let fromMix: Double
  /// From what an output plays. The echo canceller knows this signal, so this is the time that it is told.
  public let fromLoudspeaker: Double
}

extension RouterState {
  /// The least of the delays of all pairs of a loudspeaker and a microphone, because a canceller finds no echo that comes earlier than it is
  /// told; nil if no echo canceller works for the session (docs/develop/law/voice.md#3-what-the-microphone-hears).
  public func echoDelay(of session: Session) -> EchoDelay? {
    guard session.voiceReport.state != .off, voiceProcessing(of: session)?.echo == true else { return nil }
    let outputs = echoOutputs(of: session).compactMap { self.outputs[$0] }
    let input = microphones(of: session).compactMap { inputs[$0]?.latencyWithEffects }.min() ?? 0
    return EchoDelay(
      fromMix: input + (outputs.map(\.latency).min() ?? 0),
      fromLoudspeaker: input + (outputs.map(\.reportedLatency).min() ?? 0))
  }
}
