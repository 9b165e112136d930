/// The ports and connections of all programs and devices at a JACK server.
public struct JackGraph: Sendable {
  public var ports: [JackPort]
  /// For each connected port, by full name, the ports that it is connected to.
  public var connections: [String: [String]]

  public init(_ ports: [JackPort], connections: [String: [String]] = [:]) {
    (self.ports, self.connections) = (ports, connections)
  }

  /// The ports that an entry of a stream's sources or a capture's destinations matches.
  public func matches(_ entry: ProgramPorts, areInputs: Bool) -> [ChannelPlan.Candidate] {
    ports.filter { port in
      guard port.isInput == areInputs, entry.names.isEmpty || entry.accepts(port.program) else {
        return false
      }
      return entry.ports?.accepts(port.name, aliases: port.aliases) ?? !PortGlob.isMonitor(port.name)
    }.map { ChannelPlan.Candidate($0.name, of: $0.program?.number ?? $0.client) }
  }
}
