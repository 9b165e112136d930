public import ControlInterface
public import OSC
import Synchronization
public import SystemCalls
import Threads

/// What a web server lets its clients do.
public struct WebLimits: Equatable, Sendable {
  /// Greatest number of connections; so many requests can be read at once.
  public var connections = 128
  /// Greatest number of connections of one machine.
  public var connectionsOfHost = 64
  /// Seconds that a client may be silent within a request, or between two of them.
  public var patience = 5
  /// Seconds that an answer may take; with a file, each part of it.
  public var answerSeconds = 10
  /// Greatest number of files that are sent at once.
  public var downloads = 4
  /// Seconds that a whole file may take.
  public var downloadSeconds = 14_400.0
  /// Seconds that a WebSocket's client may read nothing of what waits for it, or answer no ping; at least 2.
  public var silence = 15

  public init() {}
}

/// Answers requests over HTTP on a thread of its own (docs/develop/decisions/libwebsockets.md). It does not know what it serves.
public final class WebServer: Sendable {
  /// Gives the answer to a request, once. Any thread may call it; the body is made on the thread of the server.
  public typealias Reply = @Sendable (@escaping @Sendable () -> WebAnswer) -> Void

  /// Takes a request on the thread of the server, without waiting. A request without a reply ends by `WebLimits.answerSeconds`.
  public typealias Handler = @Sendable (WebRequest, @escaping Reply) -> Void

  private let loop: WebLoop
  private let thread: Mutex<OwnThread?>

  /// Starts to serve.
  ///
  /// - Parameters:
  ///   - machine: the name of this machine in the network.
  ///   - sockets: gets the connections that become WebSockets; without it none may.
  ///   - admits: whether connections of a host are accepted. Called on the thread of the server, before a byte is read.
  /// - Throws: `DynamicLibrary.Missing` if libwebsockets cannot be used.
  public init(
    _ listeners: [TCPListener], machine: String, limits: WebLimits = WebLimits(),
    sockets: WebSocketTransport? = nil,
    admits: @escaping @Sendable (HostAddress) -> Bool,
    handler: @escaping Handler
  ) throws(DynamicLibrary.Missing) {
    let loop = try WebLoop(
      WebsocketsCalls.load(), listeners, HostHeader(machine: machine), limits, sockets, admits: admits,
      handler: handler)
    self.loop = loop
    sockets?.serve { [weak loop] in loop?.wake() }
    thread = Mutex(OwnThread("mr-web") { loop.run() })
  }

  deinit { stop() }

  /// Ends all connections and the thread. A second call does nothing.
  public func stop() {
    guard let thread = thread.withLock({ $0.take() }) else { return }
    loop.end()
    thread.join()
  }
}
