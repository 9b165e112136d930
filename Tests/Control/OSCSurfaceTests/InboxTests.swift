import ControlInterface
import OSC
import Parameters
import Testing

@testable import OSCSurface

@Suite("The inbox")
struct InboxTests {
  private let inbox = Inbox(AddressTree.standard)

  private func add(_ address: String, _ arguments: OSCArgument..., from peer: Peer = Desk.me)
    -> Inbox.Addition
  {
    inbox.add(.message(OSCMessage(address, arguments)), from: peer, at: 1)
  }

  /// All waiting packets, as the messages of each with the port of its client.
  private func takeAll() -> [String] {
    var taken: [String] = []
    while let (next, peer) = inbox.next() {
      guard case .packet(let packet) = next else { continue }
      taken.append(
        "\(peer.port) " + packet.messages.map { "\($0.address) \($0.arguments[0])" }.joined(separator: " "))
    }
    return taken
  }

  @Test(
    "A newer value of a fader replaces the older one of the same client: the first in its place, others at the end"
  )
  func replaces() {
    #expect(add("/session/a/gain", -1.0) == .waits)
    #expect(add("/session/b/fader", 0.5) == .waits)
    #expect(add("/session/c/gain", -1.0) == .waits)
    #expect(add("/session/a/fader", 0.75) == .replaced)
    #expect(add("/session/b/gain", -2.0) == .replaced)
    #expect(add("/session/a/gain", -3.0, from: Desk.other) == .waits)
    #expect(inbox.counts.replaced == 2)
    #expect(
      takeAll() == [
        "9000 /session/a/fader 0.75", "9001 /session/a/gain -3.0", "9000 /session/c/gain -1.0",
        "9000 /session/b/gain -2.0",
      ])
    #expect(add("/session/a/gain", -4.0) == .waits)
  }

  @Test(
    "What is no fader is never replaced, and a fader does not pass it",
    arguments: [
      "/session/a/mute", "/session/a/gain/inc", "/session/create", "/ping", "/session/a/gain/fade",
      "/session/*/gain",
    ])
  func keeps(_ address: String) {
    #expect(add("/session/a/gain", -1.0) == .waits)
    #expect(add(address, 1) == .waits)
    #expect(add(address, 1) == .waits)
    #expect(add("/session/a/gain", -2.0) == .waits)
    #expect(takeAll().count == 4)
  }

  @Test("A bundle that moves several faders replaces a bundle of the same faders")
  func bundles() {
    func bundle(_ values: Float...) -> OSCPacket {
      .bundle(
        OSCBundle(
          values.enumerated().map { .message(OSCMessage("/session/s\($0)/gain", .float($1))) }))
    }
    #expect(inbox.add(bundle(-1, -1), from: Desk.me, at: 1) == .waits)
    #expect(add("/session/s0/gain", -2.0) == .waits)
    #expect(inbox.add(bundle(-3, -3), from: Desk.me, at: 1) == .replaced)
    #expect(
      takeAll() == ["9000 /session/s0/gain -2.0", "9000 /session/s0/gain -3.0 /session/s1/gain -3.0"])
  }

  @Test("Clients are served in turn, whatever each sends, and keep their order")
  func turns() {
    for number in 0..<1_000 { _ = add("/ping", .int32(Int32(number))) }
    _ = add("/ping", 7, from: Desk.other)
    _ = add("/ping", 8, from: Desk.other)
    let order = takeAll()
    #expect(order.prefix(4) == ["9000 /ping 0", "9001 /ping 7", "9000 /ping 1", "9001 /ping 8"])
    #expect(order.filter { $0.hasPrefix("9000") } == (0..<1_000).map { "9000 /ping \($0)" })
  }

  @Test("A registered client has every second turn, from however many ports a host sends")
  func strangers() {
    inbox.register([Desk.me])
    for port in 0..<2_000 { _ = add("/ping", 1, from: Desk.local(UInt16(10_000 + port))) }
    for number in 0..<10 { _ = add("/ping", .int32(Int32(number))) }
    let order = takeAll()
    #expect(order.prefix(20).filter { $0.hasPrefix("9000 ") }.count == 10)
    #expect(order.count == 2_010)
  }

  @Test(
    "A client that was heard before has every second turn, too, while thousands of ports send one packet each"
  )
  func acquaintances() {
    let ping = OSCPacket.message(OSCMessage("/ping", 1))
    for time in [1, 1.3] { _ = inbox.add(ping, from: Desk.me, at: time) }
    for port in 0..<20_000 { _ = inbox.add(ping, from: Desk.local(UInt16(10_000 + port)), at: 1.5) }
    _ = takeAll()
    for port in 0..<5_000 {
      _ = inbox.add(ping, from: Desk.local(UInt16(40_000 + port)), at: 2)
      if port % 500 == 0 { #expect(inbox.add(ping, from: Desk.me, at: 2) == .waits) }
    }
    #expect(takeAll().prefix(20).filter { $0.hasPrefix("9000 ") }.count == 10)
  }

  @Test("What does not fit is dropped and counted, and reported once with the number and the last client")
  func full() throws {
    for _ in 0..<2_000 { _ = add("/ping", 1) }
    #expect(inbox.counts.dropped == 2_000 - Inbox.Limit.client)
    #expect(add("/ping", 1, from: Desk.other) == .waits)
    #expect(inbox.mustReport() && !inbox.mustReport())
    let losses = try #require(inbox.takeLosses())
    #expect(losses.count == 976 && losses.peer == Desk.me)
    #expect(inbox.takeLosses() == nil)
    #expect(add("/ping", 1) == .dropped)
    #expect(inbox.mustReport())
    #expect(inbox.takeLosses()?.count == 1)
    #expect(takeAll().count == Inbox.Limit.client + 1)
    #expect(add("/ping", 1) == .waits)
  }

  @Test("Packets of a client that has just registered stay behind those that it sent before")
  func registration() {
    _ = add("/ping", 1)
    inbox.register([Desk.me])
    _ = add("/ping", 2)
    #expect(takeAll() == ["9000 /ping 1", "9000 /ping 2"])
  }

  @Test("A packet without a turn is withdrawn, and the others keep their order")
  func withdrawn() {
    _ = add("/ping", 1)
    _ = add("/ping", 2)
    inbox.withdraw(from: Desk.me)
    _ = add("/ping", 3)
    #expect(takeAll() == ["9000 /ping 1", "9000 /ping 3"])
  }
}
