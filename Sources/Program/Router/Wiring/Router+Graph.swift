import ControlInterface
import MixEngine
import ServerInterface
import SessionModel
import Threads

/// Submits requests to the graph thread, and acts on its reports.
extension Router {
  /// Submits the wanted graph to the graph thread, if it differs from the last submitted one.
  /// - Parameter looks: whether to submit it in any case, so that the report tells the present graph.
  func handOver(looking looks: Bool = false) {
    guard let connection, !connection.isWiring, !connection.isSetAside else { return }
    guard looks || connection.order != connection.requested else {
      // Both share their memory from now on, so that the next comparison need not look at thousands of ways.
      connection.order = connection.requested
      return
    }
    connection.requested = connection.order
    connection.submitted = graph.submit(connection.order)
  }

  /// Acts on all reports of the graph thread.
  func followGraph() {
    // While the router stops, it gives exclusive connections back. A report must not lead it to take them away again.
    guard !isStopping, connection?.isWiring != true else { return }
    while let report = graph.takeReport() {
      switch report {
      case .opened(let facts, let snapshot): connect(facts, snapshot)
      case .refused(let error):
        between.failure = error
        seekServer()
      case .ports(let ports):
        if connection?.isSetAside == false, var graph = connection?.graph {
          graph.takePrograms(from: ports)
          look(at: graph)
        }
      case .done(let report): observe(report)
      case .waits(let programs): tellWait(for: programs)
      case .waitIsOver: tellEndOfWait()
      }
    }
  }

  /// Starts the search for the program that makes the graph thread wait, if that has waited for long.
  func followWait() {
    if connection?.isSetAside != true, let since = graph.busySince,
      MonotonicTime.now - since > GraphThread.patience
    {
      graph.watch()
    }
  }

  private func tellWait(for programs: [String]) {
    for name in programs.isEmpty ? [nil] : programs.map(Optional.some) {
      let sentence = name.map { HungProgram($0, isDisconnected: false).sentence } ?? "waiting for JACK"
      tell(.error(client: 0, address: "", SessionError(.io, sentence)))
    }
    noteAwaited(Set(programs))
  }

  private func tellEndOfWait() {
    noteAwaited([])
    tell(.error(client: 0, address: "", SessionError(.io, "JACK answers again")))
  }

  private func noteAwaited(_ programs: Set<String>) {
    guard let connection else { return }
    connection.hung.awaited = programs
    noteHungPrograms(connection)
  }

  private func observe(_ report: GraphReport) {
    guard let connection, report.request <= connection.submitted else { return }
    connection.answered = report.request
    // The graph thread has carried these out; they must not be requested again.
    (connection.requested.connections, connection.requested.disconnections) = ([], [])
    connection.requested.stuck = []
    if let period = connection.order.period, period.ticket <= report.request {
      (connection.order.period, connection.requested.period) = (nil, nil)
    }
    let (isNew, refused) = connection.book.observe(report)
    connection.order.ports = connection.book.list
    for (name, error) in refused {
      tell(.error(client: 0, address: "", SessionError(.io, "\(name): \(error)")))
    }
    if let error = report.periodRefusal {
      let sentence = "the period stays \(state.server.period): \(error)"
      tell(.error(client: 0, address: "", SessionError(.io, sentence)))
    }
    if isNew { adoptPorts(connection) }
    let gone = connection.mix.engine.framesProcessed + UInt64(3 * connection.period)
    connection.reconciler.observe(request: report.request, gone: gone)
    connection.exclusives.observe(request: report.request)
    connection.hung.observe(request: report.request)
    guard !connection.isSetAside else { return }
    connection.graph.latencies = report.graph.latencies
    measureLatencies()
    look(at: connection.noticed.completed(report.graph, of: report.request))
  }

  /// Acts on the present graph. If ports of a device have appeared or disappeared, the router waits until no more of them follow. It
  /// does not wait for ports of programs: what a program plays must be heard from the beginning.
  private func look(at graph: GraphSnapshot) {
    guard let connection else { return }
    let (former, present) = (connection.graph.devicePorts, graph.devicePorts)
    connection.graph = graph
    connection.newPorts.note(graph.ports, at: now)
    if present != former { connection.settling.note(former, present, at: now) }
    if !connection.settling.isPending { wire() }
  }
}
