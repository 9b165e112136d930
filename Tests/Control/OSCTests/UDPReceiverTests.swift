import Foundation
import OSC
import Synchronization
import Testing

@Suite("Receiving over UDP")
struct UDPReceiverTests {
  @Test("Packets arrive in order, each with its sender")
  func order() async throws {
    let inbox = try Inbox()
    let client = try OSCClient(port: inbox.port)
    for number: Int32 in 0..<100 { try client.send(OSCMessage("/a", .int32(number))) }
    for number: Int32 in 0..<100 {
      let (packet, sender) = await inbox.next()
      #expect(packet == .success(.message(OSCMessage("/a", .int32(number)))))
      #expect(sender == client.localAddress)
    }
    #expect(inbox.receiver.counters.received == 100)
    #expect(inbox.receiver.counters.dropped == 0)
  }

  @Test("A malformed datagram is counted by its reason, and later ones are received")
  func garbage() async throws {
    let inbox = try Inbox()
    let client = try OSCClient(port: inbox.port)
    let sent: [([UInt8], OSCDecodeError)] = [
      ([], .empty), ([1], .misaligned), (Wire.text("/a..,x.."), .unknownTypeTag),
      (Wire.text("/a..,b.."), .truncated), ([UInt8](repeating: 0x2f, count: 8_196), .oversize),
      ([UInt8](repeating: 0, count: 60_000), .oversize),
    ]
    for (bytes, reason) in sent {
      try client.send(bytes: bytes)
      #expect(await inbox.next().0 == .failure(reason))
    }
    try client.send(OSCMessage("/still/here"))
    #expect(await inbox.next().0 == .success(.message(OSCMessage("/still/here"))))
    let counters = inbox.receiver.counters
    #expect(counters.received == sent.count + 1)
    #expect(counters.dropped == sent.count)
    #expect(counters.dropped(.oversize) == 2)
    #expect(counters.dropped(.badBlob) == 0)
    #expect(counters.socketErrors == 0)
  }

  @Test("A datagram of exactly 8 KiB arrives whole")
  func largest() async throws {
    let inbox = try Inbox()
    let message = OSCMessage("/a", .blob([UInt8](repeating: 7, count: 8_180)))
    try OSCClient(port: inbox.port).send(message)
    #expect(await inbox.next().0 == .success(.message(message)))
  }

  @Test("A datagram of a sender without permission is not decoded")
  func strangers() async throws {
    let admitted = Mutex<UInt16>(0)
    let inbox = try Inbox { $0.port == admitted.withLock { $0 } }
    let stranger = try OSCClient(port: inbox.port)
    let friend = try OSCClient(port: inbox.port)
    admitted.withLock { $0 = friend.localAddress!.port }
    try stranger.send(bytes: [1])
    try stranger.send(OSCMessage("/no"))
    try friend.send(OSCMessage("/yes"))
    #expect(await inbox.next().0 == .success(.message(OSCMessage("/yes"))))
    #expect(inbox.receiver.counters.refused == 2)
    #expect(inbox.receiver.counters.dropped == 0)
    #expect(inbox.receiver.counters.received == 3)
  }

  @Test("The socket that received a message sends the answer")
  func answer() async throws {
    let socket = try UDPSocket(port: 0)
    let receiver = try UDPReceiver(socket: socket) { packet, sender in
      guard case .success(let packet) = packet else { return }
      try? socket.send(PacketEncoder.encode(packet), to: sender)
    }
    let client = try OSCClient(port: socket.localAddress.port)
    try client.send(bytes: [0])
    try client.send(OSCMessage("/ping", .int32(1)))
    // A connected client receives answers from that address only.
    #expect(try client.receive() == .message(OSCMessage("/ping", .int32(1))))
    receiver.stop()
  }

  @Test("After stopping the handler is not called again, and stopping twice does no harm")
  func stopping() async throws {
    let inbox = try Inbox()
    let client = try OSCClient(port: inbox.port)
    try client.send(OSCMessage("/a"))
    _ = await inbox.next()
    inbox.receiver.stop()
    try client.send(OSCMessage("/b"))
    inbox.receiver.stop()
    #expect(inbox.receiver.counters.received == 1)
  }

  @Test("A handler may stop its own receiver, and may even release the last reference to it")
  func stoppingFromInside() async throws {
    let (calls, caller) = AsyncStream.makeStream(of: Int32.self)
    let holder = Mutex<UDPReceiver?>(nil)
    let socket = try UDPSocket(port: 0)
    try holder.withLock { slot in
      slot = try UDPReceiver(socket: socket, name: "osc-leaving") { _, _ in
        holder.withLock { $0.take() }?.stop()
        caller.yield(1)
      }
    }
    let client = try OSCClient(port: socket.localAddress.port)
    try client.send(OSCMessage("/a"))
    for await _ in calls { break }
    #expect(holder.withLock { $0 == nil })
    while threadNames().contains("osc-leaving") { await Task.yield() }
  }

  @Test("The last reference to a receiver ends its thread and frees its port")
  func release() throws {
    var inbox: Inbox? = try Inbox(threadName: "osc-released")
    let port = try #require(inbox).port
    #expect(threadNames().contains("osc-released"))
    inbox = nil
    // The system shows a thread for a moment after its end.
    let limit = ContinuousClock.now + .seconds(10)
    while threadNames().contains("osc-released"), ContinuousClock.now < limit {}
    #expect(!threadNames().contains("osc-released"))
    #expect(try UDPSocket(port: port).localAddress.port == port)
  }

  private func threadNames() -> [String] {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return tasks.compactMap {
      try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)
        .trimmingCharacters(in: .newlines)
    }
  }
}

@Suite("The simple client")
struct OSCClientTests {
  @Test("A wait ends when the time is over")
  func timeout() throws {
    let silent = try UDPSocket(port: 0)
    let client = try OSCClient(port: silent.localAddress.port)
    try client.send(OSCMessage("/ping"))
    #expect(try client.receive(timeout: .milliseconds(20)) == nil)
    #expect(try client.receive(timeout: .zero) == nil)
  }

  @Test("A client gets an error if no program listens")
  func refused() throws {
    var socket: UDPSocket? = try UDPSocket(port: 0)
    let port = try #require(socket).localAddress.port
    socket = nil
    let client = try OSCClient(port: port)
    try client.send(OSCMessage("/ping"))
    let error = #expect(throws: SocketError.self) { try client.receive() }
    #expect(error?.isRefused == true)
    #expect(error?.description == "No program listens at 127.0.0.1:\(port).")
  }

  @Test("Garbage between answers is skipped")
  func garbage() throws {
    let server = try UDPSocket(port: 0)
    let client = try OSCClient(host: "localhost", port: server.localAddress.port)
    try server.send([1, 2, 3], to: client.localAddress!)
    try server.send(Wire.text("/ok.,..."), to: client.localAddress!)
    #expect(try client.receive() == .message(OSCMessage("/ok")))
  }

  @Test("A host that does not exist is refused by name")
  func unknownHost() {
    let error = #expect(throws: SocketError.self) { try OSCClient(host: "no-such-host.invalid", port: 1) }
    #expect(error?.description.contains("\"no-such-host.invalid\"") == true)
  }
}

/// A receiver whose packets a test can wait for.
final class Inbox {
  typealias Entry = (Result<OSCPacket, OSCDecodeError>, PeerAddress)

  let receiver: UDPReceiver
  private let entries: AsyncStream<Entry>

  var port: UInt16 { receiver.socket.localAddress.port }

  init(
    threadName: String = "osc-test", admit: @escaping @Sendable (PeerAddress) -> Bool = { _ in true }
  ) throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Entry.self)
    entries = stream
    receiver = try UDPReceiver(socket: UDPSocket(port: 0), name: threadName, admit: admit) {
      continuation.yield(($0, $1))
    }
  }

  /// Waits for the next packet or drop.
  func next() async -> Entry {
    for await entry in entries { return entry }
    fatalError("the stream of packets never ends")
  }
}
