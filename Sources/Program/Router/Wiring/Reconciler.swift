import ServerInterface
import SessionModel

/// Decides which connections must be made and removed. Connections that the router has not made stay as they are.
///
/// To remove a connection that sounds would click, and so would a source that joins others in a sounding stream. So the
/// gate of the owner closes first; the owner is `closing` or `joining` until that ramp has ended. The decisions use the
/// last known graph. The graph thread carries them out and reports.
struct Reconciler {
  /// The connections that the router has made and that the graph has shown.
  private var made: [Link: LinkOwner] = [:]
  /// The other program's port of each connection in `made`, by the server's number. A renamed port keeps its
  /// connections.
  private var ports: [Link: OtherPort] = [:]
  /// Connections that requests ask for and that the graph has not shown. The server may be busy, may have refused them, or may never
  /// make them (its self-connect mode).
  private var asked: [Link: Asked] = [:]
  /// Connections that a request removes, until its report arrives.
  private var removing: [Link: Asked] = [:]
  /// Owners whose gates close so that a connection can be removed, with the engine frame at which the gate is closed.
  private var closing: [LinkOwner: UInt64] = [:]
  /// Owners that must not be connected before an engine frame.
  ///
  /// If another program removed the connections, the block ends when the gate is closed; otherwise a device that
  /// returns would be heard in the middle of the ramp. If the router removed them, the block ends when the server
  /// surely has done so; otherwise the old connection would count as a connection that sounds.
  private var blocked: [LinkOwner: Block] = [:]

  /// Owners to whose sounding sources another one is added. Their gates close, and stay closed until the server has made or refused
  /// the connection.
  private var joining: Set<LinkOwner> = []

  private struct Block {
    /// The engine frame at which the block ends.
    var end: UInt64
    /// Whether another program removed the connections, or their ports are gone.
    var isLoss: Bool
  }

  private struct OtherPort {
    var number: UInt64
    var isSource: Bool
  }

  private struct Asked {
    var owner: LinkOwner
    /// The number of the first request that asks, or asks again.
    var request: Int
    /// Whether an earlier request asked in vain.
    var isRetry = false
  }

  /// Connections to make and to remove in the next request.
  private(set) var connections: [Link] = []
  /// The first request that asks for each connection of `connections`.
  private(set) var firstRequests: [Link: Int] = [:]
  private(set) var disconnections: [Link] = []
  /// The owners of the connections for which the next request asks for the first time.
  private(set) var connecting: Set<LinkOwner> = []

  /// Whether the server refused or did not make a connection. A client that has registered ports but is not active refuses
  /// connections, and no notice tells when it becomes active.
  var hasRefusals: Bool { !refused.isEmpty }
  /// The source ports of connections that the server refused or did not make.
  private(set) var refused: Set<String> = []

  /// Whether a decision about connections waits for an engine frame.
  var isClosing: Bool { !closing.isEmpty || !blocked.isEmpty }

  /// Whether the wait of an owner has ended by an engine frame, so that `reconcile` must be called again.
  func isDue(at frame: UInt64) -> Bool {
    closing.values.contains { $0 <= frame } || blocked.values.contains { $0.end <= frame }
  }

  /// Whether an owner's gate must be closed now.
  func mustClose(_ owner: LinkOwner) -> Bool { isChanging(owner) || joining.contains(owner) }

  /// Whether nothing may be connected to an owner yet.
  private func isChanging(_ owner: LinkOwner) -> Bool {
    closing[owner] != nil || blocked[owner] != nil || removing.values.contains { $0.owner == owner }
  }

  /// Connections that the router has made or asked for and that a graph does not have, in order.
  func missing(in graph: GraphSnapshot) -> [Link] {
    (Array(made.keys) + asked.keys).filter { !graph.has($0) }.sorted()
  }

  /// Keeps an owner that has lost its connections disconnected until an engine frame, at which its gate is closed.
  mutating func block(_ owner: LinkOwner, until frame: UInt64) {
    guard closing[owner] == nil else { return }
    let before = blocked[owner]
    blocked[owner] = Block(end: max(frame, before?.end ?? 0), isLoss: before?.isLoss ?? true)
  }

  /// The time of a decision, in engine frames and request numbers.
  struct Moment {
    /// The number of frames that the engine has processed.
    var frame: UInt64
    /// The frame at which a gate that starts to close now is closed.
    var closed: UInt64
    /// The number of the next request.
    var request: Int
    /// The number of the last request whose report has arrived.
    var answered: Int
    /// Whether to ask again for connections that the server refused.
    var mayRetry = false
  }

  /// Whether the router has made a connection and is not removing it.
  func isMade(_ link: Link) -> Bool { made[link] != nil }

  /// Forgets a connection that a starting program has removed, so that the router asks for it again at once. Returns
  /// whether the router had made it or asked for it.
  mutating func forget(_ link: Link) -> Bool {
    let (wasMade, wasAsked) = (made.removeValue(forKey: link) != nil, asked.removeValue(forKey: link) != nil)
    return wasMade || wasAsked
  }

  /// Ends the removals of a request whose report has arrived, and of all earlier requests.
  /// - Parameter gone: the frame at which the server surely has removed the connections that the request removes.
  mutating func observe(request: Int, gone: UInt64) {
    for (link, ask) in removing where ask.request <= request {
      removing[link] = nil
      blocked[ask.owner] = Block(end: gone, isLoss: false)
    }
  }

  /// Decides which connections to make and to remove, as far as gates allow that now.
  /// - Parameters:
  ///   - isNew: whether the source of a connection has just appeared, so that its sound may begin at once.
  ///   - isReady: whether the router's own JACK port at one end of a connection exists.
  mutating func reconcile(
    _ wanted: WantedLinks, _ graph: GraphSnapshot, at moment: Moment, isNew: (Link) -> Bool = { _ in false },
    isReady: (Link) -> Bool
  ) {
    blocked = blocked.filter { $0.value.end > moment.frame }
    updateRenamed(in: graph)
    removeUnwanted(wanted, graph, at: moment)
    connect(wanted, graph, at: moment, isNew, isReady)
    disconnections = removing.keys.sorted()
    (connections, firstRequests, connecting) = ([], [:], [])
    for (link, owner) in wanted.links {
      guard let ask = asked[link], ask.request > moment.answered else { continue }
      connections.append(link)
      firstRequests[link] = ask.request
      if !ask.isRetry { connecting.insert(owner) }
    }
  }

  /// Renames the connections in `made` whose ports have new names, because a renamed port keeps its connections. jackd
  /// gives the number of a removed port to another port, so the graph must have the renamed connection, too.
  private mutating func updateRenamed(in graph: GraphSnapshot) {
    var (names, numbers) = ([UInt64: String](), [String: UInt64]())
    for port in graph.ports where port.uuid != 0 {
      (names[port.uuid], numbers[port.name]) = (port.name, port.uuid)
    }
    var renamed: [(old: Link, new: Link)] = []
    for (link, port) in ports where made[link] != nil && !graph.has(link) {
      guard let name = names[port.number] else { continue }
      let new = port.isSource ? Link(source: name, sink: link.sink) : Link(source: link.source, sink: name)
      if new != link, graph.has(new) { renamed.append((link, new)) }
    }
    // Ports may have swapped names, so remove all old connections first.
    let owners = renamed.map { made.removeValue(forKey: $0.old) }
    for (change, owner) in zip(renamed, owners) { made[change.new] = owner }
    ports = ports.filter { made[$0.key] != nil }
    for link in made.keys where ports[link] == nil {
      if let number = numbers[link.source] { ports[link] = OtherPort(number: number, isSource: true) }
      if let number = numbers[link.sink] { ports[link] = OtherPort(number: number, isSource: false) }
    }
  }

  private mutating func removeUnwanted(_ wanted: WantedLinks, _ graph: GraphSnapshot, at moment: Moment) {
    let names = Set(graph.ports.map(\.name))
    // The server may have made a connection that is no longer wanted. The router must remove it, so it counts as made.
    for (link, ask) in asked where !wanted.contains(link) {
      asked[link] = nil
      made[link] = ask.owner
    }
    for (link, owner) in made where !wanted.contains(link) {
      // If both ports are gone, the connection no longer exists. If the graph still shows it, the report is incomplete:
      // the ports may only have other names.
      guard names.contains(link.source) || names.contains(link.sink) else {
        if !graph.has(link) { made[link] = nil }
        continue
      }
      if let end = closing[owner] {
        guard end <= moment.frame else { continue }
        made[link] = nil
        removing[link] = Asked(owner: owner, request: moment.request)
      } else {
        closing[owner] = moment.closed
      }
    }
    let stale = Set(made.filter { !wanted.contains($0.key) }.map(\.value))
    closing = closing.filter { stale.contains($0.key) }
  }

  /// Asks for missing connections. If an owner lost all its connections since the last decision, or if a source joins others, the
  /// gate is still open and must close first.
  private mutating func connect(
    _ wanted: WantedLinks, _ graph: GraphSnapshot, at moment: Moment, _ isNew: (Link) -> Bool,
    _ isReady: (Link) -> Bool
  ) {
    var missing: [(link: Link, owner: LinkOwner)] = []
    var connected: Set<LinkOwner> = []
    for (link, owner) in wanted.links where removing[link] == nil {
      if graph.has(link) {
        connected.insert(owner)
        if asked.removeValue(forKey: link) != nil { made[link] = owner }
      } else {
        missing.append((link, owner))
      }
    }
    for (link, owner) in missing where made.removeValue(forKey: link) != nil && !connected.contains(owner) {
      block(owner, until: moment.closed)
    }
    noteJoining(
      missing.filter { isReady($0.link) && !isNew($0.link) && connected.contains($0.owner) }, at: moment)
    // The sound before is gone, so a gate that still closes has nothing to fade out.
    for (link, owner) in missing where isNew(link) && blocked[owner]?.isLoss == true { blocked[owner] = nil }
    refused = []
    for (link, owner) in missing where !isChanging(owner) && isReady(link) {
      guard let ask = asked[link] else {
        asked[link] = Asked(owner: owner, request: moment.request)
        continue
      }
      let isAnswered = ask.request <= moment.answered
      if isAnswered || ask.isRetry { refused.insert(link.source) }
      if isAnswered, moment.mayRetry {
        asked[link] = Asked(owner: owner, request: moment.request, isRetry: true)
      }
    }
  }

  /// Closes the gates of owners to whose sources others are added. A receiver of a capture or of an output hears only its own
  /// connection, so a gate would silence the others for nothing.
  private mutating func noteJoining(_ missing: [(link: Link, owner: LinkOwner)], at moment: Moment) {
    var waiting: Set<LinkOwner> = []
    for (link, owner) in missing {
      switch owner {
      case .stream, .input: break
      case .capture, .output: continue
      }
      if let ask = asked[link] {
        if ask.request > moment.answered, joining.contains(owner) { waiting.insert(owner) }
        continue
      }
      waiting.insert(owner)
      if !mustClose(owner) { blocked[owner] = Block(end: moment.closed, isLoss: false) }
    }
    joining = waiting
  }
}
