import Commands
import OSC

/// Says events on standard error as `--log` asks: what a person at the machine should know, or everything.
struct EventVoice: Sendable {
  private let level: LogLevel
  private let console: Console

  init(_ level: LogLevel, _ console: Console) { (self.level, self.console) = (level, console) }

  func say(_ event: OSCMessage) {
    guard weight(of: event) <= level else { return }
    console.tell("multiroute: \(sentence(event))")
  }

  /// An event in words; one without a sentence of its own as it is sent.
  private func sentence(_ event: OSCMessage) -> String {
    // The serial number is for those who may miss some.
    let words = event.arguments.dropFirst().map { argument in
      if case .string(let text) = argument { text } else { "\(argument)" }
    }
    switch (event.address, words.count) {
    case ("/event/port", 3):
      return "\(words[0])put \(words[1]) is \(words[2] == "1" ? "there" : "away")"
    case ("/event/media", 1):
      return words[0] == "lost" ? "the JACK server is gone; waiting for it" : "the JACK server is there"
    case ("/event/session", 2) where words[1] == "vanished":
      return "the programs of session \(words[0]) have gone"
    case ("/event/session", 2): return "session \(words[0]) \(words[1])"
    case ("/event/xrun", 1): return "xrun, \(words[0]) so far"
    case ("/event/error", 5):
      let place = words[2].isEmpty ? "" : " at \(words[2])"
      return "error\(place): \(words[3]) (\(words[1])): \(words[4])"
    default:
      return "\(event.address.dropFirst("/event/".count)) \(words.joined(separator: " "))"
    }
  }

  private func weight(of event: OSCMessage) -> LogLevel {
    switch event.address {
    case "/event/media": event.arguments.last == .string("lost") ? .error : .info
    // A client's own mistakes are answered to the client.
    case "/event/error": event.arguments.count > 1 && event.arguments[1] == .int32(0) ? .error : .debug
    case "/event/xrun": .warning
    case "/event/port": .info
    case "/event/session": event.arguments.last == .string("vanished") ? .info : .debug
    default: .debug
    }
  }
}
