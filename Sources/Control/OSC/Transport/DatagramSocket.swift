/// A socket that receives datagrams. One thread receives.
public protocol DatagramSocket: Sendable {
  /// The address of a datagram's sender.
  associatedtype Sender: Sendable

  /// Waits for a datagram and copies it into the buffer. Returns at once after `endReceiving`.
  ///
  /// - Returns: the size of the datagram and its sender. If the size exceeds that of the buffer, the system has cut the datagram.
  /// - Throws: `SocketError`.
  func receive(
    into buffer: UnsafeMutableRawBufferPointer
  ) throws(SocketError) -> (size: Int, sender: Sender)

  /// Ends the wait of the thread that receives, and lets later calls of `receive` return at once. The socket can still send.
  func endReceiving()

  /// Whether `endReceiving` was called.
  var hasEnded: Bool { get }
}

extension UDPSocket: DatagramSocket {}
