import ControlInterface
import Synchronization
import SystemCalls
import Threads

/// What the thread of TCP does: accepts connections, reads packets, and sends what waited.
struct TCPLoop: Sendable {
  private let listeners: [TCPListener]
  private let lines: TCPLines
  private let reception: Reception
  private let counters: ReceiverCounters
  private let decoder = PacketDecoder(limits: .tcp)
  private var connections: [UInt32: Connection] = [:]
  private var notices = TCPNotices()
  /// When connections are accepted again, after the system had no room for one.
  private var resumption: Double?
  /// The connections whose clients send nothing more, and when each is closed at the latest, in order.
  private var listening: [(number: UInt32, end: Double)] = []

  private struct Connection {
    let descriptor: Int32
    let peer: Peer
    var reader = FrameReader()
  }

  /// Bytes that are read of a connection before others have their turn.
  private static let portion = 65_536
  /// Seconds without accepting, after the system had no room for a connection.
  private static let pause = 0.5
  /// Seconds in which a client that sends nothing more gets its answers.
  private static let patience = 5.0
  /// Size of the system's send buffer of a connection: some hundred packets of feedback.
  private static let sendBuffer: Int32 = 128 << 10

  init(
    _ listeners: [TCPListener], _ lines: TCPLines, _ reception: Reception, _ counters: ReceiverCounters
  ) {
    (self.listeners, self.lines, self.reception, self.counters) = (listeners, lines, reception, counters)
  }

  /// Lets connections wake the thread.
  mutating func watchListeners() throws(SystemError) {
    resumption = nil
    for (index, listener) in listeners.enumerated() {
      try System.epoll_ctl(lines.epoll, watch: listener.descriptor, for: .readable, key: UInt64(index + 1))
    }
  }

  /// Runs until the bell rings.
  mutating func run() {
    while true {
      let due = [resumption, listening.first?.end].compactMap(\.self).min()
      let wait = due.map { Int32(max(0, $0 - MonotonicTime.now) * 1_000) + 1 } ?? -1
      guard let ready = try? System.epoll_wait(lines.epoll, limit: 64, milliseconds: wait) else { return }
      if let resumption, resumption <= MonotonicTime.now { try? watchListeners() }
      while let first = listening.first, first.end <= MonotonicTime.now {
        listening.removeFirst()
        close(first.number)
      }
      for entry in ready {
        switch entry.key {
        case TCPLines.bellKey: return
        case 1...UInt64(listeners.count): accept(from: listeners[Int(entry.key) - 1])
        default: serve(UInt32(entry.key), entry.events)
        }
      }
    }
  }

  // MARK: Coming and going

  private mutating func accept(from listener: TCPListener) {
    do throws(SystemError) {
      while let (descriptor, host) = try listener.accept() {
        // A stranger is closed before a byte of it is read.
        guard reception.admits(host) else {
          counters.countRefusal()
          System.close(descriptor)
          continue
        }
        if let refusal = lines.outbox.withLock({ $0.refusal(of: host) }) {
          counters.countRefusal()
          tell(.refused(refusal), host)
          System.close(descriptor)
          continue
        }
        take(descriptor, host)
      }
    } catch {
      counters.countSocketError()
      for listener in listeners { System.epoll_ctl(lines.epoll, forget: listener.descriptor) }
      resumption = MonotonicTime.now + Self.pause
    }
  }

  private mutating func take(_ descriptor: Int32, _ host: HostAddress) {
    do throws(SystemError) {
      try System.sendAtOnce(descriptor)
      try System.setSendBuffer(descriptor, bytes: Self.sendBuffer)
      // A tablet that leaves the network closes nothing.
      try System.keepAlive(descriptor, idle: 10, interval: 5, count: 3)
      let number = try lines.outbox.withLock { outbox throws(SystemError) in
        try outbox.open(descriptor, of: host)
      }
      let peer = Peer(transport: TCPTransport.transport, host: host, endpoint: number)
      connections[number] = Connection(descriptor: descriptor, peer: peer)
    } catch {
      System.close(descriptor)
      counters.countSocketError()
    }
  }

  private mutating func close(_ number: UInt32, because error: FramingError? = nil) {
    guard let connection = connections.removeValue(forKey: number) else { return }
    listening.removeAll { $0.number == number }
    if lines.outbox.withLock({ $0.close(number) }) { tell(.unread, connection.peer.host) }
    if let error {
      counters.countDrop(.badFrame)
      tell(.malformed(error), connection.peer.host)
    }
    reception.leave()
  }

  private mutating func tell(_ notice: TCPNotices.Notice, _ host: HostAddress) {
    guard let line = notices.line(notice, of: host, at: MonotonicTime.now) else { return }
    reception.tell(line)
  }

  // MARK: Packets

  private mutating func serve(_ number: UInt32, _ events: EpollEvents) {
    guard let connection = connections[number] else { return }
    if events.contains(.writable) { lines.outbox.withLock { $0.flush(number) } }
    guard events.subtracting(.writable) != [] else { return }
    let isGone = lines.outbox.withLock { $0.isOverfull(number) || !$0.isWhole(number) }
    if !events.isDisjoint(with: [.hungUp, .failed]), isGone { return close(number) }
    // A reload may have ended the permission of the host.
    guard reception.admits(connection.peer.host) else {
      counters.countRefusal()
      return close(number)
    }
    do throws(SystemError) {
      guard let bytes = try System.recv(connection.descriptor, count: Self.portion) else { return }
      if bytes.isEmpty { endReading(number) } else { read(bytes, of: number) }
    } catch { close(number) }
  }

  /// A client has ended its direction of the connection. It may read the answers to what it sent.
  private mutating func endReading(_ number: UInt32) {
    guard connections[number]?.reader.framing != nil else { return close(number) }
    lines.outbox.withLock { $0.endReading(number) }
    listening.append((number, MonotonicTime.now + Self.patience))
    reception.leave()
  }

  private mutating func read(_ bytes: [UInt8], of number: UInt32) {
    guard var connection = connections[number] else { return }
    let (isNew, spoiled) = (connection.reader.framing == nil, connection.reader.spoiled)
    if isNew, let framing = Framing(firstByte: bytes[0]) {
      // Before the first packet, whose answer needs it.
      lines.outbox.withLock { $0.set(framing, of: number) }
    }
    var failure: FramingError?
    do throws(FramingError) {
      try connection.reader.read(bytes.span) { take($0, from: connection.peer) }
    } catch { failure = error }
    for _ in spoiled..<connection.reader.spoiled {
      counters.countPacket()
      counters.countDrop(.badFrame)
    }
    connections[number] = connection
    if failure == .tooLong { answer(reception.receive(.failure(.oversize), connection.peer), to: number) }
    if let failure { close(number, because: failure) }
  }

  private func answer(_ message: OSCMessage?, to number: UInt32) {
    guard let message else { return }
    lines.outbox.withLock { $0.send(PacketEncoder.encode(.message(message)), to: number) }
  }

  private func take(_ bytes: Span<UInt8>, from peer: Peer) {
    counters.countPacket()
    reception.peek(bytes, peer)
    let packet = Result { () throws(OSCDecodeError) in try decoder.decode(bytes) }
    if case .failure(let error) = packet { counters.countDrop(error) }
    answer(reception.receive(packet, peer), to: peer.endpoint)
  }
}
