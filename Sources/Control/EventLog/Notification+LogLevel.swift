import SessionModel

extension Notification {
  /// The level of the sentence: standard error shows it if `--log` names this level or a later one.
  var logLevel: LogLevel {
    switch self {
    case .media(let isRunning): isRunning ? .info : .error
    // An error of a client that took effect all the same.
    case .error(let client, _, _): client == 0 ? .error : .debug
    case .xrun, .glitch: .warning
    case .health(let rule, let isOn, _): !isOn ? .info : rule.severity == .severe ? .error : .warning
    // A recall without a fade is done when it has started.
    case .preset(_, .started, fade: 0): .debug
    case .player(_, .failed), .recorder(_, .failed): .warning
    case .recorder, .nowPlaying: .info
    case .port, .session(_, .vanished), .interruption, .preset, .process: .info
    default: .debug
    }
  }
}
