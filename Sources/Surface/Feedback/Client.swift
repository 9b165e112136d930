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
  var right = Right.none
  /// Whether it only waits for a snapshot.
  var isGuest = false
  var lastHeard: Double
  var subscriptions: [Subscription] = []
  var snapshots: [Snapshot] = []
  /// When the next packet of a snapshot may go.
  var nextSnapshotPacket = 0.0
  /// Counts feedback bundles.
  var sequence: Int32 = 0

  init(id: Int, peer: PeerAddress, at time: Double) {
    (self.id, self.peer, port, lastHeard) = (id, peer, peer.port, time)
  }

  var address: PeerAddress { peer.withPort(port) }

  /// Notes that a leaf changed, for the first subscription that wants it.
  mutating func mark(_ match: Match) {
    guard let index = subscriptions.firstIndex(where: { $0.wants(match.address) }) else { return }
    subscriptions[index].changed[match.address] = match
  }

  /// Sends what changed, at most as often as each subscription allows.
  mutating func flush(_ state: RouterState, at time: Double) -> [Surface.Datagram] {
    var datagrams: [Surface.Datagram] = []
    for index in subscriptions.indices where !subscriptions[index].changed.isEmpty {
      guard time >= subscriptions[index].nextFlush else { continue }
      let messages = subscriptions[index].changed.compactMap { _, match in
        match.read(state, at: time).map { OSCMessage(match.address, $0) }
      }
      subscriptions[index].changed = Registry()
      subscriptions[index].nextFlush = time + subscriptions[index].interval
      datagrams += bundles(messages, to: peer.withPort(subscriptions[index].port))
    }
    datagrams += nextOfSnapshot(state, at: time)
    return datagrams
  }

  /// One packet of the snapshot that is under way, every 5 ms, so that a tablet's buffer holds it.
  private mutating func nextOfSnapshot(_ state: RouterState, at time: Double) -> [Surface.Datagram] {
    guard !snapshots.isEmpty, time >= nextSnapshotPacket else { return [] }
    nextSnapshotPacket = time + 0.005
    let target = peer.withPort(snapshots[0].port)
    var messages: [OSCMessage] = []
    var size = 16
    while let match = snapshots[0].rest.first {
      if let value = match.read(state, at: time) {
        let message = OSCMessage(match.address, value)
        size += 4 + PacketEncoder.encode(message).count
        if size > 1_200, !messages.isEmpty { break }
        messages.append(message)
      }
      snapshots[0].rest.removeFirst()
    }
    snapshots[0].count += messages.count
    var datagrams = bundles(messages, to: target)
    if snapshots[0].rest.isEmpty {
      let end = OSCMessage(
        "/snapshot/end", .string(snapshots[0].pattern), .int32(Int32(snapshots[0].count)), .int32(sequence))
      datagrams.append(Surface.Datagram(to: target, .message(end)))
      snapshots.removeFirst()
    }
    return datagrams
  }

  /// Feedback bundles of at most 1,200 bytes.
  mutating func bundles(_ messages: [OSCMessage], to peer: PeerAddress) -> [Surface.Datagram] {
    var datagrams: [Surface.Datagram] = []
    var bundle: [OSCPacket] = []
    var size = 16
    func flush(_ sequence: inout Int32) {
      guard !bundle.isEmpty else { return }
      sequence &+= 1
      datagrams.append(Surface.Datagram(to: peer, .bundle(OSCBundle(bundle))))
      (bundle, size) = ([], 16)
    }
    for message in messages {
      let length = 4 + PacketEncoder.encode(message).count
      if size + length > 1_200 { flush(&sequence) }
      bundle.append(.message(message))
      size += length
    }
    flush(&sequence)
    return datagrams
  }
}

/// What a client wants to hear of.
struct Subscription: Sendable {
  /// As sent; empty for everything but meters.
  let text: String
  let pattern: AddressPattern?
  let port: UInt16
  /// Least time between two messages of one address, seconds.
  let interval: Double
  var changed = Registry<String, Match>()
  var nextFlush = 0.0
  /// Peaks since the last message, by meter address.
  var heldMeters: [String: [Float]] = [:]
  var nextMeters = 0.0

  /// Hz when none was asked for.
  static let usualRate = 30.0

  func wants(_ address: String) -> Bool {
    guard let pattern else { return !address.hasPrefix("/meter/") || address == "/meter/rate" }
    return pattern.matchesPrefix(of: address)
  }

  /// Whether it may want meters; without a pattern it never does.
  var mayWantMeters: Bool { pattern?.parts.first?.matches("meter") ?? false }
}

/// A snapshot that is being sent; values are read when their packet goes.
struct Snapshot: Sendable {
  let pattern: String
  let port: UInt16
  var rest: ArraySlice<Match>
  var count = 0
}
