import OSC
import Parameters
import SessionModel

/// Messages that take effect together, tried on a copy of the state.
struct Transaction {
  var state: RouterState
  let peer: PeerAddress
  let right: Right
  let time: Double
  var notifications: [Notification] = []
  /// What each message leads to once all are accepted.
  var results: [Result] = []
  var failures: [Failure] = []

  /// What a message leads to.
  struct Result {
    /// The id and address of the `/request` that carried it.
    var request: RequestKey?
    var steps: [Step] = []
  }

  /// What is done after all messages are accepted.
  enum Step {
    case read([Match])
    case touch(Match, Bool)
    case act(Command, Match, Arguments)
    /// An answer that was sent before, to a request that came twice.
    case repeated(OSCMessage)
  }

  /// A message that was refused.
  struct Failure {
    var address: String
    var error: SessionError
    var request: RequestKey?
    /// The leaf whose true value the sender gets back.
    var leaf: Match?
  }
}

/// A request as its client numbered it.
struct RequestKey: Hashable {
  var id: Int32
  var address: String
}

extension Surface {
  /// Tries one message.
  mutating func execute(_ message: OSCMessage, in transaction: inout Transaction) {
    var result = Transaction.Result()
    do throws(Refusal) {
      try perform(message, &result, in: &transaction)
      transaction.results.append(result)
    } catch {
      transaction.failures.append(
        Transaction.Failure(
          address: message.address, error: error.error, request: result.request, leaf: error.leaf))
    }
  }

  /// Finds what a message means and does it on the copy.
  mutating func perform(
    _ message: OSCMessage, _ result: inout Transaction.Result, in transaction: inout Transaction
  ) throws(Refusal) {
    let arguments = Arguments(message.arguments)
    let pattern: AddressPattern
    do { pattern = try AddressPattern(message.address) } catch {
      throw Refusal(SessionError(.badValue, "\(message.address) is malformed: \(error)"))
    }
    guard pattern.isLiteral else {
      return try performAll(pattern, arguments, &result, in: &transaction)
    }
    let match: Match
    do { match = try tree.find(message.address, in: transaction.state) } catch { throw Refusal(error) }
    if case .surface(let command) = match.parameter.binding {
      return try perform(command, match, arguments, &result, in: &transaction)
    }
    if arguments.isEmpty, match.aspect.isReadable, !match.aspect.isTrigger {
      result.steps.append(.read([match]))
    } else {
      try set(match, arguments, &result, in: &transaction)
    }
  }

  /// A pattern reads, or sets, everything of its kind.
  private mutating func performAll(
    _ pattern: AddressPattern, _ arguments: Arguments, _ result: inout Transaction.Result,
    in transaction: inout Transaction
  ) throws(Refusal) {
    guard let matches = tree.find(pattern, in: transaction.state, limit: Self.mostMatches) else {
      throw Refusal(
        SessionError(
          .tooManyMatches, "\(pattern.text) matches more than \(Self.mostMatches) leaves; narrow it"))
    }
    guard !matches.isEmpty else {
      throw Refusal(SessionError(.unknownAddress, "nothing matches \(pattern.text)"))
    }
    let readable = matches.filter { $0.aspect.isReadable && !$0.aspect.isTrigger && !$0.parameter.isCommand }
    if arguments.isEmpty, !readable.isEmpty {
      result.steps.append(.read(readable))
      return
    }
    let writable = matches.filter {
      $0.parameter.isWritable && $0.aspect.takesPatterns && $0.aspect != .label
    }
    guard !writable.isEmpty else {
      let acts = matches.contains { $0.aspect.isTrigger || $0.parameter.isCommand }
      throw Refusal(
        acts
          ? SessionError(
            .noWildcard, "\(pattern.text) means a trigger or command, which takes no wildcard; name one")
          : SessionError(.readOnly, "all that \(pattern.text) matches can only be read"))
    }
    for match in writable { try set(match, arguments, &result, in: &transaction) }
  }

  /// Sets one leaf on the copy.
  private mutating func set(
    _ match: Match, _ arguments: Arguments, _ result: inout Transaction.Result,
    in transaction: inout Transaction
  ) throws(Refusal) {
    do throws(SessionError) {
      try allow(match.parameter.right, for: match.address, in: transaction)
      switch try match.set(arguments, in: transaction.state, at: transaction.time) {
      case .nothing: break
      case .touch(let isTouched):
        result.steps.append(.touch(match, isTouched))
      case .event(let event):
        guard !isHeld(match) else { return }
        transaction.notifications += try policy(&transaction.state, event, transaction.time)
        if result.request != nil { result.steps.append(.read([match])) }
      case .clamped(let event):
        guard !isHeld(match) else { return }
        transaction.notifications += try policy(&transaction.state, event, transaction.time)
        result.steps.append(.read([match]))
      }
    } catch {
      throw Refusal(error, leaf: match.aspect.isReadable ? match : nil)
    }
  }

  /// Whether a finger on the fader keeps a fade away.
  private func isHeld(_ match: Match) -> Bool {
    guard case .fade = match.aspect else { return false }
    return touches[LeafKey(match)] != nil
  }

  /// - Throws: `SessionError` denied or locked.
  func allow(_ right: Right, for address: String, in transaction: Transaction) throws(SessionError) {
    guard transaction.right >= right else {
      throw SessionError(
        .denied,
        "\(address) takes the right \(right), and \(transaction.peer.hostText) has \(transaction.right)")
    }
    if transaction.state.isLocked, transaction.right < .admin, right >= .control {
      throw SessionError(.locked, "the router is locked: only admin may change anything until /system/lock 0")
    }
  }

  /// Most leaves that one pattern may mean.
  private static let mostMatches = 4_096
}

/// A refusal, and the leaf whose true value goes back to who tried.
struct Refusal: Error {
  let error: SessionError
  var leaf: Match?
  init(_ error: SessionError, leaf: Match? = nil) { (self.error, self.leaf) = (error, leaf) }
}

/// A parameter of one object, whatever address it was reached by.
struct LeafKey: Hashable, Sendable {
  let parameter: String
  let target: Target
  init(_ match: Match) { (parameter, target) = (match.parameter.address, match.target) }
}

/// A finger on a fader.
struct Touch: Sendable {
  let peer: PeerAddress
  /// When it counts as lifted.
  var end: Double
  /// Seconds without a set after which it counts as lifted.
  static let patience = 10.0
}

extension Parameter {
  var isCommand: Bool { if case .surface = binding { true } else { false } }
}
