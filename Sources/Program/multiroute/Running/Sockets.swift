import Commands
import OSC
import SystemCalls

/// Binds the sockets that a command asks for.
enum Sockets {
  /// - Throws: `CommandFailure` portInUse, which names the program that uses the port; denied; or usage.
  static func open(_ endpoints: [Endpoint]) throws(CommandFailure) -> Listeners {
    var listeners = Listeners()
    for endpoint in endpoints {
      do throws(SocketError) { try listeners.open(endpoint) } catch {
        throw CommandFailure(receivingAt: endpoint, error)
      }
    }
    return listeners
  }

  /// Opens the Unix socket of the router's name. If no folder can be used, prints a message and opens none.
  /// - Throws: `CommandFailure` portInUse if another router listens at the socket.
  static func openOwn(
    of clientName: String, _ folders: SocketFolders, _ listeners: inout Listeners, _ console: Console
  ) throws(CommandFailure) {
    guard let path = folders.path(forRouter: clientName) else {
      return console.tell(
        "multiroute: no Unix socket was opened: neither XDG_RUNTIME_DIR nor \(folders.machine) is a writable folder"
      )
    }
    let endpoint = Endpoint.unix(path: path)
    // The user may have named the same socket with --osc.
    guard !listeners.transports.contains(where: { $0.endpoints.contains(endpoint) }) else { return }
    do throws(SocketError) { try listeners.open(endpoint) } catch {
      let failure = CommandFailure(receivingAt: endpoint, error)
      guard failure.exitCode != .portInUse else { throw failure }
      console.tell("multiroute: no Unix socket was opened: \(error)")
    }
  }
}
