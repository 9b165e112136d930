import SessionModel

/// Tells when the programs of a session connect and when they have vanished. A short gap does not count.
struct SourceWatch {
  /// When each session lost its last source, in seconds; sessions with sources, and sessions that count as not connected, are absent.
  private var lost: [SessionID: Double] = [:]

  /// Seconds without any source after which a session's programs have vanished.
  static let grace = 1.0

  /// When the next of these sessions counts as not connected, in seconds; nil if there is none.
  var due: Double? { lost.values.min().map { $0 + Self.grace } }

  /// Forgets sessions that no longer exist.
  mutating func keep(_ isThere: (SessionID) -> Bool) { lost = lost.filter { isThere($0.key) } }

  /// Notes whether a session has a source now. The session itself knows whether it counts as connected, so that a session that was
  /// removed and made again does not.
  /// - Returns: whether the session counts as connected from now on; nil if that does not change.
  mutating func note(_ session: Session, isConnected: Bool, at time: Double) -> Bool? {
    guard session.isConnected, !isConnected else {
      lost[session.id] = nil
      return isConnected && !session.isConnected ? true : nil
    }
    let since = lost[session.id] ?? time
    let hasVanished = time - since >= Self.grace
    lost[session.id] = hasVanished ? nil : since
    return hasVanished ? false : nil
  }
}
