/// What sessions and surfaces are told; the payload of `/event/*`.
public enum Notification: Equatable, Sendable {
  case route(SessionID, RouteChangeReason, previous: Route, current: Route)
  /// availableInputs are others than before, by ports that came or went.
  case inputs(SessionID)
  case active(SessionID, Bool, by: Agent)
  case interruption(SessionID, InterruptionPhase, by: Interrupter)
  /// Whether a session that was interrupted, or refused, should become active again.
  case recommendation(SessionID, shouldResume: Bool)
  /// Whether secondary audio should be silenced: others began, or ended, to play primary audio.
  case hint(SessionID, Bool)
  /// AVAudioSession's output mute.
  case outputMute(SessionID, Bool)
  case category(SessionID, SessionConfiguration)
  case session(SessionID, Change)
  case port(Direction, PortID, isAvailable: Bool)
  case media(isRunning: Bool)
  case xrun(count: Int)
  /// What went wrong anywhere; client 0 is nobody.
  case error(client: Int, address: String, SessionError)

  /// Who changed a session's state.
  public enum Agent: String, Sendable { case app, system }

  /// What became of a session.
  public enum Change: String, Sendable { case created, removed, vanished }
}
