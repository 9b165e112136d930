import AwaitedEvents
import ControlInterface
import HTTPClient
import OSC
import Synchronization
import SystemCalls
import Testing
import Threads
import WebServer

/// A web server whose WebSockets get each message back, and each text.
final class Echo: Sendable {
  let transport = WebSocketTransport()
  let house: House
  let peers = AwaitedEvents<Peer>()
  let lines = AwaitedEvents<String>()
  let departures = AwaitedEvents<Int>()
  let admits = Atomic<Bool>(true)

  init(_ limits: WebLimits = WebLimits(), isOpen: Bool = true) throws {
    house = try House(limits, sockets: transport)
    guard isOpen else { return }
    transport.start(
      Reception(
        admits: { [weak self] _ in self?.admits.load(ordering: .acquiring) ?? false }, peek: { _, _ in },
        receive: { [weak self] packet, peer in
          self?.peers.add(peer)
          if let packet = try? packet.get() { self?.transport.send(packet, to: peer) }
          return nil
        }, receiveText: { [weak self] in self?.transport.send(text: $0, to: $1) },
        leave: { [weak self] in self?.departures.add(1) }, tell: { [weak self] in self?.lines.add($0) }))
  }

  deinit { house.server.stop() }

  var port: UInt16 { house.port }

  func client() throws -> WebSocketClient { try #require(try WebSocketClient(port: port)) }

  /// Whether a client gets its message back.
  func answers(_ client: WebSocketClient, _ address: String = "/here") -> Bool {
    let bytes = PacketEncoder.encode(OSCMessage(address, .int32(7)))
    client.send(binary: bytes)
    return client.next() == .binary(bytes)
  }
}

@Suite("OSC over WebSocket") struct WebSocketTests {
  @Test("Each client gets the answers to its own messages and texts, and counts as one peer")
  func answers() throws {
    let echo = try Echo()
    let clients = try (0..<4).map { _ in try echo.client() }
    for round in 0..<3 {
      for (index, client) in clients.enumerated() {
        #expect(echo.answers(client, "/\(round)/\(index)"))
        client.send(text: "{\"COMMAND\":\"\(index)\"}")
        #expect(client.next() == .text(Array("{\"COMMAND\":\"\(index)\"}".utf8)))
      }
    }
    #expect(Set(echo.peers.all).count == 4)
    for peer in echo.peers.all {
      #expect(peer.host.isLoopback && peer.transport.name == "websocket" && peer.withPort(9) == peer)
      #expect(echo.transport.isConnected(peer))
    }
    #expect(echo.transport.counters.received == 12 && echo.transport.counters.dropped == 0)
    // The same port still serves pages.
    #expect(try HTTPConnection.ask("GET", "/5", port: echo.port)?.status == 200)
  }

  @Test("A bundle comes in whole, and goes out as one frame for each of its messages, in order")
  func bundles() throws {
    let echo = try Echo()
    let client = try echo.client()
    let messages = (0..<5).map { OSCMessage("/n", .int32($0)) }
    let inner = OSCBundle(messages[2...].map { .message($0) })
    let packet = OSCPacket.bundle(OSCBundle(messages[..<2].map { .message($0) } + [.bundle(inner)]))
    client.send(binary: PacketEncoder.encode(packet))
    for message in messages { #expect(client.next() == .binary(PacketEncoder.encode(message))) }
    #expect(echo.peers.all.count == 1)
    // One that stays whole goes out as it is.
    var whole = OSCBundle(messages.map { .message($0) })
    whole.staysWhole = true
    echo.transport.send(.bundle(whole), to: try #require(echo.peers.all.first))
    #expect(client.next() == .binary(PacketEncoder.encode(.bundle(whole))))
  }

  @Test("A message of 64 KiB is answered, in one frame, in fragments and byte by byte, with pings between")
  func large() throws {
    let echo = try Echo()
    let client = try echo.client()
    let bytes = PacketEncoder.encode(OSCMessage("/a", .blob([UInt8](repeating: 0xc0, count: 65_524))))
    #expect(bytes.count == 65_536)
    client.send(binary: bytes)
    #expect(client.next() == .binary(bytes))
    client.connection.send(WebSocketClient.frame(0x02, Array(bytes[..<1_000])))
    client.connection.send(WebSocketClient.frame(0x89, [1, 2, 3]))
    client.connection.send(WebSocketClient.frame(0x00, []))
    client.connection.send(WebSocketClient.frame(0x80, Array(bytes[1_000...])))
    #expect(client.next() == .pong([1, 2, 3]))
    #expect(client.next() == .binary(bytes))
    for byte in WebSocketClient.frame(0x82, PacketEncoder.encode(OSCMessage("/slow"))) {
      client.connection.send([byte])
    }
    #expect(client.next() == .binary(PacketEncoder.encode(OSCMessage("/slow"))))
    #expect(echo.transport.counters.received == 3)
  }

  @Test("A packet that is no OSC is counted and not answered, and the connection stays open")
  func garbage() throws {
    let echo = try Echo()
    let client = try echo.client()
    for bytes in [[], [0x2f], Array("#bundle\0".utf8), [UInt8](repeating: 0xff, count: 4_000)] as [[UInt8]] {
      let before = echo.transport.counters.dropped
      client.send(binary: bytes)
      #expect(echo.answers(client))
      #expect(echo.transport.counters.dropped == before + 1)
    }
  }

  @Test(
    "What breaks the rules of frames ends the connection with the reason, and others are served",
    arguments: [
      ("a fragmented ping", WebSocketClient.frame(0x09, [1]), 1_002),
      ("a ping of 126 bytes", WebSocketClient.frame(0x89, [UInt8](repeating: 0, count: 126)), nil),
      ("a reserved bit", WebSocketClient.frame(0xc2, [1]), 1_002),
      ("an unknown kind", WebSocketClient.frame(0x83, [1]), 1_002),
      ("an end without a beginning", WebSocketClient.frame(0x80, [1]), 1_002),
      (
        "a beginning within a message", WebSocketClient.frame(0x02, [1]) + WebSocketClient.frame(0x82, [1]),
        1_002
      ),
      ("a length of 2^63", [0x82, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0], nil),
    ] as [(String, [UInt8], Int?)])
  func broken(_ name: String, _ bytes: [UInt8], _ code: Int?) throws {
    let echo = try Echo()
    let (other, client) = (try echo.client(), try echo.client())
    client.connection.send(bytes)
    if let code { #expect(client.next() == .close(code), "\(name)") }
    #expect(client.connection.ends(), "\(name)")
    #expect(echo.departures.wait { _ in true })
    #expect(echo.answers(other))
    #expect(echo.peers.all.count == 1)
  }

  @Test(
    "A frame without a mask is read as it is, although clients should mask: a mask protects proxies alone")
  func unmasked() throws {
    let echo = try Echo()
    let client = try echo.client()
    let bytes = PacketEncoder.encode(OSCMessage("/bare"))
    client.connection.send(WebSocketClient.frame(0x82, bytes, isMasked: false))
    #expect(client.next() == .binary(bytes))
    #expect(echo.answers(client))
  }

  @Test(
    "A message of more than 64 KiB ends the connection with 1009 and a line, however it comes",
    arguments: ["10 MB at once", "fragments without end", "a byte too many"])
  func tooLong(_ name: String) throws {
    let echo = try Echo()
    let client = try echo.client()
    switch name {
    case "10 MB at once": client.send(binary: [UInt8](repeating: 0x2f, count: 10 << 20))
    case "a byte too many": client.send(binary: [UInt8](repeating: 0x2f, count: 65_536 + 1))
    default:
      client.connection.send(WebSocketClient.frame(0x01, [0x2f]))
      for _ in 0..<70 {
        client.connection.send(WebSocketClient.frame(0x00, [UInt8](repeating: 0, count: 1_000)))
      }
    }
    #expect(echo.departures.wait { _ in true })
    let line = try #require(echo.lines.first { $0 })
    #expect(line.contains("127.0.0.1 was closed: a message has more than 65536 bytes"), "\(line)")
    // What was sent behind may have reset the connection before the reason was read.
    if name == "a byte too many" { #expect(client.next() == .close(1_009)) }
    #expect(client.connection.ends())
    #expect(echo.transport.counters.dropped == 1)
    #expect(echo.answers(try echo.client()))
  }

  @Test("A client that closes gets its own reason back, and is gone")
  func close() throws {
    let echo = try Echo()
    let client = try echo.client()
    #expect(echo.answers(client))
    let peer = try #require(echo.peers.all.first)
    client.connection.send(WebSocketClient.frame(0x88, [0x03, 0xe8]))
    #expect(client.next() == .close(1_000))
    #expect(client.connection.ends())
    #expect(echo.departures.wait { _ in true })
    #expect(!echo.transport.isConnected(peer))
    echo.transport.send(.message(OSCMessage("/late")), to: peer)
    #expect(echo.lines.all.isEmpty)
  }

  @Test(
    "A request that asks for less than a whole WebSocket gets none",
    arguments: [
      ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"],
      ["Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="],
      [
        "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 99",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      ],
      [
        "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: \(String(repeating: "a", count: 2_000))",
      ],
      ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA"],
      ["Connection: Upgrade", "Upgrade: raw"], ["Connection: Upgrade", "Upgrade: websocket"],
      WebSocketClient.upgrade + ["Sec-WebSocket-Protocol: mqtt"],
    ])
  func halfUpgrades(fields: [String]) throws {
    var limits = WebLimits()
    limits.patience = 1
    let echo = try Echo(limits)
    let connection = try echo.house.connection()
    let answer = connection.ask("GET", "/", fields: fields)
    #expect(answer?.status != 101)
    let hasOtherVersion =
      fields.contains("Upgrade: websocket") && !fields.contains("Sec-WebSocket-Version: 13")
    #expect((answer?.fields["sec-websocket-version"] == "13") == hasOtherVersion)
    #expect(connection.ends())
    #expect(echo.answers(try echo.client()))
  }

  @Test("Nothing is compressed, also if the client can")
  func extensions() throws {
    let echo = try Echo()
    let client = try WebSocketClient(
      port: echo.port, fields: ["Sec-WebSocket-Extensions: permessage-deflate"])
    #expect(echo.answers(try #require(client)))
  }

  @Test("Before the router receives there are no WebSockets")
  func early() throws {
    let echo = try Echo(isOpen: false)
    #expect(try WebSocketClient(port: echo.port) == nil)
    #expect(try HTTPConnection.ask("GET", "/5", port: echo.port)?.status == 200)
  }

  @Test(
    "A page of another site gets no WebSocket, nor does another name of this machine, and a native client does"
  )
  func origins() throws {
    let echo = try Echo()
    func status(_ host: String, _ origin: String?) throws -> Int? {
      let fields = WebSocketClient.upgrade + (origin.map { ["Origin: \($0)"] } ?? [])
      return try echo.house.connection().ask("GET", "/", host: host, fields: fields)?.status
    }
    let place = "127.0.0.1:\(echo.port)"
    #expect(try status(place, "http://\(place)") == 101)
    #expect(try status("desk.local:\(echo.port)", "http://desk.local:\(echo.port)") == 101)
    // Without a port, as older clients write it.
    #expect(try status("127.0.0.1", nil) == 101)
    for origin in ["http://evil.example", "http://127.0.0.1:80", "null", "file://", "https://\(place)"] {
      #expect(try status(place, origin) == 403, "\(origin)")
    }
    #expect(try status("evil.example:\(echo.port)", "http://evil.example:\(echo.port)") == 403)
  }

  @Test("A host without a permission is closed before a byte is read, and so is one that has lost it")
  func strangers() throws {
    let echo = try Echo()
    let client = try echo.client()
    #expect(echo.answers(client))
    echo.admits.store(false, ordering: .releasing)
    client.send(binary: PacketEncoder.encode(OSCMessage("/b")))
    #expect(client.connection.ends())
    #expect(echo.peers.all.count == 1 && echo.transport.counters.refused == 1)
  }

  @Test("Of 200 connections those beyond the places are closed, with one line in the log")
  func many() throws {
    let echo = try Echo()
    var clients: [WebSocketClient] = []
    for number in 0..<200 {
      if number < 64 {
        clients.append(try echo.client())
      } else {
        #expect(try WebSocketClient(port: echo.port) == nil)
      }
    }
    #expect(echo.lines.all.count == 1)
    #expect(echo.lines.all.first?.contains("127.0.0.1 has 64 HTTP connections") == true, "\(echo.lines.all)")
    #expect(echo.transport.counters.refused == 136)
    for client in clients { #expect(echo.answers(client)) }
    clients.removeLast()
    #expect(echo.departures.wait { _ in true })
    #expect(echo.answers(try echo.client()))
  }

  @Test("The end of the server ends all WebSockets")
  func stop() throws {
    let echo = try Echo()
    let client = try echo.client()
    #expect(echo.answers(client))
    echo.transport.stop()
    echo.house.server.stop()
    #expect(client.connection.ends())
    echo.transport.send(.message(OSCMessage("/late")), to: try #require(echo.peers.all.first))
  }
}

@Suite("A WebSocket client that does not read harms nobody")
struct WebSocketReadingTests {
  private static func feedback(_ number: Int, _ size: Int = 1_000) -> OSCPacket {
    .encoded(
      EncodedMessage(OSCMessage("/n", .int32(Int32(number)), .blob([UInt8](repeating: 1, count: size)))))
  }

  @Test(
    "Its feedback is lost first, and its connection ends after the time of silence; no other client waits")
  func deaf() throws {
    var limits = WebLimits()
    limits.silence = 6
    let echo = try Echo(limits)
    let deaf = try #require(try WebSocketClient(port: echo.port, receiveBuffer: 4_096))
    let bytes = PacketEncoder.encode(OSCMessage("/begin"))
    deaf.send(binary: bytes)
    let peer = try #require(echo.peers.first { $0 })
    let other = try echo.client()
    // The system keeps some hundred kilobytes for a client.
    let packet = Self.feedback(7)
    for _ in 0..<3_000 { echo.transport.send(packet, to: peer) }
    #expect(echo.lines.first { $0.contains("reads too slowly") ? $0 : nil } != nil)
    #expect(echo.transport.counters.withheld > 1_000)
    #expect(echo.transport.isConnected(peer))
    #expect(echo.answers(other))
    // As the system's buffers grow, they may take all that waits, so the feedback goes on.
    let end = MonotonicTime.now + 20
    while echo.transport.isConnected(peer), MonotonicTime.now < end {
      for _ in 0..<100 { echo.transport.send(packet, to: peer) }
      OwnThread.sleep(seconds: 1 / 30)
    }
    #expect(!echo.transport.isConnected(peer))
    #expect(
      echo.lines.first { $0.contains("was dropped: it reads nothing") ? $0 : nil } != nil, "\(echo.lines.all)"
    )
    #expect(echo.answers(try echo.client()))
  }

  @Test("One that reads again gets what waited, in order, and may have all feedback anew")
  func late() throws {
    let echo = try Echo()
    let client = try #require(try WebSocketClient(port: echo.port, receiveBuffer: 4_096))
    #expect(echo.answers(client))
    let peer = try #require(echo.peers.all.first)
    var (sent, lost) = (0, 0)
    // The system keeps some megabytes for a client at most, and as long as it takes more, the client counts as one that reads.
    repeat {
      _ = echo.transport.takeResumed()
      lost = echo.transport.counters.withheld
      for number in sent..<sent + 3_000 { echo.transport.send(Self.feedback(number), to: peer) }
      sent += 3_000
    } while echo.transport.counters.withheld == lost || !echo.transport.takeResumed().isEmpty
    lost = echo.transport.counters.withheld
    var last = -1
    for _ in 0..<sent - lost {
      guard case .binary(let bytes)? = client.next(),
        case .int32(let number)? = try PacketDecoder(limits: .tcp).decode(bytes.span).messages.first?
          .arguments.first
      else {
        Issue.record("no frame behind \(last)")
        return
      }
      #expect(Int(number) > last)
      last = Int(number)
    }
    #expect(echo.departures.wait { _ in true }, "the surface is told that it reads again")
    #expect(echo.transport.takeResumed() == [peer])
    #expect(echo.answers(client))
  }

  @Test("Answers are not lost: too many of them end the connection at once, with a line")
  func overfull() throws {
    let echo = try Echo()
    let deaf = try #require(try WebSocketClient(port: echo.port, receiveBuffer: 4_096))
    deaf.send(binary: PacketEncoder.encode(OSCMessage("/begin")))
    let peer = try #require(echo.peers.first { $0 })
    let answer = OSCMessage("/answer", .blob([UInt8](repeating: 1, count: 10_000)))
    for _ in 0..<300 { echo.transport.send(.message(answer), to: peer) }
    #expect(echo.departures.wait { _ in true })
    #expect(
      echo.lines.all.contains { $0.contains("left more than 384 KiB of answers unread") }, "\(echo.lines.all)"
    )
    #expect(echo.transport.counters.withheld == 0)
  }

  @Test("A client that answers no ping is dropped, and one that does is not")
  func pings() throws {
    var limits = WebLimits()
    limits.silence = 3
    let echo = try Echo(limits)
    let (silent, alive) = (try echo.client(), try echo.client())
    #expect(echo.answers(silent))
    for _ in 0..<3 {
      guard case .ping(let payload)? = alive.next() else {
        Issue.record("no ping")
        return
      }
      alive.connection.send(WebSocketClient.frame(0x8a, payload))
    }
    #expect(echo.departures.wait { _ in true })
    #expect(silent.connection.ends())
    #expect(echo.answers(alive))
  }
}
