import ControlInterface
import Numbers
import OSC
import Parameters
import Patterns
import SessionModel

/// The messages of one packet, which take effect together or not at all.
struct PacketTransaction {
  /// The events of all messages, tried on a copy of the state.
  var events: Transaction
  let peer: Peer
  /// The sender's permission. A passcode raises it for the later messages of the packet.
  var right: Right
  /// What the sender may reach. A token limits it for the later messages of the packet.
  var reach = Reach.everything
  /// The token that the packet presents.
  var token: MixToken?
  /// Whether an earlier message of the packet registers its sender.
  var isClient = false
  /// The words of the packet that name files.
  var words: PacketWords
  /// Why every message is refused; nil to judge each message by itself.
  let refusal: SessionError?
  /// Warnings about messages that took effect all the same. They are published after the notifications of the law.
  var warnings: [Notification] = []
  /// The result of each accepted message. The results count only if all messages are accepted.
  var results: [Result] = []
  var failures: [Failure] = []
  /// The readable leaves that the packet sets, by address. If the packet is refused, the sender gets their present
  /// values.
  var tried = Registry<String, Match>()
  /// The settings that the packet sets, by address. They count only if all messages are accepted.
  var written = Registry<String, Match>()
  /// The controls that the packet gives values, in order.
  var named: [Named] = []
  /// The streams and captures to which the packet gives more JACK ports.
  var holders: Set<PortShares.Holder> = []
  /// The numbers of leaves that the packet's patterns may still set, and of nodes that they may still visit.
  var budget = Budget()

  /// The limits of one packet, so that the policy decides on it within a few milliseconds.
  struct Budget {
    var leaves = mostLeaves
    var looks = mostLooks
    /// The number of `/what/if` that the packet may still ask; each tries a message and compares the states before and
    /// after.
    var suppositions = 8

    static let mostLeaves = 4_096
    static let mostLooks = 50_000
  }

  /// The copy: the state with all messages so far.
  ///
  /// Reading it makes no further copy: a packet may set thousands of leaves, and each set reads the state several
  /// times.
  var state: RouterState { _read { yield events.state } }
  var time: Double { events.time }

  /// A control that the packet gives a value.
  struct Named {
    let match: Match
    /// Whether the control had another value before.
    let isNews: Bool
  }

  /// The result of a message.
  struct Result {
    /// The address as sent; for a request, `/request`.
    let address: String
    /// The id and address of the `/request` that carried it.
    var request: RequestKey?
    var steps: [Step] = []
    /// Whether the message asks for a value or has another answer of its own, so that no `/ok` is needed.
    var isQuestion = false
    /// Warnings about sets that took effect all the same.
    var complaints: [Failure] = []
  }

  /// An action after all messages are accepted.
  enum Step {
    case read([Match])
    /// Reads all leaves of a pattern.
    case readAll(PatternReading)
    /// Answers the items of a queue.
    case list(QueueListing)
    case touch(Match, Bool)
    /// Prolongs the sender's touch of a fader that it has set.
    case hold(Match)
    case act(Command, Match, Arguments)
    /// Gives an errand to the program, which answers later. The text is the address as the client sent it.
    case errand(Surface.Errand.Job, String)
    /// Begins to feed back whether the switches of a pattern are on.
    case light(AddressPattern)
    /// Sends an answer that is already made.
    case answer(OSCMessage)
    /// Sends the kept response to a repeated request.
    case respondAgain(OSCMessage)
  }

  /// A refused message.
  struct Failure {
    /// The address as sent; for a request, the address of the message in it.
    var address: String
    var error: SessionError
    var request: RequestKey?
    /// The error messages that the sender's error limit allows.
    var allowed: [OSCMessage] = []
  }
}

/// The number and address of a request.
struct RequestKey {
  var id: Int32
  var address: String
}

extension Surface {
  /// Tries one message on the copy.
  mutating func execute(_ message: OSCMessage, in transaction: inout PacketTransaction) {
    var result = PacketTransaction.Result(address: message.address)
    do throws(SessionError) {
      try perform(message, &result, in: &transaction)
      transaction.results.append(result)
    } catch {
      transaction.failures.append(
        PacketTransaction.Failure(
          address: result.request?.address ?? message.address, error: error, request: result.request))
    }
  }

  /// Finds the command or leaves of a message, and performs it on the copy.
  mutating func perform(
    _ message: OSCMessage, _ result: inout PacketTransaction.Result, in transaction: inout PacketTransaction
  ) throws(SessionError) {
    let arguments = Arguments(message.arguments)
    if let refusal = transaction.refusal, message.address != "/request" { throw refusal }
    guard AddressPattern.isPlain(message.address) else {
      if case .nothing = transaction.reach {
        throw SessionError(.denied, transaction.reach.reason(message.address))
      }
      let pattern = try Self.pattern(message.address)
      return try performAll(pattern, arguments, &result, in: &transaction)
    }
    try checkReach(message.address, transaction)
    let match = try tree.find(message.address, in: transaction.state, isSet: !arguments.isEmpty)
    if let command = match.parameter.command {
      result.isQuestion = command.hasAnswer || command.isSetting && arguments.isEmpty
      try perform(command, match, arguments, &result, in: &transaction)
    } else if arguments.isEmpty, match.isReadable, !match.aspect.isTrigger {
      result.isQuestion = true
      result.steps.append(.read([match]))
    } else {
      try set(match, arguments, &result, in: &transaction)
    }
  }

  /// Reads or sets all leaves that a pattern matches.
  private mutating func performAll(
    _ pattern: AddressPattern, _ arguments: Arguments, _ result: inout PacketTransaction.Result,
    in transaction: inout PacketTransaction
  ) throws(SessionError) {
    if arguments.isEmpty,
      let reading = try reading(of: pattern, includesTriggers: false, in: &transaction)
    {
      result.isQuestion = true
      result.steps.append(.readAll(reading))
      return
    }
    let matches = try find(pattern, in: &transaction)
    let settable = matches.filter {
      $0.parameter.isWritable && $0.aspect.takesPatterns && $0.aspect != .label
    }
    let writable = settable.distinct(in: transaction.state)
    guard !writable.isEmpty else {
      guard settable.isEmpty else {
        throw SessionError(.notFound, "no strip that \(pattern.text) matches has a target with such a leaf")
      }
      let acts = matches.contains { $0.parameter.isCommand || $0.parameter.isWritable && $0.aspect.isTrigger }
      throw acts
        ? SessionError(
          .noWildcard, "\(pattern.text) means a trigger or command, which takes no wildcard; name one")
        : SessionError(.readOnly, "all that \(pattern.text) matches can only be read")
    }
    // The pattern is named, and not what it would reach.
    guard writable.allSatisfy({ transaction.reach.sets($0.address) }) else {
      throw SessionError(.denied, transaction.reach.reason(pattern.text))
    }
    for match in writable { try set(match, arguments, &result, in: &transaction) }
    if writable.allSatisfy(\.isSwitch), transaction.reach.isWhole { result.steps.append(.light(pattern)) }
  }

  /// The leaves that a pattern may set.
  /// - Throws: `SessionError` unknownAddress or tooManyMatches.
  private func find(
    _ pattern: AddressPattern, in transaction: inout PacketTransaction
  ) throws(SessionError) -> [Match] {
    guard
      let matches = tree.find(
        pattern, in: transaction.state, limit: transaction.budget.leaves, looks: &transaction.budget.looks)
    else { throw Self.tooMany(pattern) }
    guard !matches.isEmpty else { throw SessionError(.unknownAddress, "nothing matches \(pattern.text)") }
    transaction.budget.leaves -= matches.count
    return matches
  }

  /// The reading of all leaves of a pattern; nil if the pattern matches leaves, but none that can be read.
  /// - Throws: `SessionError` unknownAddress or tooManyMatches.
  func reading(
    of pattern: AddressPattern, includesTriggers: Bool, in transaction: inout PacketTransaction
  ) throws(SessionError) -> PatternReading? {
    var search = LeafSearch(pattern, includesBelow: false)
    var (hasMatches, hasReadable) = (false, false)
    let reading = PatternReading(pattern, includesTriggers: includesTriggers, for: transaction.reach)
    search.run(tree, in: transaction.state, mostLooks: transaction.budget.looks) { match in
      hasMatches = true
      hasReadable = reading.includes(match)
      return !hasReadable
    }
    transaction.budget.looks -= search.looks
    if hasReadable { return reading }
    guard search.isDone else { throw Self.tooMany(pattern) }
    guard transaction.reach.isWhole else {
      throw SessionError(.denied, transaction.reach.reason(pattern.text))
    }
    guard hasMatches else { throw SessionError(.unknownAddress, "nothing matches \(pattern.text)") }
    return nil
  }

  private static func tooMany(_ pattern: AddressPattern) -> SessionError {
    SessionError(
      .tooManyMatches,
      """
      with \(pattern.text) this packet reaches more than \(PacketTransaction.Budget.mostLeaves) leaves, the greatest number that one \
      packet may set; narrow the pattern or send several packets
      """)
  }

  /// - Throws: `SessionError` badValue if the text is malformed.
  static func pattern(_ text: String) throws(SessionError) -> AddressPattern {
    do { return try AddressPattern(text) } catch {
      throw SessionError(.badValue, "\(text) is malformed: \(error)")
    }
  }

  /// Sets one leaf on the copy.
  private mutating func set(
    _ sent: Match, _ arguments: Arguments, _ result: inout PacketTransaction.Result,
    in transaction: inout PacketTransaction
  ) throws(SessionError) {
    guard transaction.reach.sets(sent.address) else {
      throw SessionError(.denied, transaction.reach.reason(sent.address))
    }
    let shown = sent.shown
    if sent.isReadable || sent.parameter.isWritable { transaction.tried[shown.address] = shown }
    let isRelease = sent.aspect == .touch ? try !arguments.flag() : false
    // A strip has the same rights, limits, fades and touches as its target.
    if sent.parameter.isAlias {
      try allow(sent.parameter.right, for: sent.address, changing: !isRelease, in: transaction)
    }
    let match = try sent.original(in: transaction.state)
    if match.parameter.isWritable {
      try allow(match.parameter.right, for: match.address, changing: !isRelease, in: transaction)
    }
    let before = match.movedReading(in: transaction.state)
    let former = sent.aspect.namesValue ? match.read(Moment(transaction.state, at: transaction.time)) : nil
    var mustAnswer = result.request != nil
    switch try match.set(arguments, in: transaction.state, at: transaction.time) {
    case .nothing: break
    case .touch(let isTouched, let event):
      if let event { try apply(event, in: &transaction) }
      result.steps.append(.touch(match, isTouched))
      mustAnswer = false
    case .event(let event):
      transaction.written[match.address] = match
      if let complaint = try apply(event, in: &transaction) {
        result.complaints.append(
          PacketTransaction.Failure(address: match.address, error: complaint, request: result.request))
      }
      // The law may accept a set without effect, for example of an option that a category always has. The sender then
      // gets the present value.
      if let expected = match.expected(after: arguments),
        match.read(Moment(transaction.state, at: transaction.time)) != expected
      {
        mustAnswer = true
      }
    case .clamped(let event):
      transaction.written[match.address] = match
      try apply(event, in: &transaction)
      mustAnswer = true
    case .fade(let event, let accepted, let isClamped):
      // No fade moves a fader that a client touches. The answer to a request is then the present value.
      let isHeld = touches.isHeld(match, at: transaction.time)
      if !isHeld {
        transaction.written[match.address] = match
        try apply(event, in: &transaction)
      }
      if isClamped || mustAnswer && !isHeld {
        result.steps.append(.answer(OSCMessage(sent.address, accepted)))
        mustAnswer = false
      }
    }
    try allowRaise(match, from: before, in: transaction)
    if sent.aspect.namesValue {
      let isNews = match.read(Moment(transaction.state, at: transaction.time)) != former
      transaction.named.append(PacketTransaction.Named(match: match.shown, isNews: isNews))
    }
    if mustAnswer { result.steps.append(.read([shown])) }
    if touches.isHeld(match, by: transaction.peer) { result.steps.append(.hold(match)) }
  }

  /// Checks the permission to raise a value above the value of the preset in force, if the set has done so.
  /// - Throws: `SessionError` denied or locked.
  private func allowRaise(
    _ match: Match, from before: Parameter.Moved.Reading?, in transaction: PacketTransaction
  ) throws(SessionError) {
    guard let before, let target = match.movedReading(in: transaction.state)?.control.target,
      target > before.free, target > before.control.target
    else { return }
    let unit = match.parameter.unit
    try allow(.admin, for: "\(match.address) above \(before.free.text(.upTo(1))) \(unit)", in: transaction)
  }

  /// Tries an event on the copy.
  ///
  /// - Returns: a warning about an event that took effect (`/system/deactivation reports`); nil if there is none.
  /// - Throws: the refusal of the policy.
  @discardableResult
  func apply(_ event: Event, in transaction: inout PacketTransaction) throws(SessionError) -> SessionError? {
    try Table.checkName(of: event)
    guard case .deactivate(let id, _) = event else {
      let holder = PortShares.holder(of: event)
      let before = holder.map { PortShares.ports(of: $0, transaction.state) }
      try transaction.events.decide(event)
      if let holder, let before, PortShares.ports(of: holder, transaction.state) > before {
        transaction.holders.insert(holder)
        try shares.check(transaction.holders, by: transaction.peer, in: transaction.state)
      }
      return nil
    }
    let client = clients.id(of: transaction.peer)
    let address = "/session/\(id)/active"
    var complaint: SessionError?
    try transaction.events.decide(event) { notification in
      guard case .error(client: 0, address, let error) = notification, error.code == .isBusy else {
        return notification
      }
      complaint = error
      return .error(client: client, address: address, error)
    }
    return complaint
  }

  /// Checks that the sender may perform a command or set a leaf.
  ///
  /// - Parameter changes: whether that changes anything; if not, a lock does not hinder it.
  /// - Throws: `SessionError` denied or locked.
  func allow(
    _ right: Right, for address: String, changing changes: Bool = true, in transaction: PacketTransaction
  ) throws(SessionError) {
    guard transaction.right >= right else {
      throw SessionError(
        .denied,
        "\(address) needs the permission \(right), but \(transaction.peer.host) has \(transaction.right)")
    }
    if changes, transaction.state.isLocked, transaction.right < .admin, right >= .control {
      throw SessionError(.locked, "the router is locked: only admin may change anything until /system/lock 0")
    }
  }
}

extension Match {
  /// The value that a set moves; nil if the parameter cannot fade.
  fileprivate func movedReading(in state: RouterState) -> Parameter.Moved.Reading? {
    guard case .control(let moved) = parameter.binding else { return nil }
    return moved.reading(state, target)
  }
}

/// A `/get` of all leaves of a pattern. The leaves are found and read only when they are answered, slice by slice.
struct PatternReading: Sendable {
  let search: LeafSearch
  /// Whether to read leaves that are also triggers. `/get` reads them; an address without arguments does not.
  let includesTriggers: Bool
  /// What the client may reach.
  private let reach: Reach

  init(_ pattern: AddressPattern, includesTriggers: Bool, for reach: Reach) {
    self.init(
      search: LeafSearch(pattern, includesBelow: false), includesTriggers: includesTriggers, reach: reach)
  }

  private init(search: LeafSearch, includesTriggers: Bool, reach: Reach) {
    (self.search, self.includesTriggers, self.reach) = (search, includesTriggers, reach)
  }

  /// The same reading, for the leaves that a search has not visited yet.
  func continued(by search: LeafSearch) -> PatternReading {
    PatternReading(search: search, includesTriggers: includesTriggers, reach: reach)
  }

  func includes(_ match: Match) -> Bool {
    match.isReadable && (includesTriggers || !match.aspect.isTrigger) && reach.reads(match.address)
  }
}

/// A parameter of one object; all its addresses give the same value.
struct LeafKey: Hashable, Sendable {
  let parameter: String
  let target: Target
  init(_ match: Match) { (parameter, target) = (match.parameter.address, match.target) }
}
