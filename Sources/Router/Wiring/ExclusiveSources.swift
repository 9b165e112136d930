import SessionModel

/// Keeps the sources of exclusive streams from everybody else, and gives back what it took.
///
/// Somebody may connect them again and again, as a session manager could that links every player to the default sink. Each time
/// the cable is taken again, at once at first; what keeps coming back is left ever longer, up to 5 s, so that two programs
/// do not work against each other as fast as they can.
///
/// What is given back is what somebody wanted last: a session manager that links a player to another sink has left the one before.
struct ExclusiveSources {
  private var taken: [Link: Taken] = [:]
  /// What was taken at this server before, and not given back; ours once its source is exclusive again.
  private var inherited: Set<Link> = []
  /// When a cable that came back is taken again; nil if none waits.
  private(set) var due: Double?

  private struct Taken {
    /// How often it came back, without a calm in between.
    var returns = 0
    var time: Double
  }

  /// As many returns are answered at once.
  static let patience = 3
  /// Seconds that a cable stays away before its returns count from the start.
  static let calm = 20.0

  /// Seconds within which somebody may make several cables that belong together.
  private static let moment = 1.0

  /// What is to be given back.
  var links: Set<Link> { inherited.union(taken.keys) }

  /// Takes over what was taken at this server before, and not given back; call it before the first `take`.
  mutating func inherit(_ links: Set<Link>) { inherited = links }

  /// Gives back what it inherited and nobody wants for himself any more; call it when all that is wanted is known.
  mutating func giveBackInherited(at backend: any AudioBackend) {
    for link in inherited { _ = backend.connect(link.source, to: link.sink) }
    inherited = []
  }

  /// Disconnects them from everybody else, and connects again what is exclusive no more.
  /// - Returns: cables that somebody has begun to insist on.
  mutating func take(
    _ wanted: WantedLinks, _ state: RouterState, at backend: any AudioBackend, time: Double
  ) -> [Link] {
    let sources = Self.sources(wanted, state)
    for link in inherited where sources.contains(link.source) {
      inherited.remove(link)
      taken[link] = Taken(time: time - Self.calm)
    }
    let ours = "\(backend.clientName):"
    var contested: [Link] = []
    due = nil
    for source in sources {
      for sink in backend.connections(of: source) where !sink.hasPrefix(ours) {
        let link = Link(source: source, sink: sink)
        guard mayTake(link, at: time) else { continue }
        backend.disconnect(source, from: sink)
        if taken[link]?.returns == Self.patience { contested.append(link) }
      }
    }
    for link in taken.keys where !sources.contains(link.source) {
      _ = backend.connect(link.source, to: link.sink)
      taken[link] = nil
    }
    return contested
  }

  /// Notes that a cable is there, again or for the first time, and whether it is taken now.
  private mutating func mayTake(_ link: Link, at time: Double) -> Bool {
    if taken[link] == nil {
      for (other, entry) in taken where other.source == link.source && time - entry.time >= Self.moment {
        taken[other] = nil
      }
    }
    guard let before = taken[link], time - before.time < Self.calm else {
      taken[link] = Taken(time: time)
      return true
    }
    let next = before.time + Self.wait(after: before.returns)
    guard time >= next else {
      due = min(due ?? next, next)
      return false
    }
    taken[link] = Taken(returns: before.returns + 1, time: time)
    return true
  }

  /// Seconds before a cable is taken that came back so often already.
  static func wait(after returns: Int) -> Double {
    returns < patience ? 0 : min(0.1 * Double(1 << min(returns - patience, 10)), 5)
  }

  private static func sources(_ wanted: WantedLinks, _ state: RouterState) -> Set<String> {
    var sources: Set<String> = []
    for case (let link, .stream(let address)) in wanted.links
    where state.sessions[address.session]?.streams[address.stream]?.isExclusive == true {
      sources.insert(link.source)
    }
    return sources
  }

  /// Gives back everything; for the end.
  mutating func giveBack(at backend: any AudioBackend) {
    for link in links { _ = backend.connect(link.source, to: link.sink) }
    (taken, inherited) = ([:], [])
  }
}
