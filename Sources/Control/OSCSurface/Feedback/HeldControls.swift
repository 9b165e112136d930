import ControlInterface
import OSC
import SessionModel

/// The controls that clients hold: by a finger on a fader (`/touch`), or by having set them a moment ago. A client that holds a control
/// gets no feedback of it.
struct HeldControls: Sendable {
  /// Seconds without a set after which a hold ends by itself.
  let patience: Double
  private var controls: [LeafKey: Control] = [:]
  /// No hold ends by itself before this time; nil if nothing is held.
  private(set) var nextEnd: Double?

  private struct Control: Sendable {
    var match: Match
    var holds: [Peer: Hold] = [:]
  }

  private struct Hold: Sendable {
    var end: Double
    /// The value that the client has set last.
    var reading: [OSCArgument]?
  }

  /// A hold that has ended by itself.
  struct Ended {
    let match: Match
    let peer: Peer
    /// The value that the client had set last.
    let reading: [OSCArgument]?
  }

  init(patience: Double) { self.patience = patience }

  /// Begins or prolongs a hold.
  ///
  /// - Parameter reading: the value that the client has set.
  mutating func hold(_ match: Match, by peer: Peer, at time: Double, reading: [OSCArgument]? = nil) {
    let end = time + patience
    nextEnd = min(nextEnd ?? end, end)
    controls[LeafKey(match), default: Control(match: match)].holds[peer] = Hold(end: end, reading: reading)
  }

  /// Prolongs a hold, because its client has set the control.
  mutating func renew(_ match: Match, by peer: Peer, at time: Double) {
    guard isHeld(match, by: peer) else { return }
    hold(match, by: peer, at: time)
  }

  /// Ends a hold.
  /// - Returns: whether the client held the control.
  mutating func release(_ match: Match, by peer: Peer) -> Bool {
    let key = LeafKey(match)
    let wasHeld = controls[key]?.holds.removeValue(forKey: peer) != nil
    if controls[key]?.holds.isEmpty == true { controls[key] = nil }
    if controls.isEmpty { nextEnd = nil }
    return wasHeld
  }

  /// Ends all holds of a client that left.
  mutating func forget(_ peer: Peer) {
    for control in controls.values { _ = release(control.match, by: peer) }
  }

  /// Ends the holds whose time is over.
  mutating func expire(at time: Double) -> [Ended] {
    guard let nextEnd, nextEnd <= time else { return [] }
    var ended: [Ended] = []
    var first: Double?
    for control in controls.values {
      for (peer, hold) in control.holds {
        if hold.end <= time {
          ended.append(Ended(match: control.match, peer: peer, reading: hold.reading))
        } else {
          first = min(first ?? hold.end, hold.end)
        }
      }
    }
    for hold in ended { _ = release(hold.match, by: hold.peer) }
    self.nextEnd = first
    return ended
  }

  func isHeld(_ match: Match, by peer: Peer) -> Bool { controls[LeafKey(match)]?.holds[peer] != nil }

  /// Whether any client holds the control.
  func isHeld(_ match: Match, at time: Double) -> Bool {
    controls[LeafKey(match)]?.holds.contains { $0.value.end > time } ?? false
  }

  /// Each control that is held, with the clients that hold it.
  var holders: [(match: Match, peers: [Peer])] {
    controls.values.map { ($0.match, Array($0.holds.keys)) }
  }

  /// The controls that each client holds.
  var controlsOfClients: [Peer: Set<LeafKey>] {
    var held: [Peer: Set<LeafKey>] = [:]
    for (key, control) in controls {
      for peer in control.holds.keys { held[peer, default: []].insert(key) }
    }
    return held
  }
}
