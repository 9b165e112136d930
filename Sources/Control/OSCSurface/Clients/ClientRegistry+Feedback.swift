import ControlInterface
import OSC
import Parameters
import SessionModel

/// What clients are told: changes, events, snapshots and meters.
extension ClientRegistry {
  /// Notes a changed leaf for all clients.
  mutating func mark(_ match: Match) {
    groups.mark(match)
    listens.mark(match)
  }

  /// Notes a leaf for one client.
  mutating func mark(_ match: Match, for peer: Peer) { clients[peer]?.mark(match) }

  /// Sends events at once and in order to all clients that subscribe to them.
  func send(_ event: OSCMessage, _ outcome: inout Surface.Outcome) {
    for client in clients.values {
      for port in client.ports(for: event.address) { outcome.send(event, to: client.peer.withPort(port)) }
    }
  }

  /// Sends what is due to all clients.
  ///
  /// - Parameters:
  ///   - held: the controls of which each client gets no feedback now.
  ///   - touched: those of them with a finger of the client on them.
  /// - Returns: the values of snapshots that a fade moves.
  mutating func flush(
    _ tree: AddressTree, _ moment: Moment, held: () -> [Peer: Set<LeafKey>],
    touched: () -> [Peer: Set<LeafKey>], _ outcome: inout Surface.Outcome
  ) -> [Match] {
    var moving: [Match] = []
    var looks = Self.mostLooks
    var readings = EncodedReadings(moment)
    let due = groups.takeDue(at: moment.time)
    if !due.isEmpty {
      let held = held()
      for (key, changed) in due { tell(key, changed, held, moment, &readings, &outcome) }
    }
    listens.flush(&readings, at: moment.time, &outcome)
    if !isDueKnown { (knownDue, isDueKnown) = (earliest, true) }
    guard let knownDue, knownDue <= moment.time else { return [] }
    // Another client begins each time, because the first ones may need all looks.
    firstServed = clients.isEmpty ? 0 : (firstServed + 1) % clients.count
    let (peers, touched) = (Array(clients.keys), touched())
    for peer in peers[firstServed...] + peers[..<firstServed] {
      guard let due = clients[peer]!.nextDue, due <= moment.time else { continue }
      outcome.datagrams += clients[peer]!.flush(
        tree, moment, &readings, touched: touched[peer] ?? [], looks: &looks
      ) { moving.append($0) }
      if clients[peer]!.isGuest, clients[peer]!.snapshots.isEmpty { clients[peer] = nil }
    }
    return moving
  }

  /// Tells the clients of a group what has changed.
  private mutating func tell(
    _ key: FeedbackGroups.Key, _ changed: [Match], _ held: [Peer: Set<LeafKey>], _ moment: Moment,
    _ readings: inout EncodedReadings, _ outcome: inout Surface.Outcome
  ) {
    var shared: [Share: PackedFeedback] = [:]
    for member in members[key] ?? [] {
      let (held, share) = (held[member.peer], member.share)
      let packed =
        (held == nil ? shared[share] : nil)
        ?? {
          let wanted = changed.filter { match in
            let isHeld = held?.contains(match.control(in: moment.state)) ?? false
            return !isHeld && !member.faster.contains { $0.wants(match.address) }
          }
          return PackedFeedback(wanted.compactMap { readings.message($0, share.switches) })
        }()
      if held == nil { shared[share] = packed }
      outcome.datagrams += clients[member.peer]!.feedback(packed, to: member.port)
    }
  }

  /// A subscription of a group.
  struct Member {
    let peer: Peer
    let port: UInt16
    /// The subscriptions of the client that send the values in its place.
    let faster: [Subscription]
    fileprivate let share: Share

    init(_ client: Client, at index: Int) {
      (peer, port) = (client.peer, client.subscriptions[index].port)
      faster = client.overtaking(client.subscriptions[index], at: index)
      share = Share(switches: client.settings.switches, faster: faster.map(\.group))
    }
  }

  /// What decides on the messages of a group for a client without a finger on a control: many clients are alike, as pages and tablets are.
  fileprivate struct Share: Hashable {
    let switches: SwitchFormat
    let faster: [FeedbackGroups.Key]
  }

  /// Notes that the state has changed, and with it perhaps the lamps of patterns.
  mutating func noteChangeOfLamps() {
    guard hasLamps else { return }
    clients.changeValues { client in
      guard !client.isAway else { return }
      for index in client.lamps.indices { client.lamps[index].noteChange() }
    }
  }

  /// Forgets all peaks that wait to be sent.
  mutating func forgetMeters() {
    listens.meters.forgetHeld()
    clients.changeValues { client in
      for index in client.subscriptions.indices { client.subscriptions[index].forgetMeters() }
    }
  }

  mutating func hold(_ meters: MeterBoard) {
    listens.meters.hold(meters)
    clients.changeValues { client in
      guard !client.isAway else { return }
      for index in client.subscriptions.indices where client.subscriptions[index].mayWantMeters {
        meters.hold(in: &client.subscriptions[index])
      }
    }
  }

  mutating func flushMeters(_ state: RouterState, at time: Double, _ outcome: inout Surface.Outcome) {
    let interval = 1 / state.meterRate.value(at: time, isLevel: false)
    listens.flushMeters(every: interval, at: time, &outcome)
    var datagrams: [Surface.Datagram] = []
    clients.changeValues { datagrams += $0.flushMeters(every: interval, at: time) }
    outcome.datagrams += datagrams
  }
}
