import ControlInterface
import OSC
import Parameters
import SessionModel

/// All clients: those that sent `/hello` or `/subscribe`, and guests that only wait for a snapshot.
struct ClientRegistry: Sendable {
  private var clients: [Peer: Client] = [:]
  private var nextID = 1

  /// Greatest number of clients, and greatest number of guests.
  static let capacity = 64
  /// Seconds of silence after which a client loses its place to another if all places are taken.
  static let patience = 30.0

  var peers: [Peer] { Array(clients.keys) }

  /// The time at which the next message is due; nil if none waits.
  var nextDue: Double? { clients.values.compactMap(\.nextDue).min() }

  /// Whether a client subscribes to meters.
  var wantMeters: Bool { clients.values.contains { $0.subscriptions.contains(where: \.mayWantMeters) } }

  /// Whether a client may subscribe to an address that begins with these parts.
  func mayWant(below parts: [String]) -> Bool {
    clients.values.contains { $0.subscriptions.contains { $0.mayWant(below: parts) } }
  }

  /// Whether a client has a subscription.
  var hasSubscribers: Bool { clients.values.contains { !$0.subscriptions.isEmpty } }

  mutating func heard(from peer: Peer, at time: Double) { clients[peer]?.lastHeard = time }

  /// A peer in words: the name that it gave itself, and its address.
  func words(for peer: Peer) -> String {
    guard let name = clients[peer]?.name, !name.isEmpty else { return "\(peer)" }
    return "\(name) (\(peer))"
  }

  func id(of peer: Peer) -> Int { clients[peer]?.id ?? 0 }

  func answerAddress(of peer: Peer) -> Peer { clients[peer]?.address ?? peer }

  // MARK: Coming and going

  /// Checks that there is room for a peer, as a client or as a guest.
  /// - Throws: `SessionError` full if all places are taken.
  func checkRoom(for peer: Peer, asGuest: Bool, at time: Double) throws(SessionError) {
    if let client = clients[peer], asGuest || !client.isGuest {
      guard client.subscriptions.count < Client.mostSubscriptions,
        client.snapshots.count < Client.mostSubscriptions
      else {
        throw SessionError(
          .full,
          "this client has \(Client.mostSubscriptions) subscriptions or snapshots, the greatest number allowed; /unsubscribe one"
        )
      }
      return
    }
    let others = clients.values.filter { $0.isGuest == asGuest }
    guard others.count >= Self.capacity, Self.silent(among: others, at: time) == nil else { return }
    throw SessionError(.full, "all \(others.count) client places are taken; end one of them")
  }

  /// Registers a peer. `checkRoom` must have found room.
  mutating func enter(_ peer: Peer, asGuest: Bool = false, at time: Double) {
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

  /// The client that has been silent longest, if that is longer than `patience`.
  private static func silent(among clients: [Client], at time: Double) -> Peer? {
    let oldest = clients.min { $0.lastHeard < $1.lastHeard }
    return oldest.flatMap { time - $0.lastHeard > patience ? $0.peer : nil }
  }

  mutating func leave(_ peer: Peer) { clients[peer] = nil }

  mutating func change(_ peer: Peer, _ body: (inout Client) -> Void) {
    guard var client = clients[peer] else { return }
    body(&client)
    clients[peer] = client
  }

  // MARK: Feedback

  /// Notes a changed leaf for all clients but those that touch its fader.
  mutating func mark(_ match: Match, except touchers: Set<Peer>) {
    for peer in Array(clients.keys) where !touchers.contains(peer) { clients[peer]?.mark(match) }
  }

  mutating func mark(_ match: Match, for peer: Peer) { clients[peer]?.mark(match) }

  /// Sends events at once and in order to all clients that subscribe to them.
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

  /// Notes the present values of the lamps of patterns.
  mutating func light(_ value: (AddressPattern) -> Float) {
    for peer in Array(clients.keys) {
      for index in clients[peer]!.lamps.indices {
        clients[peer]!.lamps[index].value = value(clients[peer]!.lamps[index].pattern)
      }
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
