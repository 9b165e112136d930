/// The ports that refuse packets, because no program receives there any more.
///
/// A refusing port gets one packet a second until it accepts one again. After 30 s its feedback ends. Times are seconds of
/// `MonotonicTime`.
struct RefusedPorts {
  private var ports: [PeerAddress: Refusal] = [:]
  /// The ports that have refused packets and accept them again.
  private var resumed: [PeerAddress] = []
  /// The number of packets that were not sent.
  private(set) var withheld = 0

  private struct Refusal {
    /// The first refusal since the last message of the port.
    var since: Double
    var last: Double
    /// When the last packet was sent.
    var tried: Double
  }

  /// Seconds between two packets to a refusing port.
  static let pause = 1.0
  /// Seconds of refusals after which the feedback to a port ends.
  static let patience = 30.0
  /// Greatest number of refusing ports; further ones are not remembered.
  private static let capacity = 1_024

  /// Notes that a packet to a port was refused.
  mutating func noteRefusal(_ port: PeerAddress, at time: Double) {
    if ports[port] != nil {
      ports[port]!.last = time
    } else if ports.count < Self.capacity {
      ports[port] = Refusal(since: time, last: time, tried: time)
    }
  }

  /// Notes a message from a port: a program is there.
  mutating func noteMessage(_ port: PeerAddress) {
    if !ports.isEmpty { end(port) }
  }

  /// Ends the refusal of a port.
  private mutating func end(_ port: PeerAddress) {
    if ports.removeValue(forKey: port) != nil, resumed.count < Self.capacity { resumed.append(port) }
  }

  /// Whether a packet may be sent to a port now.
  mutating func maySend(_ port: PeerAddress, at time: Double) -> Bool {
    guard !ports.isEmpty, let refusal = ports[port] else { return true }
    guard time - refusal.tried >= Self.pause else {
      withheld += 1
      return false
    }
    // The last packet was not refused within a second.
    if refusal.last < refusal.tried { end(port) } else { ports[port]!.tried = time }
    return true
  }

  /// Takes the ports that have refused packets and accept them again.
  mutating func takeResumed() -> [PeerAddress] {
    defer { resumed = [] }
    return resumed
  }

  /// Takes the ports whose feedback ends.
  mutating func takeExpired(at time: Double) -> [PeerAddress] {
    guard !ports.isEmpty else { return [] }
    let expired = ports.filter { $0.value.last - $0.value.since >= Self.patience }
    for port in expired.keys { ports[port]!.since = time }
    return Array(expired.keys)
  }
}
