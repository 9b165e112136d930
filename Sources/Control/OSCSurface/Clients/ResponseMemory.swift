import ControlInterface
import OSC

/// Recent responses to requests. A request that arrives twice is performed once and answered twice.
///
/// The responses of a host share a bounded memory, because a host may send each request from another port.
struct ResponseMemory: Sendable {
  private var hosts: [HostAddress: Memory] = [:]

  /// Seconds for which a response is kept.
  static let patience = 30.0
  /// Greatest number of responses that are kept for a host.
  static let capacity = 4_096
  /// Greatest size of the responses that are kept for a host, in bytes.
  static let mostBytes = 1 << 20
  /// Greatest number of hosts. A further one replaces the host whose last request is oldest.
  static let mostHosts = 64

  /// A request is known by its client and id.
  private struct Key: Hashable {
    let peer: Peer
    let id: Int32
  }

  private struct Kept {
    let message: OSCMessage
    let end: Double
    let size: Int
  }

  private struct Memory: Sendable {
    var responses: [Key: Kept] = [:]
    /// The requests in the order of their responses; those before `first` are forgotten.
    private var order: [Key] = []
    private var first = 0
    private var bytes = 0

    /// The end of the newest response.
    var end: Double { order.last.flatMap { responses[$0]?.end } ?? 0 }

    mutating func append(_ kept: Kept, _ key: Key) {
      if let old = responses.updateValue(kept, forKey: key) { bytes -= old.size }
      bytes += kept.size
      order.append(key)
    }

    mutating func forget(at time: Double) {
      while first < order.count {
        // The same request may have been answered again later.
        if let kept = responses[order[first]] {
          guard kept.end <= time || order.count - first > capacity || bytes > mostBytes else { break }
          responses[order[first]] = nil
          bytes -= kept.size
        }
        first += 1
      }
      // Removes forgotten requests in large steps, because removal at the front costs time.
      if first > order.count / 2 { (order, first) = (Array(order[first...]), 0) }
    }
  }

  /// When `forget` must be called; nil if nothing is kept.
  var nextDue: Double? { hosts.values.lazy.map(\.end).min() }

  /// Forgets the responses whose time is over.
  mutating func forget(at time: Double) {
    guard let due = nextDue, due <= time else { return }
    for host in Array(hosts.keys) {
      hosts[host]!.forget(at: time)
      if hosts[host]!.responses.isEmpty { hosts[host] = nil }
    }
  }

  /// The response to a recent request with this id.
  func answer(to id: Int32, from peer: Peer, at time: Double) -> OSCMessage? {
    hosts[peer.host]?.responses[Key(peer: peer, id: id)].flatMap { $0.end > time ? $0.message : nil }
  }

  mutating func remember(_ message: OSCMessage, to id: Int32, from peer: Peer, at time: Double) {
    if hosts[peer.host] == nil, hosts.count >= Self.mostHosts,
      let oldest = hosts.min(by: { $0.value.end < $1.value.end })?.key
    {
      hosts[oldest] = nil
    }
    let kept = Kept(message: message, end: time + Self.patience, size: OSCBundle.size(of: message))
    hosts[peer.host, default: Memory()].append(kept, Key(peer: peer, id: id))
    hosts[peer.host]!.forget(at: time)
  }
}
