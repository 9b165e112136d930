import ServerInterface
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
  /// The connections that are removed because of them.
  private var removed: [Link: Removal] = [:]
  /// Connections of programs that go on, with the number of the first request that makes them again.
  private(set) var returning: [Link: Int] = [:]

  private enum Removal {
    /// The first request that removes the connection, until its report arrives.
    case asked(request: Int)
    /// The server has accepted the removal. The graph shows the connection for up to half a second more.
    case accepted
    /// The graph no longer shows the connection.
    case done
  }

  /// Notes which clients are stopped now.
  /// - Parameter request: the number of the next request.
  mutating func note(stopped clients: Set<String>, request: Int) {
    stopped = clients
    for link in removed.keys where !clients.contains(link.sourceClient) {
      removed[link] = nil
      returning[link] = request
    }
  }

  /// Finds the connections at the outputs of stopped programs.
  /// - Parameter request: the number of the next request.
  /// - Returns: connections that the next request removes.
  mutating func follow(_ graph: GraphSnapshot, request: Int) -> [Link] {
    guard !stopped.isEmpty else { return [] }
    let present = Set(
      outputs(in: graph).flatMap { source in
        graph.connections(of: source).map { Link(source: source, sink: $0) }
      })
    var found: [Link] = []
    for link in present {
      switch removed[link] {
      case .asked, .accepted: continue
      case .done, nil: removed[link] = .asked(request: request)
      }
      returning[link] = nil
      found.append(link)
    }
    for case (let link, .accepted) in removed where !present.contains(link) { removed[link] = .done }
    return found
  }

  /// The outputs of stopped programs. The router must know their connections.
  func outputs(in graph: GraphSnapshot) -> [String] {
    guard !stopped.isEmpty else { return [] }
    return graph.ports.filter { !$0.isInput && stopped.contains(Link.client(of: $0.name)) }.map(\.name)
  }

  /// The ports that the next request disconnects.
  var stuck: [String] {
    Set(removed.filter { if case .asked = $0.value { true } else { false } }.keys.map(\.source)).sorted()
  }

  /// The connections that the next request makes again.
  var connections: [Link] { returning.keys.sorted() }

  /// The removed connections between other programs and devices. Only the router knows them, so it must make them again.
  /// - Parameter client: the router's client name.
  func owed(client: String) -> Set<Link> { Set(removed.keys).filter { $0.sinkClient != client } }

  /// Whether a port of the router has lost a connection because of a program that hangs.
  func concerns(_ port: String) -> Bool { removed.keys.contains { $0.sink == port } }

  /// Whether the router goes on without a program.
  var hasRemoved: Bool { !removed.isEmpty }

  /// Notes that the report of a request has arrived.
  mutating func observe(request: Int) {
    returning = returning.filter { $0.value > request }
    for case (let link, .asked(let first)) in removed where first <= request { removed[link] = .accepted }
  }

  /// For the law: the programs without which the router goes on, and those for which only calls wait.
  var list: [HungProgram] {
    let left = Set(removed.keys.map(\.sourceClient))
    return left.sorted().map { HungProgram($0, isDisconnected: true) }
      + awaited.subtracting(left).sorted().map { HungProgram($0, isDisconnected: false) }
  }
}
