public import OSC
import Parameters
public import SessionModel

/// The control surface's side of the router: what arrives as OSC, what it does to the state, and what is sent back.
///
/// A value without threads, sockets or clock: packets, times and the policy come in, datagrams go out, so that all of it can be
/// tested in memory. Times are seconds of the router's monotonic time.
public struct Surface: Sendable {
  /// The law that decides events; a refusal changes nothing.
  public typealias Policy =
    @Sendable (inout RouterState, Event, Double) throws(SessionError) -> [Notification]

  let tree = AddressTree(Table.parameters)
  let policy: Policy
  let identity: Identity
  let admission: Admission
  var clients = ClientRegistry()
  var passcodes = PasscodeGate()
  var errors = ErrorLimiter()
  var responses = ResponseMemory()
  var events = EventLog()
  var touches = TouchBoard()
  /// What a fade or a ramp moves now, and so changes without anybody's doing; empty while nobody follows anything.
  var moving: [LeafKey: Match] = [:]
  var meters = MeterBoard()
  /// Counters that other parts of the router keep, for `/system/stats`.
  public var statistics: [(name: String, count: Int)] = []

  public init(identity: Identity, admission: Admission = Admission(), policy: @escaping Policy) {
    (self.identity, self.admission, self.policy) = (identity, admission, policy)
  }

  /// Who this router is.
  public struct Identity: Sendable {
    public var name: String
    public var version: String
    /// A number that a restarted router does not share.
    public var epoch: Int32
    /// Where OSC is received, such as `127.0.0.1:9440`.
    public var address: String
    /// When it started, in seconds of the router's time.
    public var start: Double
    public init(name: String, version: String, epoch: Int32, address: String, start: Double = 0) {
      (self.name, self.version, self.epoch, self.address, self.start) = (name, version, epoch, address, start)
    }
  }

  /// A packet for a peer.
  public struct Datagram: Equatable, Sendable {
    public var peer: PeerAddress
    public var packet: OSCPacket
    public init(to peer: PeerAddress, _ packet: OSCPacket) { (self.peer, self.packet) = (peer, packet) }
  }

  /// An answer that waits until the audio thread has adopted what was commanded before it.
  public struct Sync: Equatable, Sendable {
    public var peer: PeerAddress
    public var message: OSCMessage

    /// What is answered if nothing will adopt it any more.
    public func refused(_ error: SessionError) -> OSCMessage {
      guard message.address == "/response", message.arguments.count >= 3 else {
        return Surface.error("/sync", error)
      }
      let (id, address) = (message.arguments[0], message.arguments[2])
      return OSCMessage("/response", [id, error.arguments[0], address] + error.arguments[1...])
    }
  }

  /// What a packet, an event or the time led to.
  public struct Outcome: Sendable {
    /// In the order to be sent.
    public var datagrams: [Datagram] = []
    public var syncs: [Sync] = []
    /// With their serial numbers, as subscribers get them.
    public var events: [OSCMessage] = []
    public init() {}

    mutating func send(_ message: OSCMessage, to peer: PeerAddress) {
      datagrams.append(Datagram(to: peer, .message(message)))
    }

    /// Few go as they are; many in bundles, so that the receiver's buffer holds them.
    mutating func send(_ messages: [OSCMessage], to peer: PeerAddress) {
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
      events += other.events
    }
  }

  /// Handles one packet: all of it takes effect, or nothing.
  public mutating func receive(
    _ packet: OSCPacket, from peer: PeerAddress, _ state: inout RouterState, at time: Double
  ) -> Outcome {
    guard let trial = take(packet, from: peer, &state, at: time) else { return Outcome() }
    return conclude(trial, state)
  }

  /// A packet that has taken effect, or was refused, but of which nobody was told yet.
  public struct Trial: Sendable {
    let transaction: Transaction
    let before: RouterState
  }

  /// The first half of `receive`: after it the sound can be brought up to date, before anybody is told, which takes longer.
  ///
  /// - Returns: what `conclude` must be given next; nil for who has no right, and gets no answer.
  public mutating func take(
    _ packet: OSCPacket, from peer: PeerAddress, _ state: inout RouterState, at time: Double
  ) -> Trial? {
    // The receiver drops their packets unread.
    guard right(of: peer) > .none else { return nil }
    clients.heard(from: peer, at: time)
    var transaction = Transaction(state: state, peer: peer, right: right(of: peer), time: time)
    for message in packet.messages { execute(message, in: &transaction) }
    let before = state
    if transaction.failures.isEmpty { state = transaction.state } else { undo(&transaction, &state) }
    return Trial(transaction: transaction, before: before)
  }

  /// Leaves nothing of a refused packet but that sessions which it wanted to activate wait for who held them off.
  private func undo(_ transaction: inout Transaction, _ state: inout RouterState) {
    transaction.notifications = []
    for id in transaction.refusedActivations {
      // A session that only the packet made is not there to be told.
      transaction.notifications += (try? policy(&state, .activationRefused(id), transaction.time)) ?? []
    }
  }

  /// Handles an event that comes from the world, not from a client.
  ///
  /// - Throws: what the policy refuses.
  public mutating func happen(
    _ event: Event, _ state: inout RouterState, at time: Double
  ) throws(SessionError) -> Outcome {
    let before = state
    let told = try policy(&state, event, time)
    return publish(told, from: before, to: state, at: time)
  }

  /// Tells subscribers something that changed no state.
  public mutating func tell(_ notification: Notification, _ state: RouterState, at time: Double) -> Outcome {
    publish([notification], from: state, to: state, at: time)
  }

  /// Sends what has become due: feedback, fades, snapshots, meters. Call it every few milliseconds while anybody listens.
  public mutating func advance(_ state: RouterState, at time: Double) -> Outcome {
    var outcome = Outcome()
    for (peer, message) in errors.report(at: time) {
      outcome.send(message, to: clients.answerAddress(of: peer))
    }
    for (match, peer) in touches.expire(at: time) { catchUp(match, peer) }
    let moment = Moment(state, at: time)
    followMoves(moment)
    clients.flush(moment, &outcome)
    clients.flushMeters(state, at: time, &outcome)
    return outcome
  }

  /// Whether `advance` has anything to do, now or as soon as meters move.
  public var isIdle: Bool { clients.isIdle && moving.isEmpty && touches.isEmpty && !errors.isWaiting }

  /// The levels of the last few milliseconds.
  public mutating func measure(_ levels: MeterLevels) {
    meters.take(levels)
    clients.hold(meters)
  }

  /// The right of a peer: its host's, raised by a passcode.
  private func right(of peer: PeerAddress) -> Right {
    let own = admission.right(of: peer)
    return own == .none ? .none : max(own, passcodes.right(of: peer))
  }
}
