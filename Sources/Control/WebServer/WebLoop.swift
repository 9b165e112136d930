import CWebsockets
import ControlInterface
import OSC
import Synchronization
import SystemCalls
import Threads

/// The thread of the web server: the connections of its clients, by the callback of libwebsockets.
///
/// Everything but `end()`, `wake()` and the replies runs on that thread, so that only `shared` needs a lock.
final class WebLoop: @unchecked Sendable {
  private let lws: mr_websockets
  private let listeners: [TCPListener]
  private let limits: WebLimits
  private let admits: @Sendable (HostAddress) -> Bool
  private let exchanges: WebExchanges
  private let sockets: WebSockets?
  private let protocols: UnsafeMutablePointer<lws_protocols>
  private let pings: UnsafeMutablePointer<lws_retry_bo_t>
  private var host: OpaquePointer?
  /// The connections of clients, with their machines.
  private var connections: [OpaquePointer: HostAddress] = [:]
  private let shared = Mutex(Shared())

  /// What other threads give this one.
  private struct Shared {
    /// The library's context, as a number; nil when the server has ended.
    var context: Int?
    var isEnding = false
    var replies: [WebExchanges.Waiting] = []
  }

  private static let mostHeaderBytes: UInt16 = 4_096

  init(
    _ library: WebsocketsCalls, _ listeners: [TCPListener], _ hosts: HostHeader, _ limits: WebLimits,
    _ sockets: WebSocketTransport?, admits: @escaping @Sendable (HostAddress) -> Bool,
    handler: @escaping WebServer.Handler
  ) throws(DynamicLibrary.Missing) {
    (lws, self.listeners, self.limits, self.admits) = (library.calls, listeners, limits, admits)
    exchanges = WebExchanges(library, hosts, limits, handler)
    self.sockets = sockets.map { WebSockets(library, $0, limits) }
    protocols = .allocate(capacity: 2)
    protocols.initialize(repeating: lws_protocols(), count: 2)
    protocols[0].name = Self.constant(Self.name)
    protocols[0].tx_packet_size = WebExchanges.portion
    protocols[0].callback = { connection, reason, _, bytes, count in
      WebLoop.of(connection)?.take(connection, reason, bytes, count) ?? 0
    }
    pings = .allocate(capacity: 1)
    pings.initialize(to: lws_retry_bo_t())
    (pings[0].secs_since_valid_ping, pings[0].secs_since_valid_hangup) =
      (UInt16(limits.silence * 2 / 3), UInt16(limits.silence))
    try open(library)
  }

  deinit {
    protocols.deallocate()
    pings.deallocate()
  }

  /// The library keeps pointers to its names. A static string ends with a zero and is never freed.
  private static func constant(_ text: StaticString) -> UnsafePointer<CChar> {
    UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
  }

  private static let name: StaticString = "http"

  private static func of(_ connection: OpaquePointer?) -> WebLoop? {
    guard let connection, let library = try? WebsocketsCalls.load().calls,
      let user = library.lws_context_user(library.lws_get_context(connection))
    else { return nil }
    return Unmanaged<WebLoop>.fromOpaque(user).takeUnretainedValue()
  }

  // MARK: Beginning and end

  private func open(_ library: WebsocketsCalls) throws(DynamicLibrary.Missing) {
    lws.lws_set_log_level(0, nil)
    var info = lws_context_creation_info()
    info.options = UInt64(
      LWS_SERVER_OPTION_DISABLE_IPV6 | LWS_SERVER_OPTION_EXPLICIT_VHOSTS
        | LWS_SERVER_OPTION_SKIP_SERVER_CANONICAL_NAME)
    info.max_http_header_data = Self.mostHeaderBytes
    info.max_http_header_pool = UInt16(limits.connections)
    info.fd_limit_per_thread = UInt32(limits.connections + listeners.count + 8)
    info.server_string = Self.constant("multiroute")
    info.user = Unmanaged.passUnretained(self).toOpaque()
    guard let context = library.laid(info, { lws.lws_create_context($0) }) else {
      throw DynamicLibrary.Missing("libwebsockets cannot start")
    }
    // A library that was built with fields of its own has them elsewhere.
    guard lws.lws_context_user(context) == info.user else {
      lws.lws_context_destroy(context)
      throw DynamicLibrary.Missing(
        "libwebsockets was built with another layout than its version has; \(LoadedLibrary.web.package.advice())"
      )
    }
    // The address of a listening socket is chosen here and not by the library, which would listen everywhere.
    info.port = CONTEXT_PORT_NO_LISTEN_SERVER
    info.protocols = UnsafePointer(protocols)
    info.timeout_secs = UInt32(limits.patience)
    info.keepalive_timeout = Int32(limits.patience)
    info.timeout_secs_ah_idle = UInt32(limits.patience)
    info.retry_and_idle_policy = UnsafePointer(pings)
    host = library.laid(info) { lws.lws_create_vhost(context, $0) }
    for listener in listeners {
      // The library closes its descriptors.
      guard let descriptor = try? System.dup(listener.descriptor) else { continue }
      _ = lws.lws_adopt_descriptor_vhost(
        host, LWS_ADOPT_RAW_FILE_DESC, lws_sock_file_fd_type(filefd: descriptor), Self.constant(Self.name),
        nil)
    }
    shared.withLock { $0.context = Int(bitPattern: context) }
  }

  /// Serves until `end()` is called.
  func run() {
    guard let context = OpaquePointer(bitPattern: shared.withLock(\.context) ?? 0) else { return }
    while !shared.withLock(\.isEnding), lws.lws_service(context, 0) >= 0 {}
    shared.withLock { ($0.context, $0.replies) = (nil, []) }
    lws.lws_context_destroy(context)
  }

  /// Makes `run()` return. Any thread.
  func end() { wake { $0.isEnding = true } }

  /// Has the thread look at what other threads have given it. Any thread.
  func wake() { wake { _ in } }

  /// Changes what this thread shares, and wakes the thread.
  private func wake(_ change: (inout sending Shared) -> Void) {
    shared.withLock { shared in
      change(&shared)
      if let context = shared.context { lws.lws_cancel_service(OpaquePointer(bitPattern: context)) }
    }
  }

  private func takeShared() {
    let replies = shared.withLock { shared in
      defer { shared.replies = [] }
      return shared.replies
    }
    exchanges.take(replies)
    sockets?.wakeReady()
  }

  // MARK: What the library calls

  private func take(
    _ connection: OpaquePointer?, _ reason: lws_callback_reasons, _ bytes: UnsafeMutableRawPointer?,
    _ count: Int
  ) -> Int32 {
    guard let connection else { return 0 }
    switch reason {
    case LWS_CALLBACK_RAW_RX_FILE: accept()
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED: takeShared()
    case LWS_CALLBACK_WSI_DESTROY:
      if let host = connections.removeValue(forKey: connection) { sockets?.close(connection, of: host) }
      exchanges.forget(connection)
    // The raw bytes after CONNECT would have no time limit.
    case LWS_CALLBACK_RAW_ADOPT, LWS_CALLBACK_RAW_CONNECTED, LWS_CALLBACK_RAW_RX: return -1
    default:
      guard let host = connections[connection] else { return 0 }
      return serve(connection, of: host, reason, bytes, count)
    }
    return 0
  }

  private func serve(
    _ connection: OpaquePointer, of host: HostAddress, _ reason: lws_callback_reasons,
    _ bytes: UnsafeMutableRawPointer?, _ count: Int
  ) -> Int32 {
    let bytes = UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count)
    switch reason {
    case LWS_CALLBACK_HTTP:
      return exchanges.ask(connection, of: host, path: bytes) { [weak self] reply in
        self?.wake { $0.replies.append(reply) }
      }
    case LWS_CALLBACK_HTTP_WRITEABLE: return exchanges.send(connection)
    // HTTP/2 is never allowed.
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
      return sockets?.isOpen == true && exchanges.mayUpgrade(connection) ? 0 : -1
    case LWS_CALLBACK_ESTABLISHED: sockets?.open(connection, of: host)
    case LWS_CALLBACK_RECEIVE: return sockets?.read(bytes, from: connection, of: host) ?? -1
    case LWS_CALLBACK_SERVER_WRITEABLE: return sockets?.send(connection) ?? -1
    default: break
    }
    return 0
  }

  /// Accepts the connections that wait. A stranger, and one too many, is closed before a byte of it is read.
  private func accept() {
    for listener in listeners {
      do throws(SystemError) {
        while let (descriptor, host) = try listener.accept() {
          guard admits(host), hasPlace(for: host) else {
            System.close(descriptor)
            continue
          }
          sockets?.prepare(descriptor)
          // The library closes a descriptor that it does not take.
          if let connection = lws.lws_adopt_socket_vhost(self.host, descriptor) {
            connections[connection] = host
          }
        }
      } catch {
        // The system has no room for the connection, which still waits: not to try again at once leaves the processor to others.
        OwnThread.sleep(seconds: 0.05)
      }
    }
  }

  private func hasPlace(for host: HostAddress) -> Bool {
    let isFull = connections.count >= limits.connections
    guard isFull || connections.values.count(where: { $0 == host }) >= limits.connectionsOfHost else {
      return true
    }
    sockets?.refuse(host, isFull ? limits.connections : limits.connectionsOfHost, ofHost: !isFull)
    return false
  }
}
