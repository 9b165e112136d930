import Numbers
import Parameters
import SessionModel

extension Notification {
  /// The notification as a sentence for the user.
  var sentence: String {
    switch self {
    case .port(let direction, let port, let isAvailable):
      return "\(direction.rawValue) \(port) is \(isAvailable ? "available" : "gone")"
    case .media(let isRunning):
      return isRunning ? "the JACK server is running" : "the JACK server is gone; waiting for it"
    case .session(let session, .vanished): return "the programs of session \(session) have quit"
    case .session(let session, let change): return "session \(session) \(change.rawValue)"
    case .xrun(let count, _): return "xrun, \(count) so far"
    case .preset(let preset, .started, let fade):
      return "preset \(preset) is recalled" + (fade > 0 ? ", with a fade of \(fade.text(.upTo(2))) s" : "")
    case .preset(let preset, .partial, _): return "preset \(preset) is in force; some of its sessions wait"
    case .preset(let preset, .done, _): return "preset \(preset) is in force"
    case .preset(let preset, .aborted, _): return "the fade of preset \(preset) was stopped"
    case .process(let session, let phase, let output):
      return "\(session): the processing of a file into \(output) \(phase.words)"
    case .error(_, let address, let error):
      let place = address.isEmpty ? "" : " at \(address)"
      return "error\(place): \(error.code.symbol) (\(error.code.rawValue)): \(error.sentence)"
    case .interruption(let session, .began, let cause): return "\(session) is interrupted by \(cause.name)"
    case .interruption(let session, .ended, let cause):
      return "the interruption of \(session) by \(cause.name) has ended"
    case .player(let player, .state(let state)): return "player \(player) is \(state.rawValue)"
    case .player(let player, .finished): return "player \(player) has played its queue"
    case .player(let player, let phase): return "player \(player) \(phase.text)"
    case .recorder(let recorder, .state(let state)): return "recorder \(recorder) is \(state.rawValue)"
    case .recorder(let recorder, .finished): return "recorder \(recorder) has finished its file"
    case .recorder(let recorder, let phase): return "recorder \(recorder) \(phase.text)"
    case .nowPlaying(let player, _, _, let title): return "player \(player) plays \(title)"
    case .route, .inputs, .active, .recommendation, .hint, .outputMute, .category:
      let name = address.dropFirst("/event/".count)
      return "\(name) \(arguments.map(\.description).joined(separator: " "))"
    }
  }

  /// The level of the sentence: standard error shows it if `--log` names this level or a later one.
  var logLevel: LogLevel {
    switch self {
    case .media(let isRunning): isRunning ? .info : .error
    // An error of a client that took effect all the same.
    case .error(let client, _, _): client == 0 ? .error : .debug
    case .xrun: .warning
    // A recall without a fade is done when it has started.
    case .preset(_, .started, fade: 0): .debug
    case .player(_, .failed), .recorder(_, .failed): .warning
    case .recorder, .nowPlaying: .info
    case .port, .session(_, .vanished), .interruption, .preset, .process: .info
    default: .debug
    }
  }
}

extension FileProcess.Phase {
  /// The phase as the end of a sentence.
  fileprivate var words: String {
    switch self {
    case .waiting: "waits"
    case .started: "has begun"
    case .done: "is done"
    case .failed: "has failed"
    case .cancelled: "was cancelled"
    }
  }
}
