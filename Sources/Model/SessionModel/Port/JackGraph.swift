/// The ports and connections of all programs and devices at a JACK server.
public struct JackGraph: Sendable {
  public var ports: [JackPort]
  /// For each connected port, by full name, the ports that it is connected to.
  public var connections: [String: [String]]

  public init(_ ports: [JackPort], connections: [String: [String]] = [:]) {
    (self.ports, self.connections) = (ports, connections)
  }

  /// The ports that an entry of a stream's sources or a capture's destinations matches. A monitor matches only a name that contains `monitor`.
  public func matches(_ entry: ProgramPorts, areInputs: Bool) -> [ChannelPlan.Candidate] {
    ports.filter { port in
      guard port.isInput == areInputs, entry.names.isEmpty || entry.accepts(port.program) else {
        return false
      }
      guard let glob = entry.ports else { return !port.isMonitor }
      return (glob.matches(port.name) || port.aliases.contains(where: glob.matches))
        && (!port.isMonitor || glob.text.contains("monitor"))
    }.map { ChannelPlan.Candidate($0.name, of: $0.program?.number ?? $0.client) }
  }
}

extension JackPort {
  /// Whether the port is a monitor, which repeats the sound of an output.
  fileprivate var isMonitor: Bool { short.hasPrefix("monitor") }
}
