import ControlInterface
import SystemCalls
import Testing
import Threads

@testable import OSC

@Suite struct RefusedPortTests {
  private static let port = PeerAddress(host: .loopback, port: 9_000)

  /// Asks for a packet; a macro cannot call a mutating function.
  private static func maySend(_ ports: inout RefusedPorts, _ port: PeerAddress = port, at time: Double)
    -> Bool
  {
    ports.maySend(port, at: time)
  }

  @Test("A refusing port gets one packet a second, and everything again after one that it accepts")
  func pace() {
    var ports = RefusedPorts()
    #expect(Self.maySend(&ports, at: 1))
    ports.noteRefusal(Self.port, at: 1)
    var sent = 0
    for step in 1...1_000 where ports.maySend(Self.port, at: 1 + Double(step) / 100) {
      sent += 1
      ports.noteRefusal(Self.port, at: 1 + Double(step) / 100)
    }
    #expect(sent == 10)
    #expect(ports.withheld == 990)
    #expect(Self.maySend(&ports, Self.port.withPort(9_001), at: 11))
    #expect(Self.maySend(&ports, at: 12.1))
    #expect(!Self.maySend(&ports, at: 12.2))
    // The packet at 12.1 was not refused.
    #expect(Self.maySend(&ports, at: 13.2))
    #expect(Self.maySend(&ports, at: 13.21))
  }

  @Test("A message from a refusing port ends its refusal at once")
  func message() {
    var ports = RefusedPorts()
    ports.noteRefusal(Self.port, at: 1)
    #expect(!Self.maySend(&ports, at: 1.1))
    ports.noteMessage(Self.port)
    #expect(Self.maySend(&ports, at: 1.2))
  }

  @Test("After 30 s of refusals a port expires, and again after 30 s more")
  func expiry() {
    var ports = RefusedPorts()
    for second in 0...30 {
      let expired = ports.takeExpired(at: Double(second))
      #expect(expired.isEmpty)
      _ = ports.maySend(Self.port, at: Double(second))
      ports.noteRefusal(Self.port, at: Double(second))
    }
    let expired = (first: ports.takeExpired(at: 30), then: ports.takeExpired(at: 30))
    #expect(expired.first == [Self.port])
    #expect(expired.then.isEmpty)
  }

  @Test(
    "A socket learns from the system that a port refuses, sends to others, and receives on",
    arguments: ["127.0.0.1", "::1"])
  func system(host: String) throws {
    func socket() throws -> UDPSocket { try UDPSocket(host: host, port: 0) }
    let (socket, listener, gone) = (try socket(), try socket(), try socket())
    let closed = gone.localAddress
    _ = consume gone
    for _ in 0..<200 {
      try socket.send([1, 2, 3, 4], to: closed)
      try socket.send([5, 6, 7, 8], to: listener.localAddress)
    }
    // The system has told of the first refusal before the second datagram, or soon after.
    #expect(socket.withheld > 180)
    try listener.send([9], to: socket.localAddress)
    var buffer = [UInt8](repeating: 0, count: 16)
    let received = try buffer.withUnsafeMutableBytes { try socket.receive(into: $0) }
    #expect(received.size == 1 && received.sender == listener.localAddress)
    for _ in 0..<200 {
      let size = try buffer.withUnsafeMutableBytes { try listener.receive(into: $0) }.size
      #expect(size == 4)
    }
  }

  @Test("Thousands of refusals lose no datagram to another port")
  func storm() throws {
    let (socket, listener) = (try UDPSocket(port: 0), try UDPSocket(port: 0))
    // Its thread takes reports of refusals, too.
    let (arrived, count) = (Semaphore(), 2_000)
    let receiver = try UDPReceiver(socket: socket) { _, _ in arrived.signal() }
    let ping = PacketEncoder.encode(OSCMessage("/ping"))
    var buffer = [UInt8](repeating: 0, count: 64)
    for number in 0..<count {
      // No program has these ports. Each refuses one packet, and the next packet goes to another one.
      try socket.send([1, 2, 3, 4], to: PeerAddress(host: .loopback, port: UInt16(1_024 + number)))
      try socket.send([5, 6, 7, 8], to: listener.localAddress)
      let size = try buffer.withUnsafeMutableBytes { try listener.receive(into: $0) }.size
      #expect(size == 4)
      try listener.send(ping, to: socket.localAddress)
    }
    for _ in 0..<count where !arrived.wait(seconds: 5) { Issue.record("a datagram was lost") }
    #expect(receiver.counters.socketErrors == 0)
    receiver.stop()
  }

  @Test("A socket has a receive buffer of 1 MiB, or of what the system grants")
  func buffer() throws {
    let granted = try #require(
      WholeFile.lines("/proc/sys/net/core/rmem_max").first.flatMap { Int32($0) })
    // Linux doubles what was set.
    let socket = try UDPSocket(port: 0)
    #expect(try System.receiveBuffer(socket.descriptor) == 2 * min(1 << 20, granted))
  }

  @Test("A port that accepts packets again, or sends one, is told once")
  func resumed() {
    var ports = RefusedPorts()
    func resumed() -> [PeerAddress] { ports.takeResumed() }
    ports.noteRefusal(Self.port, at: 1)
    #expect(resumed().isEmpty)
    #expect(Self.maySend(&ports, at: 2.1))
    #expect(resumed().isEmpty)
    #expect(Self.maySend(&ports, at: 3.2))
    #expect(resumed() == [Self.port])
    #expect(resumed().isEmpty)
    ports.noteRefusal(Self.port, at: 4)
    ports.noteMessage(Self.port)
    #expect(resumed() == [Self.port])
    ports.noteMessage(Self.port)
    #expect(resumed().isEmpty)
  }
}
