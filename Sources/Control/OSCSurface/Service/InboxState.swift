import ControlInterface
import OSC

/// The queues of all clients, and the order in which they are served.
struct InboxState {
  private var queues: [Peer: InboxQueue] = [:]
  /// The clients with waiting packets of each party, in turn.
  private var parties: [Party: Rotation<Peer>] = [:]
  /// The number of waiting packets of each party.
  private var counts: [Party: Int] = [:]
  private var turns = Rotation<Party>()
  private var (count, bytes) = (0, 0)
  var registered: Set<Peer> = []
  /// The clients whose bundles take effect at their times, so that a later one must not replace an earlier one.
  var punctual: Set<Peer> = []
  private var acquaintances = Acquaintances()
  private(set) var (replaced, dropped) = (0, 0)
  /// The client whose packet was dropped last; nil if all drops are reported.
  var loser: Peer?
  var reported = 0
  /// Whether a report is on its way.
  var isReporting = false

  mutating func add(_ item: WaitingPacket, from peer: Peer, at time: Double) -> Inbox.Addition {
    var item = item
    if item.isTimed, punctual.contains(peer) { item.faders = [] }
    let isKnown = acquaintances.note(peer, at: time) || registered.contains(peer)
    // While packets of a client wait, its later packets join them, so that none overtakes another when the client registers.
    let party =
      queues[peer]?.party ?? (isKnown ? .client(peer) : .strangers(peer.host))
    var queue = queues.removeValue(forKey: peer) ?? InboxQueue(party)
    defer { if queue.count > 0 { queues[peer] = queue } }
    let isNew = queue.count == 0
    let limit = if case .client = party { Inbox.Limit.client } else { Inbox.Limit.strangers }
    guard queue.count < Inbox.Limit.client, queue.bytes + item.bytes <= Inbox.Limit.clientBytes,
      counts[party, default: 0] < limit, count < Inbox.Limit.all,
      bytes + item.bytes <= Inbox.Limit.allBytes
    else {
      dropped += 1
      loser = peer
      return .dropped
    }
    let before = queue.bytes
    let isReplacing = queue.append(item)
    bytes += queue.bytes - before
    if isReplacing {
      replaced += 1
      return .replaced
    }
    count += 1
    counts[party, default: 0] += 1
    if isNew { line(up: peer, in: party) }
    return .waits
  }

  mutating func next() -> (WaitingPacket, Peer)? {
    while let party = turns.takeFirst(), let peer = parties[party]?.takeFirst() {
      // The client's only packet may have been withdrawn.
      let item = queues[peer]?.takeFirst()
      if let item {
        (count, bytes) = (count - 1, bytes - item.bytes)
        counts[party]! -= 1
      }
      if queues[peer]?.count ?? 0 > 0 { parties[party]!.append(peer) } else { queues[peer] = nil }
      if parties[party]!.isEmpty { (parties[party], counts[party]) = (nil, nil) } else { turns.append(party) }
      if let item { return (item, peer) }
    }
    return nil
  }

  mutating func putBack(_ command: SurfaceCommand, of peer: Peer) {
    let isNew = queues[peer] == nil
    var queue =
      queues.removeValue(forKey: peer)
      ?? InboxQueue(registered.contains(peer) ? .client(peer) : .strangers(peer.host))
    let bytes = command.packet.weight
    queue.putFirst(WaitingPacket(content: .command(command), faders: [], bytes: bytes))
    (count, self.bytes) = (count + 1, self.bytes + bytes)
    counts[queue.party, default: 0] += 1
    if isNew { line(up: peer, in: queue.party) }
    queues[peer] = queue
  }

  func hasPackets(of peer: Peer) -> Bool { queues[peer]?.count ?? 0 > 0 }

  mutating func withdraw(from peer: Peer) {
    guard var queue = queues.removeValue(forKey: peer) else { return }
    let before = (queue.count, queue.bytes)
    queue.removeLast()
    (count, bytes) = (count + queue.count - before.0, bytes + queue.bytes - before.1)
    counts[queue.party]! += queue.count - before.0
    // A client without packets keeps its turn, which `next` passes.
    queues[peer] = queue
    dropped += 1
    loser = peer
  }

  /// Appends a client to those of its party, and the party to the turns.
  private mutating func line(up peer: Peer, in party: Party) {
    if parties[party] == nil { turns.append(party) }
    parties[party, default: Rotation()].append(peer)
  }
}

/// The clients that share a turn.
enum Party: Hashable {
  case client(Peer)
  case strangers(HostAddress)
}
