import SessionModel

@testable import Router
@testable import ServerInterface

/// A reconciler with a server in memory. `go` decides and carries out at once; `carryOut` carries out an earlier decision.
final class GraphRig {
  let server: MemoryServer
  var reconciler = Reconciler()
  private var worker: GraphWorker
  private var graph = GraphSnapshot()
  private var request = 1
  private var answered = 0

  init(_ system: [SystemPort]) {
    server = MemoryServer(system, clientName: "multiroute")
    worker = GraphWorker(server)
    look()
  }

  /// Reads the server's present graph.
  func look() {
    graph.ports = server.others
    graph.connections = [:]
    for connection in server.connections {
      graph.connections[connection[0], default: []].append(connection[1])
      graph.connections[connection[1], default: []].append(connection[0])
    }
  }

  /// Decides on connections without carrying the decision out.
  /// - Parameter new: the client whose ports have just appeared.
  func decide(
    _ state: RouterState, frame: UInt64 = 0, closed: UInt64 = 100, mayRetry: Bool = false, new: String? = nil
  ) {
    let wanted = WantedLinks(state, graph.ports, client: "multiroute")
    let moment = Reconciler.Moment(
      frame: frame, closed: closed, request: request, answered: answered, mayRetry: mayRetry)
    reconciler.reconcile(wanted, graph, at: moment, isNew: { $0.sourceClient == new }) { _ in true }
  }

  /// Carries out the last decision at the server, and reads the graph.
  func carryOut(gone: UInt64 = 0) {
    var order = GraphRequest()
    (order.connections, order.disconnections) = (reconciler.connections, reconciler.disconnections)
    _ = worker.perform(order, number: request, isSuperseded: { false }, tell: { _ in }, settle: { true })
    look()
    answered = request
    request += 1
    reconciler.observe(request: answered, gone: gone)
  }

  /// Decides, carries the decision out, and decides again from the new graph.
  func go(
    _ state: RouterState, frame: UInt64 = 0, closed: UInt64 = 100, gone: UInt64 = 0, mayRetry: Bool = false
  ) {
    decide(state, frame: frame, closed: closed, mayRetry: mayRetry)
    guard !reconciler.connections.isEmpty || !reconciler.disconnections.isEmpty else { return }
    carryOut(gone: gone)
    decide(state, frame: frame, closed: closed)
  }
}
