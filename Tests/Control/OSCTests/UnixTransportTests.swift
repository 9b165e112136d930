import ControlInterface
import Foundation
import OSC
import Synchronization
import TemporaryFolders
import Testing

@Suite("OSC over Unix sockets")
struct UnixTransportTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A transport that answers each message with the same message, and records the senders.
  private final class Echo: Sendable {
    let transport: any OSCTransport
    private let heard = Mutex<[Peer]>([])

    init(_ paths: String...) throws {
      var listeners = Listeners()
      for path in paths { try listeners.open(.unix(path: path)) }
      transport = listeners.transports[0]
      try transport.start(
        Reception(
          admits: { _ in false }, peek: { _, _ in },
          receive: { [weak self] packet, peer in
            self?.heard.withLock { $0.append(peer) }
            if let packet = try? packet.get() { self?.transport.send(packet, to: peer) }
            return nil
          }))
    }

    deinit { transport.stop() }

    var peers: [Peer] { heard.withLock { $0 } }
  }

  private func answer(_ client: OSCClient, _ address: String) throws -> OSCPacket? {
    try client.send(OSCMessage(address))
    return try client.receive(timeout: .seconds(5))
  }

  @Test("Each client gets the answers to its own messages, and counts as one peer of this machine")
  func answers() throws {
    let echo = try Echo(folder.file("a.osc"))
    #expect(echo.transport.endpoints == [.unix(path: folder.file("a.osc"))])
    let clients = try (0..<3).map { _ in try OSCClient(.unix(path: folder.file("a.osc"))) }
    for round in 0..<3 {
      for (index, client) in clients.enumerated() {
        #expect(try answer(client, "/\(round)/\(index)") == .message(OSCMessage("/\(round)/\(index)")))
      }
    }
    #expect(Set(echo.peers).count == 3)
    for peer in echo.peers {
      #expect(peer.host.isLoopback)
      #expect(peer.transport == UnixTransport.transport && peer.port == 0 && peer.withPort(9) == peer)
    }
    #expect(echo.transport.counters.received == 9)
  }

  @Test("Of two sockets each answers its own clients")
  func twoSockets() throws {
    let echo = try Echo(folder.file("a.osc"), folder.file("b.osc"))
    defer { echo.transport.stop() }
    for name in ["a.osc", "b.osc", "a.osc"] {
      let client = try OSCClient(.unix(path: folder.file(name)))
      #expect(try answer(client, "/hear") == .message(OSCMessage("/hear")))
    }
  }

  @Test("A sender without an address is received but gets no answer, and other clients still get theirs")
  func unbound() throws {
    let echo = try Echo(folder.file("a.osc"))
    let client = try OSCClient(.unix(path: folder.file("a.osc")))
    #expect(try answer(client, "/before") != nil)
    let stranger = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(stranger) }
    for _ in 0..<20 {
      // The system keeps ten packets for a receiver. An answer shows that the packets before it were received.
      for _ in 0..<5 {
        #expect(send([UInt8]("/a\0\0,\0\0\0".utf8), from: stranger, to: folder.file("a.osc")) == 8)
      }
      #expect(try answer(client, "/after") == .message(OSCMessage("/after")))
    }
    #expect(echo.peers.count == 121)
    #expect(Set(echo.peers).count == 2)
  }

  @Test("A client whose own socket has a path gets answers at that path")
  func boundClient() throws {
    let echo = try Echo(folder.file("a.osc"))
    let own = try UnixSocket(path: folder.file("client"))
    try own.send([UInt8]("/a\0\0,\0\0\0".utf8), to: UnixAddress(path: folder.file("a.osc")))
    #expect(echo.transport.counters.dropped == 0)
    var buffer = [UInt8](repeating: 0, count: 64)
    let (size, _) = try buffer.withUnsafeMutableBytes { try own.receive(into: $0) }
    #expect(Array(buffer[..<size]) == [UInt8]("/a\0\0,\0\0\0".utf8))
  }

  @Test("Bytes that are not OSC are counted, and the next packet is received")
  func garbage() throws {
    let echo = try Echo(folder.file("a.osc"))
    let client = try OSCClient(.unix(path: folder.file("a.osc")))
    try client.send(bytes: [1, 2, 3])
    try client.send(bytes: [UInt8](repeating: 0x2f, count: 8_196))
    #expect(try answer(client, "/here") == .message(OSCMessage("/here")))
    #expect(echo.transport.counters.dropped == 2)
  }

  @Test("A stopped transport receives nothing and has no file; stopping it again has no effect")
  func stop() throws {
    let echo = try Echo(folder.file("a.osc"))
    echo.transport.stop()
    echo.transport.stop()
    #expect(!FileManager.default.fileExists(atPath: folder.file("a.osc")))
  }

  @Test("oscsend of liblo reaches the socket")
  func oscsend() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: OSCPacket?.self)
    var listeners = Listeners()
    try listeners.open(.unix(path: folder.file("a.osc")))
    let transport = listeners.transports[0]
    try transport.start(
      Reception(
        admits: { _ in false }, peek: { _, _ in },
        receive: { packet, _ in
          continuation.yield(try? packet.get())
          return nil
        }))
    defer { transport.stop() }
    let process = try Process.run(
      URL(fileURLWithPath: "/usr/bin/env"),
      arguments: ["oscsend", "osc.unix://\(folder.file("a.osc"))", "/output/usb/gain", "f", "-12"])
    for await packet in stream {
      #expect(packet == .message(OSCMessage("/output/usb/gain", .float(-12))))
      break
    }
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }
}

/// Sends from a socket that has no address. Returns the number of bytes that the system accepted.
private func send(_ bytes: [UInt8], from socket: Int32, to path: String) -> Int {
  var name = sockaddr_un()
  name.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8) }
  return withUnsafePointer(to: &name) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      sendto(socket, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
}
