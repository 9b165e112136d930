import AwaitedEvents
import ControlInterface
import NSM
import OSC
import Testing
import Threads

/// The socket of the conversation with a session manager.
@Suite struct LinkTests {
  private let news = AwaitedEvents<NSMLink.News>()
  private let received = AwaitedEvents<(message: OSCMessage, sender: PeerAddress)>()

  private func manager(at host: String) throws -> UDPReceiver {
    try UDPReceiver(
      socket: UDPSocket(host: host, port: 0), name: "manager",
      handler: { [received] result, sender in
        for message in (try? result.get())?.messages ?? [] { received.add((message, sender)) }
      })
  }

  private func link(to manager: UDPReceiver) throws -> NSMLink {
    let place = manager.socket.localAddress
    let address = try #require(NSMAddress("osc.udp://\(place)/"))
    let conversation = NSMConversation(application: "Name", executable: "name", process: 1)
    return try NSMLink(address, conversation) { [news] in news.add($0) }
  }

  @Test(
    "Answers from another address of the machine, and in a bundle, are taken; all messages leave from one socket"
  )
  func otherAddress() throws {
    let (manager, other) = (try manager(at: "127.0.1.1"), try UDPSocket(host: "127.0.0.1", port: 0))
    let link = try link(to: manager)
    try link.open()
    let client = try #require(
      received.first { $0.message.address == "/nsm/server/announce" ? $0.sender : nil })
    #expect(client.host.isLoopback)
    let open = OSCPacket.message(OSCMessage("/nsm/client/open", "/s/one", "one", "Name"))
    try other.send(PacketEncoder.encode(.bundle(OSCBundle([open]))), to: client)
    #expect(news.wait { $0 == .order(.open(NSMProject(path: "/s/one", name: "one", client: "Name"))) })
    link.finish(.success("Loaded."))
    #expect(received.first { $0.message.address == "/reply" ? $0.sender : nil } == client)
    link.close()
    manager.stop()
  }

  @Test("Garbage is no message, and the next order is carried out")
  func garbage() throws {
    let manager = try manager(at: "127.0.0.1")
    let link = try link(to: manager)
    try link.open()
    let client = try #require(received.first { $0.sender })
    for bytes in [[], [0], Array("/nsm/client/open".utf8), [UInt8](repeating: 255, count: 5_000)] {
      try manager.socket.send(bytes, to: client)
    }
    try manager.socket.send(
      PacketEncoder.encode(
        .message(OSCMessage("/error", "/nsm/server/announce", -2, "The API is too new."))), to: client)
    #expect(news.wait { $0 == .refused(code: -2, reason: "The API is too new.") })
    #expect(news.all.count == 1)
    link.close()
    manager.stop()
  }

  @Test("A host that nobody knows is named")
  func unknownHost() throws {
    let address = try #require(NSMAddress("osc.udp://no-such-host.invalid:7000/"))
    let conversation = NSMConversation(application: "Name", executable: "name", process: 1)
    let error = try #require(
      #expect(throws: SocketError.self) { _ = try NSMLink(address, conversation) { _ in } })
    #expect("\(error)".contains("no-such-host.invalid"))
  }
}
