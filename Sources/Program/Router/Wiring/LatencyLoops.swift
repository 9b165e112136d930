import ServerInterface

/// Finds the paths through the router whose sound comes back to the client that sent it.
///
/// JACK gives a client without latencies of its own those of its neighbours. If the router declared a path that leads back to such a
/// client, each computation of latencies would add the router's delay once more, without end.
struct LatencyLoops {
  /// A client at the other end of a connection of the router.
  struct Neighbour: Hashable {
    var client: Substring
    /// Whether the sound ends, or begins, at the client's port. Latencies do not pass such a port.
    var isTerminal: Bool
  }

  /// The clients at each port of the router, by the port's full name.
  typealias Neighbours = [String: Set<Neighbour>]

  private let neighbours: Neighbours
  /// The clients that a client's sound reaches through the router, and that may pass it on.
  private var next: [Substring: Set<Substring>] = [:]
  /// Results of `reach`, which many paths share.
  private var known: [Substring: Set<Substring>] = [:]

  /// - Parameter paths: all paths through the router, each from one port of the router to another.
  init(_ neighbours: Neighbours, paths: [Link]) {
    self.neighbours = neighbours
    for path in paths {
      for (sender, receiver) in passing(path) { next[sender, default: []].insert(receiver) }
    }
  }

  /// Whether a path leads back to a client that its sound comes from: at once, or through other clients and the router again.
  mutating func contain(_ path: Link) -> Bool {
    let senders = Set(neighbours[path.source, default: []].map(\.client))
    let receivers = neighbours[path.sink, default: []].map(\.client)
    if receivers.contains(where: senders.contains) { return true }
    for (sender, receiver) in passing(path) where reach(of: receiver).contains(sender) {
      return true
    }
    return false
  }

  /// The clients at both ends of a path, if latencies pass their ports.
  private func passing(_ path: Link) -> [(Substring, Substring)] {
    let senders = neighbours[path.source, default: []].filter { !$0.isTerminal }
    let receivers = neighbours[path.sink, default: []].filter { !$0.isTerminal }
    return senders.flatMap { sender in receivers.map { (sender.client, $0.client) } }
  }

  /// All clients that a client's sound reaches, through any number of others.
  private mutating func reach(of client: Substring) -> Set<Substring> {
    if let found = known[client] { return found }
    var (found, open) = (Set<Substring>(), [client])
    while let here = open.popLast() {
      for there in next[here, default: []] where found.insert(there).inserted { open.append(there) }
    }
    known[client] = found
    return found
  }
}

extension LatencyLoops {
  /// The clients at the router's ports: those that are wanted there, and those that are connected now.
  /// - Parameter client: the router's client name.
  static func neighbours(_ wanted: WantedLinks, _ graph: GraphSnapshot, client: String) -> Neighbours {
    let terminals = Set(graph.ports.lazy.filter(\.isTerminal).map(\.name))
    let prefix = "\(client):"
    var neighbours = Neighbours()
    func add(_ port: String, at own: String) {
      guard own.hasPrefix(prefix), !port.hasPrefix(prefix) else { return }
      let neighbour = Neighbour(
        client: port.prefix { $0 != ":" }, isTerminal: terminals.contains(port))
      neighbours[own, default: []].insert(neighbour)
    }
    for (link, _) in wanted.links {
      add(link.source, at: link.sink)
      add(link.sink, at: link.source)
    }
    for (own, ports) in graph.connections { for port in ports { add(port, at: own) } }
    return neighbours
  }
}
