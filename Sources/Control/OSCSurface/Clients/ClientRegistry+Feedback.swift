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
    var shared: [SwitchFormat: PackedFeedback] = [:]
    for peer in Array(clients.keys) where !clients[peer]!.isAway {
      let (subscriptions, switches) = (clients[peer]!.subscriptions, clients[peer]!.settings.switches)
      for (index, subscription) in subscriptions.enumerated() where subscription.group == key {
        let controls = held[peer]
        guard controls == nil, subscriptions.count == 1 else {
          let wanted = changed.filter { match in
            !(controls?.contains(match.control(in: moment.state)) ?? false)
              && !clients[peer]!.isOvertaken(subscription, at: index, for: match.address)
          }
          let messages = wanted.compactMap { readings.message($0, switches) }
          outcome.datagrams += clients[peer]!.feedback(PackedFeedback(messages), to: subscription.port)
          continue
        }
        if shared[switches] == nil {
          shared[switches] = PackedFeedback(changed.compactMap { readings.message($0, switches) })
        }
        outcome.datagrams += clients[peer]!.feedback(shared[switches]!, to: subscription.port)
      }
    }
  }

  /// Notes that the state has changed, and with it perhaps the lamps of patterns.
  mutating func noteChangeOfLamps() {
    guard hasLamps else { return }
    for peer in Array(clients.keys) where !clients[peer]!.isAway {
      for index in clients[peer]!.lamps.indices { clients[peer]!.lamps[index].noteChange() }
    }
  }

  mutating func hold(_ meters: MeterBoard) {
    listens.meters.hold(meters)
    for peer in Array(clients.keys) {
      for index in clients[peer]!.subscriptions.indices
      where !clients[peer]!.isAway && clients[peer]!.subscriptions[index].mayWantMeters {
        meters.hold(in: &clients[peer]!.subscriptions[index])
      }
    }
  }

  mutating func flushMeters(_ state: RouterState, at time: Double, _ outcome: inout Surface.Outcome) {
    let interval = 1 / state.meterRate.value(at: time, isLevel: false)
    listens.flushMeters(every: interval, at: time, &outcome)
    for peer in Array(clients.keys) {
      outcome.datagrams += clients[peer]!.flushMeters(every: interval, at: time)
    }
  }
}
