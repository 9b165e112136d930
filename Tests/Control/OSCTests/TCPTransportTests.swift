import ControlInterface
import Foundation
import OSC
import Synchronization
import Testing

@Suite("OSC over TCP")
struct TCPTransportTests {
  /// A transport that answers each message with the same message, and records what its functions are called with.
  private final class Echo: Sendable {
    let transport: any OSCTransport
    let admits = Atomic<Bool>(true)
    private let heard = Mutex<[Peer]>([])
    private let told = Mutex<[String]>([])
    private let departure = DispatchSemaphore(value: 0)

    init() throws {
      var listeners = Listeners()
      try listeners.open(.tcp(host: "127.0.0.1", port: 0))
      transport = listeners.transports[0]
      try transport.start(
        Reception(
          admits: { [weak self] _ in self?.admits.load(ordering: .acquiring) ?? false }, peek: { _, _ in },
          receive: { [weak self] packet, peer in
            self?.heard.withLock { $0.append(peer) }
            if let packet = try? packet.get() { self?.transport.send(packet, to: peer) }
            return nil
          },
          leave: { [weak self, departure] in
            // Every answer is given at once.
            if let transport = self?.transport {
              for peer in transport.takeListening() { transport.hangUp(peer) }
            }
            departure.signal()
          },
          tell: { [weak self] line in self?.told.withLock { $0.append(line) } }))
    }

    deinit { transport.stop() }

    var peers: [Peer] { heard.withLock { $0 } }
    var lines: [String] { told.withLock { $0 } }
    var port: UInt16 {
      guard case .tcp(_, let port) = transport.endpoints[0] else { return 0 }
      return port
    }

    func client(_ framing: Framing = .length) throws -> OSCClient {
      try OSCClient(transport.endpoints[0], framing: framing)
    }

    /// Waits until the connection of a client has ended; false after 10 s.
    func departs() -> Bool { departure.wait(timeout: .now() + 10) == .success }
  }

  private static let message = Wire.text("/a..,i..") + [0xc0, 0xdb, 0, 1]

  private func answer(_ client: OSCClient, _ address: String) throws -> OSCPacket? {
    try client.send(OSCMessage(address))
    return try client.receive(timeout: .seconds(5))
  }

  @Test("Each client gets the answers to its own messages, in its framing, and counts as one peer")
  func answers() throws {
    let echo = try Echo()
    let clients = try [Framing.slip, .length, .slip, .length].map { try echo.client($0) }
    for round in 0..<3 {
      for (index, client) in clients.enumerated() {
        #expect(try answer(client, "/\(round)/\(index)") == .message(OSCMessage("/\(round)/\(index)")))
      }
    }
    #expect(Set(echo.peers).count == 4)
    for peer in echo.peers {
      #expect(peer.host.isLoopback && peer.transport == TCPTransport.transport && peer.withPort(9) == peer)
    }
    #expect(echo.transport.counters.received == 12)
  }

  @Test("Answers have exactly one END before and one after, or a length, also if the request had one END")
  func exactAnswers() throws {
    let echo = try Echo()
    let plain = Wire.text("/a..,...")
    for (request, framing) in [
      (plain + [0xc0], Framing.slip), ([0xc0, 0xc0] + plain + [0xc0, 0xc0], .slip),
      (Framing.length.frame(plain), .length),
    ] {
      let client = try RawTCP(port: echo.port)
      client.send(request)
      // Of two answers, so that a spare byte behind the first would show.
      client.send(framing == .slip ? plain + [0xc0] : request)
      let expected = framing.frame(plain) + framing.frame(plain)
      #expect(client.read(expected.count) == expected)
    }
  }

  @Test(
    "Packets that arrive byte by byte, and several at once, are all answered in order",
    arguments: Framing.allCases)
  func pieces(_ framing: Framing) throws {
    let echo = try Echo()
    let client = try RawTCP(port: echo.port)
    let frame = framing.frame(Self.message)
    for byte in frame { client.send([byte]) }
    #expect(client.read(frame.count) == frame)
    let many = (0..<100).flatMap { _ in frame }
    client.send(many)
    #expect(client.read(many.count) == many)
  }

  @Test("A packet of 64 KiB is answered", arguments: Framing.allCases)
  func large(_ framing: Framing) throws {
    let echo = try Echo()
    let client = try echo.client(framing)
    let message = OSCMessage("/a", .blob([UInt8](repeating: 0xc0, count: Framing.limit - 12)))
    #expect(PacketEncoder.encode(message).count == Framing.limit)
    try client.send(message)
    #expect(try client.receive(timeout: .seconds(5)) == .message(message))
  }

  @Test(
    "What no framing understands closes the connection, is counted, and is told with the reason",
    arguments: [
      ("a byte that begins no framing", [0x41, 0x42], "the first byte is 65"),
      ("length zero", [0, 0, 0, 0], "the length 0"), ("odd length", [0, 0, 0, 6], "the length 6"),
      ("M27 length 200,000", Wire.words(200_000), "more than 65536 bytes"),
      ("64 KiB and 4 bytes", Wire.words(65_540), "more than 65536 bytes"),
      (
        "M25 200 kB without END", [0xc0] + [UInt8](repeating: 0x2f, count: 200_000),
        "more than 65536 bytes"
      ),
    ] as [(String, [UInt8], String)])
  func closed(_ name: String, _ bytes: [UInt8], _ reason: String) throws {
    let echo = try Echo()
    let other = try echo.client()
    let client = try RawTCP(port: echo.port)
    client.send(bytes)
    #expect(client.isClosed())
    #expect(echo.departs())
    #expect(echo.transport.counters.dropped == 1)
    #expect(echo.lines.count == 1 && echo.lines[0].contains(reason), "\(echo.lines)")
    #expect(try answer(other, "/here") == .message(OSCMessage("/here")))
  }

  @Test(
    "A packet that is not OSC is counted and not answered, and the connection stays open",
    arguments: Framing.allCases)
  func garbage(_ framing: Framing) throws {
    let echo = try Echo()
    let client = try RawTCP(port: echo.port)
    for row in MalformedPacketTests.rows
    where !row.bytes.isEmpty && (framing == .slip || row.bytes.count % 4 == 0) {
      let before = echo.transport.counters.dropped
      client.send(framing.frame(row.bytes) + framing.frame(Self.message))
      // The answer is that of the second packet.
      let answer = framing.frame(Self.message)
      #expect(client.read(answer.count) == answer, "\(row.name)")
      #expect(echo.transport.counters.dropped == before + 1, "\(row.name)")
    }
  }

  @Test("A client that reads nothing is dropped with a line in the log, and no other client waits")
  func slowReader() throws {
    let echo = try Echo()
    let slow = try echo.client()
    #expect(try answer(slow, "/before") != nil)
    let peer = try #require(echo.peers.first)
    let other = try echo.client(.slip)
    let packet = OSCPacket.message(OSCMessage("/feedback", .blob([UInt8](repeating: 1, count: 1_100))))
    let start = Date()
    // The system keeps some hundred kilobytes for a client, and the router a megabyte.
    for round in 0..<6_000 {
      echo.transport.send(packet, to: peer)
      if round % 1_000 == 0 { #expect(try answer(other, "/here") == .message(OSCMessage("/here"))) }
    }
    #expect(Date().timeIntervalSince(start) < 5)
    #expect(echo.departs())
    #expect(!echo.transport.isConnected(peer))
    #expect(echo.lines.count == 1 && echo.lines[0].contains("left more than 1 MiB"), "\(echo.lines)")
    #expect(try answer(other, "/after") == .message(OSCMessage("/after")))
  }

  @Test("A client that reads late gets everything in order")
  func lateReader() throws {
    let echo = try Echo()
    let client = try echo.client()
    #expect(try answer(client, "/before") != nil)
    let peer = try #require(echo.peers.first)
    let filler = OSCArgument.blob([UInt8](repeating: 1, count: 1_000))
    // More than the system's buffers hold, less than the router's.
    for number in 0..<900 {
      echo.transport.send(.message(OSCMessage("/n", .int32(Int32(number)), filler)), to: peer)
    }
    for number in 0..<900 {
      let packet = try client.receive(timeout: .seconds(5))
      #expect(packet?.messages.first?.arguments.first == .int32(Int32(number)))
    }
    #expect(try answer(client, "/after") == .message(OSCMessage("/after")))
  }

  @Test(
    "Of 1,000 connections those beyond the limit are closed at once, with one line in the log; others are served"
  )
  func manyConnections() throws {
    let echo = try Echo()
    let first = try echo.client()
    #expect(try answer(first, "/first") != nil)
    var kept: [RawTCP] = []
    for number in 1..<1_000 {
      let client = try RawTCP(port: echo.port)
      if number < 64 { kept.append(client) } else { #expect(client.isClosed()) }
    }
    #expect(
      echo.lines.count == 1 && echo.lines[0].contains("127.0.0.1 has 64 TCP connections"), "\(echo.lines)")
    #expect(echo.transport.counters.refused == 936)
    #expect(try answer(first, "/still") == .message(OSCMessage("/still")))
    let neighbour = try RawTCP(port: echo.port, from: 0x7f00_0002)
    let frame = Framing.slip.frame(Self.message)
    for client in kept + [neighbour] {
      client.send(frame)
      #expect(client.read(frame.count) == frame)
    }
    // A place is free again as soon as its connection has ended.
    kept.removeLast()
    #expect(echo.departs())
    let next = try RawTCP(port: echo.port)
    next.send(frame)
    #expect(next.read(frame.count) == frame)
  }

  @Test("A stranger is closed before a byte is parsed, and so is a host that is no longer allowed")
  func strangers() throws {
    let echo = try Echo()
    let client = try echo.client()
    #expect(try answer(client, "/a") != nil)
    echo.admits.store(false, ordering: .releasing)
    let stranger = try RawTCP(port: echo.port)
    stranger.send(Framing.slip.frame(Self.message))
    #expect(stranger.isClosed())
    try client.send(OSCMessage("/b"))
    #expect(throws: SocketError.self) { try client.receive(timeout: .seconds(5)) }
    #expect(echo.peers.count == 1)
    #expect(echo.transport.counters.received == 1 && echo.transport.counters.refused == 2)
  }

  @Test("What a client sends before it closes is received; then it can not be reached any more")
  func departure() throws {
    let echo = try Echo()
    var client: RawTCP? = try RawTCP(port: echo.port)
    client?.send(Framing.slip.frame(Self.message))
    client = nil
    #expect(echo.departs())
    let peer = try #require(echo.peers.first)
    #expect(!echo.transport.isConnected(peer))
    echo.transport.send(.message(OSCMessage("/late")), to: peer)
  }

  @Test("A stopped transport closes its connections, and its port is free; stopping it again has no effect")
  func stop() throws {
    var echo: Echo? = try Echo()
    let port = try #require(echo).port
    let client = try RawTCP(port: port)
    client.send(Framing.slip.frame(Self.message))
    #expect(!client.read(1).isEmpty)
    echo?.transport.stop()
    echo?.transport.stop()
    #expect(client.isClosed())
    echo = nil
    #expect(try TCPListener(host: "127.0.0.1", port: port).localAddress.port == port)
  }

  @Test("The error of a port in use names the program, and nobody answers at a free port")
  func inUse() throws {
    var listener: TCPListener? = try TCPListener(host: "127.0.0.1", port: 0)
    let port = try #require(listener).localAddress.port
    let error = #expect(throws: SocketError.self) { try TCPListener(host: "127.0.0.1", port: port) }
    #expect(error?.description.hasPrefix("TCP port \(port) is in use by ") == true)
    #expect(error?.description.contains("(process \(getpid()))") == true)
    listener = nil
    let refused = #expect(throws: SocketError.self) {
      try OSCClient(.tcp(host: "127.0.0.1", port: port))
    }
    #expect(refused?.isRefused == true)
  }

  @Test("oscsend of liblo reaches the port, with length and body in two parts")
  func oscsend() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: OSCPacket?.self)
    var listeners = Listeners()
    try listeners.open(.tcp(host: "127.0.0.1", port: 0))
    let transport = listeners.transports[0]
    try transport.start(
      Reception(
        admits: { _ in true }, peek: { _, _ in },
        receive: { packet, _ in
          continuation.yield(try? packet.get())
          return nil
        }))
    defer { transport.stop() }
    guard case .tcp(_, let port) = transport.endpoints[0] else { return }
    let process = try Process.run(
      URL(fileURLWithPath: "/usr/bin/env"),
      arguments: ["oscsend", "osc.tcp://127.0.0.1:\(port)/", "/output/usb/gain", "f", "-12"])
    for await packet in stream {
      #expect(packet == .message(OSCMessage("/output/usb/gain", .float(-12))))
      break
    }
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }
}
