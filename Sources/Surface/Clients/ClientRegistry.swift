import OSC
import Parameters
import SessionModel

/// Everybody who said hello or subscribed, and who waits for a snapshot.
struct ClientRegistry: Sendable {
  private var clients: [PeerAddress: Client] = [:]
  private var nextID = 1

  /// Most clients at a time, and most who only wait for a snapshot.
  static let capacity = 64
  /// Seconds of silence after which a full house gives a client's place away.
  static let patience = 30.0

  /// Whether there is nothing to send, nor will be when meters move.
  var isIdle: Bool { clients.values.allSatisfy(\.isIdle) }

  /// Whether anybody may follow something below an address of these parts.
  func mayWant(below parts: [String]) -> Bool {
    clients.values.contains { $0.subscriptions.contains { $0.mayWant(below: parts) } }
  }

  /// Whether anybody follows anything.
  var hasSubscribers: Bool { clients.values.contains { !$0.subscriptions.isEmpty } }

  mutating func heard(from peer: PeerAddress, at time: Double) { clients[peer]?.lastHeard = time }

  func id(of peer: PeerAddress) -> Int { clients[peer]?.id ?? 0 }

  func answerAddress(of peer: PeerAddress) -> PeerAddress { clients[peer]?.address ?? peer }

  // MARK: Coming and going

  /// Whether a peer may take a place, as a client or as a guest for the length of a snapshot.
  /// - Throws: `SessionError` full.
  func checkRoom(for peer: PeerAddress, asGuest: Bool, at time: Double) throws(SessionError) {
    if let client = clients[peer], asGuest || !client.isGuest {
      guard client.subscriptions.count < Client.mostSubscriptions,
        client.snapshots.count < Client.mostSubscriptions
      else {
        throw SessionError(
          .full,
          "this client has \(Client.mostSubscriptions) subscriptions or snapshots, which is the most; /unsubscribe"
        )
      }
      return
    }
    let others = clients.values.filter { $0.isGuest == asGuest }
    guard others.count >= Self.capacity, Self.silent(among: others, at: time) == nil else { return }
    throw SessionError(.full, "there are \(others.count) clients, which is the most; one must say /bye")
  }

  /// Gives a peer a place, for which there is room.
  mutating func enter(_ peer: PeerAddress, asGuest: Bool = false, at time: Double) {
    if let client = clients[peer] {
      clients[peer]?.isGuest = client.isGuest && asGuest
      return
    }
    let others = clients.values.filter { $0.isGuest == asGuest }
    if others.count >= Self.capacity, let silent = Self.silent(among: others, at: time) {
      clients[silent] = nil
    }
    clients[peer] = Client(id: nextID, peer: peer, isGuest: asGuest, at: time)
    nextID += 1
  }

  /// The one who was silent longest, if that is long enough.
  private static func silent(among clients: [Client], at time: Double) -> PeerAddress? {
    let oldest = clients.min { $0.lastHeard < $1.lastHeard }
    return oldest.flatMap { time - $0.lastHeard > patience ? $0.peer : nil }
  }

  mutating func leave(_ peer: PeerAddress) { clients[peer] = nil }

  mutating func change(_ peer: PeerAddress, _ body: (inout Client) -> Void) {
    guard var client = clients[peer] else { return }
    body(&client)
    clients[peer] = client
  }

  // MARK: Feedback

  /// Notes that a leaf changed, for all but those whose finger is on it.
  mutating func mark(_ match: Match, except touchers: Set<PeerAddress>) {
    for peer in Array(clients.keys) where !touchers.contains(peer) { clients[peer]?.mark(match) }
  }

  mutating func mark(_ match: Match, for peer: PeerAddress) { clients[peer]?.mark(match) }

  /// Events go at once, in order, to all who want them.
  func send(_ event: OSCMessage, _ outcome: inout Surface.Outcome) {
    for client in clients.values {
      for port in client.ports(for: event.address) { outcome.send(event, to: client.peer.withPort(port)) }
    }
  }

  mutating func flush(_ moment: Moment, _ outcome: inout Surface.Outcome) {
    for peer in Array(clients.keys) {
      outcome.datagrams += clients[peer]!.flush(moment)
      if clients[peer]!.isGuest, clients[peer]!.snapshots.isEmpty { clients[peer] = nil }
    }
  }

  mutating func hold(_ meters: MeterBoard) {
    for peer in Array(clients.keys) {
      for index in clients[peer]!.subscriptions.indices
      where clients[peer]!.subscriptions[index].mayWantMeters {
        meters.hold(in: &clients[peer]!.subscriptions[index])
      }
    }
  }

  mutating func flushMeters(_ state: RouterState, at time: Double, _ outcome: inout Surface.Outcome) {
    let interval = 1 / state.meterRate.value(at: time, isLevel: false)
    for peer in Array(clients.keys) {
      outcome.datagrams += clients[peer]!.flushMeters(every: interval, at: time)
    }
  }
}
