import ControlInterface
import Foundation
import SystemCalls
import Testing

@testable import OSC

@Suite("OSC over IPv6")
struct IPv6Tests {
  /// A link-local address of this machine with its interface, if it has one.
  private static let linkLocal = System.getifaddrs().lazy.compactMap { HostAddress($0.address) }
    .first(where: \.isLinkLocal)

  // MARK: Addresses

  @Test("An address has one text, and any text of it is the same address")
  func texts() throws {
    for (text, canonical) in [
      ("::1", "::1"), ("FD00:0:0::1", "fd00::1"), ("0:0:0:0:0:0:0:0", "::"), ("fe80::1%lo", "fe80::1%lo"),
      ("fe80::1", "fe80::1"), ("fe80::1%1", "fe80::1%lo"), ("fe80::1%4000000000", "fe80::1%4000000000"),
    ] {
      let address = try #require(HostAddress(text))
      #expect("\(address)" == canonical && !address.isIPv4)
      #expect(HostAddress("\(address)") == address)
      #expect(PeerAddress(host: address, port: 9_000).description == "[\(canonical)]:9000")
    }
    for text in ["", ":", ":1", "1::2::3", "::1%lo", "::g", "[::1]", "fe80::1%", "fe80::1%stage9", "::1.2.3"]
    {
      #expect(HostAddress(text) == nil, "\(text)")
    }
  }

  @Test(
    "The loopback address and the one for every interface are known, and one at each interface is another")
  func kinds() throws {
    #expect(HostAddress("::1")?.isLoopback == true && HostAddress("::2")?.isLoopback == false)
    #expect(HostAddress("::")?.isAny == true && HostAddress("0.0.0.0") == .any && HostAddress.any.isAny)
    #expect(HostAddress("::") != .any && HostAddress("::1")?.isAny == false)
    #expect(HostAddress("fe80::1%lo") != HostAddress("fe80::1"))
    #expect(HostAddress("febf::1")?.isLinkLocal == true && HostAddress("fec0::1")?.isLinkLocal == false)
  }

  @Test("A mapped IPv4 address is the IPv4 address")
  func mapped() throws {
    let host = try #require(HostAddress("::ffff:192.168.1.20"))
    #expect(host == HostAddress("192.168.1.20") && host == HostAddress("::ffff:c0a8:114"))
    #expect("\(host)" == "192.168.1.20" && host.isIPv4)
    #expect(HostAddress("::ffff:127.0.0.1")?.isLoopback == true)
    #expect(HostNetwork("::ffff:10.0.0.0/104") == HostNetwork("10.0.0.0/8"))
    // The socket is one for IPv4.
    let socket = try UDPSocket(host: "::ffff:127.0.0.1", port: 0)
    #expect(socket.localAddress.host == .loopback)
  }

  @Test("An endpoint has its IPv6 address in brackets, and its interface within")
  func endpoints() {
    for text in ["[::1]:9440", "tcp:[fd00::1]:0", "[fe80::1%eth0]:9440", "[fe80::1%stage9]:9440", "[::]:1"] {
      #expect(Endpoint(text).map { "\($0)" } == text)
    }
    #expect(Endpoint("[::1]:9440") == .udp(host: "::1", port: 9_440))
    #expect(Endpoint("[::1]:9440")?.isLocal == true && Endpoint("[::]:9440")?.isLocal == false)
    for text in [
      "::1:9440", "[::1]", "[::1]:", "[::1]9440", "[::1:9440", "::1]:9440", "[desk]:9440", "[127.0.0.1]:1",
      "[]:1", "[::1]:70000", "[::1 ]:1", "[fe80::1%a b]:1", "tcp:::1:1",
    ] { #expect(Endpoint(text) == nil, "\(text)") }
  }

  @Test(
    "A network contains the addresses of its family, and one at an interface those at the interface alone")
  func networks() throws {
    func contains(_ network: String, _ host: String) throws -> Bool {
      try #require(HostNetwork(network)).contains(try #require(HostAddress(host)))
    }
    #expect(try contains("fd00::/8", "fdff::1") && !contains("fd00::/8", "fe00::1"))
    #expect(try contains("::/0", "fd00::1") && !contains("::/0", "10.0.0.1"))
    #expect(try contains("0.0.0.0/0", "::ffff:10.0.0.1") && !contains("0.0.0.0/0", "::1"))
    #expect(try contains("fe80::/10", "fe80::1%lo") && contains("fe80::%lo/10", "fe80::1%lo"))
    #expect(try !contains("fe80::%stage9/10", "fe80::1%lo") && !contains("fe80::%lo/10", "fe80::1"))
    for text in ["fd00::/8", "fe80::%stage9/10", "fd00::1", "fe80::1%lo", "10.0.0.0/8", "::/0"] {
      #expect(HostNetwork(text)?.description == text)
    }
    #expect(
      HostNetwork("fd00::7/8")?.stray == "fd00::7" && HostNetwork("fd00::7/8")?.description == "fd00::/8")
    for text in ["fd00::/129", "fd00::/", "::1%lo", "fd00::%lo/8", "fe80::%/10", "fe80::/10%lo", "::/-1"] {
      #expect(HostNetwork(text) == nil, "\(text)")
    }
  }

  // MARK: Sockets

  @Test("A client and a router talk over UDP at ::1, and a port in use names the program that has it")
  func udp() throws {
    let socket = try UDPSocket(host: "::1", port: 0)
    #expect("\(socket.localAddress)" == "[::1]:\(socket.localAddress.port)")
    let client = try OSCClient(host: "::1", port: socket.localAddress.port)
    try client.send(OSCMessage("/ping"))
    var buffer = [UInt8](repeating: 0, count: 64)
    let sender = try buffer.withUnsafeMutableBytes { try socket.receive(into: $0) }.sender
    #expect(sender == client.localAddress)
    try socket.send(PacketEncoder.encode(OSCMessage("/pong")), to: sender)
    #expect(try client.receive(timeout: .seconds(5)) == .message(OSCMessage("/pong")))
    for host in ["::1", "::"] {
      let error = #expect(throws: SocketError.self) {
        try UDPSocket(host: host, port: socket.localAddress.port)
      }
      guard case .addressInUse(.udp(host, _), let holder?) = error else {
        Issue.record("unexpected: \(String(describing: error))")
        continue
      }
      #expect(holder.processID == getpid())
    }
  }

  @Test("A socket at :: takes IPv6 alone, so that one at 0.0.0.0 has the same port beside it")
  func both() throws {
    for kind in [SocketHolder.PortKind.udp, .tcp] {
      func open(_ host: String, _ port: UInt16) throws -> (AnyObject, PeerAddress) {
        if kind == .udp {
          let socket = try UDPSocket(host: host, port: port)
          return (socket, socket.localAddress)
        }
        let listener = try TCPListener(host: host, port: port)
        return (listener, listener.localAddress)
      }
      // Another program may have a socket at the same port over IPv4, but not at each of fifty ports.
      let hasBoth = try (0..<50).contains { _ in
        let (six, address) = try open("::", 0)
        #expect(
          SocketHolder(of: PeerAddress(host: HostAddress("::1")!, port: address.port), over: kind) != nil)
        let four = try? open("0.0.0.0", address.port)
        return withExtendedLifetime(six) { four != nil }
      }
      #expect(hasBoth, "\(kind)")
    }
  }

  @Test("An own socket is known by any address of this machine of its family")
  func own() throws {
    let transport = UDPTransport([
      try UDPSocket(host: "::", port: 0), try UDPSocket(host: "127.0.0.1", port: 0),
    ])
    let ports = transport.endpoints.map { endpoint -> UInt32 in
      if case .udp(_, let port) = endpoint { UInt32(port) } else { 0 }
    }
    func isOwn(_ host: HostAddress, _ index: Int) -> Bool {
      transport.isOwn(Peer(transport: UDPTransport.transport, host: host, endpoint: ports[index]))
    }
    for (_, address) in System.getifaddrs() {
      let host = try #require(HostAddress(address))
      #expect(isOwn(host, 0) == !host.isIPv4)
    }
    #expect(isOwn(.loopback, 1) && !isOwn(HostAddress("::1")!, 1) && !isOwn(HostAddress("fd00:9::1")!, 0))
  }

  @Test("A packet to a client that has sent nothing yet leaves from a socket of its family")
  func family() throws {
    let transport = UDPTransport([
      try UDPSocket(host: "127.0.0.1", port: 0), try UDPSocket(host: "::1", port: 0),
    ])
    let wall = try UDPSocket(host: "::1", port: 0)
    transport.send(
      .message(OSCMessage("/a")),
      to: Peer(
        transport: UDPTransport.transport, host: wall.localAddress.host,
        endpoint: UInt32(wall.localAddress.port)))
    var buffer = [UInt8](repeating: 0, count: 64)
    let sender = try buffer.withUnsafeMutableBytes { try wall.receive(into: $0) }.sender
    #expect(Endpoint.udp(host: "\(sender.host)", port: sender.port) == transport.endpoints[1])
  }

  @Test("Clients talk over TCP at ::1, in both framings; one without permission is closed")
  func tcp() throws {
    var listeners = Listeners()
    try listeners.open(.tcp(host: "::1", port: 0))
    let transport = listeners.transports[0]
    defer { transport.stop() }
    try transport.start(
      Reception(
        admits: { $0.isLoopback }, peek: { _, _ in },
        receive: { packet, peer in
          #expect("\(peer)" == "tcp client \(peer.endpoint) at ::1")
          return (try? packet.get())?.messages.first
        }))
    for framing in [Framing.slip, .length] {
      let client = try OSCClient(transport.endpoints[0], framing: framing)
      #expect("\(client.peer)".hasPrefix("tcp:[::1]:"))
      try client.send(OSCMessage("/a", .int32(1)))
      #expect(try client.receive(timeout: .seconds(5)) == .message(OSCMessage("/a", .int32(1))))
    }
  }

  @Test(
    "A link-local address needs its interface, and works with it",
    .enabled(if: linkLocal != nil, "this machine has no link-local address"))
  func interface() throws {
    let host = try #require(Self.linkLocal)
    let socket = try UDPSocket(host: "\(host)", port: 0)
    #expect(socket.localAddress.host == host)
    let client = try OSCClient(try #require(Endpoint("[\(host)]:\(socket.localAddress.port)")))
    try client.send(OSCMessage("/ping"))
    var buffer = [UInt8](repeating: 0, count: 64)
    #expect(try buffer.withUnsafeMutableBytes { try socket.receive(into: $0) }.sender == client.localAddress)
    let bare = "\(HostAddress(ipv6: host.number))"
    for open in [{ _ = try UDPSocket(host: bare, port: 0) }, { _ = try OSCClient(host: bare, port: 9) }] {
      let error = #expect(throws: SocketError.self) { try open() }
      #expect(error?.description == "\(bare) is at every interface; name one, such as \(bare)%eth0.")
    }
  }

  @Test("What is no address of this machine is refused with the interfaces, those of IPv6 among them")
  func unknown() {
    for host in ["fe80::1%stage9", "::1%lo"] {
      let error = #expect(throws: SocketError.self) { try UDPSocket(host: host, port: 0) }
      #expect(error?.description.contains("\"\(host)\" is neither an IP address") == true)
      #expect(error?.description.contains("lo (::1)") == true)
    }
    let foreign = #expect(throws: SocketError.self) { try TCPListener(host: "2001:db8::1", port: 0) }
    #expect(foreign?.description == "No interface of this machine has the address 2001:db8::1.")
  }
}
