import ControlInterface
import OSC

/// Recent responses to requests. A request that arrives twice is performed once and answered twice.
struct ResponseMemory: Sendable {
  private var memories: [Peer: Memory] = [:]

  /// Seconds for which a response is kept.
  static let patience = 30.0
  /// Greatest number of responses that are kept for a client.
  static let capacity = 4_096
  /// Number of clients above which clients with only expired responses are removed.
  private static let usualClients = 64

  private struct Memory: Sendable {
    var messages: [Int32: (message: OSCMessage, end: Double)] = [:]
    /// The ids in the order of their responses; those before `first` are expired.
    var order: [Int32] = []
    var first = 0

    mutating func forget(at time: Double) {
      while first < order.count {
        let isOld = messages[order[first]].map { $0.end <= time } ?? true
        guard isOld || order.count - first > capacity else { break }
        messages[order[first]] = nil
        first += 1
      }
      // Removes expired ids in large steps, because removal at the front costs time.
      if first > capacity { (order, first) = (Array(order[first...]), 0) }
    }
  }

  /// The response to a recent request with this id.
  func answer(to id: Int32, from peer: Peer, at time: Double) -> OSCMessage? {
    memories[peer]?.messages[id].flatMap { $0.end > time ? $0.message : nil }
  }

  mutating func remember(_ message: OSCMessage, to id: Int32, from peer: Peer, at time: Double) {
    if memories.count > Self.usualClients {
      for key in Array(memories.keys) {
        memories[key]?.forget(at: time)
        if memories[key]?.messages.isEmpty == true { memories[key] = nil }
      }
    }
    memories[peer, default: Memory()].forget(at: time)
    memories[peer]!.messages[id] = (message, time + Self.patience)
    memories[peer]!.order.append(id)
  }
}
