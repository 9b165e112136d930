public import ControlInterface
public import OSC
import Parameters
public import SessionModel

/// The router's OSC interface: decodes packets to events, and encodes answers and feedback.
///
/// It is a value without threads, sockets or clock, so that tests need only memory: packets, times and the policy come in, and
/// datagrams go out. Times are seconds of the router's monotonic time.
public struct Surface: Sendable {
  let tree = AddressTree(Table.parameters)
  let law: Law
  let identity: Identity
  private(set) var admission: Admission
  var clients: ClientRegistry
  var passcodes = PasscodeGate()
  var errors = ErrorLimiter()
  var responses = ResponseMemory()
  var events = EventRing()
  var touches = TouchBoard()
  /// The leaves that a fade or ramp moves now; empty while there is no subscription.
  var moving: [LeafKey: Match] = [:]
  /// When `moving` was looked at last.
  private var lastFollowed = 0.0
  var meters = MeterBoard()
  var routers = OtherRouters()
  var shares = PortShares()

  public init(identity: Identity, admission: Admission = Admission(), law: @escaping Law) {
    (self.identity, self.admission, self.law) = (identity, admission, law)
    clients = ClientRegistry(epoch: identity.epoch)
  }

  /// The identity of this router.
  public struct Identity: Sendable {
    public var name: String
    public var version: String
    /// A number that differs after a restart of the router.
    public var epoch: Int32
    /// The address at which OSC is received, such as `127.0.0.1:9440`.
    public var address: String
    /// The time of the start, in seconds of the router's time.
    public var start: Double
    /// Whether a peer is one of the router's own sockets.
    public var owns: @Sendable (Peer) -> Bool

    public init(
      name: String, version: String, epoch: Int32, address: String, start: Double = 0,
      owns: @escaping @Sendable (Peer) -> Bool = { _ in false }
    ) {
      (self.name, self.version, self.epoch, self.address, self.start) = (name, version, epoch, address, start)
      self.owns = owns
    }
  }

  /// A packet for a peer.
  public struct Datagram: Equatable, Sendable {
    public var peer: Peer
    public var packet: OSCPacket
    public init(to peer: Peer, _ packet: OSCPacket) { (self.peer, self.packet) = (peer, packet) }
  }

  /// An answer that waits until the audio thread has adopted all earlier commands.
  public struct Sync: Equatable, Sendable {
    public var peer: Peer
    public var message: OSCMessage

    /// The answer if the command can no longer be adopted, because there is no audio server.
    public func refused(_ error: SessionError) -> OSCMessage {
      guard message.address == "/response", message.arguments.count >= 3 else {
        return Surface.error("/sync", error)
      }
      let (id, address) = (message.arguments[0], message.arguments[2])
      return OSCMessage("/response", [id, error.arguments[0], address] + error.arguments[1...])
    }
  }

  /// The packets to send after a command, a change or a call of `advance`.
  public struct Outcome: Sendable {
    /// The packets in the order in which they must be sent.
    public var datagrams: [Datagram] = []
    public var syncs: [Sync] = []
    public var errands: [Errand] = []
    public init() {}

    mutating func send(_ message: OSCMessage, to peer: Peer) {
      datagrams.append(Datagram(to: peer, .message(message)))
    }

    /// Adds messages: a few as they are, many in bundles, so that the receiver's buffer does not overflow.
    mutating func send(_ messages: [OSCMessage], to peer: Peer) {
      guard messages.count > Self.mostSingles else {
        for message in messages { send(message, to: peer) }
        return
      }
      datagrams += OSCBundle.packed(messages).map { Datagram(to: peer, .bundle($0)) }
    }

    private static let mostSingles = 32

    /// Appends another outcome.
    public mutating func merge(_ other: Outcome) {
      datagrams += other.datagrams
      syncs += other.syncs
      errands += other.errands
    }
  }

  /// A packet that is decided, but not yet published.
  public struct Trial: Sendable {
    let transaction: PacketTransaction
    /// The notifications, which are published before the sender gets its answer.
    public var notifications: [Notification]
    /// The words whose meanings the packet needs. Unless there are none, nothing is decided yet.
    public var missingWords: [String] { transaction.words.missing }
  }

  /// Decides one packet. The whole packet takes effect, or no part of it.
  ///
  /// - Parameters:
  ///   - words: what words of the packet mean that name files.
  ///   - refusal: why the packet is refused whatever it says.
  /// - Returns: the value for `conclude`, which the caller calls once the change is published; nil for a peer without permission, which
  ///   gets no answer.
  public mutating func decide(
    _ packet: OSCPacket, from peer: Peer, _ state: inout RouterState, at time: Double,
    _ words: PacketWords = PacketWords(), _ refusal: SessionError? = nil
  ) -> Trial? {
    // The transport has already dropped most packets of such peers.
    guard right(of: peer) > .none, !identity.owns(peer),
      !routers.note(packet.messages, from: peer, at: identity.epoch)
    else { return nil }
    responses.forget(at: time)
    clients.heard(from: peer, at: time)
    var transaction = PacketTransaction(
      events: Transaction(state, at: time, law: law), peer: peer, right: right(of: peer), words: words,
      refusal: refusal)
    for message in packet.messages where !OtherRouters.sends(message.address) {
      execute(message, in: &transaction)
    }
    guard transaction.words.missing.isEmpty else { return Trial(transaction: transaction, notifications: []) }
    guard transaction.failures.isEmpty else {
      let told = transaction.events.giveUp(&state) + errors(of: &transaction)
      return Trial(transaction: transaction, notifications: told)
    }
    state = transaction.state
    shares.note(transaction.holders, by: peer, in: state)
    return Trial(
      transaction: transaction, notifications: transaction.events.notifications + transaction.warnings)
  }

  /// The sender of a packet, and the settings that the packet has set.
  func author(of trial: Trial) -> Authorship {
    let isRefused = !trial.transaction.failures.isEmpty
    let written = isRefused ? Registry() : trial.transaction.written
    return Authorship(
      client: clients.words(for: trial.transaction.peer), isRefused: isRefused,
      settings: written.values.map { SettingAddress($0.address, of: $0.parameter, at: $0.target) })
  }

  /// Replaces the permissions of hosts. Clients whose host has none any more get no further feedback.
  public mutating func admit(_ admission: Admission) {
    self.admission = admission
    for peer in clients.peers where right(of: peer) == .none { leave(peer) }
  }

  /// Ends the place, the subscriptions and the touches of a client.
  mutating func leave(_ peer: Peer) {
    touches.forget(peer)
    clients.leave(peer)
  }

  /// Sends the feedback, fades, snapshots and meters that are due. The caller calls this at the time `nextDue`.
  public mutating func advance(_ state: RouterState, at time: Double) -> Outcome {
    var outcome = Outcome()
    for (peer, message) in errors.report(at: time) {
      outcome.send(message, to: clients.answerAddress(of: peer))
    }
    for (match, peer) in touches.expire(at: time) { catchUp(match, peer, state) }
    responses.forget(at: time)
    lapse(at: time)
    let moment = Moment(state, at: time)
    lastFollowed = time
    followMoves(moment)
    sendDue(moment, &outcome)
    clients.flushMeters(state, at: time, &outcome)
    return outcome
  }

  /// Ends the feedback to the clients whose lease is over.
  mutating func lapse(at time: Double) {
    clients.lapse(at: time)
    if !clients.hasSubscribers { moving = [:] }
  }

  /// Sends the changed values and snapshots that are due, and follows the values of snapshots that a fade moves.
  mutating func sendDue(_ moment: Moment, _ outcome: inout Outcome) {
    for match in clients.flush(tree, moment, &outcome) { follow(match, moment) }
  }

  /// The time at which `advance` must be called next; nil if nothing is under way.
  public func nextDue(at time: Double) -> Double? {
    // Subscriptions send the values that a fade moves at rates of their own, none of which is faster.
    let moves = moving.isEmpty ? nil : lastFollowed + Self.followInterval
    return [clients.nextDue, touches.nextEnd, errors.nextReport, responses.nextDue, moves].compactMap(\.self)
      .min()
  }

  /// Ends the feedback to an address that refuses it, unless its client was heard lately.
  public mutating func endFeedback(to address: Peer, at time: Double) {
    for peer in clients.endSubscriptions(to: address, at: time) { touches.forget(peer) }
  }

  /// Whether a client subscribes to meters.
  public var wantsMeters: Bool { clients.wantMeters }

  /// Seconds between two readings of values that a fade moves.
  private static let followInterval = 0.01

  /// Takes the peaks of the last few milliseconds.
  public mutating func measure(_ levels: MeterLevels) {
    meters.take(levels)
    clients.hold(meters)
    meters.noteHeld()
  }

  /// The permission of a peer: that of its host, which a passcode may raise.
  private func right(of peer: Peer) -> Right {
    let own = admission.right(of: peer.host)
    return own == .none ? .none : max(own, passcodes.right(of: peer))
  }
}
