import Commands
import OSC

/// Says events on standard error as `--log` asks: what a person at the machine should know, or everything.
struct EventVoice: Sendable {
  private let level: LogLevel
  private let console: Console

  init(_ level: LogLevel, _ console: Console) { (self.level, self.console) = (level, console) }

  func say(_ event: OSCMessage) {
    guard weight(of: event) <= level else { return }
    let name = event.address.dropFirst("/event/".count)
    // The serial number is for those who may miss some.
    let words = event.arguments.dropFirst().map { argument in
      if case .string(let text) = argument { text } else { "\(argument)" }
    }
    console.tell("multiroute: \(name) \(words.joined(separator: " "))")
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
