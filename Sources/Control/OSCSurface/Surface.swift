public import ControlInterface
public import OSC
import Parameters
public import SessionModel

/// The router's OSC interface: decodes packets to events, and encodes answers and feedback.
///
/// A surface is a value without threads, sockets or a clock, so that tests need only memory. The caller gives it
/// packets, times and the law, and gets datagrams. Times are seconds of the router's monotonic time.
public struct Surface: Sendable {
  let tree = AddressTree.standard
  let law: Law
  let identity: Identity
  private(set) var admission: Admission
  var clients: ClientRegistry
  var passcodes = PasscodeGate()
  var tokens: MixTokens
  var errors = ErrorLimiter()
  var responses = ResponseMemory()
  var events = EventRing()
  /// The faders that clients touch (`/touch`). No fade moves them.
  var touches = HeldControls(patience: 10)
  /// What clients were told last of `touches`.
  var fingers: [String] = []
  /// The controls that a client has set within the last 0.2 s. The client gets their values when that time is over.
  var settling = HeldControls(patience: 0.2)
  var scheduled = ScheduledBundles()
  /// The leaves that a fade or ramp moves now; empty while there is no subscription.
  var moving: [LeafKey: Match] = [:]
  /// When the values of `moving` were last read.
  private var lastFollowed = 0.0
  var meters = MeterBoard()
  /// When the surface next sends all measured values, in seconds; nil before it first sends them.
  var nextMeasurementRound: Double?
  var routers = OtherRouters()
  var shares = PortShares()
  /// Who has begun the present solos and opened the present talkbacks.
  var holders = MonitoringHolders()

  public init(
    identity: Identity, admission: Admission = Admission(), tokens: MixTokens = MixTokens(),
    law: @escaping Law
  ) {
    (self.identity, self.admission, self.law, self.tokens) = (identity, admission, law, tokens)
    clients = ClientRegistry(epoch: identity.epoch)
    for surface in admission.surfaces where admission.right(of: surface.host) >= .view {
      clients.enter(surface)
    }
  }

  /// The identity of this router.
  public struct Identity: Sendable {
    public var name: String
    public var version: String
    /// A number that differs after a restart of the router.
    public var epoch: Int32
    /// The address at which OSC is received, such as `127.0.0.1:9440`.
    public var address: String
    /// The address at which HTTP is served, such as `127.0.0.1:9441`; empty without it.
    public var http: String
    /// When the router started, in seconds of its own time.
    public var start: Double
    /// Seconds from now to a timetag, by the time of day; negative for the past.
    public var secondsUntil: @Sendable (OSCTimetag) -> Double
    /// Whether a peer is one of the router's own sockets.
    public var owns: @Sendable (Peer) -> Bool

    public init(
      name: String, version: String, epoch: Int32, address: String, http: String = "", start: Double = 0,
      secondsUntil: @escaping @Sendable (OSCTimetag) -> Double = \.unixTime,
      owns: @escaping @Sendable (Peer) -> Bool = { _ in false }
    ) {
      (self.name, self.version, self.epoch, self.address, self.start) = (name, version, epoch, address, start)
      (self.http, self.secondsUntil, self.owns) = (http, secondsUntil, owns)
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

    /// Adds messages: a few as single packets, many in bundles, so that the receiver's buffer does not overflow.
    mutating func send(_ messages: [OSCMessage], to peer: Peer) {
      guard messages.count > Self.mostSingles else {
        for message in messages { send(message, to: peer) }
        return
      }
      datagrams += OSCBundle.packed(messages.map(EncodedMessage.init)).map {
        Datagram(to: peer, .bundle(OSCBundle($0.map(OSCPacket.encoded))))
      }
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
    /// The words of the packet that must be looked up before the packet can be decided; empty if it is decided.
    public var missingWords: [String] { transaction.words.missing }
  }

  /// Decides one packet. The whole packet takes effect, or no part of it.
  ///
  /// - Parameters:
  ///   - words: the meanings of the packet's words that name files.
  ///   - refusal: why the packet is refused whatever it says; nil to decide on its messages.
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
    holders.hear(peer, at: time)
    var transaction = PacketTransaction(
      events: Transaction(state, at: time, law: law), peer: peer, right: right(of: peer), words: words,
      refusal: refusal)
    transaction.reach = reach(of: peer)
    // What a token gives, its client may control.
    if case .mix = transaction.reach { transaction.right = .control }
    let (messages, later) = parts(of: packet, from: peer, at: time)
    for message in messages where !OtherRouters.sends(message.address) {
      execute(message, in: &transaction)
    }
    do throws(SessionError) { try scheduled.check(later, of: peer, at: time) } catch {
      transaction.failures.append(PacketTransaction.Failure(address: "#bundle", error: error))
    }
    guard transaction.words.missing.isEmpty else { return Trial(transaction: transaction, notifications: []) }
    guard transaction.failures.isEmpty else {
      let told = transaction.events.giveUp(&state) + errors(of: &transaction)
      return Trial(transaction: transaction, notifications: told)
    }
    holders.note(state.monitoring, transaction.state.monitoring, by: peer, at: time)
    state = transaction.state
    settle(transaction)
    scheduled.add(later, of: peer)
    shares.note(transaction.holders, by: peer, in: state)
    return Trial(
      transaction: transaction, notifications: transaction.events.notifications + transaction.warnings)
  }

  /// The messages of a packet that take effect now, and the parts that take effect later. Only packets of clients whose
  /// timetags are honoured have later parts.
  private func parts(
    of packet: OSCPacket, from peer: Peer, at time: Double
  ) -> (now: [OSCMessage], later: [TimedPart]) {
    guard case .bundle(let bundle) = packet, clients.settings(of: peer)?.timetags == .honour else {
      return (packet.messages, [])
    }
    return bundle.parts(at: time, identity.secondsUntil)
  }

  /// Takes the bundles whose time has come. The caller passes each to `decide` like a packet that has just arrived.
  public mutating func takeScheduled(at time: Double) -> [(packet: OSCPacket, peer: Peer)] {
    scheduled.take(at: time)
  }

  /// The sender of a packet, and the settings that the packet has set.
  func author(of trial: Trial) -> Authorship {
    let isRefused = !trial.transaction.failures.isEmpty
    let written = isRefused ? Registry() : trial.transaction.written
    return Authorship(
      client: clients.words(for: trial.transaction.peer), isRefused: isRefused,
      settings: written.values.map { SettingAddress($0.address, of: $0.parameter, at: $0.target) })
  }

  /// Replaces the permissions of hosts, and the surfaces of the configuration. Removes clients whose host no longer has
  /// a permission.
  public mutating func admit(_ admission: Admission) {
    let former = self.admission.surfaces
    self.admission = admission
    for surface in former where !admission.surfaces.contains(surface) { leave(Peer(surface)) }
    for surface in admission.surfaces where !former.contains(surface) { clients.enter(surface) }
    for peer in clients.peers {
      if case .nothing = reach(of: peer) { leave(peer) }
      if admission.right(of: peer.host) == .none { leave(peer) }
    }
  }

  /// Removes a client that leaves, with its subscriptions and touches.
  mutating func leave(_ peer: Peer) {
    silence(peer)
    clients.forgetGreetings(of: peer)
  }

  /// Ends all that a client gets and holds.
  mutating func silence(_ peer: Peer) {
    touches.forget(peer)
    settling.forget(peer)
    scheduled.forget(peer)
    holders.lose(peer)
    clients.leave(peer)
    noteFingers()
  }

  /// Sends the feedback, fades, snapshots and meters that are due. The caller calls this at the time `nextDue`.
  public mutating func advance(_ state: RouterState, at time: Double) -> Outcome {
    var outcome = Outcome()
    for (peer, message) in errors.report(at: time) {
      outcome.send(message, to: clients.answerAddress(of: peer))
    }
    for hold in touches.expire(at: time) { catchUp(hold.match, hold.peer, state) }
    noteFingers()
    let moment = moment(state, at: time)
    for hold in settling.expire(at: time) { confirm(hold, moment) }
    responses.forget(at: time)
    endTokens(&outcome)
    lapse(at: time)
    lastFollowed = time
    followMoves(moment)
    sendDue(moment, &outcome)
    clients.flushMeters(state, at: time, &outcome)
    return outcome
  }

  /// The clients that hold a talkback, a solo or a fader.
  var holding: Set<Peer> { holders.peers.union(touches.holders.flatMap(\.peers)) }

  /// Ends the feedback to clients whose lease is over.
  mutating func lapse(at time: Double) {
    for peer in clients.lapse(at: time) { holders.lose(peer) }
    holders.lapse(except: clients.registered, at: time)
    if !clients.hasSubscribers { moving = [:] }
  }

  /// Sends the changed values and snapshots that are due, and follows the values of snapshots that a fade moves.
  mutating func sendDue(_ moment: Moment, _ outcome: inout Outcome) {
    // A client gets no feedback of the controls that it holds.
    let held = { [touches, settling] in
      touches.controlsOfClients.merging(settling.controlsOfClients) { $0.union($1) }
    }
    let touched = { [touches] in touches.controlsOfClients }
    for match in clients.flush(tree, moment, held: held, touched: touched, &outcome) {
      follow(match, moment)
    }
  }

  /// The time at which `advance` must be called next; nil if nothing is under way.
  public func nextDue(at time: Double) -> Double? {
    // Values that a fade moves are read at this interval, so no subscription sends them more often.
    let moves = moving.isEmpty ? nil : lastFollowed + Self.followInterval
    return [
      clients.nextDue, touches.nextEnd, settling.nextEnd, scheduled.nextDue, errors.nextReport,
      responses.nextDue, moves, holders.isDue ? time : nil,
      holders.nextLapse(except: clients.registered), tokens.untilEnd.map { time + $0 },
    ].compactMap(\.self).min()
  }

  /// Ends the feedback to an address that refuses it, unless its client was heard lately.
  public mutating func endFeedback(to address: Peer, at time: Double) {
    for peer in clients.endSubscriptions(to: address, at: time) { silence(peer) }
  }

  /// Sends a client everything to which it subscribes, because its port accepts packets again, or because it has read what waited.
  public mutating func resumeFeedback(to address: Peer) { clients.repeatAll(to: address) }

  /// The clients' lost packets and silences, for the rules of health.
  public func troubles(at time: Double) -> ClientTroubles { clients.troubles(at: time) }

  /// Whether a client subscribes to meters.
  public var wantsMeters: Bool { clients.wantMeters }

  /// Seconds between two readings of values that a fade moves.
  private static let followInterval = 0.01

  /// Adds the peaks of the last few milliseconds to the meters.
  public mutating func measure(_ levels: MeterLevels) {
    meters.take(levels)
    clients.hold(meters)
    meters.noteHeld()
  }

  /// Tells that nothing is heard any more, because the audio server is gone. Peaks of before that no client was told are over.
  mutating func fallSilent() {
    meters.fallSilent()
    clients.forgetMeters()
    clients.hold(meters)
  }

  /// The permission of a peer: that of its host, which a passcode may raise.
  func right(of peer: Peer) -> Right {
    let own = admission.right(of: peer.host)
    guard own > .none else { return .none }
    return tokens.holders[peer] != nil ? .mix : max(own, passcodes.right(of: peer))
  }
}
