import ControlInterface
import OSC
import Parameters
import SessionModel
import Testing

@testable import OSCSurface

/// What one client, or one host, may cost all others.
@Suite("Storms")
struct StormTests {
  /// A tablet on another machine.
  private static let tablet = Desk.remote(HostAddress(0xc0a8_0114), 9_000)

  /// A stage with many sessions, at which the network 192.168.1.0/24 may control.
  private static func stage(sessions: Int) throws -> Desk {
    var desk = try Desk.stage(
      admission: Admission(hosts: [try #require(HostRule("192.168.1.0/24", right: .control))]))
    for number in 0..<sessions { desk.send("/session/create", .string("s\(number)"), "multiRoute") }
    return desk
  }

  // MARK: Routers

  @Test(
    "A feedback port that is the router's own is refused, and packets from the router's own sockets are ignored"
  )
  func ownPort() throws {
    var desk = try Desk.stage()
    desk.surface = Surface(
      identity: Surface.Identity(
        name: "multiroute", version: "1", epoch: 7, address: "127.0.0.1:9440",
        owns: { $0.host.isLoopback && $0.port == 9_440 }),
      law: desk.surface.law)
    #expect(desk.send("/subscribe", "", 30, 9_440).errorCode == .badValue)
    #expect(desk.send("/hello", "desk", "", 9_440).errorCode == .badValue)
    #expect(desk.send("/ping", 1, from: Desk.local(9_440)).isEmpty)
    #expect(desk.send("/session/show/gain", -3, from: Desk.local(9_440)).isEmpty)
    #expect(desk.get("/session/show/gain") == [0.0])
    #expect(desk.send("/subscribe", "/ramp", 30, 9_441).isEmpty)
  }

  @Test(
    "Feedback to a named port begins with /alive, and a router ignores a peer that sends the /alive of another router"
  )
  func otherRouter() throws {
    var desk = try Desk.stage()
    desk.send("/subscribe", "/ramp", 30, 9_440, from: Desk.other)
    #expect(desk.wait(0.1, as: Desk.local(9_440)).first == OSCMessage("/alive", 7, 0))
    // What a surface returns is its own router's, and changes nothing.
    #expect(desk.send("/alive", 7, 0).isEmpty)
    #expect(desk.send("/session/show/gain", -3).isEmpty)
    #expect(desk.get("/session/show/gain") == [-3.0])
    let router = Desk.local(9_450)
    #expect(desk.send("/alive", 8, 0, from: router).isEmpty)
    #expect(desk.send("/session/show/gain", -6, from: router).isEmpty)
    #expect(desk.send("/ping", from: router).isEmpty)
    #expect(desk.get("/session/show/gain") == [-3.0])
    // A surface has taken over the port.
    #expect(desk.send("/hello", "tablet", from: router).map(\.address) == ["/welcome"])
    desk.send("/session/show/gain", -6, from: router)
    #expect(desk.get("/session/show/gain") == [-6.0])
  }

  @Test(
    "What only routers send is ignored without an answer",
    arguments: [
      "/error", "/response", "/pong", "/welcome", "/synced", "/snapshot/end", "/event/route", "/event/error",
    ])
  func routerMessages(_ address: String) throws {
    var desk = try Desk.stage()
    #expect(desk.send(OSCMessage(address, 1, "x")).isEmpty)
    #expect(desk.events.allSatisfy { $0.address != "/event/error" })
  }

  @Test(
    "True values count as errors do: a flood of refused sets is answered by at most 100 messages a second")
  func trueValues() throws {
    var desk = try Desk.stage()
    var answers = 0
    for _ in 0..<1_000 { answers += desk.send("/session/*/gain", 99).count }
    #expect(answers == 100)
  }

  // MARK: Work

  @Test(
    "Hundreds of patterns in one packet are read in slices, each of which looks at a thousand addresses or few more"
  )
  func slices() throws {
    var desk = try Self.stage(sessions: 60)
    let gets = (0..<20).map { _ in OSCPacket.message(OSCMessage("/get", "/session/*/*")) }
    let trial = try #require(
      desk.surface.decide(.bundle(OSCBundle(gets)), from: Desk.me, &desk.state, at: desk.time))
    var answering = Answering(trial)
    var (answers, slices, longest) = (0, 0, 0)
    while !answering.isDone {
      let outcome = desk.surface.answer(&answering, desk.state, at: desk.time, slice: 1_000)
      let count = outcome.datagrams.reduce(0) { $0 + $1.packet.messages.count }
      (answers, slices, longest) = (answers + count, slices + 1, max(longest, count))
    }
    let leaves = desk.send("/get", "/session/*/*").count
    #expect(leaves > 1_000)
    #expect(answers == 20 * leaves)
    #expect(longest <= 1_500)
    #expect(slices >= answers / 1_500)
  }

  @Test("A request whose answers take several slices gets them all before its response")
  func slicedRequest() throws {
    var desk = try Self.stage(sessions: 60)
    let request = OSCPacket.message(OSCMessage("/request", 5, "/get", "/session/*/*"))
    let trial = try #require(desk.surface.decide(request, from: Desk.me, &desk.state, at: desk.time))
    var answering = Answering(trial)
    var messages: [OSCMessage] = []
    while !answering.isDone {
      messages += desk.surface.answer(&answering, desk.state, at: desk.time, slice: 100).datagrams
        .flatMap(\.packet.messages)
    }
    #expect(messages.last == OSCMessage("/response", 5, 0, "/get", .int32(Int32(messages.count - 1))))
    #expect(messages.count > 1_000)
  }

  @Test(
    "The gets of one packet of another machine are answered by at most 256 KiB and then full; loopback gets everything"
  )
  func largeAnswers() throws {
    var desk = try Self.stage(sessions: 100)
    let gets = OSCPacket.bundle(
      OSCBundle((0..<10).map { _ in OSCPacket.message(OSCMessage("/get", "/session/*/*")) }))
    let answers = desk.send(gets, from: Self.tablet)
    let values = answers.filter { $0.address != "/error" }
    let bytes = values.reduce(0) { $0 + OSCBundle.size(of: $1) }
    #expect(bytes <= 256 << 10 && bytes > 250 << 10)
    #expect(answers.errorCode == .full)
    #expect(answers.last?.arguments.last?.description.contains("narrower pattern") == true)
    #expect(desk.send(gets).count > 2 * answers.count)
    let request = desk.send("/request", 3, "/get", "/session/*/*", from: Self.tablet)
    #expect(request["/response"]?[1] == 0)
    #expect(desk.send("/session/show/gain", -5, from: Self.tablet).isEmpty)
  }

  @Test(
    "Answers to /event/since end at 256 KiB for another machine, which goes on with the last serial that it got"
  )
  func oldEvents() throws {
    var desk = try Self.stage(sessions: 0)
    for _ in 0..<1_000 { desk.tell(.error(client: 0, address: "", SessionError(.io, "a disk is full"))) }
    let last = try #require(desk.events.last?.arguments.first?.number)
    let since = OSCPacket.bundle(
      OSCBundle((0..<30).map { _ in .message(OSCMessage("/event/since", .int32(Int32(last) - 1_000))) }))
    let answers = desk.send(since, from: Self.tablet)
    #expect(answers.reduce(0) { $0 + OSCBundle.size(of: $1) } <= 257 << 10)
    #expect(answers.errorCode == .full)
  }

  @Test("Patterns that search through everything and find nothing are refused before they cost long")
  func searches() throws {
    var desk = try Self.stage(sessions: 200)
    let searches = (0..<200).map { OSCPacket.message(OSCMessage("/*/*/*/*/*/*x\($0)", 1)) }
    let answers = desk.send(.bundle(OSCBundle(searches)))
    #expect(answers.errors.contains { $0.arguments[2] == "tooManyMatches" })
    #expect(desk.send("/session/*/z*", 1, from: Desk.other).errorCode == .unknownAddress)
  }

  // MARK: Clients

  @Test(
    "A host other than loopback has at most 16 places, which its clients take from each other, and leaves the others to other hosts"
  )
  func places() throws {
    var desk = try Self.stage(sessions: 0)
    for port in 0..<16 {
      #expect(
        desk.send("/hello", "x", from: Desk.remote(Self.tablet.host, UInt16(5_000 + port))).errorCode == nil)
    }
    // An app that is started again and again comes from ever new ports.
    for port in 6_000..<6_100 as Range<UInt16> {
      desk.time += 0.01
      desk.send("/ping", from: Desk.remote(Self.tablet.host, 5_000))
      #expect(desk.send("/hello", "x", from: Desk.remote(Self.tablet.host, port)).errorCode == nil)
    }
    let neighbour = Desk.remote(HostAddress(0xc0a8_0115), 5_000)
    #expect(desk.send("/hello", "x", from: neighbour).errorCode == nil)
    // The one that is heard keeps its place.
    #expect(desk.surface.clients.peers.contains(Desk.remote(Self.tablet.host, 5_000)))
    #expect(desk.surface.clients.peers.count == 17)
  }

  @Test("A host that sends from thousands of ports gets at most 400 errors a second, and fills no memory")
  func errorsOfHost() throws {
    var desk = try Self.stage(sessions: 0)
    var errors = 0
    for port in 0..<20_000 {
      errors += desk.send("/absent", from: Desk.remote(Self.tablet.host, UInt16(2_000 + port))).errors.count
    }
    #expect(errors == 400)
    #expect(desk.events.filter { $0.address == "/event/error" }.count == 400)
    let neighbour = Desk.remote(HostAddress(0xc0a8_0115), 5_000)
    #expect(desk.send("/absent", from: neighbour).errorCode == .unknownAddress)
  }

  @Test("Requests from 20,000 ports are remembered within bounds, the newest of them longest, for 30 s")
  func requests() throws {
    var memory = ResponseMemory()
    let response = OSCMessage("/response", 1, 0, "/session/show/gain", -6.0)
    func peer(_ number: Int) -> Peer { Desk.remote(Self.tablet.host, UInt16(2_000 + number)) }
    for number in 0..<20_000 { memory.remember(response, to: 1, from: peer(number), at: 1) }
    #expect(memory.answer(to: 1, from: peer(19_999), at: 30) == response)
    #expect(memory.answer(to: 1, from: peer(20_000 - ResponseMemory.capacity), at: 30) == response)
    #expect(memory.answer(to: 1, from: peer(0), at: 30) == nil)
    #expect(memory.answer(to: 2, from: peer(19_999), at: 30) == nil)
    #expect(memory.nextDue == 31)
    memory.forget(at: 31)
    #expect(memory.nextDue == nil)
  }

  @Test("Feedback to a port that refuses it ends, unless its client was heard within 30 s")
  func refusedFeedback() throws {
    var desk = try Desk.stage()
    desk.send("/subscribe", "/session", 30, 7_000, from: Desk.other)
    desk.send("/subscribe", "/ramp", from: Desk.me)
    desk.wait(2)
    desk.surface.endFeedback(to: Desk.local(7_000), at: desk.time)
    #expect(desk.surface.clients.peers.count == 2, "the client was heard 2 s ago")
    desk.wait(30)
    desk.surface.endFeedback(to: Desk.local(7_000), at: desk.time)
    #expect(desk.surface.clients.peers == [Desk.me])
    desk.wait(0.1, as: Desk.local(7_000))
    desk.send("/session/show/gain", -3)
    #expect(desk.wait(0.1, as: Desk.local(7_000)).isEmpty)
  }
}
