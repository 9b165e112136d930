public import MixKernel
public import ServerInterface
import SystemCalls

extension JackClient {
  // MARK: Ports of ours

  /// Registers an audio port.
  ///
  /// - Throws: `JackError.portRefused`. That is a normal condition: a server has room for a fixed number of
  ///   ports.
  public func registerPort(_ portName: String, _ kind: JackPortKind) throws(JackError) -> PortHandle {
    guard let port = JackCalls.portRegister(client, portName, kind) else {
      throw .portRefused("\(name):\(portName)")
    }
    ownPorts.insert(port)
    return port
  }

  /// Removes a port and its connections.
  ///
  /// An active client of jackd2 first gives the port the name that it has already, so that the server sends a
  /// notice (`NoticePause`).
  ///
  /// - Returns: whether libjack's notification thread was held meanwhile.
  @discardableResult public func unregisterPort(_ port: PortHandle) -> Bool {
    ownPorts.remove(port)
    guard isActive, !Self.isPipeWire, let shortName = JackCalls.portShortName(port) else {
      JackCalls.portUnregister(client, port)
      return false
    }
    return board.pointee.pause.duringPause {
      JackCalls.portRename(client, port, shortName) == 0
    } _: {
      JackCalls.portUnregister(client, port)
    }
  }

  /// The full name of a port of ours; nil after its removal.
  public func fullName(of port: PortHandle) -> String? { JackCalls.portName(port) }

  /// Writes the name for people into the server's metadata. That is a cache that may be lost, so failure is
  /// ignored.
  public func setPrettyName(_ prettyName: String, of port: PortHandle) {
    JackCalls.setProperty(
      client, port, key: "http://jackaudio.org/metadata/pretty-name", value: prettyName)
  }

  // MARK: All ports

  /// All audio ports at the server, ours included.
  public func ports() -> [SystemPort] {
    JackCalls.getPorts(client).compactMap { JackCalls.describe(client, $0)?.port }
  }

  /// All audio ports of other clients, in the order in which the server made them.
  public func othersPorts() -> [SystemPort] {
    let ports = JackCalls.getPorts(client).compactMap { name in
      JackCalls.describe(client, name).flatMap { $0.isMine ? nil : $0.port }
    }
    // PipeWire lists them by other orders, and numbers them as it makes them.
    return Self.isPipeWire && ports.allSatisfy { $0.uuid != 0 } ? ports.sorted { $0.uuid < $1.uuid } : ports
  }

  /// The port of a full name, if it exists.
  public func port(named fullName: String) -> SystemPort? { JackCalls.describe(client, fullName)?.port }

  /// Whether a change of connections is under way, so that `connections(of:)` would wait for the next period.
  ///
  /// PipeWire's library shows the connections at once.
  public var isChanging: Bool {
    !Self.isPipeWire && board.pointee.changes.areUnderWay(at: JackCalls.lastFrameTime(client))
  }

  /// Full names of the ports that a port is connected to; empty if the port does not exist.
  public func connections(of fullName: String) -> [String] {
    JackCalls.portByName(client, fullName).map { JackCalls.allConnections(client, $0) } ?? []
  }

  // MARK: Connections

  /// Asks for a connection of two ports by full name; a connection that exists already is a success.
  ///
  /// It is in force from the server's next period on. In its self-connect mode a server may accept and do
  /// nothing; `connections(of:)` shows that. While a change is under way that call waits for the next period,
  /// so call it once after many changes.
  ///
  /// - Throws: `JackError.noSuchPort`, `connectionRefused`.
  public func connect(_ source: String, to destination: String) throws(JackError) {
    for end in [source, destination] where JackCalls.portByName(client, end) == nil { throw .noSuchPort(end) }
    let code = JackCalls.connect(client, source, destination)
    board.pointee.changes.note()
    let alreadyConnected: Int32 = 17
    guard code == 0 || code == alreadyConnected else {
      throw .connectionRefused(source: source, destination: destination, code: code)
    }
  }

  /// Removes a connection; returns false if it did not exist.
  @discardableResult
  public func disconnect(_ source: String, from destination: String) -> Bool {
    defer { board.pointee.changes.note() }
    return JackCalls.disconnect(client, source, destination) == 0
  }

  /// Removes all connections of ports of any client, as one change of the graph if the server is not busy.
  ///
  /// jackd tells all clients of each change of the graph, and waits up to 6 s for a stopped one: twice for its latencies, and once for the
  /// new graph. Requests wait as long. So the requests follow each other at the beginning of a period, because the graph changes with the next
  /// period.
  public func disconnectAll(_ ports: [String]) {
    let handles = ports.compactMap { JackCalls.portByName(client, $0) }
    awaitBeginningOfPeriod()
    for handle in handles {
      JackCalls.portDisconnect(client, handle)
      board.pointee.changes.note()
    }
  }

  /// Waits until the server begins a period, at most for the length of two periods.
  private func awaitBeginningOfPeriod() {
    let (period, end) = (
      JackCalls.lastFrameTime(client),
      JackCalls.time() + 2_000_000 * UInt64(self.period) / UInt64(max(1, sampleRate))
    )
    while JackCalls.lastFrameTime(client) == period, JackCalls.time() < end { System.sleep(seconds: 0.000_1) }
  }

  // MARK: Latency

  /// Declares the latencies of this client's ports, and has the server compute all latencies again.
  ///
  /// The notification thread applies the map: at once if the client is active, otherwise on activation.
  ///
  /// - Throws: `JackError.callFailed` if the server did not recompute.
  public func publishLatencies(_ map: JackLatencyMap) throws(JackError) {
    board.pointee.latencies.publish(map)
    try check("jack_recompute_total_latencies", JackCalls.recomputeTotalLatencies(client))
  }

  /// The latency of any port, ours or another client's; nil if the port does not exist.
  public func latency(of fullName: String, _ mode: JackLatencyMode) -> JackLatencyRange? {
    JackCalls.portByName(client, fullName).map { JackCalls.latency(of: $0, mode) }
  }

  /// The latency of a port of ours.
  public func latency(of port: PortHandle, _ mode: JackLatencyMode) -> JackLatencyRange {
    JackCalls.latency(of: port, mode)
  }
}
