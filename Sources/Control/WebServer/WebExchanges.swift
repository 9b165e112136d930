import CWebsockets
import ControlInterface
import Threads

/// The requests that are being answered, by their connections. Only the thread of the web server uses them.
final class WebExchanges {
  private let lws: mr_websockets
  private let hosts: HostHeader
  private let limits: WebLimits
  private let handler: WebServer.Handler
  private var exchanges: [OpaquePointer: Exchange] = [:]
  private var lastNumber = 0
  private let files = WebFileReader()

  /// A request that is being answered.
  private struct Exchange {
    let number: Int
    let hasBody: Bool
    /// Brings news of it from any thread to this one.
    let later: @Sendable (Waiting) -> Void
    var answer: WebAnswer?
    /// The file of the answer; nil without one.
    var download: WebDownload?
    /// Whether the time limit of the answer runs.
    var isLimited = false
    /// Bytes of the body that were sent; nil before the head was sent.
    var sent: Int?
  }

  /// News of an exchange from another thread.
  struct Waiting: Sendable {
    fileprivate let connection: Int
    fileprivate let number: Int
    fileprivate let news: News
  }

  fileprivate enum News: Sendable {
    case answer(@Sendable () -> WebAnswer)
    /// The next part of a file; nil if it cannot be read.
    case part([UInt8]?)
  }

  /// Bytes that are sent at once.
  static let portion = 16_384
  private static let mostFieldBytes = 4_096

  init(
    _ library: WebsocketsCalls, _ hosts: HostHeader, _ limits: WebLimits,
    _ handler: @escaping WebServer.Handler
  ) {
    (lws, self.hosts, self.limits, self.handler) = (library.calls, hosts, limits, handler)
  }

  deinit { files.end() }

  func forget(_ connection: OpaquePointer) { exchanges[connection] = nil }

  // MARK: Requests

  /// Takes a request, or refuses it.
  ///
  /// - Parameter later: takes an answer on any thread, for `take(_:)` on this one.
  /// - Returns: -1 if the connection must end.
  func ask(
    _ connection: OpaquePointer, of host: HostAddress, path: UnsafeRawBufferPointer,
    later: @escaping @Sendable (Waiting) -> Void
  ) -> Int32 {
    var (uri, length): (UnsafeMutablePointer<CChar>?, Int32) = (nil, 0)
    let method = lws.lws_http_get_uri_and_method(connection, &uri, &length)
    let isHead = method == Int32(LWSHUMETH_HEAD)
    var refusal = foreignness(connection)
    if method != Int32(LWSHUMETH_GET), !isHead {
      refusal = WebAnswer(status: 405, "Only GET and HEAD are served.")
      refusal?.fields["Allow"] = "GET, HEAD"
    } else if refusal == nil, header(WSI_TOKEN_HTTP_CONTENT_LENGTH, of: connection) ?? "0" != "0" {
      refusal = WebAnswer(status: 400, "A request has no body.")
    }
    if let refusal {
      refuse(connection, refusal, hasBody: !isHead)
      return -1
    }
    lastNumber += 1
    let number = lastNumber
    exchanges[connection] = Exchange(number: number, hasBody: !isHead, later: later)
    // The library forgets a time limit that is set here; the first call of `send` sets it.
    _ = lws.lws_callback_on_writable(connection)
    var request = WebRequest(
      path: String(decoding: path, as: UTF8.self), query: query(connection), host: host)
    for (name, token) in [
      ("accept", WSI_TOKEN_HTTP_ACCEPT), ("accept-encoding", WSI_TOKEN_HTTP_ACCEPT_ENCODING),
      ("if-none-match", WSI_TOKEN_HTTP_IF_NONE_MATCH),
    ] { request.fields[name] = header(token, of: connection) }
    let key = Int(bitPattern: connection)
    handler(request) { later(Waiting(connection: key, number: number, news: .answer($0))) }
    return 0
  }

  /// Why a page of another site may have sent the request; nil if none has.
  private func foreignness(_ connection: OpaquePointer) -> WebAnswer? {
    let host = header(WSI_TOKEN_HOST, of: connection)
    guard host.map(hosts.isOurs) ?? true else {
      return WebAnswer(status: 403, "This machine has another name. Use its address.")
    }
    guard let origin = header(WSI_TOKEN_ORIGIN, of: connection) else { return nil }
    return origin.lowercased() == "http://\(host ?? "")".lowercased()
      ? nil : WebAnswer(status: 403, "Pages of other sites may not ask this one.")
  }

  /// Whether a connection may become a WebSocket; otherwise says why not.
  func mayUpgrade(_ connection: OpaquePointer) -> Bool {
    // The field is read anew, because the library may have freed the text that it hands over (CVE-2025-11677).
    guard header(WSI_TOKEN_UPGRADE, of: connection)?.lowercased() == "websocket" else { return false }
    var refusal = foreignness(connection)
    if refusal == nil, header(WSI_TOKEN_VERSION, of: connection) != "13" {
      refusal = WebAnswer(status: 426, "The version of WebSocket is 13.")
      refusal?.fields["Sec-WebSocket-Version"] = "13"
    }
    if let refusal { refuse(connection, refusal, hasBody: true) }
    return refusal == nil
  }

  /// Answers a request at once. The caller must then end the connection. Otherwise the library would read the request's body, and a body behind
  /// an earlier request makes its thread run in a loop without end.
  private func refuse(_ connection: OpaquePointer, _ answer: WebAnswer, hasBody: Bool) {
    let own = [
      "Content-Type": answer.type, "Content-Length": "\(answer.body.count)", "Connection": "close",
    ]
    let lines = answer.fields.merging(own) { $1 }.sorted { $0.key < $1.key }
    let head = lines.reduce("HTTP/1.1 \(answer.status) Refused\r\n") { "\($0)\($1.key): \($1.value)\r\n" }
    _ = lws.write(
      Array("\(head)\r\n".utf8) + (hasBody ? answer.body : []), LWS_WRITE_HTTP_HEADERS, to: connection)
  }

  private func header(_ token: lws_token_indexes, of connection: OpaquePointer) -> String? {
    let length = lws.lws_hdr_total_length(connection, token)
    guard length > 0 else { return nil }
    var text = [CChar](repeating: 0, count: Int(length) + 1)
    guard lws.lws_hdr_copy(connection, &text, length + 1, token) > 0 else { return nil }
    return Self.string(text)
  }

  /// The query, which the library has split at `&`.
  private func query(_ connection: OpaquePointer) -> String? {
    var parts: [String] = []
    while true {
      let length = lws.lws_hdr_fragment_length(connection, WSI_TOKEN_HTTP_URI_ARGS, Int32(parts.count))
      guard length > 0 else { break }
      var text = [CChar](repeating: 0, count: Int(length) + 1)
      let count = lws.lws_hdr_copy_fragment(
        connection, &text, length + 1, WSI_TOKEN_HTTP_URI_ARGS, Int32(parts.count))
      guard count > 0 else { break }
      parts.append(Self.string(text))
    }
    // The library makes a slash of an empty query.
    return parts.isEmpty || parts == ["/"] ? nil : parts.joined(separator: "&")
  }

  private static func string(_ text: [CChar]) -> String {
    String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  // MARK: Answers

  /// Takes answers and parts of files from other threads.
  func take(_ replies: [Waiting]) {
    for reply in replies {
      // The client may have gone, and another connection may have the place of its own.
      guard let connection = OpaquePointer(bitPattern: reply.connection),
        exchanges[connection]?.number == reply.number
      else { continue }
      switch reply.news {
      case .answer(let make): answer(connection, make())
      case .part(let bytes): exchanges[connection]?.download?.take(bytes)
      }
      _ = lws.lws_callback_on_writable(connection)
    }
  }

  private func answer(_ connection: OpaquePointer, _ answer: WebAnswer) {
    exchanges[connection]?.answer = answer
    guard let file = answer.file, exchanges[connection]?.hasBody == true else { return }
    if exchanges.values.count(where: { $0.download != nil }) < limits.downloads {
      exchanges[connection]?.download = WebDownload(file, end: MonotonicTime.now + limits.downloadSeconds)
    } else {
      var refusal = WebAnswer(
        status: 503, "\(limits.downloads) files are being downloaded now; try again when one has ended")
      refusal.fields["Retry-After"] = "10"
      exchanges[connection]?.answer = refusal
    }
  }

  /// Sends the head or the next part of the body.
  func send(_ connection: OpaquePointer) -> Int32 {
    guard var exchange = exchanges[connection] else { return 0 }
    if !exchange.isLimited {
      exchanges[connection]?.isLimited = true
      exchange.isLimited = true
      lws.lws_set_timeout(connection, PENDING_TIMEOUT_HTTP_CONTENT, Int32(limits.answerSeconds))
    }
    guard let answer = exchange.answer else { return 0 }
    let size = exchange.hasBody ? answer.size : 0
    if let sent = exchange.sent {
      let part: ArraySlice<UInt8>
      if let download = exchange.download {
        guard !download.hasFailed, MonotonicTime.now < download.end else { return -1 }
        guard let next = download.next(most: Self.portion) else {
          let (key, number, later) = (Int(bitPattern: connection), exchange.number, exchange.later)
          download.read(with: files) { later(Waiting(connection: key, number: number, news: .part($0))) }
          return 0
        }
        part = next
        lws.lws_set_timeout(connection, PENDING_TIMEOUT_HTTP_CONTENT, Int32(limits.answerSeconds))
      } else {
        part = answer.body[sent..<min(size, sent + Self.portion)]
      }
      let isLast = sent + part.count == size
      guard lws.write(part, isLast ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP, to: connection) else { return -1 }
      exchange.sent = sent + part.count
    } else {
      guard sendHead(of: answer, to: connection) else { return -1 }
      exchange.sent = 0
    }
    guard exchange.sent == size else {
      exchanges[connection] = exchange
      _ = lws.lws_callback_on_writable(connection)
      return 0
    }
    exchanges[connection] = nil
    return lws.lws_http_transaction_completed(connection) != 0 ? -1 : 0
  }

  private func sendHead(of answer: WebAnswer, to connection: OpaquePointer) -> Bool {
    var fields = answer.fields
    fields["X-Content-Type-Options"] = "nosniff"
    let room = mr_websockets_room
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: room + Self.mostFieldBytes) { buffer in
      let start = buffer.baseAddress! + room
      let end = buffer.baseAddress! + buffer.count - 1
      var place: UnsafeMutablePointer<UInt8>? = start
      guard
        lws.lws_add_http_common_headers(
          connection, UInt32(answer.status), answer.type, UInt64(answer.size), &place, end) == 0
      else { return false }
      for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
        guard
          lws.lws_add_http_header_by_name(
            connection, "\(name):", value, Int32(value.utf8.count), &place, end) == 0
        else { return false }
      }
      return lws.lws_finalize_write_http_header(connection, start, &place, end) == 0
    }
  }
}
