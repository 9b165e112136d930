import AudioHost
import SessionModel

/// Takes away all other connections of ports that must be connected to the router alone, and gives them back when that is over. Such
/// ports are the sources of exclusive streams and the destinations of sole captures.
///
/// Another program may make such a connection again and again; a session manager links every player to the default sink, and the
/// default microphone to every recorder. Or it takes the router's own connection away, as another router does whose stream is exclusive, too.
/// The router sets that right each time, but after three losses within 5 s it yields, because a fight chops the sound of both: it leaves the
/// port to the other program until that is gone, until the port's stream is set anew, or until the preset is reloaded. A program that was started
/// again begins anew. Of two routers that fight, the one whose client name comes first is more patient, so that one of them has the port.
///
/// The router gives back the connections that the other program made last: a session manager that links a player to a second sink
/// no longer wants the first. Decisions are made from the last known graph; the graph thread carries them out and reports.
struct ExclusivePorts {
  private var taken: [Link: Taken] = [:]
  /// Connections that were taken away at this server earlier and not given back. They move to `taken` if one of their
  /// ports is exclusive again.
  private var inherited: Set<Link> = []
  /// Connections that requests take away or give back, until the report of the request arrives.
  private var removing: [Link: Int] = [:]
  private var givingBack: [Link: Return] = [:]
  /// The exclusive ports that are left to other programs.
  private var yielded: [String: Yield] = [:]
  /// When each exclusive port lost a connection, or got one back that was taken away, in seconds.
  private var losses: [String: [Double]] = [:]
  /// When another program last moved a port from one device to another, in seconds.
  private var moves: [String: Double] = [:]
  /// The exclusive ports of the last decision.
  private var ports = Ports()

  private struct Taken {
    /// The end of the connection that is exclusive.
    var port: String
    /// When the connection was last taken away, in seconds.
    var time: Double
  }

  private struct Return {
    /// The number of the first request that gives the connection back.
    var request: Int
    /// The end of the connection that was exclusive; nil if the connection was taken away before the router joined the server.
    var port: String?
  }

  private struct Yield {
    /// The other program; nil if it is not known.
    var client: String?
    /// The streams and captures that have the port, as they were then.
    var owners: Owners
  }

  /// Number of losses within `period` seconds after which the router yields.
  static let patience = 3
  /// The same for a router whose client name comes before the name of the other router. Each round of their fight is up to two losses for both.
  static let patienceOfFirst = 12
  static let period = 5.0

  /// Seconds within which connections of one port belong together: those that a session manager makes to one device, and those that a
  /// program makes to several devices.
  private static let moment = (device: 1.0, devices: 0.3)

  /// - Parameter links: connections that were taken away at this server earlier and not given back.
  init(inheriting links: Set<Link> = []) { inherited = links }

  /// The ports of these connections that were exclusive, or are.
  var returned: Set<String> { Set(taken.values.map(\.port) + givingBack.values.compactMap(\.port)) }
  /// All connections that must be given back.
  var links: Set<Link> { inherited.union(taken.keys) }
  /// Connections to make and to take away in the next request.
  var connections: [Link] { givingBack.keys.sorted() }
  /// The first request that makes each of these connections.
  var firstRequests: [Link: Int] { givingBack.mapValues(\.request) }
  var disconnections: [Link] { removing.keys.sorted() }

  /// Gives back the inherited connections whose ports are not exclusive. Call this after the first decision about all streams.
  /// - Parameter request: the number of the next request.
  mutating func giveBackInherited(by request: Int) {
    for link in inherited { givingBack[link] = Return(request: request) }
    inherited = []
  }

  /// The exclusive ports that are left to other programs, in order.
  var contested: [ContestedPort] {
    yielded.sorted { $0.key < $1.key }.map { ContestedPort($0.key, client: $0.value.client) }
  }

  /// Whether a connection of the router is not to be asked for again.
  func hasYielded(_ link: Link) -> Bool {
    !yielded.isEmpty && (yielded[link.source] != nil || yielded[link.sink] != nil)
  }

  /// Takes all ports up again that were left to other programs.
  mutating func retry() { (yielded, losses) = ([:], [:]) }

  /// Notes a notice that another program has removed a connection of the router.
  mutating func noteLoss(of link: Link, at time: Double) {
    if let port = ports.end(of: link) { losses[port, default: []].append(time) }
  }

  /// Whether a connection has an exclusive end, so that it must be taken away.
  func concern(_ link: Link) -> Bool { ports.end(of: link) != nil }

  /// Forgets the connections of all requests up to this one, because its report has arrived.
  mutating func observe(request: Int) {
    removing = removing.filter { $0.value > request }
    givingBack = givingBack.filter { $0.value.request > request }
  }

  /// Decides which connections to take away, and which to give back because their ports are no longer exclusive.
  /// - Parameters:
  ///   - client: the router's client name.
  ///   - request: the number of the next request.
  ///   - time: the present time, in seconds.
  ///   - appearance: when a port appeared, in seconds; nil if it was there at first.
  mutating func take(
    _ wanted: WantedLinks, _ state: RouterState, _ graph: GraphSnapshot, client: String, request: Int,
    time: Double, appearance: (String) -> Double? = { _ in nil }
  ) {
    let exclusive = Self.ports(wanted, state)
    ports = exclusive
    resume(wanted, state, graph)
    for link in inherited {
      guard let port = exclusive.end(of: link) else { continue }
      inherited.remove(link)
      taken[link] = Taken(port: port, time: -.infinity)
    }
    for (link, port) in exclusive.connections(in: graph, except: client) {
      guard removing[link] == nil, yielded[port] == nil else { continue }
      note(link, of: port, since: appearance(port), at: time)
      (removing[link], givingBack[link]) = (request, nil)
    }
    for port in losses.keys.sorted() where yielded[port] == nil {
      // The last one to take the port, also if its connection is gone again at this moment.
      guard
        let rival = taken.filter({ $0.value.port == port }).max(by: { $0.value.time < $1.value.time })?.key
      else { continue }
      let other = Link.client(of: port == rival.source ? rival.sink : rival.source)
      let isFirst = client < other && PortKey.isRouter(other, in: graph.ports)
      let patience = isFirst ? Self.patienceOfFirst : Self.patience
      if isLost(port, since: appearance(port), at: time, patience: patience) {
        yield(port, to: other, wanted, state)
      }
    }
    let names = Set(graph.ports.map(\.name))
    for (link, entry) in taken where exclusive.end(of: link) == nil {
      // A program that has ended gets nothing back: the next one with its name has connections of its own.
      if names.contains(link.source), names.contains(link.sink) {
        givingBack[link] = Return(request: request, port: entry.port)
        // The report of its removal may still be on its way. No request takes away what it gives back.
        removing[link] = nil
      }
      taken[link] = nil
    }
  }

  /// Leaves a port to another program, and with it all exclusive ports of the port's own program: half of a stereo pair is no use to either program.
  private mutating func yield(_ port: String, to other: String, _ wanted: WantedLinks, _ state: RouterState) {
    let program = Link.client(of: port)
    let left = ports.sources.union(ports.sinks).filter { Link.client(of: $0) == program }
    for port in left { yielded[port] = Yield(client: other, owners: Owners(of: port, wanted, state)) }
    taken = taken.filter { !left.contains($0.value.port) }
    removing = removing.filter { !left.contains($0.key.source) && !left.contains($0.key.sink) }
  }

  /// Whether a port has been lost so often that the router yields.
  private mutating func isLost(
    _ port: String, since appearance: Double?, at time: Double, patience: Int
  ) -> Bool {
    let recent = (losses[port] ?? []).filter { time - $0 < Self.period && $0 > appearance ?? -.infinity }
    losses[port] = recent.isEmpty ? nil : recent
    return recent.count >= patience
  }

  /// Takes ports up again whose other program is gone, and those whose streams or captures were set anew.
  private mutating func resume(_ wanted: WantedLinks, _ state: RouterState, _ graph: GraphSnapshot) {
    guard !yielded.isEmpty else { return }
    let clients = Set(graph.ports.map { String($0.client) })
    for (port, yield) in yielded {
      let isGone = yield.client.map { !clients.contains($0) } ?? false
      if isGone || yield.owners != Owners(of: port, wanted, state) {
        (yielded[port], losses[port]) = (nil, nil)
      }
    }
  }

  /// Notes that a connection exists, for the first time or again.
  /// - Parameter appearance: when the port appeared, in seconds.
  private mutating func note(_ link: Link, of port: String, since appearance: Double?, at time: Double) {
    func device(of link: Link) -> String { Link.client(of: link.source == port ? link.sink : link.source) }
    let before = taken[link]
    let others = taken.filter { $0.value.port == port && device(of: $0.key) != device(of: link) }
    if let before, others.values.contains(where: { $0.time > before.time }) { moves[port] = time }
    // A port that is being moved to and fro has one device at a time, however fast the moves are.
    let isMoving = moves[port].map { time - $0 < Self.period && $0 > appearance ?? -.infinity } ?? false
    for (other, entry) in others where isMoving || time - entry.time >= Self.moment.devices {
      (taken[other], moves[port]) = (nil, time)
    }
    if let before {
      if before.time >= appearance ?? 0 { losses[port, default: []].append(time) }
    } else {
      taken = taken.filter { $0.value.port != port || time - $0.value.time < Self.moment.device }
    }
    taken[link] = Taken(port: port, time: time)
  }

  /// The streams and captures that have a port, as far as their settings say which cables it has.
  private struct Owners: Equatable {
    private var streams: [StreamAddress: [StreamSource]] = [:]
    private var captures: [SessionID: [ProgramPorts]] = [:]

    init(of port: String, _ wanted: WantedLinks, _ state: RouterState) {
      for (address, ports) in wanted.sources where ports.contains(port) {
        let stream = state.sessions[address.session]?.streams[address.stream]
        if let stream, stream.isExclusive { streams[address] = stream.sources }
      }
      for (session, ports) in wanted.sinks where ports.contains(port) {
        if let capture = state.sessions[session]?.capture, capture.isSole {
          captures[session] = capture.destinations
        }
      }
    }
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
