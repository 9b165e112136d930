import Commands
import Glibc
import OSC

/// Binds the sockets that a command asks for.
enum Sockets {
  /// - Throws: `CommandFailure` portInUse with who holds it, denied, or usage.
  static func bind(_ endpoints: [Endpoint]) throws(CommandFailure) -> [UDPSocket] {
    var sockets: [UDPSocket] = []
    for endpoint in endpoints {
      do throws(SocketError) {
        sockets.append(try UDPSocket(host: endpoint.host, port: endpoint.port))
      } catch {
        throw CommandFailure(receivingAt: endpoint, error)
      }
    }
    return sockets
  }
}

/// A number that tells one run of the router from the next.
enum Epoch {
  static var now: Int32 { Int32(truncatingIfNeeded: time(nil)) & .max }
}
