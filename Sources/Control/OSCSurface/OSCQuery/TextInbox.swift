import ControlInterface
import Parameters
import Synchronization

/// The commands and questions of OSCQuery that wait for the policy thread. They are counted apart from packets: a client that listens to a whole
/// tree sends thousands of commands at once.
final class TextInbox: Sendable {
  private let state = Mutex(State())

  private struct State {
    var commands: [Peer: [QueryCommand]] = [:]
    var turns = Rotation<Peer>()
    var questions: [Asked] = []
    var ignored = 0
    /// Whether a turn of the policy thread is on its way.
    var isTurnComing = false
  }

  /// A question, and who takes the state from which it is answered; nil for a host without the right to read.
  struct Asked {
    let host: HostAddress
    /// The least right of a host that gets an answer.
    let right: Right
    let take: @Sendable (QueryView?) -> Void
  }

  /// Greatest number of waiting commands of a client.
  static let mostCommands = 16_384
  /// The number of commands of one turn. They take less than 5 ms.
  static let slice = 500

  /// The number of texts that were no commands, or came to nothing.
  var ignored: Int { state.withLock(\.ignored) }

  /// Counts a command that came to nothing.
  func ignore() { state.withLock { $0.ignored += 1 } }

  /// Adds a command. Any thread.
  func add(_ command: QueryCommand, from peer: Peer) {
    state.withLock { state in
      let count = state.commands[peer]?.count ?? 0
      guard count < Self.mostCommands else { return state.ignored += 1 }
      if count == 0 { state.turns.append(peer) }
      state.commands[peer, default: []].append(command)
    }
  }

  /// Adds a question. Any thread.
  func add(_ question: Asked) { state.withLock { $0.questions.append(question) } }

  /// Whether something waits and no turn is on its way. Once true, it is false until `beginTurn` or `cancelTurn`.
  func mustTakeTurn() -> Bool {
    state.withLock { state in
      guard !state.isTurnComing, !state.commands.isEmpty || !state.questions.isEmpty else { return false }
      state.isTurnComing = true
      return true
    }
  }

  /// Notes that no turn could be had.
  func cancelTurn() { state.withLock { $0.isTurnComing = false } }

  /// Takes what the turn is to carry out.
  func beginTurn() -> (questions: [Asked], peer: Peer?, commands: [QueryCommand]) {
    state.withLock { state in
      state.isTurnComing = false
      let questions = state.questions
      state.questions = []
      guard let peer = state.turns.takeFirst(), let waiting = state.commands.removeValue(forKey: peer) else {
        return (questions, nil, [])
      }
      if waiting.count > Self.slice {
        state.commands[peer] = Array(waiting[Self.slice...])
        state.turns.append(peer)
      }
      return (questions, peer, Array(waiting.prefix(Self.slice)))
    }
  }
}
