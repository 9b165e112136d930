extension JackClient {
  // MARK: Ports of ours

  /// Registers an audio port.
  ///
  /// - Throws: `JackError.portRefused`, which is a normal condition: servers have room for a fixed number of ports.
  public func registerPort(_ portName: String, _ kind: JackPortKind) throws(JackError) -> JackPort {
    guard let port = JackCalls.portRegister(client, portName, kind) else {
      throw .portRefused("\(name):\(portName)")
    }
    return port
  }

  /// Removes a port and its connections.
  public func unregisterPort(_ port: JackPort) { JackCalls.portUnregister(client, port) }

  /// The full name of a port of ours; nil once it is gone.
  public func fullName(of port: JackPort) -> String? { JackCalls.portName(port) }

  /// Writes the name people see to the server's metadata, which is a cache that may vanish: failure means nothing.
  public func setPrettyName(_ prettyName: String, of port: JackPort) {
    JackCalls.setProperty(
      client, port, key: "http://jackaudio.org/metadata/pretty-name", value: prettyName)
  }

  // MARK: All ports

  /// All audio ports at the server, ours included.
  public func ports() -> [JackPortDescription] {
    JackCalls.getPorts(client).compactMap { JackCalls.describe(client, $0) }
  }

  /// The port of this full name, if there is one.
  public func port(named fullName: String) -> JackPortDescription? { JackCalls.describe(client, fullName) }

  /// Full names of the ports a port is connected to; empty if there is no such port.
  public func connections(of fullName: String) -> [String] {
    JackCalls.portByName(client, fullName).map { JackCalls.allConnections(client, $0) } ?? []
  }

  // MARK: Connections

  /// Asks for a connection of two ports by full name; one that exists already is a success.
  ///
  /// It is in force from the server's next period on. A server may also say yes and do nothing (its self-connect mode):
  /// `connections(of:)` tells. That waits for the next period while a change is under way, so ask once after many changes.
  ///
  /// - Throws: `JackError.noSuchPort`, `connectionRefused`.
  public func connect(_ source: String, to destination: String) throws(JackError) {
    for end in [source, destination] where JackCalls.portByName(client, end) == nil { throw .noSuchPort(end) }
    let code = JackCalls.connect(client, source, destination)
    let alreadyConnected: Int32 = 17
    guard code == 0 || code == alreadyConnected else {
      throw .connectionRefused(source: source, destination: destination, code: code)
    }
  }

  /// Takes a connection away; false if there was none.
  @discardableResult
  public func disconnect(_ source: String, from destination: String) -> Bool {
    JackCalls.disconnect(client, source, destination) == 0
  }

  // MARK: Latency

  /// Declares the latencies of this client's ports and has the server work out everybody's anew.
  ///
  /// The map takes effect on the notification thread, at once if the client is active, else when it becomes so.
  ///
  /// - Throws: `JackError.callFailed` if the server did not recompute.
  public func publishLatencies(_ map: JackLatencyMap) throws(JackError) {
    board.pointee.latencies.publish(map)
    try check("jack_recompute_total_latencies", JackCalls.recomputeTotalLatencies(client))
  }

  /// The latency of any port, ours or another's; nil if there is no such port.
  public func latency(of fullName: String, _ mode: JackLatencyMode) -> JackLatencyRange? {
    JackCalls.portByName(client, fullName).map { JackCalls.latency(of: $0, mode) }
  }

  /// The latency of a port of ours.
  public func latency(of port: JackPort, _ mode: JackLatencyMode) -> JackLatencyRange {
    JackCalls.latency(of: port, mode)
  }
}
