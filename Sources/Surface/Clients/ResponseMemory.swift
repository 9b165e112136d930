import OSC

/// What requests were answered, so that one that comes twice is not run twice.
struct ResponseMemory: Sendable {
  private var memories: [PeerAddress: Memory] = [:]

  /// Seconds that an answer is kept.
  static let patience = 30.0
  /// Most answers that are kept for a client.
  static let capacity = 4_096
  /// Clients above which those whose answers are all too old are forgotten.
  private static let usualClients = 64

  private struct Memory: Sendable {
    var messages: [Int32: (message: OSCMessage, end: Double)] = [:]
    /// The ids in the order of their answers, from `first` on.
    var order: [Int32] = []
    var first = 0

    mutating func forget(at time: Double) {
      while first < order.count {
        let isOld = messages[order[first]].map { $0.end <= time } ?? true
        guard isOld || order.count - first > capacity else { break }
        messages[order[first]] = nil
        first += 1
      }
      // Trimmed in large steps, so that forgetting stays cheap.
      if first > capacity { (order, first) = (Array(order[first...]), 0) }
    }
  }

  /// The answer that a request got lately.
  func answer(to id: Int32, from peer: PeerAddress, at time: Double) -> OSCMessage? {
    memories[peer]?.messages[id].flatMap { $0.end > time ? $0.message : nil }
  }

  mutating func remember(_ message: OSCMessage, to id: Int32, from peer: PeerAddress, at time: Double) {
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
