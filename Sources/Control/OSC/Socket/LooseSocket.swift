import ControlInterface
import Synchronization
import SystemCalls

/// A UDP socket for packets to and from one other program. It is never connected, because the other program may answer from another address
/// of its machine than the one at which it is reached.
public final class LooseSocket: Sendable {
  private let socket: UDPSocket
  private let other: PeerAddress
  private let receiver = Mutex<UDPReceiver?>(nil)

  /// Binds the socket to a free port. Sends nothing.
  ///
  /// If the other program is at this machine's loopback, only this machine reaches the socket. The look-up of a host name may take seconds.
  /// - Parameters:
  ///   - host: an IP address or a host name.
  ///   - port: the port of the other program.
  /// - Throws: `SocketError`.
  public init(host: String, port: UInt16) throws(SocketError) {
    other = try PeerAddress(lookingUp: host, port: port)
    let (own, all) = other.host.isIPv4 ? ("127.0.0.1", "0.0.0.0") : ("::1", "::")
    socket = try UDPSocket(host: other.host.isLoopback ? own : all, port: 0)
  }

  /// Receives packets from the other program's host and from this machine, on a thread of its own, until `close`.
  ///
  /// - Parameter name: the thread's name, at most 15 characters.
  /// - Throws: `SocketError` if the system cannot make a thread.
  public func receive(
    on name: String, handler: @escaping @Sendable (OSCPacket) -> Void
  ) throws(SocketError) {
    let (host, own) = (other.host, System.getifaddrs().map { HostAddress($0.address) })
    let thread = try UDPReceiver(
      socket: socket, name: name,
      admit: { $0.host.isLoopback || $0.host == host || own.contains($0.host) },
      handler: { result, _ in if case .success(let packet) = result { handler(packet) } })
    receiver.withLock { $0 = thread }
  }

  /// Sends a message without waiting. A program that is gone gets nothing.
  public func send(_ message: OSCMessage) {
    try? socket.send(PacketEncoder.encode(.message(message)), to: other)
  }

  /// Receives nothing more.
  public func close() { receiver.withLock { $0.take() }?.stop() }
}
