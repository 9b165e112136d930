import CWebsockets
import ControlInterface
import OSC
import SystemCalls
import Threads

/// The connections that have become WebSockets. Only the thread of the web server uses them.
final class WebSockets {
  private let lws: mr_websockets
  private let transport: WebSocketTransport
  private let limits: WebLimits
  private var clients: [OpaquePointer: Client] = [:]
  private var connections: [UInt32: OpaquePointer] = [:]

  private struct Client {
    let number: UInt32
    /// What has arrived of a message.
    var message: [UInt8] = []
    /// Since when the client has read nothing of what waits for it; nil if nothing waits.
    var unreadSince: Double?
    /// Why the connection ends, if that is not the client's own doing.
    var end: WebSocketEnd?
  }

  /// Seconds without reading after which the end of a connection is that of a client that does not read.
  private static let pause = 0.5
  /// Size of the system's send buffer of a connection.
  private static let sendBuffer: Int32 = 128 << 10

  init(_ library: WebsocketsCalls, _ transport: WebSocketTransport, _ limits: WebLimits) {
    (lws, self.transport, self.limits) = (library.calls, transport, limits)
  }

  /// Whether connections may become WebSockets now.
  var isOpen: Bool { transport.isOpen }

  /// Sets up a connection that was accepted.
  func prepare(_ descriptor: Int32) {
    try? System.sendAtOnce(descriptor)
    try? System.setSendBuffer(descriptor, bytes: Self.sendBuffer)
  }

  func refuse(_ host: HostAddress, _ places: Int, ofHost: Bool) {
    transport.refuse(host, places, ofHost: ofHost)
  }

  func open(_ connection: OpaquePointer, of host: HostAddress) {
    let number = transport.open(host)
    clients[connection] = Client(number: number)
    connections[number] = connection
  }

  func close(_ connection: OpaquePointer, of host: HostAddress) {
    guard let client = clients.removeValue(forKey: connection) else { return }
    connections[client.number] = nil
    // The library does not tell which time limit has ended the connection: that of reading, or that of pings.
    let isUnread = client.unreadSince.map { MonotonicTime.now - $0 > Self.pause } ?? false
    transport.close(client.number, of: host, client.end ?? (isUnread ? .unread : nil))
  }

  // MARK: Messages of clients

  /// Takes a part of a message.
  ///
  /// - Returns: -1 if the connection must end.
  func read(_ bytes: UnsafeRawBufferPointer, from connection: OpaquePointer, of host: HostAddress) -> Int32 {
    guard var message = clients[connection]?.message else { return -1 }
    // No copy may be held while it grows.
    clients[connection]!.message = []
    if lws.lws_is_first_fragment(connection) != 0 { message = [] }
    guard message.count + bytes.count <= WebSocketTransport.mostBytes else {
      clients[connection]!.end = .tooLong
      var reason = Array("a message has at most \(WebSocketTransport.mostBytes) bytes".utf8)
      lws.lws_close_reason(connection, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, &reason, reason.count)
      return -1
    }
    message += bytes
    let isWhole =
      lws.lws_is_final_fragment(connection) != 0 && lws.lws_remaining_packet_payload(connection) == 0
    guard isWhole else {
      clients[connection]!.message = message
      return 0
    }
    let isText = lws.lws_frame_is_binary(connection) == 0
    return transport.take(message, isText: isText, from: clients[connection]!.number, of: host) ? 0 : -1
  }

  // MARK: Frames to clients

  /// Asks the library to call `send(_:)` for the connections for which something waits.
  func wakeReady() {
    for number in transport.takeReady() {
      guard let connection = connections[number] else { continue }
      if transport.isOverfull(number) {
        lws.lws_set_timeout(connection, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC)
      } else {
        // The system may have no room, so that the library never calls.
        if let client = clients[connection], client.unreadSince == nil, client.end == nil {
          limit(connection, true)
        }
        _ = lws.lws_callback_on_writable(connection)
      }
    }
  }

  /// Sends what waits for a client, as far as one call may: whole frames, which the library would send one by one.
  ///
  /// - Returns: -1 if the connection must end.
  func send(_ connection: OpaquePointer) -> Int32 {
    guard let client = clients[connection] else { return -1 }
    let (bytes, hasMore) = transport.next(client.number, most: WebExchanges.portion)
    // With this kind, the library sends bytes as they are.
    guard bytes.isEmpty || lws.write(bytes, LWS_WRITE_HTTP, to: connection) else { return -1 }
    let waits = hasMore || lws.lws_partial_buffered(connection) != 0
    // While a connection ends, the library has a time limit of its own.
    if waits || client.unreadSince != nil { limit(connection, waits) }
    if waits { _ = lws.lws_callback_on_writable(connection) }
    return 0
  }

  /// Starts the time limit of reading anew while something waits; ends it otherwise.
  private func limit(_ connection: OpaquePointer, _ waits: Bool) {
    clients[connection]!.unreadSince = waits ? MonotonicTime.now : nil
    if waits {
      lws.lws_set_timeout(connection, PENDING_TIMEOUT_USER_OK, Int32(limits.silence))
    } else {
      lws.lws_set_timeout(connection, NO_PENDING_TIMEOUT, 0)
    }
  }
}
