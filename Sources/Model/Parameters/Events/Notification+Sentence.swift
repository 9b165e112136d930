import Numbers
public import SessionModel

extension Notification {
  /// The notification as a sentence for the user.
  public var sentence: String {
    switch self {
    case .port(let direction, let port, let isAvailable):
      return "\(direction.rawValue) \(port) is \(isAvailable ? "available" : "gone")"
    case .media(let isRunning):
      return isRunning ? "the JACK server is running" : "the JACK server is gone; waiting for it"
    case .session(let session, .vanished): return "the programs of session \(session) have quit"
    case .session(let session, let change): return "session \(session) \(change.rawValue)"
    case .xrun(let count, _): return "xrun, \(count) so far"
    case .glitch(let count, let cause, let seconds, _, let why):
      return "glitch of \((seconds * 1_000).text(.upTo(1))) ms by \(cause.words), \(count) so far: \(why)"
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
    case .report(let session, let report):
      return "report\(session.map { " of \($0)" } ?? ""): \(report.key.rawValue) \(report.value)"
    case .health(let rule, true, let sentence): return "health: \(sentence) (\(rule.rawValue))"
    case .health(let rule, false, _): return "health: \(rule.rawValue) is over"
    case .route, .inputs, .active, .recommendation, .hint, .outputMute, .category:
      let name = address.dropFirst("/event/".count)
      return "\(name) \(arguments.map(\.description).joined(separator: " "))"
    }
  }
}

extension GlitchCause {
  /// The cause in a sentence.
  fileprivate var words: String {
    switch self {
    case .server: "the server"
    case .own: "the router"
    case .machine: "the machine"
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
