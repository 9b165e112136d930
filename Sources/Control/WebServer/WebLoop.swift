import CWebsockets
import ControlInterface
import OSC
import Synchronization
import SystemCalls
import Threads

/// The thread of the web server: connections, requests and answers, by the callback of libwebsockets.
///
/// Everything but `end()` and the replies runs on that thread, so that only `shared` needs a lock.
final class WebLoop: @unchecked Sendable {
  let lws: mr_websockets
  private let listeners: [TCPListener]
  private let hosts: HostHeader
  private let limits: WebLimits
  private let admits: @Sendable (HostAddress) -> Bool
  private let handler: WebServer.Handler
  private let protocols: UnsafeMutablePointer<lws_protocols>
  private var host: OpaquePointer?
  /// The connections of clients.
  private var connections: Set<OpaquePointer> = []
  /// The requests that are being answered, by their connections.
  private var exchanges: [OpaquePointer: Exchange] = [:]
  private var lastNumber = 0
  private let shared = Mutex(Shared())

  /// A request that is being answered.
  struct Exchange {
    let number: Int
    let hasBody: Bool
    /// Whether the connection ends with the answer.
    var closes: Bool
    var answer: WebAnswer?
    /// Whether the time limit of the answer runs.
    var isLimited = false
    /// Bytes of the body that were sent; nil before the head was sent.
    var sent: Int?
  }

  /// What other threads give this one.
  private struct Shared {
    /// The library's context, as a number; nil when the server has ended.
    var context: Int?
    var isEnding = false
    var replies: [Waiting] = []
  }

  private struct Waiting: Sendable {
    let connection: Int
    let number: Int
    let answer: @Sendable () -> WebAnswer
  }

  /// Bytes of a body that are sent at once.
  private static let portion = 16_384
  private static let mostHeaderBytes: UInt16 = 4_096

  init(
    _ library: WebsocketsCalls, _ listeners: [TCPListener], _ hosts: HostHeader, _ limits: WebLimits,
    admits: @escaping @Sendable (HostAddress) -> Bool, handler: @escaping WebServer.Handler
  ) throws(DynamicLibrary.Missing) {
    (lws, self.listeners, self.hosts, self.limits) = (library.calls, listeners, hosts, limits)
    (self.admits, self.handler) = (admits, handler)
    protocols = .allocate(capacity: 2)
    protocols.initialize(repeating: lws_protocols(), count: 2)
    protocols[0].name = Self.constant(Self.name)
    protocols[0].callback = { connection, reason, _, bytes, count in
      WebLoop.of(connection)?.take(connection, reason, bytes, count) ?? 0
    }
    try open()
  }

  deinit { protocols.deallocate() }

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

  private func open() throws(DynamicLibrary.Missing) {
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
    guard let context = lws.lws_create_context(&info) else {
      throw DynamicLibrary.Missing("libwebsockets cannot start")
    }
    // The address of a listening socket is chosen here and not by the library, which would listen everywhere.
    info.port = CONTEXT_PORT_NO_LISTEN_SERVER
    info.protocols = UnsafePointer(protocols)
    info.timeout_secs = UInt32(limits.patience)
    info.keepalive_timeout = Int32(limits.patience)
    info.timeout_secs_ah_idle = UInt32(limits.patience)
    host = lws.lws_create_vhost(context, &info)
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
  func end() {
    wake { $0.isEnding = true }
  }

  /// Changes what this thread shares, and wakes the thread.
  private func wake(_ change: (inout sending Shared) -> Void) {
    shared.withLock { shared in
      change(&shared)
      if let context = shared.context { lws.lws_cancel_service(OpaquePointer(bitPattern: context)) }
    }
  }

  // MARK: What the library calls

  private func take(
    _ connection: OpaquePointer?, _ reason: lws_callback_reasons, _ bytes: UnsafeMutableRawPointer?,
    _ count: Int
  ) -> Int32 {
    guard let connection else { return 0 }
    switch reason {
    case LWS_CALLBACK_RAW_RX_FILE: accept()
    case LWS_CALLBACK_HTTP: return ask(connection, bytes, count)
    case LWS_CALLBACK_HTTP_WRITEABLE: return send(connection)
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED: takeReplies()
    case LWS_CALLBACK_WSI_DESTROY:
      connections.remove(connection)
      exchanges[connection] = nil
    // Another protocol on the same connection: HTTP/2, WebSocket, or the raw bytes after CONNECT, which would have no time limit.
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE, LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION, LWS_CALLBACK_ESTABLISHED,
      LWS_CALLBACK_RAW_ADOPT, LWS_CALLBACK_RAW_CONNECTED, LWS_CALLBACK_RAW_RX:
      return -1
    default: break
    }
    return 0
  }

  /// Accepts the connections that wait. A stranger, and one too many, is closed before a byte of it is read.
  private func accept() {
    for listener in listeners {
      do throws(SystemError) {
        while let (descriptor, address) = try listener.accept() {
          guard connections.count < limits.connections, admits(address) else {
            System.close(descriptor)
            continue
          }
          // The library closes a descriptor that it does not take.
          if let connection = lws.lws_adopt_socket_vhost(host, descriptor) { connections.insert(connection) }
        }
      } catch {
        // The system has no room for the connection, which still waits: not to try again at once leaves the processor to others.
        OwnThread.sleep(seconds: 0.05)
      }
    }
  }

  // MARK: Requests

  private func ask(_ connection: OpaquePointer, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int32 {
    var (uri, length): (UnsafeMutablePointer<CChar>?, Int32) = (nil, 0)
    let method = lws.lws_http_get_uri_and_method(connection, &uri, &length)
    let isHead = method == Int32(LWSHUMETH_HEAD)
    lastNumber += 1
    let number = lastNumber
    exchanges[connection] = Exchange(number: number, hasBody: !isHead, closes: false)
    // The library forgets a time limit that is set here; the first call of `send` sets it.
    _ = lws.lws_callback_on_writable(connection)
    guard method == Int32(LWSHUMETH_GET) || isHead else {
      refuse(connection, WebAnswer(status: 405, "Only GET and HEAD are served."))
      return 0
    }
    guard header(WSI_TOKEN_HOST, of: connection).map(hosts.isOurs) ?? true else {
      refuse(connection, WebAnswer(status: 403, "This machine has another name. Use its address."))
      return 0
    }
    let path = String(
      decoding: UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count), as: UTF8.self)
    let key = Int(bitPattern: connection)
    handler(WebRequest(path: path)) { [weak self] answer in
      self?.wake { $0.replies.append(Waiting(connection: key, number: number, answer: answer)) }
    }
    return 0
  }

  private func refuse(_ connection: OpaquePointer, _ answer: WebAnswer) {
    exchanges[connection]?.answer = answer
    exchanges[connection]?.closes = true
    _ = lws.lws_callback_on_writable(connection)
  }

  private func header(_ token: lws_token_indexes, of connection: OpaquePointer) -> String? {
    let length = lws.lws_hdr_total_length(connection, token)
    guard length > 0 else { return nil }
    var text = [CChar](repeating: 0, count: Int(length) + 1)
    guard lws.lws_hdr_copy(connection, &text, length + 1, token) > 0 else { return nil }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private func takeReplies() {
    let replies = shared.withLock { shared in
      defer { shared.replies = [] }
      return shared.replies
    }
    for reply in replies {
      // The client may have gone, and another connection may have the place of its own.
      guard let connection = OpaquePointer(bitPattern: reply.connection),
        exchanges[connection]?.number == reply.number
      else { continue }
      exchanges[connection]?.answer = reply.answer()
      _ = lws.lws_callback_on_writable(connection)
    }
  }

  // MARK: Answers

  /// Sends the head or the next part of the body.
  private func send(_ connection: OpaquePointer) -> Int32 {
    guard var exchange = exchanges[connection] else { return 0 }
    if !exchange.isLimited {
      exchanges[connection]?.isLimited = true
      exchange.isLimited = true
      lws.lws_set_timeout(connection, PENDING_TIMEOUT_HTTP_CONTENT, Int32(limits.answerSeconds))
    }
    guard let answer = exchange.answer else { return 0 }
    let body = exchange.hasBody ? answer.body : []
    if let sent = exchange.sent {
      let part = body[sent..<min(body.count, sent + Self.portion)]
      let isLast = part.endIndex == body.count
      guard write(part, isLast ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP, to: connection) else { return -1 }
      exchange.sent = part.endIndex
    } else {
      guard sendHead(of: answer, closes: exchange.closes, to: connection) else { return -1 }
      exchange.sent = 0
    }
    guard exchange.sent == body.count else {
      exchanges[connection] = exchange
      _ = lws.lws_callback_on_writable(connection)
      return 0
    }
    exchanges[connection] = nil
    return exchange.closes || lws.lws_http_transaction_completed(connection) != 0 ? -1 : 0
  }

  private func write(
    _ bytes: ArraySlice<UInt8>, _ kind: lws_write_protocol, to connection: OpaquePointer
  ) -> Bool {
    let room = mr_websockets_room
    var buffer = [UInt8](repeating: 0, count: room) + bytes
    return buffer.withUnsafeMutableBufferPointer {
      lws.lws_write(connection, $0.baseAddress! + room, bytes.count, kind) >= Int32(bytes.count)
    }
  }

  private func sendHead(of answer: WebAnswer, closes: Bool, to connection: OpaquePointer) -> Bool {
    var fields = [("Cache-Control:", "no-store"), ("X-Content-Type-Options:", "nosniff")]
    if answer.status == 405 { fields.append(("Allow:", "GET, HEAD")) }
    if closes { fields.append(("Connection:", "close")) }
    let room = mr_websockets_room
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: room + 2_048) { buffer in
      let start = buffer.baseAddress! + room
      let end = buffer.baseAddress! + buffer.count - 1
      var place: UnsafeMutablePointer<UInt8>? = start
      guard
        lws.lws_add_http_common_headers(
          connection, UInt32(answer.status), answer.type, UInt64(answer.body.count), &place, end) == 0
      else { return false }
      for (name, value) in fields {
        guard
          lws.lws_add_http_header_by_name(
            connection, name, value, Int32(value.utf8.count), &place, end) == 0
        else { return false }
      }
      return lws.lws_finalize_write_http_header(connection, start, &place, end) == 0
    }
  }
}
