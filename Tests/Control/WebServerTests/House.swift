import AwaitedEvents
import ControlInterface
import HTTPClient
import OSC
import WebServer

/// A web server at a port of its own. It tells a page of as many bytes as the path says, and `answer` for all others.
final class House: Sendable {
  let listener: TCPListener
  let server: WebServer
  let port: UInt16
  let requests = AwaitedEvents<WebRequest>()
  /// The replies of requests for `/later`.
  let replies = AwaitedEvents<WebServer.Reply>()

  init(
    _ limits: WebLimits = WebLimits(), host: String = "127.0.0.1", sockets: WebSocketTransport? = nil,
    admits: @escaping @Sendable (HostAddress) -> Bool = { _ in true },
    answer: @escaping @Sendable () -> WebAnswer = { WebAnswer(status: 404, "not here") }
  ) throws {
    listener = try TCPListener(host: host, port: 0)
    guard case .tcp(_, let port) = listener.endpoint else { preconditionFailure("no port of TCP") }
    self.port = port
    server = try WebServer(
      [listener], machine: "desk", limits: limits, sockets: sockets, admits: admits
    ) { [requests, replies] request, reply in
      requests.add(request)
      if request.path == "/later" { return replies.add(reply) }
      guard let size = Int(request.path.dropFirst()) else {
        return reply(answer)
      }
      reply { WebAnswer(type: "text/plain", body: House.page(size)) }
    }
  }

  static func page(_ size: Int) -> [UInt8] {
    // The largest page is for clients that do not look at it.
    size > 4 << 20 ? Array(repeating: 0x20, count: size) : (0..<size).map { UInt8(0x20 + $0 % 64) }
  }

  func connection() throws -> HTTPConnection { try HTTPConnection(port: port) }
}
