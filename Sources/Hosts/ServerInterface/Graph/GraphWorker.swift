import MixKernel

/// Carries out orders at a server, and remembers the ports and paths made there. Belongs to the graph thread.
struct GraphWorker {
  private let server: any AudioServer
  private var kernel: HostedKernel?
  private var clientName = ""
  private var ports: [String: PortHandle] = [:]
  private var listed: [GraphRequest.Port] = []
  private var paths: Set<LatencyPath> = []
  /// Ports were removed since the paths were declared. The server may reuse their numbers for other ports.
  private var arePathsStale = false
  private var lastTicket = 0
  /// The number of the first request for each connection that the server was asked for.
  private var asked: [Link: Int] = [:]
  /// Why the server did not change its period, until a report tells it.
  private var periodRefusal: AudioServerError?
  /// The ports of other clients, as last told.
  private var told: [SystemPort] = []

  init(_ server: any AudioServer) { self.server = server }

  mutating func seek(name: String, server wanted: String?, isThere: Bool) {
    server.seek(name: name, server: wanted, isThere: isThere)
    self = GraphWorker(server)
  }

  mutating func close() {
    server.close()
    self = GraphWorker(server)
  }

  mutating func open(_ kernel: HostedKernel) -> GraphThread.Report {
    self.kernel = kernel
    do throws(AudioServerError) {
      let facts = try server.open(kernel.pointer)
      clientName = facts.clientName
      told = server.systemPorts()
      return .opened(facts, look(GraphRequest(), told))
    } catch {
      close()
      return .refused(error)
    }
  }

  /// Carries out a request.
  ///
  /// Connections are removed first: a connection that must not exist may sound.
  /// - Parameters:
  ///   - isSuperseded: asked between calls; true leaves the rest to a newer request.
  ///   - tell: told the ports of other clients if they have changed, before the connections are read.
  ///   - settle: waits until no change of connections is under way; false leaves the rest to a newer request.
  /// - Returns: the outcome; nil if a newer request replaced this one.
  mutating func perform(
    _ request: GraphRequest, number: Int, isSuperseded: () -> Bool, tell: ([SystemPort]) -> Void,
    settle: () -> Bool
  ) -> GraphReport? {
    var report = GraphReport(request: number)
    if !request.stuck.isEmpty { server.disconnectAll(request.stuck) }
    for link in request.disconnections {
      if isSuperseded() { return nil }
      server.disconnect(link.source, from: link.sink)
    }
    guard providePorts(of: request, &report, isSuperseded) else { return nil }
    if arePathsStale || request.paths != paths {
      (paths, arePathsStale) = (request.paths, false)
      server.publish(Array(paths))
    }
    asked = asked.filter { request.firstRequests[$0.key] == $0.value }
    let decided = request.returned.filter { port in
      server.connections(of: port).contains { !$0.hasPrefix("\(clientName):") }
    }
    for link in request.connections
    where asked[link] == nil && !decided.contains(link.source) && !decided.contains(link.sink) {
      if isSuperseded() { return nil }
      _ = server.connect(link.source, to: link.sink)
      asked[link] = request.firstRequests[link]
    }
    if let period = request.period, period.ticket > lastTicket {
      lastTicket = period.ticket
      do throws(AudioServerError) { try server.requestPeriod(period.frames) } catch {
        periodRefusal = error
      }
    }
    let others = server.systemPorts()
    if others != told {
      told = others
      tell(others)
    }
    guard settle() else { return nil }
    (report.ports, report.periodRefusal) = (ports, periodRefusal.take())
    report.graph = look(request, others)
    return report
  }

  /// Removes unwanted ports of ours and registers missing ones.
  /// - Returns: false if a newer request replaced this one.
  private mutating func providePorts(
    of request: GraphRequest, _ report: inout GraphReport, _ isSuperseded: () -> Bool
  ) -> Bool {
    guard request.ports != listed else { return true }
    let wanted = Set(request.ports.map(\.name))
    // A newer request may replace this one halfway.
    defer { listed = listed.filter { ports[$0.name] != nil } }
    for port in listed where !wanted.contains(port.name) {
      if isSuperseded() { return false }
      guard let handle = ports.removeValue(forKey: port.name) else { continue }
      server.unregister(handle)
      arePathsStale = true
    }
    for port in request.ports where ports[port.name] == nil {
      if isSuperseded() { return false }
      do throws(AudioServerError) {
        ports[port.name] = try server.register(
          port.name, prettyName: port.prettyName, isSource: port.isSource)
        listed.append(port)
      } catch {
        report.refusedPorts[port.name] = error
      }
    }
    listed = request.ports
    return true
  }

  private func look(_ request: GraphRequest, _ others: [SystemPort]) -> GraphSnapshot {
    var graph = GraphSnapshot()
    graph.ports = others
    let ours = listed.map { "\(clientName):\($0.name)" }
    for name in ours + request.observed.sorted() {
      let connections = server.connections(of: name)
      if !connections.isEmpty { graph.connections[name] = connections }
    }
    for port in graph.ports where port.isPhysical || port.isTerminal || request.measured.contains(port.name) {
      graph.latencies[port.name] =
        port.isInput ? server.playbackLatency(of: port.name) : server.captureLatency(of: port.name)
    }
    return graph
  }
}
