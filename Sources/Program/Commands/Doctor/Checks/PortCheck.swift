import SessionModel

/// The JACK ports that no preset matches.
enum PortCheck {
  static func examine(_ machine: Machine) -> Diagnosis {
    var clients: [String] = []
    for port in machine.unmatchedPorts where !clients.contains(port.client) { clients.append(port.client) }
    return Diagnosis(
      findings: clients.map { client in
        let ports = machine.unmatchedPorts.filter { $0.client == client }
        let names = ports.map(\.name)
        let shown =
          names.prefix(4).joined(separator: ", ") + (names.count > 4 ? " and \(names.count - 4) more" : "")
        let isSource = ports.contains { !$0.isInput }
        return .hint(
          "no preset of yours matches \(shown)",
          why: isSource
            ? "The router carries this sound nowhere unless it is a device that a session finds by itself."
            : "No session plays there unless it is a device that a session finds by itself.",
          cure: isSource
            ? "\"from\": [\"\(client):*\"]   # in a stream; or \"inputs\" in \"ports\" if it is a device"
            : "\"outputs\": [\"\(client):*\"]   # in \"ports\"; or \"to\" in a capture if it is a program")
      })
  }
}
