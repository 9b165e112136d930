import ControlInterface
import OSC
import Parameters
import Patterns
import SessionModel

/// A client that sent `/hello` or `/subscribe`.
struct Client: Sendable {
  let id: Int
  let peer: Peer
  var name = ""
  /// The port that gets answers, errors and feedback: the port that the newest `/hello` or `/subscribe` named, else the
  /// sending port.
  var port: UInt16
  /// Whether the client has only requested a snapshot.
  var isGuest: Bool
  var lastHeard: Double
  /// Whether the lease is over. The client keeps its place and subscriptions, but changes are not recorded for it.
  private(set) var isAway = false
  var subscriptions: [Subscription] = []
  /// The leaves that only this client must get, because it missed or held them.
  private var changed = ChangedLeaves()
  private var nextFlush = 0.0
  var snapshots: [Snapshot] = []
  /// The lamps of the patterns by which the client has set switches, in the order of their first use.
  var lamps: [GroupLamp] = []
  /// The time at which the next packet of a snapshot may be sent.
  var nextSnapshotPacket = 0.0
  /// The number of feedback bundles sent.
  private(set) var sequence: Int32 = 0
  /// The contents of the newest feedback bundles.
  private var sent = SentMemory()
  /// A number that differs after a restart of the router.
  private let epoch: Int32
  /// When the next `/alive` is due; for a client with subscriptions.
  private var nextAlive = 0.0
  private(set) var settings = ClientSettings()
  /// Whether the configuration lists the client, so that no other client gets its place.
  private(set) var isStatic = false
  /// Whether a surface of the configuration has refused packets for 30 s, and accepts none yet.
  var isRefusing = false
  /// What the client may reach; its feedback has nothing else.
  var reach = Reach.everything
  /// How often the client has reported missed feedback.
  var losses = 0

  init(id: Int, peer: Peer, isGuest: Bool, epoch: Int32, at time: Double) {
    (self.id, self.peer, self.isGuest, self.epoch) = (id, peer, isGuest, epoch)
    (port, lastHeard) = (peer.port, time)
  }

  var address: Peer { peer.withPort(port) }

  /// Seconds between two packets of a snapshot, so that a tablet's receive buffer does not overflow.
  private static let snapshotPause = 0.005

  /// Greatest number of subscriptions of a client, and of its waiting snapshots.
  static let mostSubscriptions = 64

  /// The time at which the next message is due; nil if no message waits.
  var nextDue: Double? {
    var due = snapshots.isEmpty ? .infinity : nextSnapshotPacket
    if !subscriptions.isEmpty, !isAway { due = min(due, nextAlive) }
    if !changed.isEmpty { due = min(due, nextFlush) }
    for subscription in subscriptions { due = min(due, subscription.nextDue ?? .infinity) }
    for lamp in lamps { due = min(due, lamp.nextDue ?? .infinity) }
    return due < .infinity ? due : nil
  }

  // MARK: Settings

  /// Replaces the settings. The present subscriptions without a rate of their own get the new rate.
  mutating func use(_ next: ClientSettings) {
    settings = next
    for index in subscriptions.indices { subscriptions[index].follow(next.rate) }
  }

  /// Applies the configuration's entry about the client.
  mutating func become(_ surface: StaticSurface) {
    (name, isStatic) = (surface.name, true)
    settings.isKept = true
    (settings.echo, settings.switches) = (surface.echo, surface.switches)
    settings.rate = Subscription.clamped(surface.rate ?? Subscription.usualRate)
    let patterns: [AddressPattern?] = surface.subscriptions.isEmpty ? [nil] : surface.subscriptions
    subscriptions = patterns.map {
      Subscription($0, port: port, rate: nil, usualRate: settings.rate)
    }
    repeatAll()
  }

  /// Begins to send everything to which the client subscribes.
  mutating func repeatAll() {
    for subscription in subscriptions {
      enqueue(Snapshot(subscription.pattern, port: subscription.port, reach))
    }
    for index in lamps.indices { lamps[index].repeatValue() }
  }

  /// Sends answers and feedback to another port from now on. Subscriptions to ports of their own stay there.
  mutating func moveFeedback(to next: UInt16) {
    for index in subscriptions.indices where subscriptions[index].port == port {
      subscriptions[index].port = next
    }
    for index in snapshots.indices where snapshots[index].port == port { snapshots[index].port = next }
    port = next
  }

  // MARK: Lease

  /// Seconds for which a client gets feedback after its last message.
  static let lease = 30.0

  /// When the lease ends; nil if it never does, or has ended.
  var endOfLease: Double? { isGuest || settings.isKept || isAway ? nil : lastHeard + Self.lease }

  /// Ends the feedback, because the lease is over.
  mutating func lapse() {
    isAway = true
    snapshots = []
    for index in subscriptions.indices { subscriptions[index].forgetMeters() }
    changed = ChangedLeaves()
    for index in lamps.indices { lamps[index].forgetChange() }
  }

  /// Renews the lease. A client that was away gets a snapshot for each subscription, because it has missed changes. So
  /// does a client of the configuration after a silence as long as a lease, because it may have been switched off.
  mutating func renew(at time: Double) {
    let wasSilent = time - lastHeard >= Self.lease
    (lastHeard, isRefusing) = (time, false)
    guard isAway || isStatic && wasSilent else { return }
    if isAway { (isAway, nextAlive) = (false, time) }
    repeatAll()
  }

  // MARK: Changes

  /// Records a leaf that this client must get.
  mutating func mark(_ match: Match) {
    guard !isAway, subscriptions.contains(where: { $0.wants(match.address) }) else { return }
    changed.note(match)
  }

  /// The ports whose subscriptions match an address.
  func ports(for address: String) -> [UInt16] {
    guard !isAway else { return [] }
    var ports: [UInt16] = []
    for subscription in subscriptions where subscription.wants(address) {
      if !ports.contains(subscription.port) { ports.append(subscription.port) }
    }
    return ports
  }

  /// The faster subscriptions to the same port. Of overlapping subscriptions only the fastest sends a value.
  func overtaking(_ subscription: Subscription, at index: Int) -> [Subscription] {
    subscriptions.enumerated().compactMap { other, faster in
      let isFaster = (faster.interval, other) < (subscription.interval, index)
      return other != index && faster.port == subscription.port && isFaster ? faster : nil
    }
  }

  /// Makes the packets that are due: the leaves that only this client must get, the lamps of patterns, `/alive`, and
  /// the next packet of a snapshot.
  ///
  /// - Parameters:
  ///   - readings: the encoded readings of `moment`.
  ///   - touched: the faders that this client touches.
  ///   - looks: the number of addresses that snapshots may still visit. The call subtracts the addresses that it
  ///     visits.
  ///   - follow: called with each value of the snapshot that a fade moves.
  mutating func flush(
    _ tree: AddressTree, _ moment: Moment, _ readings: inout EncodedReadings, touched: Set<LeafKey>,
    looks: inout Int, follow: (Match) -> Void
  ) -> [Surface.Datagram] {
    let time = moment.time
    var datagrams = flushChanged(&readings, at: time)
    var lit: [OSCMessage] = []
    for index in lamps.indices {
      if let message = lamps[index].take(at: time, value: { tree.lamp(of: $0, moment) }) {
        lit.append(message)
      }
    }
    if !lit.isEmpty { datagrams += feedback(lit.map(EncodedMessage.init), to: port) }
    datagrams += signsOfLife(at: time)
    return datagrams + nextOfSnapshot(tree, moment, touched: touched, looks: &looks, follow: follow)
  }

  private mutating func flushChanged(
    _ readings: inout EncodedReadings, at time: Double
  ) -> [Surface.Datagram] {
    guard !changed.isEmpty, time >= nextFlush else { return [] }
    nextFlush = time + 1 / settings.rate
    var messages: [UInt16: [EncodedMessage]] = [:]
    for match in changed.take() {
      guard let message = readings.message(match, settings.switches) else { continue }
      for port in ports(for: match.address) { messages[port, default: []].append(message) }
    }
    return feedback(messages)
  }

  // MARK: Lamps of groups

  /// Begins to feed back a pattern, if the client has a subscription.
  mutating func light(_ pattern: AddressPattern) {
    guard !subscriptions.isEmpty else { return }
    lamps.removeAll { $0.pattern.text == pattern.text }
    if lamps.count >= GroupLamp.capacity { lamps.removeFirst() }
    lamps.append(GroupLamp(pattern))
  }

  /// Makes the packets of meters that have changed, at most at the rate of the subscription and of `/meter/rate`. All that is due shares packets.
  mutating func flushMeters(every interval: Double, at time: Double) -> [Surface.Datagram] {
    var messages: [UInt16: [EncodedMessage]] = [:]
    for index in subscriptions.indices where subscriptions[index].hasHeldMeters {
      guard time >= subscriptions[index].nextMeters else { continue }
      let news = subscriptions[index].takeMeters(settings.switches, at: time)
      if !news.isEmpty {
        messages[subscriptions[index].port, default: []] += news.map(EncodedMessage.init)
      }
      subscriptions[index].nextMeters = FeedbackGroups.nextRound(
        after: time, interval: max(interval, subscriptions[index].interval))
    }
    return feedback(messages)
  }

  private mutating func feedback(_ messages: [UInt16: [EncodedMessage]]) -> [Surface.Datagram] {
    messages.sorted { $0.key < $1.key }.flatMap { feedback($0.value, to: $0.key) }
  }

  private mutating func feedback(_ messages: [EncodedMessage], to port: UInt16) -> [Surface.Datagram] {
    feedback(PackedFeedback(messages), to: port)
  }

  /// Makes numbered bundles of feedback.
  mutating func feedback(_ packed: PackedFeedback, to port: UInt16) -> [Surface.Datagram] {
    packed.parts.map { part in
      sequence &+= 1
      // A client that only requests snapshots cannot ask for lost bundles.
      if isGuest { sent.forget(upTo: sequence) } else { sent.note(part.addresses, in: sequence) }
      let number = OSCPacket.message(OSCBundle.number(sequence, epoch: epoch))
      var bundle = OSCBundle([number] + part.elements)
      bundle.staysWhole = settings.wantsBundles
      return Surface.Datagram(to: peer.withPort(port), .bundle(bundle))
    }
  }

  // MARK: Lost packets

  /// Seconds between two `/alive`.
  private static let aliveInterval = 1.0

  /// Adds a subscription. It replaces a subscription of the same pattern and port.
  mutating func subscribe(_ subscription: Subscription, at time: Double) {
    if subscriptions.isEmpty { nextAlive = time + Self.aliveInterval }
    subscriptions.removeAll { $0.text == subscription.text && $0.port == subscription.port }
    subscriptions.append(subscription)
  }

  /// Makes `/alive` for each port with a subscription, once a second. A client that has received another number of
  /// bundles has lost one.
  private mutating func signsOfLife(at time: Double) -> [Surface.Datagram] {
    guard !subscriptions.isEmpty, !isAway, time >= nextAlive else { return [] }
    nextAlive = time + Self.aliveInterval
    let alive = OSCMessage("/alive", .int32(epoch), .int32(sequence))
    return Set(subscriptions.map(\.port)).sorted().map {
      Surface.Datagram(to: peer.withPort($0), .message(alive))
    }
  }

  /// Sends the values of all later bundles again. If the bundle is too old or from before a restart, sends everything
  /// to which the client subscribes.
  ///
  /// - Parameter find: the leaf of an address; nil if the address is gone.
  mutating func resync(after number: Int32, find: (String) -> Match?) {
    guard number <= sequence, let addresses = sent.addresses(after: number) else {
      repeatAll()
      return
    }
    for address in addresses.sorted() { if let match = find(address) { mark(match) } }
    for index in lamps.indices where addresses.contains(lamps[index].pattern.text) {
      lamps[index].repeatValue()
    }
  }

  /// Ends all feedback to a port.
  mutating func endFeedback(to port: UInt16) {
    subscriptions.removeAll { $0.port == port }
    snapshots.removeAll { $0.port == port }
  }

  // MARK: Snapshots

  /// Queues a snapshot. A waiting or running snapshot of the same name and port starts anew.
  mutating func enqueue(_ snapshot: Snapshot) {
    snapshots.removeAll { $0.name == snapshot.name && $0.port == snapshot.port }
    snapshots.append(snapshot)
  }

  /// Makes the next packet of the running snapshot.
  private mutating func nextOfSnapshot(
    _ tree: AddressTree, _ moment: Moment, touched: Set<LeafKey>, looks: inout Int,
    follow: (Match) -> Void
  ) -> [Surface.Datagram] {
    guard !snapshots.isEmpty, moment.time >= nextSnapshotPacket else { return [] }
    nextSnapshotPacket = moment.time + Self.snapshotPause
    guard looks > 0 else { return [] }
    let messages = snapshots[0].next(
      tree, moment, settings.switches, without: touched, looks: &looks, follow: follow)
    let snapshot = snapshots[0]
    var datagrams = feedback(messages, to: snapshot.port)
    if snapshot.isDone {
      let end = OSCMessage(
        "/snapshot/end", .string(snapshot.name), .int32(Int32(snapshot.count)), .int32(sequence))
      datagrams.append(Surface.Datagram(to: peer.withPort(snapshot.port), .message(end)))
      snapshots.removeFirst()
    }
    return datagrams
  }
}
