package import ControlInterface
import Synchronization

/// What a web server calls, on the thread that has its connections.
extension WebSocketTransport {
  /// Whether connections may become WebSockets now.
  package var isOpen: Bool { reception.withLock { $0 != nil } }

  /// Takes in a connection.
  ///
  /// - Returns: its number.
  package func open(_ host: HostAddress) -> UInt32 { outbox.withLock { $0.open(host) } }

  /// Takes a whole message of a client. No other thread may call this for the same client.
  ///
  /// - Returns: false if the connection must end, because the host has no permission any more.
  package func take(_ bytes: [UInt8], isText: Bool, from number: UInt32, of host: HostAddress) -> Bool {
    guard let reception = reception.withLock(\.self) else { return false }
    guard reception.admits(host) else {
      received.countRefusal()
      return false
    }
    let peer = Peer(transport: Self.transport, host: host, endpoint: number)
    if isText {
      reception.receiveText(bytes, peer)
      return true
    }
    received.countPacket()
    reception.peek(bytes.span, peer)
    let packet = Result { () throws(OSCDecodeError) in try decoder.decode(bytes.span) }
    if case .failure(let error) = packet { received.countDrop(error) }
    if let answer = reception.receive(packet, peer) { send(.message(answer), to: peer) }
    return true
  }

  /// Greatest number of bytes of a client's message.
  package static var mostBytes: Int { Framing.limit }

  /// Takes the connections for which something waits, or that must end, since the last call.
  package func takeReady() -> [UInt32] { outbox.withLock { $0.takeReady() } }

  /// Whether a client has left too many answers unread, so that its connection must end.
  package func isOverfull(_ number: UInt32) -> Bool { outbox.withLock { $0.isOverfull(number) } }

  /// Takes the next bytes that are to be sent over a connection: whole frames, or parts of them.
  ///
  /// - Returns: the bytes, none if nothing waits; and whether more waits.
  package func next(_ number: UInt32, most: Int) -> (bytes: ArraySlice<UInt8>, hasMore: Bool) {
    let (bytes, hasMore, hasResumed) = outbox.withLock { $0.next(number, most: most) }
    if hasResumed { reception.withLock(\.self)?.leave() }
    return (bytes, hasMore)
  }

  /// Notes that a connection has ended, and why if that was not the client's own doing.
  package func close(_ number: UInt32, of host: HostAddress, _ end: WebSocketEnd?) {
    let (wasOverfull, hadLosses) = outbox.withLock { $0.close(number) }
    switch end {
    case .tooLong:
      received.countPacket()
      received.countDrop(.oversize)
      tell(.tooLong, host)
    case .unread, nil:
      // A client that has lost feedback and answers no ping is ended by the library.
      if wasOverfull { tell(.overfull, host) } else if end == .unread || hadLosses { tell(.unread, host) }
    }
    reception.withLock(\.self)?.leave()
  }

  /// Notes that a connection was closed before a byte of it was read, because all places are taken: those of one host, or all.
  package func refuse(_ host: HostAddress, _ places: Int, ofHost: Bool) {
    received.countRefusal()
    tell(.refused(places, ofHost: ofHost), host)
  }
}

/// Why a web server ends a connection.
package enum WebSocketEnd: Sendable {
  /// The client has read nothing for a while.
  case unread
  /// A message has more than `WebSocketTransport.mostBytes`, or no end.
  case tooLong
}
