import AudioHost
import SessionModel

/// Takes away all other connections of ports that must be connected to the router alone, and gives them back when that is over. Such
/// ports are the sources of exclusive streams and the destinations of sole captures.
///
/// Another program may make such a connection again and again; a session manager links every player to the default sink, and the
/// default microphone to every recorder. The router takes the connection away each time: at once at first, then after growing waits of
/// up to 5 s, so that the two programs do not work against each other at full speed. A program that was started again begins anew: its
/// connections are taken away at once.
///
/// The router gives back the connections that the other program made last: a session manager that links a player to a second sink
/// no longer wants the first. Decisions are made from the last known graph; the graph thread carries them out and reports.
struct ExclusivePorts {
  private var taken: [Link: Taken] = [:]
  /// Connections that were taken away at this server earlier and not given back. They move to `taken` if one of their
  /// ports is exclusive again.
  private var inherited: Set<Link> = []
  /// Connections that requests take away or give back, with the number of the request, until its report arrives.
  private var removing: [Link: Int] = [:]
  private var givingBack: [Link: Int] = [:]
  /// When the next connection that came back must be taken away, in seconds; nil if none waits.
  private(set) var due: Double?
  /// The exclusive ports of the last decision.
  private var ports = Ports()
  /// The connections of exclusive ports that notices have told of, by the order of the notices.
  private var arrivals: [Link: Int] = [:]
  private var lastArrival = 0

  private struct Taken {
    /// The end of the connection that is exclusive.
    var port: String
    /// How often the connection came back within `calm` seconds each.
    var returns = 0
    /// When the connection was last taken away, in seconds.
    var time: Double
  }

  /// Number of returns after each of which the connection is taken away at once.
  static let patience = 3
  /// Seconds without return after which returns count from 0 again.
  static let calm = 20.0

  /// - Parameter links: connections that were taken away at this server earlier and not given back.
  init(inheriting links: Set<Link> = []) { inherited = links }

  /// All connections that must be given back.
  var links: Set<Link> { inherited.union(taken.keys) }
  /// Connections to make and to take away in the next request.
  var connections: [Link] { givingBack.keys.sorted() }
  var disconnections: [Link] { removing.keys.sorted() }

  /// Gives back the inherited connections whose ports are not exclusive. Call this after the first decision about all streams.
  /// - Parameter request: the number of the next request.
  mutating func giveBackInherited(by request: Int) {
    for link in inherited { givingBack[link] = request }
    inherited = []
  }

  /// Notes a notice that a connection was made. Returns whether it has an exclusive end, so that it must be taken away.
  mutating func note(_ link: Link) -> Bool {
    guard ports.end(of: link) != nil else { return false }
    lastArrival += 1
    arrivals[link] = lastArrival
    return true
  }

  /// Forgets the connections of all requests up to this one, because its report has arrived.
  mutating func observe(request: Int) {
    removing = removing.filter { $0.value > request }
    givingBack = givingBack.filter { $0.value > request }
  }

  /// Decides which connections to take away, and which to give back because their ports are no longer exclusive.
  /// - Parameters:
  ///   - client: the router's client name.
  ///   - request: the number of the next request.
  ///   - time: the present time, in seconds.
  ///   - appearance: when a port appeared, in seconds; nil if it was there at first.
  /// - Returns: connections that have just come back `patience` times.
  mutating func take(
    _ wanted: WantedLinks, _ state: RouterState, _ graph: GraphSnapshot, client: String, request: Int,
    time: Double, appearance: (String) -> Double? = { _ in nil }
  ) -> [Link] {
    let exclusive = Self.ports(wanted, state)
    ports = exclusive
    for link in inherited {
      guard let port = exclusive.end(of: link) else { continue }
      inherited.remove(link)
      taken[link] = Taken(port: port, time: time - Self.calm)
    }
    var contested: [Link] = []
    due = nil
    let present = exclusive.connections(in: graph, except: client)
    for (link, port) in present.sorted(by: { arrivals[$0.0] ?? 0 < arrivals[$1.0] ?? 0 }) {
      guard removing[link] == nil, mayTake(link, of: port, since: appearance(port), at: time) else {
        continue
      }
      removing[link] = request
      if taken[link]?.returns == Self.patience { contested.append(link) }
    }
    arrivals = arrivals.filter { taken[$0.key] != nil }
    for link in taken.keys where exclusive.end(of: link) == nil {
      givingBack[link] = request
      taken[link] = nil
    }
    return contested
  }

  /// Notes that a connection exists, for the first time or again. Returns whether it must be taken away now rather than later.
  /// - Parameter appearance: when the port appeared, in seconds.
  private mutating func mayTake(_ link: Link, of port: String, since appearance: Double?, at time: Double)
    -> Bool
  {
    if taken[link] == nil {
      for (other, entry) in taken where entry.port == port && isSuperseded(other, entry, by: link, at: time) {
        taken[other] = nil
      }
    }
    guard let before = taken[link], time - before.time < Self.calm, before.time >= appearance ?? 0 else {
      taken[link] = Taken(port: port, time: time)
      return true
    }
    let next = before.time + Self.wait(after: before.returns)
    guard time >= next else {
      due = min(due ?? next, next)
      return false
    }
    taken[link] = Taken(port: port, returns: before.returns + 1, time: time)
    return true
  }

  /// Whether another program that has made a new connection of a port no longer wants one that was taken away: it has moved the port to another
  /// device. Connections that were there together from the start belong together, and so do those to one device.
  private func isSuperseded(_ old: Link, _ entry: Taken, by new: Link, at time: Double) -> Bool {
    let isSource = entry.port == new.source
    let (device, former) = (
      Link.client(of: isSource ? new.sink : new.source), Link.client(of: isSource ? old.sink : old.source)
    )
    guard device != former else { return false }
    return entry.time < time || (arrivals[new] != nil && arrivals[old] != nil)
  }

  /// Seconds before a connection is taken away again that has come back so often.
  static func wait(after returns: Int) -> Double {
    returns < patience ? 0 : min(0.1 * Double(1 << min(returns - patience, 10)), 5)
  }

  /// The ports that must be connected to the router alone, also those that no channel takes: a program connects them all.
  private static func ports(_ wanted: WantedLinks, _ state: RouterState) -> Ports {
    var ports = Ports()
    for (address, sources) in wanted.sources
    where state.sessions[address.session]?.streams[address.stream]?.isExclusive == true {
      ports.sources.formUnion(sources)
    }
    for (session, sinks) in wanted.sinks where state.sessions[session]?.capture.isSole == true {
      ports.sinks.formUnion(sinks)
    }
    return ports
  }

  /// Ports of programs, by full name.
  private struct Ports {
    var sources: Set<String> = []
    var sinks: Set<String> = []

    /// The exclusive end of a connection; nil if neither is.
    func end(of link: Link) -> String? {
      sources.contains(link.source) ? link.source : sinks.contains(link.sink) ? link.sink : nil
    }

    /// The connections of these ports to others than the router, with the exclusive end of each.
    func connections(in graph: GraphSnapshot, except client: String) -> [(Link, port: String)] {
      let ours = "\(client):"
      return sources.flatMap { source in
        graph.connections(of: source).filter { !$0.hasPrefix(ours) }.map {
          (Link(source: source, sink: $0), source)
        }
      }
        + sinks.flatMap { sink in
          graph.connections(of: sink).filter { !$0.hasPrefix(ours) && !sources.contains($0) }.map {
            (Link(source: $0, sink: sink), sink)
          }
        }
    }
  }
}
