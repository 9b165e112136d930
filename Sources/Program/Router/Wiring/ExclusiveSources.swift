import AudioHost
import SessionModel

/// Takes away all other connections of the sources of exclusive streams, and gives them back when a stream is no longer exclusive.
///
/// Another program may make such a connection again and again; a session manager links every player to the default sink. The router
/// takes the connection away each time: at once at first, then after growing waits of up to 5 s, so that the two programs do not
/// work against each other at full speed.
///
/// The router gives back the connections that the other program made last: a session manager that links a player to a second sink
/// no longer wants the first. Decisions are made from the last known graph; the graph thread carries them out and reports.
struct ExclusiveSources {
  private var taken: [Link: Taken] = [:]
  /// Connections that were taken away at this server earlier and not given back. They move to `taken` if their source is exclusive
  /// again.
  private var inherited: Set<Link> = []
  /// Connections that requests take away or give back, with the number of the request, until its report arrives.
  private var removing: [Link: Int] = [:]
  private var givingBack: [Link: Int] = [:]
  /// When the next connection that came back must be taken away, in seconds; nil if none waits.
  private(set) var due: Double?

  private struct Taken {
    /// How often the connection came back within `calm` seconds each.
    var returns = 0
    /// When the connection was last taken away, in seconds.
    var time: Double
  }

  /// Number of returns after each of which the connection is taken away at once.
  static let patience = 3
  /// Seconds without return after which returns count from 0 again.
  static let calm = 20.0

  /// Seconds within which connections of one source belong together, such as those that a session manager makes to one device.
  private static let moment = 1.0

  /// - Parameter links: connections that were taken away at this server earlier and not given back.
  init(inheriting links: Set<Link> = []) { inherited = links }

  /// All connections that must be given back.
  var links: Set<Link> { inherited.union(taken.keys) }
  /// Connections to make and to take away in the next request.
  var connections: [Link] { givingBack.keys.sorted() }
  var disconnections: [Link] { removing.keys.sorted() }

  /// Gives back the inherited connections whose sources are not exclusive. Call this after the first decision about all streams.
  /// - Parameter request: the number of the next request.
  mutating func giveBackInherited(by request: Int) {
    for link in inherited { givingBack[link] = request }
    inherited = []
  }

  /// Forgets the connections of all requests up to this one, because its report has arrived.
  mutating func observe(request: Int) {
    removing = removing.filter { $0.value > request }
    givingBack = givingBack.filter { $0.value > request }
  }

  /// Decides which connections to take away, and which to give back because their source is no longer exclusive.
  /// - Parameters:
  ///   - client: the router's client name.
  ///   - request: the number of the next request.
  ///   - time: the present time, in seconds.
  /// - Returns: connections that have just come back `patience` times.
  mutating func take(
    _ wanted: WantedLinks, _ state: RouterState, _ graph: GraphSnapshot, client: String, request: Int,
    time: Double
  ) -> [Link] {
    let sources = Self.sources(wanted, state)
    for link in inherited where sources.contains(link.source) {
      inherited.remove(link)
      taken[link] = Taken(time: time - Self.calm)
    }
    let ours = "\(client):"
    var contested: [Link] = []
    due = nil
    for source in sources {
      for sink in graph.connections(of: source) where !sink.hasPrefix(ours) {
        let link = Link(source: source, sink: sink)
        guard removing[link] == nil, mayTake(link, at: time) else { continue }
        removing[link] = request
        if taken[link]?.returns == Self.patience { contested.append(link) }
      }
    }
    for link in taken.keys where !sources.contains(link.source) {
      givingBack[link] = request
      taken[link] = nil
    }
    return contested
  }

  /// Notes that a connection exists, for the first time or again. Returns whether it must be taken away now rather than later.
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

  /// Seconds before a connection is taken away again that has come back so often.
  static func wait(after returns: Int) -> Double {
    returns < patience ? 0 : min(0.1 * Double(1 << min(returns - patience, 10)), 5)
  }

  /// The JACK ports that belong to an exclusive stream, also those that none of its channels takes: a program connects them all.
  static func sources(_ wanted: WantedLinks, _ state: RouterState) -> Set<String> {
    var sources: Set<String> = []
    for (address, ports) in wanted.sources
    where state.sessions[address.session]?.streams[address.stream]?.isExclusive == true {
      sources.formUnion(ports)
    }
    return sources
  }
}
