import Commands
import JackClient
import Presets
import Router
import ServerInterface
import SessionModel
import Synchronization
import Threads

/// What is connected at a JACK server, for commands that need no router.
enum LiveGraph {
  /// Lists the ports and connections of all programs and devices, for `check --live`.
  /// - Throws: `CommandFailure` unavailable.
  static func read(_ server: String?) throws(CommandFailure) -> JackGraph {
    let (ports, connections) = try look(
      at: server, "--live needs a JACK server", "Start one, name one with --server, or check without --live.")
    return JackGraph(
      ports.map { port in
        let names = JackClient.isPipeWire ? nil : ProgramNames(client: String(port.client))
        return JackPort(port.name, aliases: port.aliases, isInput: port.isInput, program: names)
      }, connections: connections)
  }

  /// Lists the devices and programs, for `presets new`.
  /// - Throws: `CommandFailure` unavailable.
  static func equipment(_ server: String?) throws(CommandFailure) -> Equipment {
    let (ports, connections) = try look(
      at: server, "a new preset is made from what a JACK server has", "Start one, or name one with --server.")
    return Equipment(ports, connections: connections)
  }

  /// Looks at the JACK library and the settings of a server, for `doctor`. A server that stands still is given up after some seconds.
  static func server(_ server: String?) -> JoinedServer {
    let found = Found(JoinedServer(library: JackClient.version, isPipeWire: JackClient.isPipeWire))
    let isAnswered = OwnThread.run("mr-look", within: patience) {
      do throws(JackError) {
        let client = try JackClient(name: "multiroute-check", server: server)
        defer { client.close() }
        let settings = JoinedServer.Settings(
          rate: client.sampleRate, period: client.period, isRealtime: client.isRealtime)
        found.value.withLock { $0.settings = settings }
      } catch { found.value.withLock { $0.failure = "\(error)" } }
    }
    return found.value.withLock { joined in
      if !isAnswered { joined.failure = "the server does not answer" }
      return joined
    }
  }

  /// Seconds in which a server lets a program join.
  private static let patience = 3.0

  /// Joins a server for a moment, without ports of its own.
  ///
  /// - Parameters:
  ///   - need: why there must be a server, as a clause.
  ///   - advice: what to do if there is none, as a sentence.
  private static func look(
    at server: String?, _ need: String, _ advice: String
  ) throws(CommandFailure) -> (ports: [SystemPort], connections: [String: [String]]) {
    do throws(JackError) {
      let client = try JackClient(name: "multiroute-check", server: server)
      defer { client.close() }
      let ports = client.othersPorts()
      var connections: [String: [String]] = [:]
      for port in ports { connections[port.name] = client.connections(of: port.name) }
      return (ports, connections)
    } catch {
      throw CommandFailure(.unavailable, "multiroute: \(need): \(error)", advice)
    }
  }
}

/// What a thread has found out so far; the thread may outlive the question.
private final class Found: Sendable {
  let value: Mutex<JoinedServer>

  init(_ value: JoinedServer) { self.value = Mutex(value) }
}
