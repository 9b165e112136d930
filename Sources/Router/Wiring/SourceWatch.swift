import SessionModel

/// Tells when a session's programs come and when they have vanished: a short gap is no vanishing.
struct SourceWatch {
  /// When each session that counts as connected lost its last source; nil while it has one.
  private var lost: [SessionID: Double] = [:]

  /// Seconds without any source after which a session's programs have vanished.
  static let liveness = 1.0

  /// Whether somebody must be looked at again soon.
  var isWaiting: Bool { !lost.isEmpty }

  /// Forgets sessions that are gone.
  mutating func keep(_ isThere: (SessionID) -> Bool) { lost = lost.filter { isThere($0.key) } }

  /// Takes what is connected now. Whether the session counts as connected is its own knowledge: one that was removed and made
  /// again does not.
  /// - Returns: whether the session counts as connected, if that changes.
  mutating func note(_ session: Session, isConnected: Bool, at time: Double) -> Bool? {
    guard session.isConnected, !isConnected else {
      lost[session.id] = nil
      return isConnected && !session.isConnected ? true : nil
    }
    let since = lost[session.id] ?? time
    let hasVanished = time - since >= Self.liveness
    lost[session.id] = hasVanished ? nil : since
    return hasVanished ? false : nil
  }
}
