import ServerInterface
import SessionModel

/// Removes all other connections of exclusive ports, which must be connected to the router alone. Gives the connections
/// back when the ports are no longer exclusive. The sources of exclusive streams and the destinations of sole captures
/// are exclusive.
///
/// Another program may make such a connection again and again: a session manager connects every player to the default
/// sink, and the default microphone to every recorder. A program may also remove the router's own connection, as
/// another router with an exclusive stream does. The router corrects this each time. After three losses within 5 s it
/// yields, because a fight interrupts the sound of both. It leaves the port to the other program until that program is
/// gone, the port's stream is set anew, or the preset is reloaded. For a restarted program the count begins anew. Of
/// two routers that fight, the one whose client name comes first yields later, so that one of them gets the port.
///
/// A program of PulseAudio keeps its first connection until PipeWire's server has answered it. Until then it makes no sound.
///
/// The router gives back only the connections that the other program made last: a session manager that connects a
/// player to a second sink no longer wants the connection to the first. The decisions use the last known graph. The
/// graph thread carries them out and reports.
struct ExclusivePorts {
  private var taken: [Link: Taken] = [:]
  /// Connections that were taken away at this server earlier and not given back. A connection moves to `taken` if one
  /// of its ports is exclusive again.
  private var inherited: Set<Link> = []
  /// Connections that requests take away or give back, until the report of the request arrives.
  private var removing: [Link: Int] = [:]
  private var givingBack: [Link: Return] = [:]
  /// The exclusive ports that are left to other programs.
  private var yielded: [String: Yield] = [:]
  /// The times of each exclusive port's losses, in seconds: another program removed the router's connection, or made a
  /// removed connection again.
  private var losses: [String: [Double]] = [:]
  /// When another program last moved a port from one device to another, in seconds.
  private var moves: [String: Double] = [:]
  /// The exclusive ports of the last decision.
  private var ports = Ports()
  /// The connections that stay for now, because their programs are not answered yet.
  private var spared: Set<Link> = []

  private struct Taken {
    /// The exclusive end of the connection.
    var port: String
    /// When the connection was last taken away, in seconds.
    var time: Double
    /// When the first connection of the same burst was taken away, in seconds.
    var burst: Double
  }

  private struct Return {
    /// The number of the first request that gives the connection back.
    var request: Int
    /// The end that was exclusive; nil if the connection was taken away before the router joined the server.
    var port: String?
  }

  private struct Yield {
    /// The other program; nil if unknown.
    var client: String?
    /// The streams and captures that had the port, with their settings, when the router yielded.
    var owners: Owners
  }

  /// Number of losses within `period` seconds after which the router yields.
  static let patience = 3
  /// The same number for the router whose client name comes before that of the other router. Each round of their fight
  /// is up to two losses for both.
  static let patienceOfFirst = 12
  static let period = 5.0

  /// Seconds within which connections of one port to one device belong together, as a session manager makes them.
  private static let moment = 1.0
  /// Seconds within which a program's next connection follows in one burst. The connections of a burst belong together,
  /// whatever their devices: some programs connect themselves to all devices. A server may take a period or more for each.
  private static let pause = 0.3

  /// - Parameter links: connections that were taken away at this server earlier and not given back.
  init(inheriting links: Set<Link> = []) { inherited = links }

  /// The exclusive ports of connections that are taken away, and of those that are being given back.
  var returned: Set<String> { Set(taken.values.map(\.port) + givingBack.values.compactMap(\.port)) }
  /// All connections that must be given back.
  var links: Set<Link> { inherited.union(taken.keys) }
  /// Connections to make and to take away in the next request.
  var connections: [Link] { givingBack.keys.sorted() }
  /// The first request that makes each connection of `connections`.
  var firstRequests: [Link: Int] { givingBack.mapValues(\.request) }
  var disconnections: [Link] { removing.keys.sorted() }
  /// The connections of exclusive ports that carry no sound from now on: those of `disconnections`, and those of programs that are not answered yet.
  var silent: Set<Link> { spared.union(removing.keys) }

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

  /// Whether one end of the router's connection is left to another program, so that the router must not ask for the
  /// connection again.
  func hasYielded(_ link: Link) -> Bool {
    !yielded.isEmpty && (yielded[link.source] != nil || yielded[link.sink] != nil)
  }

  /// Claims all ports again that were left to other programs.
  mutating func retry() { (yielded, losses) = ([:], [:]) }

  /// Records that another program has removed a connection of the router.
  mutating func noteLoss(of link: Link, at time: Double) {
    if let port = ports.end(of: link) { losses[port, default: []].append(time) }
  }

  /// Records that another program has made a connection. Call this for each notice, in the order of the notices.
  ///
  /// The graph does not tell which of a port's connections was made last. It also does not tell that a connection was made again before the
  /// removal of the first one was reported.
  ///
  /// - Parameters:
  ///   - request: the number of the next request.
  ///   - time: the present time, in seconds.
  ///   - appearance: when a port appeared, in seconds; nil if it existed when the router joined the server.
  /// - Returns: whether the connection has an exclusive end, so that it must be taken away now.
  mutating func noteMade(
    _ link: Link, request: Int, at time: Double, appearance: (String) -> Double?
  ) -> Bool {
    guard let port = ports.end(of: link) else { return false }
    guard yielded[port] == nil else { return true }
    guard !ports.unanswered.contains(port) else { return false }
    takeAway(link, of: port, request: request, since: appearance(port), at: time)
    return true
  }

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
  ///   - appearance: when a port appeared, in seconds; nil if it existed when the router joined the server.
  mutating func take(
    _ wanted: WantedLinks, _ state: RouterState, _ graph: GraphSnapshot, client: String, request: Int,
    time: Double, appearance: (String) -> Double? = { _ in nil }
  ) {
    let exclusive = Ports(wanted, state, graph)
    (ports, spared) = (exclusive, [])
    resume(wanted, state, graph)
    for link in inherited {
      guard let port = exclusive.end(of: link) else { continue }
      inherited.remove(link)
      taken[link] = Taken(port: port, time: -.infinity, burst: -.infinity)
    }
    for (link, port) in exclusive.connections(in: graph, except: client) {
      guard removing[link] == nil, yielded[port] == nil else { continue }
      guard !exclusive.unanswered.contains(port) else {
        spared.insert(link)
        continue
      }
      takeAway(link, of: port, request: request, since: appearance(port), at: time)
    }
    for port in losses.keys.sorted() where yielded[port] == nil {
      // The rival is the program that was connected last, even if its connection is gone at this moment.
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
      // A program that has ended gets nothing back. The next program of the same name makes its own connections.
      if names.contains(link.source), names.contains(link.sink) {
        givingBack[link] = Return(request: request, port: entry.port)
        // The report of the removal may not have arrived yet. A request must not both remove a connection and give it
        // back.
        removing[link] = nil
      }
      taken[link] = nil
    }
  }

  /// Leaves a port to another program, with all exclusive ports of the port's own program: half of a stereo pair is of
  /// no use to either program.
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

  /// Claims ports again whose other program is gone, or whose streams or captures were set anew.
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

  /// Records a connection of another program, and asks for its removal. A connection whose removal has been asked for is recorded already,
  /// unless the program has moved the port to another device since then.
  private mutating func takeAway(
    _ link: Link, of port: String, request: Int, since appearance: Double?, at time: Double
  ) {
    let isRecorded = removing[link] != nil && taken[link] != nil && !hasMoved(port, since: link)
    if !isRecorded { record(link, of: port, since: appearance, at: time) }
    (removing[link], givingBack[link]) = (request, nil)
  }

  /// The connections that were taken away from a port, to other devices than this one.
  private func others(than link: Link, of port: String) -> [Link: Taken] {
    func device(of link: Link) -> String { Link.client(of: link.source == port ? link.sink : link.source) }
    return taken.filter { $0.value.port == port && device(of: $0.key) != device(of: link) }
  }

  /// Whether another program connected a port to another device after this connection was taken away.
  private func hasMoved(_ port: String, since link: Link) -> Bool {
    guard let before = taken[link] else { return false }
    return others(than: link, of: port).values.contains { $0.time > before.time }
  }

  /// Records a connection of another program, made for the first time or again.
  /// - Parameter appearance: when the port appeared, in seconds.
  private mutating func record(_ link: Link, of port: String, since appearance: Double?, at time: Double) {
    let (before, others) = (taken[link], others(than: link, of: port))
    if hasMoved(port, since: link) { moves[port] = time }
    // A port that is moved back and forth has one device at a time, however fast the moves follow each other.
    let isMoving = moves[port].map { time - $0 < Self.period && $0 > appearance ?? -.infinity } ?? false
    let burst = burst(of: Link.client(of: port), at: time)
    for (other, entry) in others where isMoving || entry.time < burst {
      (taken[other], moves[port]) = (nil, time)
    }
    if let before {
      if before.time >= appearance ?? 0 { losses[port, default: []].append(time) }
    } else {
      let start = min(burst, time - Self.moment)
      taken = taken.filter { $0.value.port != port || $0.value.time >= start }
    }
    taken[link] = Taken(port: port, time: time, burst: burst)
  }

  /// When the burst began that a program's connection of this moment belongs to, in seconds.
  private func burst(of program: String, at time: Double) -> Double {
    let last = taken.values.filter { Link.client(of: $0.port) == program }.max { $0.time < $1.time }
    return last.map { time - $0.time < Self.pause ? $0.burst : time } ?? time
  }

  /// The exclusive streams and sole captures that have a port, with the settings that decide on its connections.
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

  /// The ports that must be connected to the router alone, by full name. A program connects them all, also those that no channel takes.
  private struct Ports {
    private(set) var sources: Set<String> = []
    private(set) var sinks: Set<String> = []
    /// Those of programs that may not be answered yet.
    private(set) var unanswered: Set<String> = []

    init() {}

    init(_ wanted: WantedLinks, _ state: RouterState, _ graph: GraphSnapshot) {
      for (address, sources) in wanted.sources
      where state.sessions[address.session]?.streams[address.stream]?.isExclusive == true {
        self.sources.formUnion(sources)
      }
      for (session, sinks) in wanted.sinks where state.sessions[session]?.capture.isSole == true {
        self.sinks.formUnion(sinks)
      }
      guard !sources.isEmpty || !sinks.isEmpty else { return }
      let some = graph.ports.lazy.filter(\.mayBeUnanswered).map(\.name)
      unanswered = sources.union(sinks).intersection(some)
    }

    /// The exclusive end of a connection; nil if neither end is exclusive.
    func end(of link: Link) -> String? {
      sources.contains(link.source) ? link.source : sinks.contains(link.sink) ? link.sink : nil
    }

    /// The connections of these ports to clients other than the router, each with its exclusive end.
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
