import AudioHost
import Commands
import JackClient
import SessionModel

/// The ports and connections at a JACK server, for `check --live`.
enum LiveGraph {
  /// Joins the server for a moment, without ports of its own, and lists the ports and connections of all programs and devices.
  /// - Throws: `CommandFailure` unavailable.
  static func read(_ server: String?) throws(CommandFailure) -> JackGraph {
    do throws(JackError) {
      let client = try JackClient(name: "multiroute-check", server: server)
      defer { client.close() }
      let ports = client.othersPorts().map { port in
        let names = JackClient.isPipeWire ? nil : ProgramNames(client: String(port.client))
        return JackPort(port.name, aliases: port.aliases, isInput: port.isInput, program: names)
      }
      var connections: [String: [String]] = [:]
      for port in ports { connections[port.name] = client.connections(of: port.name) }
      return JackGraph(ports, connections: connections)
    } catch {
      throw CommandFailure(
        .unavailable, "multiroute: --live needs a JACK server: \(error)",
        "Start one, name one with --server, or check without --live.")
    }
  }
}
