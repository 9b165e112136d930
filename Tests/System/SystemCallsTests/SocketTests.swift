import SystemCalls
import TemporaryFolders
import Testing

@Suite struct SocketTests {
  private func receive(_ socket: Int32, waits: Bool = true) throws -> (bytes: [UInt8], sender: SocketAddress)?
  {
    var buffer = [UInt8](repeating: 0, count: 100)
    return try buffer.withUnsafeMutableBytes { buffer in
      try System.recvfrom(socket, into: buffer, waits: waits).map {
        (Array(buffer[..<min($0.size, 100)]), $0.sender)
      }
    }
  }

  @Test("A datagram arrives with the address of its sender, over IPv4")
  func ipv4() throws {
    let sockets = try (0..<2).map { _ in
      let socket = try System.socket(.ipv4, .datagram)
      try System.bind(socket, to: .ipv4(host: 0x7f00_0001, port: 0))
      return socket
    }
    defer { sockets.forEach(System.close) }
    let addresses = try sockets.map(System.getsockname)
    #expect(try receive(sockets[1], waits: false) == nil)
    try System.sendto(sockets[0], [1, 2, 3], to: addresses[1])
    let received = try receive(sockets[1])
    #expect(received?.bytes == [1, 2, 3])
    #expect(received?.sender == addresses[0])
    #expect("\(addresses[0])".hasPrefix("127.0.0.1:"))
    #expect(throws: SystemError("bind", .addressInUse, "\(addresses[1])")) {
      try System.bind(System.socket(.ipv4, .datagram), to: addresses[1])
    }
  }

  @Test("A datagram arrives with the address of its sender, over IPv6; the port stays free for IPv4")
  func ipv6() throws {
    let sockets = try (0..<2).map { _ in
      let socket = try System.socket(.ipv6, .datagram)
      try System.bind(socket, to: .ipv6(host: 0, scope: 0, port: 0))
      return socket
    }
    defer { sockets.forEach(System.close) }
    guard case .ipv6(0, 0, let port) = try System.getsockname(sockets[1]) else {
      Issue.record("no IPv6 address")
      return
    }
    try System.sendto(sockets[0], [1, 2, 3], to: .ipv6(host: 1, scope: 0, port: port))
    let received = try receive(sockets[1])
    #expect(received?.bytes == [1, 2, 3])
    #expect(received.map { "\($0.sender)" }?.hasPrefix("[::1]:") == true)
    let other = try System.socket(.ipv4, .datagram)
    defer { System.close(other) }
    try System.bind(other, to: .ipv4(host: 0, port: port))
  }

  @Test(
    "A datagram arrives with the path of its sender, over a Unix socket; a path without a listener is refused"
  )
  func unix() throws {
    let folder = try TemporaryFolder()
    let paths = [folder.file("a"), folder.file("b")]
    let sockets = try paths.map { path in
      let socket = try System.socket(.unix, .datagram)
      try System.bind(socket, to: .unix(path: path))
      return socket
    }
    try System.connect(sockets[0], to: .unix(path: paths[1]))
    #expect(System.getpeername(sockets[0]) == .unix(path: paths[1]))
    try System.sendto(sockets[0], [7])
    let received = try receive(sockets[1])
    #expect(received?.bytes == [7])
    #expect(received?.sender == .unix(path: paths[0]))
    System.close(sockets[1])
    #expect(try System.stat(paths[1]).kind == .socket)
    let other = try System.socket(.unix, .datagram)
    #expect(throws: SystemError("connect", .connectionRefused, paths[1])) {
      try System.connect(other, to: .unix(path: paths[1]))
    }
    System.close(other)
    System.close(sockets[0])
  }

  @Test("A socket without a name sends as one without a name")
  func unnamed() throws {
    let folder = try TemporaryFolder()
    let (server, client) = (try System.socket(.unix, .datagram), try System.socket(.unix, .datagram))
    defer { [server, client].forEach(System.close) }
    try System.bind(server, to: .unix(path: folder.file("a")))
    try System.sendto(client, [1], to: .unix(path: folder.file("a")))
    #expect(try receive(server)?.sender == .unnamed)
  }

  @Test("Reading a stream distinguishes bytes, no bytes yet, and the end")
  func stream() throws {
    let (left, right) = try System.socketpair()
    defer { System.close(right) }
    #expect(try System.recv(right, count: 10) == nil)
    #expect(try System.send(left, [1, 2][...], waits: true) == 2)
    #expect(try System.recv(right, count: 10) == [1, 2])
    System.close(left)
    #expect(try System.recv(right, count: 10) == [])
    #expect(throws: SystemError("sendto", .brokenPipe)) { try System.send(right, [1][...], waits: true) }
  }

  @Test("A listener that waits gets the connection and the number of the peer's process")
  func connection() throws {
    let folder = try TemporaryFolder()
    let (server, client) = (try System.socket(.unix, .stream), try System.socket(.unix, .stream))
    try System.bind(server, to: .unix(path: folder.file("a")))
    try System.listen(server)
    try System.connect(client, to: .unix(path: folder.file("a")))
    let accepted = try System.accept(server)
    #expect(System.peerProcess(client) == System.getpid())
    System.shutdown(client, .writing)
    #expect(try System.read(accepted, count: 1) == [])
    [server, client, accepted].forEach(System.close)
  }

  @Test("The loopback interface has its addresses, and so has the name localhost")
  func names() {
    let own = System.getifaddrs()
    #expect(own.contains { $0 == ("lo", .ipv4(host: 0x7f00_0001, port: 0)) })
    #expect(own.contains { $0 == ("lo", .ipv6(host: 1, scope: 0, port: 0)) })
    #expect(System.getaddrinfo("localhost").contains(.ipv4(host: 0x7f00_0001, port: 0)))
    #expect(System.getaddrinfo("no-such-host.invalid").isEmpty)
    #expect(System.if_nametoindex("lo").flatMap(System.if_indextoname) == "lo")
    #expect(System.if_nametoindex("stage9") == nil && System.if_indextoname(.max) == nil)
  }

  @Test("The text of an IPv6 address is that of RFC 5952")
  func texts() {
    for (text, canonical) in [
      ("2001:DB8:0:0:0:0:0:1", "2001:db8::1"), ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"),
      ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"), ("::", "::"), ("::ffff:10.0.0.1", "::ffff:10.0.0.1"),
    ] { #expect(System.inet_pton(text).map(System.inet_ntop) == canonical) }
    for text in ["", "1", "127.0.0.1", "::1%lo", "[::1]", "1::2::3", "::g"] {
      #expect(System.inet_pton(text) == nil)
    }
  }
}
