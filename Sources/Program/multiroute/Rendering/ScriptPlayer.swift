import Commands
import ControlInterface
import OSC
import OSCSurface
import SessionModel
import SessionPolicy
import Version

/// Turns the messages of a script into commands at their times, and collects refusals.
final class ScriptPlayer {
  private let surface: SurfaceService
  private let answers = Answers()
  /// The name of the script, for messages.
  private let file: String
  private var waiting: ArraySlice<Script.TimedMessage>

  /// The errors that the surface answered.
  private final class Answers {
    var refusals: [String] = []
  }

  /// - Parameter script: nil plays nothing.
  init(_ script: Script?) {
    waiting = (script?.messages ?? [])[...]
    let identity = Surface.Identity(
      name: "multiroute", version: Version.current, epoch: 0, address: "render")
    let surface = Surface(identity: identity) { state, event, time throws(SessionError) in
      try Policy.reduce(&state, event, at: time)
    }
    file = script?.file ?? ""
    self.surface = SurfaceService(surface) { [answers, file] peer, packet in
      answers.refusals += packet.messages.filter { $0.address == "/error" }.map { error in
        Self.refusal(error, at: "\(file):\(peer.endpoint)")
      }
    }
  }

  /// The refused messages, as sentences.
  var refusals: [String] { answers.refusals }

  /// The commands before a time in seconds. Each command is returned once.
  func commands(before end: Double) -> [any ControlCommand] {
    let due = waiting.prefix { $0.time < end }
    waiting = waiting.dropFirst(due.count)
    return due.map { SurfaceCommand(.message($0.message), from: Self.peer(line: $0.line), to: surface) }
  }

  /// The lines that no call of `commands` has returned, because the show has ended by then.
  /// - Parameter end: the length of the show in seconds.
  func rest(beyond end: Double) -> [String] {
    waiting.map {
      "\(file):\($0.line): \($0.message.address): the show has ended by \($0.time) s: it is \(end) s long, so the line does nothing"
    }
  }

  /// The peer that stands for a line of the script: a client on this machine. Its number is that of the line.
  private static func peer(line: Int) -> Peer {
    Peer(transport: Transport("script", hasPorts: false), host: .loopback, endpoint: UInt32(line))
  }

  /// Turns an answer `/error` (address as sent, code, symbol, sentence) into one sentence that begins with the place in the script.
  private static func refusal(_ error: OSCMessage, at place: String) -> String {
    let words = error.arguments.map { if case .string(let text) = $0 { text } else { "\($0)" } }
    guard words.count >= 4 else { return "\(place): the message was refused: \(error)" }
    return "\(place): \(words[0]): \(words[2]) (\(words[1])): \(words[3])"
  }
}
