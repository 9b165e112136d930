import SessionModel

/// Tells when a session's programs come and when they have vanished: a short gap is no vanishing.
struct SourceWatch {
  /// When each session that counts as connected lost its last source; nil while it has one.
  private var lost: [SessionID: Double] = [:]
  private var connected: Set<SessionID> = []

  /// Seconds without any source after which a session's programs have vanished.
  static let liveness = 1.0

  /// Whether somebody must be looked at again soon.
  var isWaiting: Bool { !lost.isEmpty }

  /// Takes what is connected now.
  /// - Returns: whether the session counts as connected, if that changed.
  mutating func note(_ session: Session, isConnected: Bool, at time: Double) -> Bool? {
    let id = session.id
    if isConnected {
      lost[id] = nil
      return connected.insert(id).inserted ? true : nil
    }
    guard connected.contains(id) else { return nil }
    let since = lost[id] ?? time
    lost[id] = since
    guard time - since >= Self.liveness else { return nil }
    (lost[id], _) = (nil, connected.remove(id))
    return false
  }
}
