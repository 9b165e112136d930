import OSC
import Parameters
import SessionModel

/// Messages that take effect together, tried on a copy of the state.
struct Transaction {
  var state: RouterState
  let peer: PeerAddress
  /// Raised by a passcode for what follows it in the packet.
  var right: Right
  let time: Double
  var notifications: [Notification] = []
  /// What each message leads to once all are accepted.
  var results: [Result] = []
  var failures: [Failure] = []
  /// Sessions whose activation was refused.
  var refusedActivations: [SessionID] = []
  /// The readable leaves that were to be set, by address; if nothing comes of it the sender gets their true values.
  var tried = Registry<String, Match>()

  /// What a message leads to.
  struct Result {
    /// The id and address of the `/request` that carried it.
    var request: RequestKey?
    var steps: [Step] = []
    /// What was reported of sets that took effect all the same.
    var complaints: [Failure] = []
  }

  /// What is done after all messages are accepted.
  enum Step {
    case read([Match])
    case touch(Match, Bool)
    /// A set by a finger that is on the fader, which so stays on it.
    case hold(Match)
    case act(Command, Match, Arguments)
    /// An answer that is known already.
    case answer(OSCMessage)
  }

  /// A message that was refused.
  struct Failure {
    /// As sent; that of the message in a request, where there is one.
    var address: String
    var error: SessionError
    var request: RequestKey?
  }
}

/// A request as its client numbered it.
struct RequestKey {
  var id: Int32
  var address: String
}

extension Surface {
  /// Tries one message.
  mutating func execute(_ message: OSCMessage, in transaction: inout Transaction) {
    var result = Transaction.Result()
    do throws(SessionError) {
      try perform(message, &result, in: &transaction)
      transaction.results.append(result)
    } catch {
      transaction.failures.append(
        Transaction.Failure(
          address: result.request?.address ?? message.address, error: error, request: result.request))
    }
  }

  /// Finds what a message means and does it on the copy.
  mutating func perform(
    _ message: OSCMessage, _ result: inout Transaction.Result, in transaction: inout Transaction
  ) throws(SessionError) {
    let arguments = Arguments(message.arguments)
    guard AddressPattern.isPlain(message.address) else {
      let pattern = try Self.pattern(message.address)
      return try performAll(pattern, arguments, &result, in: &transaction)
    }
    let match = try tree.find(message.address, in: transaction.state, isSet: !arguments.isEmpty)
    if case .surface(let command) = match.parameter.binding {
      try perform(command, match, arguments, &result, in: &transaction)
    } else if arguments.isEmpty, match.isReadable, !match.aspect.isTrigger {
      result.steps.append(.read([match]))
    } else {
      try set(match, arguments, &result, in: &transaction)
    }
  }

  /// A pattern reads, or sets, everything of its kind.
  private mutating func performAll(
    _ pattern: AddressPattern, _ arguments: Arguments, _ result: inout Transaction.Result,
    in transaction: inout Transaction
  ) throws(SessionError) {
    let matches = try find(pattern, in: transaction.state)
    let readable = matches.filter { $0.isReadable && !$0.aspect.isTrigger }
    if arguments.isEmpty, !readable.isEmpty {
      result.steps.append(.read(readable))
      return
    }
    let writable = matches.filter {
      $0.parameter.isWritable && $0.aspect.takesPatterns && $0.aspect != .label
    }
    guard !writable.isEmpty else {
      let acts = matches.contains { $0.parameter.isCommand || $0.parameter.isWritable && $0.aspect.isTrigger }
      throw acts
        ? SessionError(
          .noWildcard, "\(pattern.text) means a trigger or command, which takes no wildcard; name one")
        : SessionError(.readOnly, "all that \(pattern.text) matches can only be read")
    }
    for match in writable { try set(match, arguments, &result, in: &transaction) }
  }

  /// The leaves of a pattern.
  /// - Throws: `SessionError` unknownAddress or tooManyMatches.
  func find(_ pattern: AddressPattern, in state: RouterState) throws(SessionError) -> [Match] {
    guard let matches = tree.find(pattern, in: state, limit: Self.mostMatches) else {
      throw SessionError(
        .tooManyMatches, "\(pattern.text) matches more than \(Self.mostMatches) leaves; narrow it")
    }
    guard !matches.isEmpty else { throw SessionError(.unknownAddress, "nothing matches \(pattern.text)") }
    return matches
  }

  /// - Throws: `SessionError` badValue where the text is malformed.
  static func pattern(_ text: String) throws(SessionError) -> AddressPattern {
    do { return try AddressPattern(text) } catch {
      throw SessionError(.badValue, "\(text) is malformed: \(error)")
    }
  }

  /// Sets one leaf on the copy.
  private mutating func set(
    _ match: Match, _ arguments: Arguments, _ result: inout Transaction.Result,
    in transaction: inout Transaction
  ) throws(SessionError) {
    let shown = match.shown
    if match.isReadable || match.parameter.isWritable { transaction.tried[shown.address] = shown }
    if match.parameter.isWritable { try allow(match.parameter.right, for: match.address, in: transaction) }
    var mustAnswer = result.request != nil
    switch try match.set(arguments, in: transaction.state, at: transaction.time) {
    case .nothing: break
    case .touch(let isTouched, let event):
      if let event { try apply(event, in: &transaction) }
      result.steps.append(.touch(match, isTouched))
      mustAnswer = false
    case .event(let event):
      if !isHeld(match, at: transaction.time), let complaint = try apply(event, in: &transaction) {
        result.complaints.append(
          Transaction.Failure(address: match.address, error: complaint, request: result.request))
      }
      // What is accepted without effect, such as an option that a category has anyway, must not leave a lamp lit.
      if let expected = match.expected(after: arguments),
        match.read(Moment(transaction.state, at: transaction.time)) != expected
      {
        mustAnswer = true
      }
    case .clamped(let event):
      try apply(event, in: &transaction)
      mustAnswer = true
    case .clampedFade(let event, let applied):
      if !isHeld(match, at: transaction.time) { try apply(event, in: &transaction) }
      result.steps.append(.answer(OSCMessage(match.address, applied)))
    }
    if mustAnswer { result.steps.append(.read([shown])) }
    if touches.isPressed(match, by: transaction.peer) { result.steps.append(.hold(match)) }
  }

  /// Tries an event on the copy.
  ///
  /// - Returns: what the call reports although it took effect (`/system/deactivation reports`).
  /// - Throws: what the policy refuses.
  @discardableResult
  func apply(_ event: Event, in transaction: inout Transaction) throws(SessionError) -> SessionError? {
    let told: [Notification]
    do throws(SessionError) { told = try policy(&transaction.state, event, transaction.time) } catch {
      if case .activate(let id, _) = event, !transaction.refusedActivations.contains(id) {
        transaction.refusedActivations.append(id)
      }
      throw error
    }
    guard case .deactivate(let id, _) = event else {
      transaction.notifications += told
      return nil
    }
    var complaint: SessionError?
    transaction.notifications += told.map { notification in
      guard case .error(client: 0, "/session/\(id)/active", let error) = notification, error.code == .isBusy
      else { return notification }
      complaint = error
      return .error(client: clients.id(of: transaction.peer), address: "/session/\(id)/active", error)
    }
    return complaint
  }

  /// Whether a finger on the fader, anybody's, keeps a fade away; the rest of a cue goes on.
  private func isHeld(_ match: Match, at time: Double) -> Bool {
    guard case .fade = match.aspect else { return false }
    return touches.isPressed(match, at: time)
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

/// A parameter of one object, whatever address it was reached by.
struct LeafKey: Hashable, Sendable {
  let parameter: String
  let target: Target
  init(_ match: Match) { (parameter, target) = (match.parameter.address, match.target) }
}
