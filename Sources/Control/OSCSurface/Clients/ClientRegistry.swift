import ControlInterface
import OSC
import Parameters
import SessionModel

extension Peer {
  /// The peer at which a surface of the configuration receives.
  init(_ surface: StaticSurface) {
    self.init(transport: UDPTransport.transport, host: surface.host, endpoint: UInt32(surface.port))
  }
}

/// All clients: those that sent `/hello` or `/subscribe`, and guests that only wait for a snapshot.
struct ClientRegistry: Sendable {
  var clients: [Peer: Client] = [:] { didSet { isDueKnown = false } }
  /// The subscriptions of those that get feedback.
  var groups = FeedbackGroups()
  /// These subscriptions, by their group.
  private(set) var members: [FeedbackGroups.Key: [Member]] = [:]
  /// The values to which clients of OSCQuery listen.
  var listens = Listens()
  private var nextID = 1
  /// A number that differs after a restart of the router.
  private let epoch: Int32
  /// Index of the client that `flush` serves first.
  var firstServed = 0
  /// Greatest number of addresses that the snapshots of all clients look at each time, so that they take a millisecond or two.
  static let mostLooks = 2_000

  /// Greatest number of clients, and greatest number of guests.
  static let capacity = 64
  /// Greatest number of clients, and of guests, of one host other than this machine.
  static let capacityOfHost = 16
  /// Places that the clients of this machine never take from others.
  static let kept = 8
  /// Seconds of silence after which a client loses its place to another if all places are taken.
  static let patience = 30.0

  init(epoch: Int32) { self.epoch = epoch }

  var peers: [Peer] { clients.keys + listens.peers.filter { clients[$0] == nil } }

  /// The clients that sent `/hello` or `/subscribe`.
  private(set) var registered: Set<Peer> = []
  /// Those of them whose bundles take effect at their times.
  private(set) var punctual: Set<Peer> = []
  /// No lease ends before this time.
  private var nextLapse = 0.0
  /// Which clients greet regularly.
  private var pulses = SurfacePulses()
  /// Whether a client may have lamps of patterns.
  var hasLamps = false

  /// The time at which the next message is due; nil if none waits.
  var nextDue: Double? {
    [groups.nextDue, listens.nextDue, isDueKnown ? knownDue : earliest].compactMap(\.self).min()
  }

  /// The time at which the next message to a single client is due, if no client has changed since it was looked at.
  var (knownDue, isDueKnown): (Double?, Bool) = (nil, false)

  var earliest: Double? { clients.values.lazy.compactMap(\.nextDue).min() }

  /// Whether a client subscribes to meters.
  var wantMeters: Bool {
    !listens.meters.isEmpty || listeners.contains { $0.subscriptions.contains(where: \.mayWantMeters) }
  }

  /// Whether a client may subscribe to an address that begins with these parts.
  func mayWant(below parts: [String]) -> Bool {
    groups.mayWant(below: parts) || listens.mayWant(below: parts)
  }

  /// Whether a client may subscribe to measured values.
  var wantMeasurements: Bool { groups.mayWantMeasurements || listens.hasMeasured }

  /// Whether a client gets feedback.
  var hasSubscribers: Bool { !groups.isEmpty || !listens.isEmpty }

  /// The clients whose lease is not over.
  private var listeners: some Sequence<Client> { clients.values.lazy.filter { !$0.isAway } }

  /// Renews the lease of a client.
  mutating func heard(from peer: Peer, at time: Double) {
    pulses.hear(peer, at: time)
    let wasAway = clients[peer]?.isAway ?? false
    clients[peer]?.renew(at: time)
    guard wasAway else { return }
    followSubscriptions()
    nextLapse = 0
  }

  /// Notes a greeting, if it comes from a registered client.
  mutating func noteGreeting(of peer: Peer, at time: Double) {
    guard registered.contains(peer), let client = clients[peer] else { return }
    pulses.greet(peer, name: client.name, words: words(for: peer), at: time)
  }

  /// Forgets that a client greets regularly: it said goodbye.
  mutating func forgetGreetings(of peer: Peer) { pulses.forget(peer) }

  /// Ends the feedback to the clients whose lease is over.
  /// - Returns: these clients.
  mutating func lapse(at time: Double) -> [Peer] {
    guard time >= nextLapse else { return [] }
    nextLapse = .infinity
    var lapsed: [Peer] = []
    for peer in Array(clients.keys) {
      guard let end = clients[peer]!.endOfLease else { continue }
      if end <= time {
        clients[peer]!.lapse()
        lapsed.append(peer)
      } else {
        nextLapse = min(nextLapse, end)
      }
    }
    if !lapsed.isEmpty { followSubscriptions() }
    return lapsed
  }

  /// A peer in words: the name that it gave itself, and its address.
  func words(for peer: Peer) -> String {
    guard let name = clients[peer]?.name, !name.isEmpty else { return "\(peer)" }
    return "\(name) (\(peer))"
  }

  func id(of peer: Peer) -> Int { clients[peer]?.id ?? 0 }

  /// The number of feedback bundles sent to a client.
  func sequence(of peer: Peer) -> Int32 { clients[peer]?.sequence ?? 0 }

  /// The settings of a client that sent `/hello` or `/subscribe`; nil for anybody else.
  func settings(of peer: Peer) -> ClientSettings? {
    registered.contains(peer) ? clients[peer]?.settings : nil
  }

  /// The value of a setting of a client; nil for anybody else.
  func read(_ setting: ClientSetting, of peer: Peer) -> [OSCArgument]? {
    guard registered.contains(peer), let client = clients[peer] else { return nil }
    return client.settings.arguments(of: setting, port: client.port)
  }

  /// How switches are sent to a peer.
  func switches(of peer: Peer) -> SwitchFormat { clients[peer]?.settings.switches ?? .integers }

  /// What a client hears of values that it sets itself; nil for one that gets no feedback.
  func echo(of peer: Peer) -> Echo? {
    guard let client = clients[peer], !client.subscriptions.isEmpty else { return nil }
    return client.settings.echo
  }

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
    let places = places(for: peer, asGuest: asGuest)
    guard places.isFull, giving(among: places, to: peer, at: time) == nil else { return }
    throw SessionError(
      .full, "all \(places.taken.count) client places are taken; end one of them with /bye")
  }

  /// Registers a peer. `checkRoom` must have found room.
  ///
  /// - Parameter reach: what the client may reach.
  mutating func enter(_ peer: Peer, asGuest: Bool = false, _ reach: Reach, at time: Double) {
    defer { clients[peer]?.reach = reach }
    if let client = clients[peer] {
      clients[peer]?.isGuest = client.isGuest && asGuest
      return noteRegistered()
    }
    let places = places(for: peer, asGuest: asGuest)
    if places.isFull, let other = giving(among: places, to: peer, at: time) { clients[other] = nil }
    clients[peer] = Client(id: nextID, peer: peer, isGuest: asGuest, epoch: epoch, at: time)
    nextID += 1
    noteRegistered()
  }

  /// The clients that a newcomer competes with for a place.
  private struct Places {
    var taken: [Client]
    var limit: Int
    var isFull: Bool { taken.count >= limit }
  }

  private func places(for peer: Peer, asGuest: Bool) -> Places {
    let others = clients.values.filter { $0.isGuest == asGuest }
    let neighbours = others.filter { $0.peer.host == peer.host }
    let limit = peer.host.isLoopback ? Self.capacity - Self.kept : Self.capacityOfHost
    return neighbours.count >= limit
      ? Places(taken: neighbours, limit: limit) : Places(taken: others, limit: Self.capacity)
  }

  /// The client that gives its place to a newcomer: one that has been silent for long, or else the one of the newcomer's own host that has been
  /// silent longest. An app that is started again and again comes from ever new ports, and no program listens at its old ports.
  private func giving(among places: Places, to peer: Peer, at time: Double) -> Peer? {
    func oldest(_ clients: [Client]) -> Client? {
      clients.lazy.filter { !$0.isStatic }.min { $0.lastHeard < $1.lastHeard }
    }
    if let silent = oldest(places.taken), time - silent.lastHeard >= Self.patience { return silent.peer }
    return oldest(places.taken.filter { $0.peer.host == peer.host })?.peer
  }

  /// Registers a surface of the configuration, and sends it what it gets.
  mutating func enter(_ surface: StaticSurface) {
    let peer = Peer(surface)
    if clients[peer] == nil {
      clients[peer] = Client(
        id: nextID, peer: peer, isGuest: false, epoch: epoch, at: -.infinity)
      nextID += 1
    }
    clients[peer]!.isGuest = false
    clients[peer]!.become(surface)
    noteRegistered()
  }

  /// Sends a client all that it subscribes or listens to, because it receives again what it had refused or not read.
  mutating func repeatAll(to address: Peer) {
    listens.repeatAll(for: address)
    for peer in Array(clients.keys) where clients[peer]!.address == address {
      clients[peer]!.isRefusing = false
      clients[peer]!.repeatAll()
    }
  }

  /// What the clients went through.
  func troubles(at time: Double) -> ClientTroubles {
    var troubles = ClientTroubles()
    for client in clients.values {
      if client.losses > 0 { troubles.losses[words(for: client.peer)] = client.losses }
      if client.isRefusing { troubles.refusing.append(words(for: client.peer)) }
    }
    troubles.refusing.sort()
    troubles.silent = pulses.silent(at: time)
    return troubles
  }

  mutating func leave(_ peer: Peer) {
    clients[peer] = nil
    listens.leave(peer)
    noteRegistered()
  }

  /// Ends the subscriptions that send to an address, unless their client was heard within `patience`.
  ///
  /// - Returns: the clients that have no subscription any more, and have left.
  mutating func endSubscriptions(to address: Peer, at time: Double) -> [Peer] {
    for peer in Array(clients.keys) where clients[peer]!.isStatic && clients[peer]!.address == address {
      clients[peer]!.isRefusing = true
    }
    let silent = clients.values.filter {
      !$0.isStatic && $0.peer.transport == address.transport && $0.peer.host == address.host
        && time - $0.lastHeard >= Self.patience && $0.subscriptions.contains { $0.port == address.port }
    }.map(\.peer)
    for peer in silent { clients[peer]!.endFeedback(to: address.port) }
    if !silent.isEmpty { followSubscriptions() }
    let left = silent.filter { clients[$0]!.subscriptions.isEmpty }
    for peer in left { leave(peer) }
    return left
  }

  private mutating func noteRegistered() {
    registered = Set(clients.values.lazy.filter { !$0.isGuest }.map(\.peer))
    punctual = registered.filter { clients[$0]!.settings.timetags == .honour }
    followSubscriptions()
    nextLapse = 0
  }

  /// Makes a client use other settings.
  mutating func use(_ settings: ClientSettings, for peer: Peer) {
    clients[peer]?.use(settings)
    noteRegistered()
  }

  mutating func change(_ peer: Peer, _ body: (inout Client) -> Void) {
    guard var client = clients[peer] else { return }
    let former = client.subscriptions
    body(&client)
    clients[peer] = client
    hasLamps = hasLamps || !client.lamps.isEmpty
    let isSame = former.elementsEqual(client.subscriptions) { $0.group == $1.group && $0.port == $1.port }
    if !isSame { followSubscriptions() }
  }

  private mutating func followSubscriptions() {
    groups.follow(listeners.flatMap(\.subscriptions))
    members = [:]
    for client in listeners {
      for (index, subscription) in client.subscriptions.enumerated() {
        members[subscription.group, default: []].append(Member(client, at: index))
      }
    }
  }
}
