import ControlInterface

/// The clients that were heard before, for a bounded number of clients. A host that sends each packet from another port makes none.
struct Acquaintances {
  /// When each known client was heard last.
  private var known: [Peer: Double] = [:]
  /// When each stranger was heard first, for the strangers that came lately and for those that came before them.
  private var (recent, older): ([Peer: Double], [Peer: Double]) = ([:], [:])

  /// Seconds after the first packet of a client from which on the client is known.
  private static let probation = 0.2
  /// Greatest number of known clients. A further one replaces the client that has been silent longest.
  private static let mostKnown = 256
  /// Number of strangers after which older ones are forgotten.
  private static let mostStrangers = 4_096

  /// Notes a packet of a client.
  ///
  /// - Returns: whether the client is known.
  mutating func note(_ peer: Peer, at time: Double) -> Bool {
    guard known[peer] == nil else {
      known[peer] = time
      return true
    }
    guard let first = recent[peer] ?? older[peer] else {
      if recent.count >= Self.mostStrangers { (recent, older) = ([:], recent) }
      recent[peer] = time
      return false
    }
    guard time - first >= Self.probation else { return false }
    if known.count >= Self.mostKnown, let oldest = known.min(by: { $0.value < $1.value })?.key {
      known[oldest] = nil
    }
    (recent[peer], older[peer], known[peer]) = (nil, nil, time)
    return true
  }
}
