import ControlInterface
import OSC
import SessionModel

/// The touched faders. A client that touches a fader gets no feedback of it, and no fade moves the fader.
struct TouchBoard: Sendable {
  private var faders: [LeafKey: Fader] = [:]

  /// Seconds without a set after which a touch ends by itself.
  static let patience = 10.0

  private struct Fader: Sendable {
    var match: Match
    /// The time at which each client's touch ends by itself.
    var ends: [Peer: Double] = [:]
  }

  /// The time at which the first touch ends by itself; nil if no fader is touched.
  var nextEnd: Double? { faders.values.lazy.flatMap(\.ends.values).min() }

  /// Begins a touch.
  mutating func press(_ match: Match, by peer: Peer, at time: Double) {
    faders[LeafKey(match), default: Fader(match: match)].ends[peer] = time + Self.patience
  }

  /// Prolongs a touch, because its client has set the fader.
  mutating func renew(_ match: Match, by peer: Peer, at time: Double) {
    guard isPressed(match, by: peer) else { return }
    faders[LeafKey(match)]?.ends[peer] = time + Self.patience
  }

  /// Ends a touch.
  /// - Returns: whether the client touched the fader.
  mutating func release(_ match: Match, by peer: Peer) -> Bool {
    let key = LeafKey(match)
    let wasPressed = faders[key]?.ends.removeValue(forKey: peer) != nil
    if faders[key]?.ends.isEmpty == true { faders[key] = nil }
    return wasPressed
  }

  /// Ends all touches of a client that left.
  mutating func forget(_ peer: Peer) {
    for fader in faders.values { _ = release(fader.match, by: peer) }
  }

  /// Ends the touches whose time is over.
  /// - Returns: the faders that they touched.
  mutating func expire(at time: Double) -> [(match: Match, peer: Peer)] {
    var expired: [(match: Match, peer: Peer)] = []
    for fader in faders.values {
      for (peer, end) in fader.ends where end <= time { expired.append((fader.match, peer)) }
    }
    for (match, peer) in expired { _ = release(match, by: peer) }
    return expired
  }

  func isPressed(_ match: Match, by peer: Peer) -> Bool { faders[LeafKey(match)]?.ends[peer] != nil }

  /// Whether a client touches the fader.
  func isPressed(_ match: Match, at time: Double) -> Bool {
    faders[LeafKey(match)]?.ends.contains { $0.value > time } ?? false
  }

  /// The clients that get no feedback of a leaf, because they touch its fader.
  func touchers(of match: Match) -> Set<Peer> {
    Set(faders[LeafKey(match)].map { $0.ends.keys } ?? [:].keys)
  }
}
