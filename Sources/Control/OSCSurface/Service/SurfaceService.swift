public import ControlInterface
public import MixEngine
public import OSC
public import SessionModel
import Synchronization

/// The OSC surface as a part of the program. It makes commands from packets, and publishes the router's changes to clients.
///
/// Everything but `entrance` runs on the policy thread. `@unchecked Sendable` is safe because the threads of transports use a
/// surface only to make commands for it.
public final class SurfaceService: ControlListener, @unchecked Sendable {
  var surface: Surface
  /// Sends early levels of faders; the threads of transports use it, too.
  let lane = FaderLane()
  /// The packets that wait for the policy thread.
  let inbox: Inbox
  /// Submits a turn to the router, without waiting. Returns false if too many commands wait already.
  private let submit = Mutex<(@Sendable (SurfaceTurn) -> Bool)?>(nil)
  /// The command whose turn it is.
  var current: SurfaceCommand?
  /// The packets that wait until the files that they name are found.
  var line = WaitingLine()
  /// The commands and questions of OSCQuery that wait for the policy thread.
  let texts = TextInbox()
  /// The registered clients, as the inbox knows them.
  private var registered: Set<Peer> = []
  /// The registered clients whose bundles take effect at their times, as the inbox knows them.
  private var punctual: Set<Peer> = []
  /// The clients that held a talkback, a solo or a fader at the last call of `noteClients`.
  private var holding: Set<Peer> = []
  /// Sends a packet to a client, without waiting.
  private let send: (Peer, OSCPacket) -> Void
  /// Sends a text to a client whose connection takes texts, without waiting.
  let sendText: (Peer, [UInt8]) -> Void
  /// The clients whose connections take texts.
  let textClients: () -> [Peer]
  /// Reads the counters of the transports.
  private let counters: () -> [Statistic]
  /// Takes the addresses that have refused all feedback for 30 s.
  private let expired: () -> [Peer]
  /// Takes the addresses that accept feedback again.
  private let resumed: () -> [Peer]
  /// Whether a client can still be reached.
  let isConnected: (Peer) -> Bool
  /// Takes the clients that have closed their sending side but still read.
  private let takeListening: () -> [Peer]
  /// Ends the connection of a client.
  private let hangUp: (Peer) -> Void
  private var lastAnswers = LastAnswers()
  /// What the clients of OSCQuery have not been told of yet, and when they were told last.
  var (untold, toldAt): (Untold?, Double) = (nil, -.infinity)
  /// Whether a connection has ended, or a client reads again, since the last call of `noteClients`.
  private let hasDepartures = Atomic<Bool>(false)
  let limitErrors = LimitErrors()
  private let runErrand: ErrandRunner
  let findFiles: FileFinder

  /// Starts a client's errand, without waiting. Throws if the errand cannot be done now.
  public typealias ErrandRunner = @Sendable (Surface.Errand) throws(SessionError) -> Void

  /// Starts to look up the words of a packet that name files of the media folders, without waiting. The caller passes
  /// the files and the given number to `found(_:_:)`. Throws if the words cannot be looked up now.
  public typealias FileFinder = @Sendable (Int, [String]) throws(SessionError) -> Void

  /// - Parameter runErrand: the caller answers each accepted errand with `answer(_:_:)`.
  public init(
    _ surface: Surface, counters: @escaping () -> [Statistic] = { [] },
    expired: @escaping () -> [Peer] = { [] }, resumed: @escaping () -> [Peer] = { [] },
    isConnected: @escaping (Peer) -> Bool = { _ in true },
    takeListening: @escaping () -> [Peer] = { [] }, hangUp: @escaping (Peer) -> Void = { _ in },
    runErrand: @escaping ErrandRunner = SurfaceService.noErrands,
    findFiles: @escaping FileFinder = SurfaceService.noFiles,
    textClients: @escaping () -> [Peer] = { [] },
    sendText: @escaping (Peer, [UInt8]) -> Void = { _, _ in },
    send: @escaping (Peer, OSCPacket) -> Void
  ) {
    (self.surface, self.counters, self.expired) = (surface, counters, expired)
    (self.resumed, self.isConnected) = (resumed, isConnected)
    (self.takeListening, self.hangUp) = (takeListening, hangUp)
    (self.runErrand, self.findFiles, self.send) = (runErrand, findFiles, send)
    (self.textClients, self.sendText) = (textClients, sendText)
    inbox = Inbox(surface.tree)
  }

  // MARK: Packets

  /// Sets the router that carries out the turns of clients. Called before the first packet.
  ///
  /// - Parameter router: takes a turn without waiting, and returns false if too many commands wait already. Any thread
  ///   calls it.
  public func serve(by router: @escaping @Sendable (SurfaceTurn) -> Bool) { submit.withLock { $0 = router } }

  /// Submits a turn to the router. Any thread.
  ///
  /// - Returns: false if too many commands wait.
  @discardableResult
  func takeTurn(_ purpose: SurfaceTurn.Purpose = .next) -> Bool {
    submit.withLock(\.self)?(SurfaceTurn(self, purpose)) ?? false
  }

  /// Removes clients whose connections have ended. Tells the inbox which clients are registered, if that has changed.
  ///
  /// A client's packet may be carried out after its connection has ended, so the function also checks newly registered
  /// clients, and those that have begun to hold something, which takes no place.
  func noteClients() {
    let hasDepartures = hasDepartures.exchange(false, ordering: .acquiringAndReleasing)
    if hasDepartures {
      lastAnswers.listen(takeListening())
      for peer in resumed() { surface.resumeFeedback(to: peer) }
    }
    let isKnown = surface.clients.registered == registered && surface.clients.punctual == punctual
    guard hasDepartures || !isKnown || surface.holding != holding else { return }
    for peer in surface.clients.peers + surface.tokens.holders.keys + surface.holding where !isConnected(peer)
    {
      surface.leave(peer)
      surface.tokens.forget(peer)
    }
    holding = surface.holding
    (registered, punctual) = (surface.clients.registered, surface.clients.punctual)
    inbox.register(registered, punctual: punctual)
  }

  /// Records that the connection of a client has ended, or that a client reads again. Any thread.
  func noteDeparture() {
    hasDepartures.store(true, ordering: .releasing)
    // If the router takes no turn now, the next turn of any client does the work.
    takeTurn(.departures)
  }

  /// Ends the connections of clients that send nothing more and have received all their answers.
  func hangUpOnListeners() {
    guard !lastAnswers.listening.isEmpty else { return }
    let (inbox, line) = (inbox, line)
    for peer in lastAnswers.takeDone({ inbox.hasPackets(of: $0) || line.hasPackets(of: $0) }) { hangUp(peer) }
  }

  /// Reports the packets that were dropped since the last report; empty if none was.
  var losses: [Notification] {
    guard let (count, peer) = inbox.takeLosses() else { return [] }
    let error = SessionError(
      .full,
      "\(count) packets were dropped, because more came than the router can carry out; the last one came from \(peer)"
    )
    return [.error(client: surface.clients.id(of: peer), address: "", error)]
  }

  /// Queues a packet for its client's turn. Any thread. The lane must have counted the packet (`enter`, `comeBack`).
  ///
  /// - Parameter time: the present time, in seconds of any clock.
  func receive(_ packet: OSCPacket, from peer: Peer, at time: Double) {
    switch inbox.add(packet, from: peer, at: time) {
    case .waits:
      guard !takeTurn() else { return }
      inbox.withdraw(from: peer)
    case .replaced: break
    case .dropped: if inbox.mustReport() { takeTurn(.losses) }
    }
    lane.leave()
  }

  // MARK: Answers

  /// Refuses every errand.
  public static let noErrands: ErrandRunner = { _ throws(SessionError) in
    throw SessionError(.notFound, "presets and sound files are at hand only in `multiroute run`")
  }

  func send(_ outcome: Surface.Outcome) {
    for datagram in outcome.datagrams { send(datagram.peer, datagram.packet) }
    for errand in outcome.errands {
      lastAnswers.expect(for: errand.peer)
      do throws(SessionError) { try runErrand(errand) } catch { answer([errand], error) }
    }
  }

  /// Tells clients that their errands are done, or why nothing was changed.
  public func answer(_ errands: [Surface.Errand], _ error: SessionError?) {
    for errand in errands {
      if let message = errand.answer(error) { send(errand.peer, .message(message)) }
      lastAnswers.arrived(for: errand.peer)
    }
    hangUpOnListeners()
  }

  /// Answers an errand that reports, with one message for each row. A client on another machine or with a connection
  /// gets at most `Answering.mostBytes`.
  ///
  /// - Parameters:
  ///   - start: the index of the first row in the whole list.
  ///   - total: the length of the whole list; nil if `rows` is the whole list.
  public func answer(
    _ errand: Surface.Errand, rows: [[OSCArgument]], from start: Int = 0, of total: Int? = nil
  ) {
    var outcome = Surface.Outcome()
    let messages = errand.answers(rows, from: start, of: total)
    let size = messages.reduce(0) { $0 + OSCBundle.size(of: $1) }
    guard !errand.peer.hasBoundedAnswers || size <= Answering.mostBytes else {
      return answer([errand], Answering.cut)
    }
    outcome.send(messages, to: errand.peer)
    send(outcome)
    lastAnswers.arrived(for: errand.peer)
    hangUpOnListeners()
  }

  /// An answer that waits for the audio thread.
  func pending(_ sync: Surface.Sync) -> PendingAnswer {
    lastAnswers.expect(for: sync.peer)
    return PendingAnswer { [weak self] error in
      guard let self else { return }
      send(sync.peer, .message(error.map(sync.refused) ?? sync.message))
      lastAnswers.arrived(for: sync.peer)
      hangUpOnListeners()
    }
  }

  /// Replaces the permissions of hosts, and the surfaces of the configuration.
  public func admit(_ admission: Admission) { surface.admit(admission) }

  /// Adds a token for a mix. On the policy thread.
  public func addToken(
    _ output: PortID, name: String, seconds: Double, hash: String
  ) throws(SessionError) -> MixToken {
    try surface.addToken(output, name: name, seconds: seconds, hash: hash)
  }

  /// The router's counters and those of the surface.
  func statistics(_ others: () -> [Statistic]) -> [Statistic] {
    let (inbox, ignored) = (inbox.counts, texts.ignored)
    return others() + [
      Statistic("early", lane.count), Statistic("replaced", inbox.replaced),
      Statistic("overflow", inbox.dropped), Statistic("clients", registered.count),
    ] + (ignored > 0 ? [Statistic("ignored", ignored)] : []) + counters()
  }

  /// Number of registered clients by the name of their transport, as the inbox knows them. On the policy thread.
  public var clientCounts: [String: Int] {
    registered.reduce(into: [:]) { $0[$1.transport.name, default: 0] += 1 }
  }

  /// The entrance for packets. Any thread may use it.
  public var entrance: SurfaceEntrance { SurfaceEntrance(self) }

  // MARK: ControlListener

  public func prepareForEvent() { lane.forget() }

  public func publish(_ change: Change) {
    send(surface.publish(change))
    announce(change)
  }

  public func publishMeasurements(_ change: Change) { send(surface.publishMeasurements(change)) }

  public func measure(_ levels: MeterLevels) { surface.measure(levels) }

  public var needsMeters: Bool { surface.wantsMeters }

  public var touchedAddresses: Set<String> { surface.touchedAddresses }

  public func troubles(at time: Double) -> ClientTroubles {
    var troubles = surface.troubles(at: time)
    let dropped = inbox.counts.dropped
    if dropped > 0 { troubles.losses["clients that send too fast"] = dropped }
    return troubles
  }

  public func nextDue(at time: Double) -> Double? {
    [surface.nextDue(at: time), line.nextDue(at: time), untold?.due].compactMap(\.self).min()
  }

  public func advance(_ state: RouterState, at time: Double) {
    expireLine(at: time)
    // A fader of a client whose right ends must not go ahead of the decision.
    if !surface.tokens.ended.isEmpty { lane.forget() }
    send(surface.advance(state, at: time))
    announceDue(state, at: time)
    for (packet, peer) in surface.takeScheduled(at: time) {
      lane.comeBack()
      receive(packet, from: peer, at: time)
    }
    // Look for refusals after sending, because only sent packets can be refused.
    for address in expired() { surface.endFeedback(to: address, at: time) }
    for address in resumed() { surface.resumeFeedback(to: address) }
    noteClients()
    if surface.holders.isDue { takeTurn(.ends) }
  }

  public func use(_ early: EarlySender?) { lane.use(early) }
}

/// The entrance of packets into the surface, used on the threads of transports.
public struct SurfaceEntrance: Sendable {
  private let service: SurfaceService

  init(_ service: SurfaceService) { self.service = service }

  /// Counts a packet before it is decoded. The level of a known fader may go to the audio thread at once.
  ///
  /// A call of `take` must follow each call.
  public func enter(_ bytes: Span<UInt8>, from peer: Peer) { service.lane.enter(bytes, from: peer) }

  /// Tells the surface that the connection of a client has ended, or that a client reads again.
  public func leave() { service.noteDeparture() }

  /// Queues a decoded packet, or reports why the packet could not be decoded.
  /// - Parameter time: the present time, in seconds of any clock.
  /// - Returns: a message for the sender of a packet that is over a limit.
  public func take(_ packet: Result<OSCPacket, OSCDecodeError>, from peer: Peer, at time: Double)
    -> OSCMessage?
  {
    switch packet {
    case .success(let packet):
      service.receive(packet, from: peer, at: time)
      return nil
    case .failure(let failure):
      service.lane.leave()
      return service.limitErrors.message(for: failure, of: peer, at: time)
    }
  }
}
