import OSC
import Parameters
import SessionModel

/// Everybody who said hello or subscribed, and what is owed to those who did not.
struct ClientRegistry: Sendable {
  private(set) var clients: [PeerAddress: Client] = [:]
  private var nextID = 1
  private var errorBudgets: [PeerAddress: ErrorBudget] = [:]
  private var responses: [PeerAddress: [RequestKey: (message: OSCMessage, end: Double)]] = [:]
  private var wrongPasscodes: [UInt32: (count: Int, end: Double)] = [:]

  /// Most clients at a time.
  static let capacity = 64
  /// Seconds of silence after which a full house gives a client's place away.
  static let patience = 30.0

  var isIdle: Bool { clients.values.allSatisfy { $0.subscriptions.isEmpty && $0.snapshots.isEmpty } }

  mutating func heard(from peer: PeerAddress, at time: Double) { clients[peer]?.lastHeard = time }

  func id(of peer: PeerAddress) -> Int { clients[peer]?.id ?? 0 }

  func answerAddress(of peer: PeerAddress) -> PeerAddress { clients[peer]?.address ?? peer }

  func raisedRight(of peer: PeerAddress) -> Right { clients[peer]?.right ?? .none }

  /// The client of a peer, made if need be.
  /// - Throws: `SessionError` full.
  mutating func enter(_ peer: PeerAddress, at time: Double) throws(SessionError) -> Client {
    if let client = clients[peer] {
      clients[peer]?.isGuest = false
      return client
    }
    if clients.count >= Self.capacity {
      guard let oldest = clients.values.min(by: { $0.lastHeard < $1.lastHeard }),
        time - oldest.lastHeard > Self.patience
      else {
        throw SessionError(.full, "there are \(clients.count) clients, which is the most; one must say /bye")
      }
      clients[oldest.peer] = nil
    }
    let client = Client(id: nextID, peer: peer, at: time)
    nextID += 1
    clients[peer] = client
    return client
  }

  /// A place for the length of a snapshot, for who said neither hello nor subscribe.
  /// - Throws: `SessionError` full.
  mutating func admitGuest(_ peer: PeerAddress, at time: Double) throws(SessionError) {
    guard clients[peer] == nil else { return }
    _ = try enter(peer, at: time)
    clients[peer]?.isGuest = true
  }

  mutating func leave(_ peer: PeerAddress) { clients[peer] = nil }

  mutating func change(_ peer: PeerAddress, _ body: (inout Client) -> Void) {
    guard var client = clients[peer] else { return }
    body(&client)
    clients[peer] = client
  }

  // MARK: Feedback

  mutating func mark(_ match: Match, except toucher: PeerAddress?) {
    for peer in clients.keys where peer != toucher { clients[peer]?.mark(match) }
  }

  /// Events go at once, in order, to all who want them.
  func send(_ event: OSCMessage, _ outcome: inout Surface.Outcome) {
    for client in clients.values {
      guard let subscription = client.subscriptions.first(where: { $0.wants(event.address) }) else {
        continue
      }
      outcome.send(event, to: client.peer.withPort(subscription.port))
    }
  }

  mutating func flush(_ state: RouterState, at time: Double, _ outcome: inout Surface.Outcome) {
    for peer in clients.keys {
      outcome.datagrams += clients[peer]!.flush(state, at: time)
      if clients[peer]!.isGuest, clients[peer]!.snapshots.isEmpty { clients[peer] = nil }
    }
  }

  mutating func hold(_ meters: MeterBoard) {
    for peer in clients.keys {
      for index in clients[peer]!.subscriptions.indices
      where clients[peer]!.subscriptions[index].mayWantMeters {
        meters.hold(in: &clients[peer]!.subscriptions[index])
      }
    }
  }

  mutating func sendMeters(
    _ meters: MeterBoard, _ state: RouterState, at time: Double, _ outcome: inout Surface.Outcome
  ) {
    let interval = 1 / state.meterRate.value(at: time, isLevel: false)
    for peer in clients.keys {
      for index in clients[peer]!.subscriptions.indices {
        let subscription = clients[peer]!.subscriptions[index]
        guard !subscription.heldMeters.isEmpty, time >= subscription.nextMeters else { continue }
        clients[peer]!.subscriptions[index].nextMeters = time + max(interval, subscription.interval)
        clients[peer]!.subscriptions[index].heldMeters = [:]
        let messages = subscription.heldMeters.sorted { $0.key < $1.key }
          .map { OSCMessage($0.key, $0.value.map(OSCArgument.float)) }
        outcome.datagrams += clients[peer]!.bundles(messages, to: peer.withPort(subscription.port))
      }
    }
  }

  // MARK: Requests, errors, passcodes

  /// The answer that a request got within the last 30 s.
  mutating func repeated(_ request: RequestKey, from peer: PeerAddress, at time: Double) -> OSCMessage? {
    responses[peer]?[request].flatMap { $0.end > time ? $0.message : nil }
  }

  mutating func remember(
    _ response: OSCMessage, to request: RequestKey, from peer: PeerAddress, at time: Double
  ) {
    if responses.count > Self.capacity {
      responses = responses.filter { $0.value.values.contains { $0.end > time } }
    }
    if responses[peer, default: [:]].count >= 256 {
      responses[peer] = responses[peer]!.filter { $0.value.end > time }
    }
    responses[peer, default: [:]][request] = (response, time + 30)
  }

  /// Passes at most 100 errors a second to a client, then one message that says how many it missed.
  mutating func limit(_ error: OSCMessage, to peer: PeerAddress, at time: Double) -> OSCMessage? {
    if errorBudgets.count > 4 * Self.capacity {
      errorBudgets = errorBudgets.filter { $0.value.start > time - 1 }
    }
    return errorBudgets[peer, default: ErrorBudget(start: time)].pass(error, at: time)
  }

  /// - Throws: `SessionError` denied, with the wait after three wrong passcodes.
  mutating func checkPasscodeDelay(of peer: PeerAddress, at time: Double) throws(SessionError) {
    if let wrong = wrongPasscodes[peer.host], wrong.count >= 3, time < wrong.end {
      throw SessionError(
        .denied, "three wrong passcodes: \(peer.hostText) waits \(Int((wrong.end - time).rounded(.up))) s")
    }
  }

  mutating func wrongPasscode(from peer: PeerAddress, at time: Double) {
    let count = wrongPasscodes[peer.host].map { $0.count >= 3 ? 0 : $0.count } ?? 0
    wrongPasscodes[peer.host] = (count + 1, time + 10)
  }

  mutating func rightPasscode(from peer: PeerAddress) { wrongPasscodes[peer.host] = nil }
}

/// How many errors a client may still get in this second.
private struct ErrorBudget: Sendable {
  var start: Double
  var sent = 0
  var suppressed = 0

  mutating func pass(_ error: OSCMessage, at time: Double) -> OSCMessage? {
    if time - start >= 1 {
      let missed = suppressed
      self = ErrorBudget(start: time)
      if missed > 0 {
        sent = 1
        let limited = SessionError(.rateLimited, "\(missed) more errors were not sent")
        return OSCMessage("/error", [error.arguments[0]] + limited.arguments)
      }
    }
    sent += 1
    guard sent > 100 else { return error }
    suppressed += 1
    return nil
  }
}
