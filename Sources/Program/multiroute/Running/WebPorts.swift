import Commands
import ControlInterface
import OSC
import OSCSurface
import Page
import SystemCalls
import WebServer

/// The ports of HTTP: that of `--http`, with WebSockets, and that of `--metrics`.
struct WebPorts {
  private let http: TCPListener?
  private let metrics: TCPListener?
  /// Gets the packets of WebSockets; nil without `--http`.
  let sockets: WebSocketTransport?

  /// Binds the sockets that the settings ask for.
  /// - Throws: `CommandFailure` portInUse, which names the program that uses the port; denied; or usage.
  init(http: Endpoint?, metrics: Endpoint? = nil) throws(CommandFailure) {
    self.http = try Self.open(http, for: "HTTP", "--http")
    self.metrics = try Self.open(metrics, for: "metrics", "--metrics")
    sockets = self.http == nil ? nil : WebSocketTransport()
  }

  private static func open(
    _ endpoint: Endpoint?, for what: String, _ flag: String
  ) throws(CommandFailure) -> TCPListener? {
    guard let endpoint, case .tcp(let host, let port) = endpoint else { return nil }
    do throws(SocketError) { return try TCPListener(host: host, port: port) } catch {
      throw CommandFailure(serving: what, flag, at: endpoint, error)
    }
  }

  /// The endpoint at which WebSockets are accepted; nil without one.
  var endpoint: Endpoint? { http?.endpoint }

  /// The address of the page for browsers; nil without one.
  var page: String? { http.map { "\(Self.address($0))/" } }

  /// Starts the servers, and says where they are.
  ///
  /// - Parameters:
  ///   - pages: answers `/metrics`; nil if there are none.
  ///   - name: of the router, for its clients.
  /// - Throws: `CommandFailure` unavailable without libwebsockets.
  func serve(
    _ pages: MetricsDesk?, _ media: MediaDesk, _ front: OSCFront, name: String, _ console: Console?
  ) throws(CommandFailure) -> [WebServer] {
    var servers: [WebServer] = []
    if let http {
      let queries = QueryDesk(front.surface, front.queryHost(name, http.endpoint))
      let server = try Self.server(at: http, sockets, front) { request, reply in
        if let pages, request.path == MetricsDesk.path, front.mayView(request.host) {
          pages.serve(request, reply)
        } else if request.path.hasPrefix(MediaDesk.downloads) {
          media.download(String(request.path.dropFirst(MediaDesk.downloads.count)), for: request.host, reply)
        } else if let file = Self.page(for: request) {
          reply { WebAnswer(file) }
        } else {
          queries.serve(request, reply)
        }
      }
      servers.append(server)
      console?.tell("multiroute: HTTP and WebSocket are at \(Self.address(http))/")
    }
    if let metrics, let pages {
      let server = try Self.server(at: metrics, nil, front) { request, reply in
        guard front.mayView(request.host) else { return reply { WebAnswer(.denied) } }
        pages.serve(request, reply)
      }
      servers.append(server)
      console?.tell("multiroute: metrics are at \(Self.address(metrics))/metrics")
    }
    return servers
  }

  /// A file of the page for browsers. What a browser asks for at `/` is the page; what a client of OSCQuery asks for there is the tree.
  private static func page(for request: WebRequest) -> WebPage.Answer? {
    let isRoot = request.path == "/"
    guard request.query == nil, !isRoot || request.fields["accept"]?.contains("text/html") == true else {
      return nil
    }
    return WebPage.answer(to: request.path, fields: request.fields)
  }

  private static func server(
    at socket: TCPListener, _ sockets: WebSocketTransport?, _ front: OSCFront,
    _ handler: @escaping WebServer.Handler
  ) throws(CommandFailure) -> WebServer {
    let machine = WholeFile.lines("/proc/sys/kernel/hostname").first.map(String.init) ?? "localhost"
    do throws(DynamicLibrary.Missing) {
      return try WebServer(
        [socket], machine: machine, sockets: sockets, admits: front.admits, handler: handler)
    } catch {
      throw CommandFailure(.unavailable, "multiroute: HTTP cannot be served: \(error)")
    }
  }

  private static func address(_ socket: TCPListener) -> String {
    "http://\(socket.endpoint.description.dropFirst(Endpoint.tcpPrefix.count))"
  }
}

extension WebAnswer {
  fileprivate init(_ file: WebPage.Answer) {
    self.init(status: file.status, type: file.type, body: file.body)
    fields = file.fields
  }
}
