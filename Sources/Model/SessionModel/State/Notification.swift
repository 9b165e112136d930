/// A message of the law to sessions and to listeners such as OSC clients. Each becomes one `/event/...` message.
public enum Notification: Equatable, Sendable {
  case route(SessionID, RouteChangeReason, previous: Route, current: Route)
  /// AVAudioSession's availableInputs changed because ports appeared or disappeared.
  case inputs(SessionID)
  case active(SessionID, Bool, by: Agent)
  case interruption(SessionID, InterruptionPhase, by: Interrupter)
  /// Whether a session that was interrupted, or refused, should become active again.
  case recommendation(SessionID, shouldResume: Bool)
  /// AVAudioSession's secondaryAudioShouldBeSilencedHint: other sessions began to play primary audio, or ended.
  case hint(SessionID, Bool)
  /// AVAudioSession's output mute.
  case outputMute(SessionID, Bool)
  case category(SessionID, SessionConfiguration)
  case session(SessionID, Change)
  case port(Direction, PortID, isAvailable: Bool)
  case media(isRunning: Bool)
  /// A player's state has changed.
  case player(PlayerID, PlayerPhase)
  case recorder(RecorderID, RecorderPhase)
  /// Another item plays: the player, the item's place in the queue from 0, its media id and its title.
  case nowPlaying(PlayerID, Int, media: String, title: String)
  /// How far a recall has come, with its fade in seconds.
  case preset(PresetID, PresetPhase, fade: Double)
  /// A job of a session started or ended; with the name of its output.
  case process(SessionID, FileProcess.Phase, output: String)
  /// An xrun. The count is since the router's start; the delay of the server is in seconds, 0 if it is unknown.
  case xrun(count: Int, delay: Double = 0)
  /// An event report about a session, or with nil about the router.
  case report(SessionID?, EventReport)
  /// An alarm of a rule of health went on or off, with the sentence that says what is wrong and what to do.
  case health(HealthRule, isOn: Bool, String)
  /// A glitch. The count is since the router's start; then the cause, the time in seconds by which sound came late or was lost, the slowest
  /// stage of the audio thread, and why that cause was concluded.
  case glitch(count: Int, GlitchCause, seconds: Double, LoopStage, why: String)
  /// An error for one client; client 0 stands for an error that no client caused.
  case error(client: Int, address: String, SessionError)

  /// Whether a client or operator (`app`) or the router (`system`) changed a session's state.
  public enum Agent: String, Sendable { case app, system }

  /// What became of a player.
  public enum PlayerPhase: Equatable, Sendable {
    case created, removed, finished, failed
    case state(PlayerState)

    public var text: String {
      switch self {
      case .created: "created"
      case .removed: "removed"
      case .finished: "finished"
      case .failed: "failed"
      case .state(let state): state.rawValue
      }
    }
  }

  /// What became of a recorder.
  public enum RecorderPhase: Equatable, Sendable {
    case created, removed, finished, failed
    case state(RecorderState)

    public var text: String {
      switch self {
      case .created: "created"
      case .removed: "removed"
      case .finished: "finished"
      case .failed: "failed"
      case .state(let state): state.rawValue
      }
    }
  }

  /// The beginning or the end of a session.
  public enum Change: String, Sendable { case created, removed, vanished }
}
