import CRealtime
import ControlInterface
import OSC
import OSCSurface
import SessionModel
import SessionPolicy

/// Measures how long the router takes to say what a command would change among a thousand sessions. It tries the command on a copy, and
/// compares the settings and the sound of the sessions that the command has changed.
extension LawBench {
  /// The commands that are asked about, with their names.
  private static let questions: [(name: String, command: [OSCArgument])] = [
    ("gain", [.string("/session/session-5/gain"), .float(-3)]),
    ("category", [.string("/session/session-5/category"), .string("soloAmbient")]),
    ("activation of the solo", [.string("/session/solo/active"), .int32(1)]),
    ("call", [.string("/interruption/begin"), .string("phone")]),
  ]

  private static let peer = Peer(transport: UDPTransport.transport, host: .loopback, endpoint: 9_000)

  /// The median times in microseconds, from the packet to its answers, with the number of answers.
  static func foresight(
    in house: RouterState, trials: Int
  ) throws(BenchError) -> [(name: String, microseconds: Double, answers: Int)] {
    var surface = Surface(
      identity: Surface.Identity(name: "bench", version: "0", epoch: 1, address: "127.0.0.1:9440")
    ) { state, event, time throws(SessionError) in try Policy.reduce(&state, event, at: time) }
    var found: [(name: String, microseconds: Double, answers: Int)] = []
    for (name, command) in questions {
      let packet = OSCPacket.message(OSCMessage("/what/if", command))
      var (times, answers) = ([Double](), 0)
      for trial in 0..<trials {
        var state = house
        let begin = mr_monotonic_nanoseconds()
        let outcome = surface.decide(packet, from: peer, &state, at: Double(trial)).map {
          surface.conclude($0, state)
        }
        times.append(Double(mr_monotonic_nanoseconds() - begin) / 1_000)
        answers = try count(of: outcome, to: name)
      }
      found.append((name, times.median, answers))
    }
    return found
  }

  /// Counts the answers, of which each is a difference.
  private static func count(of outcome: Surface.Outcome?, to name: String) throws(BenchError) -> Int {
    let messages = outcome?.datagrams.flatMap(\.packet.messages) ?? []
    guard !messages.isEmpty, messages.allSatisfy({ $0.address == "/what/if" }) else {
      throw BenchError("the question about \(name) was not answered: \(messages.prefix(3))")
    }
    return messages.count
  }
}
