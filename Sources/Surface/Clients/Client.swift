import OSC
import Parameters
import SessionModel

/// Somebody who said hello or subscribed.
struct Client: Sendable {
  let id: Int
  let peer: PeerAddress
  var name = ""
  /// Where answers and feedback go.
  var port: UInt16
  /// Whether it only waits for a snapshot.
  var isGuest: Bool
  var lastHeard: Double
  var subscriptions: [Subscription] = []
  var snapshots: [Snapshot] = []
  /// When the next packet of a snapshot may go.
  var nextSnapshotPacket = 0.0
  /// Counts feedback bundles.
  var sequence: Int32 = 0

  init(id: Int, peer: PeerAddress, isGuest: Bool, at time: Double) {
    (self.id, self.peer, self.isGuest, port, lastHeard) = (id, peer, isGuest, peer.port, time)
  }

  var address: PeerAddress { peer.withPort(port) }

  /// Seconds between two packets of a snapshot, so that a tablet's buffer holds it.
  private static let snapshotPause = 0.005

  /// Most patterns that a client may subscribe to, and most snapshots that may wait.
  static let mostSubscriptions = 64

  /// Whether there is nothing to send, nor will be when meters move.
  var isIdle: Bool { snapshots.isEmpty && !subscriptions.contains { $0.isWaiting || $0.mayWantMeters } }

  // MARK: Changes

  /// Notes that a leaf changed.
  mutating func mark(_ match: Match) {
    for index in listeners(to: match.address) { subscriptions[index].changed[match.address] = match }
  }

  /// The ports that want an event.
  func ports(for event: String) -> [UInt16] { listeners(to: event).map { subscriptions[$0].port } }

  /// For each port the fastest subscription that wants an address, so that overlapping ones repeat nothing.
  private func listeners(to address: String) -> [Int] {
    var chosen: [Int] = []
    for index in subscriptions.indices where subscriptions[index].wants(address) {
      guard let same = chosen.firstIndex(where: { subscriptions[$0].port == subscriptions[index].port })
      else {
        chosen.append(index)
        continue
      }
      if subscriptions[index].interval < subscriptions[chosen[same]].interval { chosen[same] = index }
    }
    return chosen
  }

  /// Sends what changed, at most as often as each subscription allows, and the next packet of a snapshot.
  mutating func flush(_ moment: Moment) -> [Surface.Datagram] {
    let time = moment.time
    var datagrams: [Surface.Datagram] = []
    for index in subscriptions.indices where !subscriptions[index].changed.isEmpty {
      guard time >= subscriptions[index].nextFlush else { continue }
      let messages = subscriptions[index].changed.values.compactMap { match in
        match.read(moment).map { OSCMessage(match.address, $0) }
      }
      subscriptions[index].changed = Registry()
      subscriptions[index].nextFlush = time + subscriptions[index].interval
      datagrams += feedback(messages, to: subscriptions[index].port)
    }
    return datagrams + nextOfSnapshot(moment)
  }

  /// Sends the peaks that were held, at most as often as the subscription and `/meter/rate` allow.
  mutating func flushMeters(every interval: Double, at time: Double) -> [Surface.Datagram] {
    var datagrams: [Surface.Datagram] = []
    for index in subscriptions.indices where subscriptions[index].hasHeldMeters {
      guard time >= subscriptions[index].nextMeters else { continue }
      let messages = subscriptions[index].takeMeters()
      subscriptions[index].nextMeters = time + max(interval, subscriptions[index].interval)
      datagrams += feedback(messages, to: subscriptions[index].port)
    }
    return datagrams
  }

  private mutating func feedback(_ messages: [OSCMessage], to port: UInt16) -> [Surface.Datagram] {
    let bundles = OSCBundle.packed(messages)
    sequence &+= Int32(bundles.count)
    return bundles.map { Surface.Datagram(to: peer.withPort(port), .bundle($0)) }
  }

  // MARK: Snapshots

  /// Queues a snapshot; one of the same kind that is under way begins anew.
  mutating func enqueue(_ snapshot: Snapshot) {
    snapshots.removeAll { $0.pattern == snapshot.pattern && $0.port == snapshot.port }
    snapshots.append(snapshot)
  }

  /// One packet of the snapshot that is under way.
  private mutating func nextOfSnapshot(_ moment: Moment) -> [Surface.Datagram] {
    guard !snapshots.isEmpty, moment.time >= nextSnapshotPacket else { return [] }
    nextSnapshotPacket = moment.time + Self.snapshotPause
    var messages: [OSCMessage] = []
    var size = OSCBundle.headerSize
    while let match = snapshots[0].rest.first {
      if let value = match.read(moment) {
        let message = OSCMessage(match.address, value)
        size += OSCBundle.size(of: message)
        if size > OSCBundle.usualSize, !messages.isEmpty { break }
        messages.append(message)
      }
      snapshots[0].rest.removeFirst()
    }
    snapshots[0].count += messages.count
    let snapshot = snapshots[0]
    var datagrams = feedback(messages, to: snapshot.port)
    if snapshot.rest.isEmpty {
      let end = OSCMessage(
        "/snapshot/end", .string(snapshot.pattern), .int32(Int32(snapshot.count)), .int32(sequence))
      datagrams.append(Surface.Datagram(to: peer.withPort(snapshot.port), .message(end)))
      snapshots.removeFirst()
    }
    return datagrams
  }
}
