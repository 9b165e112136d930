import Synchronization
import Threads

/// A thread that receives the datagrams of one socket, decodes them and calls a handler with each packet.
///
/// The thread sleeps while no datagram arrives. `stop()` ends it, and so does the end of the receiver's last reference.
public final class PacketReceiver<Socket: DatagramSocket>: Sendable {
  /// Handles a packet, or the reason why a datagram was dropped. Runs on the receiver's thread.
  public typealias Handler = @Sendable (Result<OSCPacket, OSCDecodeError>, Socket.Sender) -> Void

  /// Handles the bytes of a datagram before the receiver decodes them. Runs on the receiver's thread.
  public typealias Peek = @Sendable (Span<UInt8>, Socket.Sender) -> Void

  public let socket: Socket

  /// The counters of datagrams and errors.
  public let counters: ReceiverCounters

  private let thread: Mutex<OwnThread?>

  /// Starts the thread, which receives at once.
  ///
  /// - Parameters:
  ///   - socket: no other code may receive from it, not even after the receiver's end.
  ///   - name: the thread's name, at most 15 characters.
  ///   - limits: the limits of a packet.
  ///   - admit: whether datagrams of a sender are accepted. Called on the receiver's thread before the datagram is decoded.
  ///   - peek: called with the bytes of each accepted datagram, whether they can be decoded or not.
  ///   - handler: called with the result of each accepted datagram, in order.
  /// - Throws: `SocketError` if the system cannot make a thread.
  public init(
    socket: Socket, name: String = "osc-udp", limits: PacketLimits = .udp,
    admit: @escaping @Sendable (Socket.Sender) -> Bool = { _ in true },
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

  /// Ends the thread and waits for its end. The handler is not called afterwards.
  ///
  /// The handler itself may call this: then it returns at once, and the present call of the handler is the last one. Only the first call
  /// waits.
  public func stop() {
    guard let thread = thread.withLock({ $0.take() }) else { return }
    socket.endReceiving()
    if thread.isCurrent { thread.detach() } else { thread.join() }
  }
}

public typealias UDPReceiver = PacketReceiver<UDPSocket>

/// The loop that a receiver's thread runs.
private struct ReceiveLoop<Socket: DatagramSocket>: Sendable {
  let socket: Socket
  let limits: PacketLimits
  let counters: ReceiverCounters
  let admit: @Sendable (Socket.Sender) -> Bool
  let peek: PacketReceiver<Socket>.Peek
  let handler: PacketReceiver<Socket>.Handler

  func run() {
    let decoder = PacketDecoder(limits: limits)
    var pause = FailurePause()
    withUnsafeTemporaryAllocation(byteCount: limits.size, alignment: 16) { buffer in
      // The test comes after each datagram, so that a flood of datagrams cannot keep the thread from ending.
      while !socket.hasEnded {
        do throws(SocketError) {
          let (size, sender) = try socket.receive(into: buffer)
          if socket.hasEnded { return }
          pause.end()
          take(buffer, size: size, from: sender, decoder: decoder)
        } catch {
          counters.countSocketError()
          pause.wait { socket.hasEnded }
        }
      }
    }
  }

  private func take(
    _ buffer: UnsafeMutableRawBufferPointer, size: Int, from sender: Socket.Sender, decoder: PacketDecoder
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

/// The pauses between failures of a socket. Without them, a socket that always fails would keep a processor busy.
private struct FailurePause {
  private var seconds = shortest

  private static let shortest = 0.001
  private static let longest = 1.0
  /// Greatest number of seconds until a pause notices that the receiver must end.
  private static let step = 0.05

  /// Notes that the socket works again: the next pause is the shortest.
  mutating func end() { seconds = Self.shortest }

  /// Pauses the thread. Each pause is twice as long as the one before, until the socket works again.
  mutating func wait(until hasEnded: () -> Bool) {
    let end = MonotonicTime.now + seconds
    while !hasEnded(), MonotonicTime.now < end {
      OwnThread.sleep(seconds: min(Self.step, max(0, end - MonotonicTime.now)))
    }
    seconds = min(2 * seconds, Self.longest)
  }
}
