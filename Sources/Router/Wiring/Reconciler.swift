import SessionModel

/// Keeps the server's cables as the state wants them, and leaves those alone that a person made.
///
/// A cable is a hard step in the signal, so one that sounds is taken away only behind a closed gate: its owner is `closing` until
/// the ramp is over.
struct Reconciler {
  /// The cables that we made.
  private var made: [Link: LinkOwner] = [:]
  /// Cables that the server said yes to and has not shown: it is busy, or never makes them (its self-connect mode).
  private var asked: [Link: LinkOwner] = [:]
  /// Owners whose gates close because a cable must go, with the engine frame at which they are closed.
  private var closing: [LinkOwner: UInt64] = [:]

  /// Owners whose cables went, with the engine frame until which nothing may be connected: where that was not our doing until
  /// their gates are closed, or what comes back would be heard in the middle of the ramp; where it was, until the server has
  /// done it, or a cable that is on its way out would pass for one that sounds.
  private var resting: [LinkOwner: UInt64] = [:]

  /// Cables that the server refused: a client that registers its ports before it is active refuses them, and nothing tells
  /// when that ends.
  private(set) var hasRefusals = false

  /// Whether a cable waits for its gate to close.
  var isClosing: Bool { !closing.isEmpty || !resting.isEmpty }

  /// Whether a gate that something waits for is closed by an engine frame, so that it is time to go on.
  func isDue(at frame: UInt64) -> Bool {
    closing.values.contains { $0 <= frame } || resting.values.contains { $0 <= frame }
  }

  /// Owners whose gates must be closed now.
  func mustClose(_ owner: LinkOwner) -> Bool { closing[owner] != nil || resting[owner] != nil }

  /// Notes that an owner has no cable any more, and its gate closes by an engine frame.
  mutating func rest(_ owner: LinkOwner, until frame: UInt64) {
    if closing[owner] == nil { resting[owner] = frame }
  }

  /// Brings the cables up to date as far as gates allow.
  /// - Parameters:
  ///   - frame: what the engine has processed.
  ///   - closed: the frame at which a gate that starts to close now is closed.
  ///   - gone: the frame at which the server surely has taken a cable away that it is asked to take away now.
  mutating func reconcile(
    _ wanted: WantedLinks, _ system: [SystemPort], at backend: any AudioBackend, frame: UInt64,
    closed: UInt64,
    gone: UInt64
  ) {
    resting = resting.filter { $0.value > frame }
    let names = Set(system.map(\.name))
    let keep = Set(wanted.links.map(\.link))
    // One that is not wanted any more may have come meanwhile, and then it is ours.
    for (link, owner) in asked where !keep.contains(link) {
      asked[link] = nil
      made[link] = owner
    }
    for (link, owner) in made where !keep.contains(link) {
      // A cable whose far end is gone went with it.
      guard names.contains(link.source) || names.contains(link.sink) else {
        made[link] = nil
        continue
      }
      if let end = closing[owner] {
        guard end <= frame else { continue }
        backend.disconnect(link.source, from: link.sink)
        made[link] = nil
        resting[owner] = gone
      } else {
        closing[owner] = closed
      }
    }
    let stale = Set(made.filter { !keep.contains($0.key) }.map(\.value))
    closing = closing.filter { stale.contains($0.key) }
    connect(wanted, at: backend, closed: closed)
  }

  /// Makes what is missing. An owner that lost all its cables between two looks has an open gate: it closes first.
  private mutating func connect(_ wanted: WantedLinks, at backend: any AudioBackend, closed: UInt64) {
    var missing: [(link: Link, owner: LinkOwner)] = []
    var connected: Set<LinkOwner> = []
    for (link, owner) in wanted.links {
      if backend.connections(of: link.source).contains(link.sink) {
        connected.insert(owner)
        if asked.removeValue(forKey: link) != nil { made[link] = owner }
      } else {
        missing.append((link, owner))
      }
    }
    for (link, owner) in missing where made.removeValue(forKey: link) != nil && !connected.contains(owner) {
      rest(owner, until: closed)
    }
    hasRefusals = false
    for (link, owner) in missing where !mustClose(owner) {
      asked[link] = backend.connect(link.source, to: link.sink) ? owner : nil
      if asked[link] == nil { hasRefusals = true }
    }
    // All are looked for at once, as the server shows them only in its next period, or later if that does not come in time.
    for (link, owner) in asked {
      if backend.connections(of: link.source).contains(link.sink) {
        asked[link] = nil
        made[link] = owner
      } else {
        hasRefusals = true
      }
    }
  }
}
