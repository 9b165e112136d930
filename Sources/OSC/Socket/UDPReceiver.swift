import CLiblo
import Glibc
import Synchronization
import Threads

/// A thread that waits for the packets of one socket, decodes them and hands them over.
///
/// The thread sleeps in the kernel while nothing arrives. It ends with `stop()` or with the receiver.
public final class UDPReceiver: Sendable {
  /// What to do with a packet, or with the reason why there is none; runs on the receiver's thread.
  public typealias Handler = @Sendable (Result<OSCPacket, OSCDecodeError>, PeerAddress) -> Void

  /// What to do with the bytes of a packet before it is decoded, for what cannot wait; runs on the receiver's thread.
  public typealias Peek = @Sendable (Span<UInt8>, PeerAddress) -> Void

  /// The socket, through which answers go out.
  public let socket: UDPSocket

  /// What has arrived so far.
  public let counters: ReceiverCounters

  private let thread: Mutex<OwnThread?>

  /// Starts receiving at once.
  ///
  /// - Parameters:
  ///   - socket: The socket; nobody else receives from it, and nobody does after the receiver's end.
  ///   - name: The thread's name, at most 15 characters.
  ///   - limits: What a packet may contain.
  ///   - admit: Whether a sender is listened to at all, asked before parsing, on the receiver's thread.
  ///   - peek: Sees what admitted senders send before it is decoded, whether it can be or not.
  ///   - handler: Gets everything that admitted senders send, in order.
  /// - Throws: `SocketError` when the system has no thread left.
  public init(
    socket: UDPSocket, name: String = "osc-udp", limits: PacketLimits = .udp,
    admit: @escaping @Sendable (PeerAddress) -> Bool = { _ in true },
    peek: @escaping Peek = { _, _ in }, handler: @escaping Handler
  ) throws(SocketError) {
    let counters = ReceiverCounters()
    let loop = ReceiveLoop(
      socket: socket, limits: limits, counters: counters, admit: admit, peek: peek, handler: handler)
    do throws(OwnThread.Failure) {
      thread = Mutex(try OwnThread.start(name, loop.run))
    } catch {
      throw .system(call: "pthread_create", number: error.code, address: nil)
    }
    self.socket = socket
    self.counters = counters
  }

  deinit { stop() }

  /// Ends the thread; when it returns, the handler does not run any more and will not.
  ///
  /// Called from the handler itself it returns at once, and that call of the handler is the last. Only the first call waits.
  public func stop() {
    guard let thread = thread.withLock({ $0.take() }) else { return }
    socket.endReceiving()
    if thread.isCurrent { thread.detach() } else { thread.join() }
  }
}

/// What the thread of a receiver does.
private struct ReceiveLoop: Sendable {
  let socket: UDPSocket
  let limits: PacketLimits
  let counters: ReceiverCounters
  let admit: @Sendable (PeerAddress) -> Bool
  let peek: UDPReceiver.Peek
  let handler: UDPReceiver.Handler

  func run() {
    let decoder = PacketDecoder(limits: limits)
    withUnsafeTemporaryAllocation(byteCount: limits.size, alignment: 16) { buffer in
      // Looked at after each datagram, so that a flood cannot keep the thread from stopping.
      while !socket.hasEnded {
        do throws(SocketError) {
          let (size, sender) = try socket.receive(into: buffer)
          if socket.hasEnded { return }
          take(buffer, size: size, from: sender, decoder: decoder)
        } catch {
          counters.countSocketError()
        }
      }
    }
  }

  private func take(
    _ buffer: UnsafeMutableRawBufferPointer, size: Int, from sender: PeerAddress, decoder: PacketDecoder
  ) {
    counters.countPacket()
    guard admit(sender) else {
      counters.countRefusal()
      return
    }
    let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<min(size, buffer.count)])
      .assumingMemoryBound(to: UInt8.self)
    peek(bytes.span, sender)
    do throws(OSCDecodeError) {
      guard size <= buffer.count else { throw .oversize }
      let packet = try decoder.decode(bytes.span)
      handler(.success(packet), sender)
    } catch {
      counters.countDrop(error)
      handler(.failure(error), sender)
    }
  }
}
