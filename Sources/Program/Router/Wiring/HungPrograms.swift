import AudioHost
import SessionModel

/// The programs that hang, and the connections that the router has removed because of them.
///
/// The server calls a client only when every program that feeds the client has run. So the router removes the connections at the outputs of
/// a program that hangs: those to the router, and those to other programs and devices, which would stay silent as well. The router makes
/// these connections again when the program goes on.
struct HungPrograms {
  /// The clients for which a call to the server waits.
  var awaited: Set<String> = []
  /// The clients that were found stopped while the server did not call the router.
  private(set) var stopped: Set<String> = []
  /// The connections that were removed because of them.
  private(set) var removed: Set<Link> = []
  /// Connections of programs that go on, with the number of the first request that makes them again.
  private var returning: [Link: Int] = [:]

  /// Notes which clients are stopped now.
  /// - Parameter request: the number of the next request.
  mutating func note(stopped clients: Set<String>, request: Int) {
    stopped = clients
    for link in removed where !clients.contains(link.sourceClient) {
      removed.remove(link)
      returning[link] = request
    }
  }

  /// Finds the connections at the outputs of stopped programs.
  /// - Returns: connections that must be removed and were not found before.
  mutating func follow(_ graph: GraphSnapshot) -> [Link] {
    guard !stopped.isEmpty else { return [] }
    var found: [Link] = []
    for source in outputs(in: graph) {
      for sink in graph.connections(of: source) {
        let link = Link(source: source, sink: sink)
        returning[link] = nil
        if removed.insert(link).inserted { found.append(link) }
      }
    }
    return found
  }

  /// The outputs of stopped programs. The router must know their connections.
  func outputs(in graph: GraphSnapshot) -> [String] {
    guard !stopped.isEmpty else { return [] }
    return graph.ports.filter { !$0.isInput && stopped.contains(Link.client(of: $0.name)) }.map(\.name)
  }

  /// The removed connections that a graph still has; first those to the router, without which the router is called again.
  /// - Parameter client: the router's client name.
  func disconnections(in graph: GraphSnapshot, client: String) -> [Link] {
    let links = removed.filter { graph.has($0) }.sorted()
    return links.filter { $0.sinkClient == client } + links.filter { $0.sinkClient != client }
  }

  /// The connections that the next request makes again.
  var connections: [Link] { returning.keys.sorted() }

  /// The removed connections between other programs and devices, which nobody but the router can make again.
  /// - Parameter client: the router's client name.
  func owed(client: String) -> Set<Link> { removed.filter { $0.sinkClient != client } }

  /// Whether a port of the router has lost a connection because of a program that hangs.
  func concerns(_ port: String) -> Bool { removed.contains { $0.sink == port } }

  /// Notes that the report of a request has arrived.
  mutating func observe(request: Int) { returning = returning.filter { $0.value > request } }

  /// For the law: the programs without which the router goes on, and those for which only calls wait.
  var list: [HungProgram] {
    let left = Set(removed.map(\.sourceClient))
    return left.sorted().map { HungProgram($0, isDisconnected: true) }
      + awaited.subtracting(left).sorted().map { HungProgram($0, isDisconnected: false) }
  }
}
