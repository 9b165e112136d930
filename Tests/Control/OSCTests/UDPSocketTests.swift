import ControlInterface
import Foundation
import OSC
import Testing

@Suite("UDP sockets")
struct UDPSocketTests {
  @Test("Port 0 takes any free port, by default on the loopback interface")
  func anyPort() throws {
    let socket = try UDPSocket(port: 0)
    #expect(socket.localAddress.port != 0)
    #expect(socket.localAddress.host.isLoopback)
    #expect(socket.localAddress.description == "127.0.0.1:\(socket.localAddress.port)")
  }

  @Test("A host is an address or the name of an interface", arguments: ["127.0.0.1", "lo", "localhost"])
  func host(_ name: String) throws {
    #expect(try UDPSocket(host: name, port: 0).localAddress.host.description == "127.0.0.1")
  }

  @Test("The error of an unknown interface lists those that exist")
  func unknownInterface() {
    let error = #expect(throws: SocketError.self) { try UDPSocket(host: "stage9", port: 0) }
    #expect(error?.description.contains("\"stage9\"") == true)
    #expect(error?.description.contains("lo (127.0.0.1)") == true)
  }

  @Test("The error of an address of another machine says that no interface has it")
  func foreignAddress() {
    let error = #expect(throws: SocketError.self) { try UDPSocket(host: "192.0.2.1", port: 0) }
    #expect(error?.number == EADDRNOTAVAIL)
    #expect(error?.description == "No interface of this machine has the address 192.0.2.1.")
  }

  @Test("A port in use names the program that holds it")
  func portInUse() throws {
    let first = try UDPSocket(port: 0)
    let error = #expect(throws: SocketError.self) { try UDPSocket(port: first.localAddress.port) }
    guard case .addressInUse(.udp("127.0.0.1", let port), let holder?) = error,
      port == first.localAddress.port
    else {
      Issue.record("unexpected: \(String(describing: error))")
      return
    }
    #expect(holder.processID == getpid())
    #expect(holder.userID == getuid())
    #expect(holder.program?.isEmpty == false)
    #expect(error?.description.contains("(process \(getpid()))") == true)
    #expect(error?.number == EADDRINUSE)
  }

  @Test("A socket on every interface blocks its port for others, and the error names its program")
  func wildcardInUse() throws {
    let first = try UDPSocket(host: "0.0.0.0", port: 0)
    let port = first.localAddress.port
    for host in ["127.0.0.1", "0.0.0.0"] {
      let error = #expect(throws: SocketError.self) { try UDPSocket(host: host, port: port) }
      guard case .addressInUse(_, let holder?) = error else {
        Issue.record("unexpected: \(String(describing: error))")
        return
      }
      #expect(holder.processID == getpid())
    }
  }

  @Test("A port is free again after the end of its socket")
  func closing() throws {
    var first: UDPSocket? = try UDPSocket(port: 0)
    let port = try #require(first).localAddress.port
    first = nil
    #expect(try UDPSocket(port: port).localAddress.port == port)
    #expect(SocketHolder(of: PeerAddress(host: .loopback, port: port), over: .udp) == nil)
  }

  @Test("A datagram that is too large is refused, not cut")
  func tooLarge() throws {
    let socket = try UDPSocket(port: 0)
    let error = #expect(throws: SocketError.self) {
      try socket.send([UInt8](repeating: 0, count: 65_508), to: socket.localAddress)
    }
    #expect(error?.number == EMSGSIZE)
  }

  @Test("An address is four numbers up to 255 and nothing else")
  func peerAddress() {
    let address = PeerAddress(host: "192.168.1.20", port: 9_000)
    #expect(address == PeerAddress(host: HostAddress(0xc0a8_0114), port: 9_000))
    #expect(address?.description == "192.168.1.20:9000")
    #expect(address?.host.isLoopback == false)
    #expect(address?.withPort(9_001).port == 9_001)
    #expect(PeerAddress(host: "127.1.2.3", port: 0)?.host.isLoopback == true)
    for text in ["", "1.2.3", "1.2.3.4.5", "1.2.3.256", "1.2.3.+4", "1..2.3", "lo"] {
      #expect(PeerAddress(host: text, port: 1) == nil)
    }
  }
}
