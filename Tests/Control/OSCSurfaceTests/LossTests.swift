import ControlInterface
import OSC
import SessionModel
import Testing

@testable import OSCSurface

/// What a surface can do about packets that the network loses.
@Suite("Lost feedback") struct LossTests {
  /// The packets to the second client that have come since the last call, and no others.
  private func packets(of desk: Desk, from start: Int = 0) -> [OSCPacket] {
    desk.sent[start...].filter { $0.peer == Desk.other }.map(\.packet)
  }

  private func number(of packet: OSCPacket) -> [OSCArgument]? {
    packet.messages.first { $0.address == "/seq" }?.arguments
  }

  @Test("Each bundle of feedback begins with the epoch and its number, and has at most 1,200 bytes")
  func numbers() throws {
    var desk = try FeedbackTests.followed()
    let bundles = packets(of: desk).filter { if case .bundle = $0 { true } else { false } }
    #expect(bundles.count > 5)
    for (index, bundle) in bundles.enumerated() {
      #expect(bundle.messages.first == OSCMessage("/seq", 7, .int32(Int32(index + 1))))
      #expect(PacketEncoder.encode(bundle).count <= 1_200)
    }
    desk.send("/session/show/gain", -3)
    desk.wait(0.1)
    #expect(packets(of: desk).compactMap(number).last == [7, .int32(Int32(bundles.count + 1))])
  }

  @Test(
    "A sign of life with epoch and number comes once a second, to each port, as long as there is a subscription"
  )
  func signs() throws {
    var desk = try FeedbackTests.followed("/ramp")
    desk.send("/subscribe", "/silent", 30, 7_001, from: Desk.other)
    desk.wait(0.5)
    let start = desk.sent.count
    desk.wait(10)
    func signs(_ peer: Peer) -> [OSCMessage] {
      desk.sent[start...].filter { $0.peer == peer }.flatMap(\.packet.messages).filter {
        $0.address == "/alive"
      }
    }
    for peer in [Desk.other, Desk.local(7_001)] {
      #expect((9...11).contains(signs(peer).count))
      #expect(signs(peer).allSatisfy { $0.arguments.first == 7 })
    }
    desk.send("/unsubscribe", from: Desk.other)
    let end = desk.sent.count
    desk.wait(3)
    #expect(desk.sent[end...].isEmpty)
  }

  @Test("/resync sends the present values of what changed after a number, each once, and nothing else")
  func resync() throws {
    var desk = try FeedbackTests.followed("/session")
    desk.send("/session/show/mute", 1)
    desk.wait(0.1)
    let known = try #require(packets(of: desk).compactMap(number).last?.last)
    for level in [-3.0, -4, -5] {
      desk.send("/session/show/gain", .float(Float(level)))
      desk.wait(0.1)
    }
    desk.send("/session/music/mute", 1)
    desk.wait(1, as: Desk.other)
    let heard = desk.send("/resync", known, from: Desk.other) + desk.wait(0.5, as: Desk.other)
    #expect(heard["/session/show/gain"] == [-5.0] && heard["/session/music/mute"] == [1])
    #expect(heard.count { $0.address == "/session/show/gain" } == 1)
    #expect(heard["/session/show/mute"] == nil)
  }

  @Test("/resync with a number of another run, or of long ago, sends all that is subscribed to")
  func old() throws {
    var desk = try FeedbackTests.followed("/session/show")
    let other = desk.send("/resync", 1_000_000, from: Desk.other) + desk.wait(0.5, as: Desk.other)
    #expect(other.contains { $0.address == "/snapshot/end" })
    for round in 0..<4_200 {
      desk.send("/session/show/mute", .int32(Int32(round % 2)))
      desk.wait(0.035)
      if round % 500 == 0 { desk.send("/ping", from: Desk.other) }
    }
    desk.wait(1, as: Desk.other)
    let old = desk.send("/resync", 1, from: Desk.other) + desk.wait(0.5, as: Desk.other)
    #expect(old.contains { $0.address == "/snapshot/end" })
  }

  @Test("A value that has gone since is no mistake")
  func gone() throws {
    var desk = try FeedbackTests.followed("/session")
    desk.send("/session/create", "late", "playback")
    desk.wait(0.2)
    desk.send("/session/late/gain", -3)
    desk.wait(0.2, as: Desk.other)
    desk.send("/session/remove", "late")
    desk.wait(1, as: Desk.other)
    let heard = desk.send("/resync", 0, from: Desk.other) + desk.wait(0.5, as: Desk.other)
    #expect(heard["/session/music/gain"] != nil)
    #expect(!heard.contains { $0.address.hasPrefix("/session/late") || $0.address == "/error" })
  }

  @Test("/client/keep lets feedback go on without a message of the client, and is read back")
  func keep() throws {
    var desk = try FeedbackTests.followed("/ramp")
    #expect(desk.send("/client/keep", from: Desk.other) == [OSCMessage("/client/keep", 0)])
    desk.send("/client/keep", 1, from: Desk.other)
    #expect(desk.send("/client/keep", from: Desk.other) == [OSCMessage("/client/keep", 1)])
    desk.time += 300
    desk.send("/ramp", 0.5)
    #expect(desk.wait(0.1, as: Desk.other)["/ramp"] == [0.5])
    desk.send("/client/keep", 0, from: Desk.other)
    desk.time += 31
    desk.send("/ramp", 0.6)
    #expect(desk.wait(0.1, as: Desk.other).isEmpty)
  }

  @Test("Only a client can keep its lease or ask for what was lost")
  func strangers() throws {
    var desk = try Desk.stage()
    #expect(desk.send("/client/keep", 1).errorCode == .notFound)
    #expect(desk.send("/resync", 1).errorCode == .notFound)
    desk.send("/hello", "desk")
    #expect(desk.send("/client/keep", "maybe").errorCode == .badValue)
    #expect(desk.send("/resync", "x").errorCode == .badValue)
  }

  @Test("A client that has left feedback unread gets all values anew once it has read")
  func resumed() throws {
    var desk = try FeedbackTests.followed("/ramp")
    #expect(desk.wait(1, as: Desk.other).isEmpty)
    desk.surface.resumeFeedback(to: Desk.other)
    let heard = desk.wait(1, as: Desk.other)
    #expect(heard["/ramp"] != nil && heard["/snapshot/end"] != nil)
  }

  @Test("What was sent is known from behind the last forgotten bundle on")
  func memory() {
    var memory = SentMemory()
    memory.note(["/a"], in: 1)
    #expect(memory.addresses(after: 0) == ["/a"] && memory.addresses(after: 1) == [])
    memory.forget(upTo: 5)
    memory.note(["/b"], in: 6)
    #expect(memory.addresses(after: 4) == nil && memory.addresses(after: 5) == ["/b"])
  }
}
