import OSC
import SessionModel

/// Fingers on faders: who hears nothing of them, and where no fade may move anything.
struct TouchBoard: Sendable {
  private var faders: [LeafKey: Fader] = [:]

  /// Seconds without a set after which a finger counts as lifted.
  static let patience = 10.0

  private struct Fader: Sendable {
    var match: Match
    /// When each finger counts as lifted, by client.
    var ends: [PeerAddress: Double] = [:]
  }

  var isEmpty: Bool { faders.isEmpty }

  /// A finger goes on.
  mutating func press(_ match: Match, by peer: PeerAddress, at time: Double) {
    faders[LeafKey(match), default: Fader(match: match)].ends[peer] = time + Self.patience
  }

  /// A set by a finger keeps it on.
  mutating func renew(_ match: Match, by peer: PeerAddress, at time: Double) {
    guard isPressed(match, by: peer) else { return }
    faders[LeafKey(match)]?.ends[peer] = time + Self.patience
  }

  /// A finger goes off.
  /// - Returns: whether it was on.
  mutating func release(_ match: Match, by peer: PeerAddress) -> Bool {
    let key = LeafKey(match)
    let wasPressed = faders[key]?.ends.removeValue(forKey: peer) != nil
    if faders[key]?.ends.isEmpty == true { faders[key] = nil }
    return wasPressed
  }

  /// Forgets the fingers of a client that left.
  mutating func forget(_ peer: PeerAddress) {
    for fader in faders.values { _ = release(fader.match, by: peer) }
  }

  /// Takes off the fingers that rest too long.
  /// - Returns: the faders they were on.
  mutating func expire(at time: Double) -> [(match: Match, peer: PeerAddress)] {
    var expired: [(match: Match, peer: PeerAddress)] = []
    for fader in faders.values {
      for (peer, end) in fader.ends where end <= time { expired.append((fader.match, peer)) }
    }
    for (match, peer) in expired { _ = release(match, by: peer) }
    return expired
  }

  func isPressed(_ match: Match, by peer: PeerAddress) -> Bool { faders[LeafKey(match)]?.ends[peer] != nil }

  /// Whether anybody's finger is on it.
  func isPressed(_ match: Match, at time: Double) -> Bool {
    faders[LeafKey(match)]?.ends.contains { $0.value > time } ?? false
  }

  /// Who hears nothing of a leaf.
  func touchers(of match: Match) -> Set<PeerAddress> {
    Set(faders[LeafKey(match)].map { $0.ends.keys } ?? [:].keys)
  }
}
