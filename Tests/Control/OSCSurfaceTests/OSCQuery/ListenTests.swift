import ControlInterface
import MixEngine
import OSC
import Parameters
import RandomEvents
import SessionModel
import SessionPolicy
import Synchronization
import Testing

@testable import OSCSurface

/// Tests `LISTEN` and `IGNORE`, the commands that clients of OSCQuery send as text.
@Suite("Listening by OSCQuery")
struct ListenTests {
  private static let me = Desk.web()

  @Test(
    "understands the forms in which programs send commands",
    arguments: [
      (#"{"COMMAND":"LISTEN","DATA":"/a/b"}"#, .listen("/a/b")),
      (#"{"COMMAND":"IGNORE","DATA":"/a"}"#, .ignore("/a")),
      (#"{"DATA": ["/a", true], "COMMAND": "LISTEN"}"#, .listen("/a")),
      (#"{"COMMAND":"LISTEN","DATA":{"address":"/a","sendFeedback":true}}"#, .listen("/a")),
      ("hello", nil), ("{", nil), ("", nil), ("[]", nil), (#"{"COMMAND":"LISTEN"}"#, nil),
      (#"{"COMMAND":"LISTEN","DATA":7}"#, nil), (#"{"COMMAND":"START_OSC_STREAMING","DATA":"/a"}"#, nil),
      (#"{"COMMAND":7,"DATA":"/a"}"#, nil), (#"{"COMMAND":"LISTEN","DATA":"/a"} x"#, nil),
      ("{\"COMMAND\":\"LISTEN\",\"DATA\":\"/\(String(repeating: "a", count: 5_000))\"}", nil),
    ] as [(String, QueryCommand?)])
  func parse(_ text: String, _ command: QueryCommand?) { #expect(QueryCommand(Array(text.utf8)) == command) }

  @Test("gets the present value at once, then every change, also its own, and none after IGNORE")
  func listens() throws {
    let rig = ServiceRig(try Desk.stage())
    rig.listen("/session/show/gain", "/session/show/mute", "/session/show/fader")
    #expect(
      rig.take(Self.me) == ["/session/show/gain 0.0", "/session/show/mute false", "/session/show/fader 0.75"])
    rig.receive("/session/show/gain", -12.0, from: Self.me)
    rig.wait(0.1)
    #expect(rig.take(Self.me).contains("/session/show/gain -12.0"))
    rig.receive("/session/show/mute", 1)
    rig.wait(0.1)
    #expect(rig.take(Self.me) == ["/session/show/mute true"])
    rig.receive(texts: #"{"COMMAND":"IGNORE","DATA":"/session/show/mute"}"#, from: Self.me)
    rig.receive("/session/show/mute", 0)
    rig.receive("/session/show/gain", -3.0)
    rig.wait(0.1)
    #expect(rig.take(Self.me).filter { $0.hasPrefix("/session/show/mute") } == [])
    #expect(rig.service.texts.ignored == 0)
  }

  @Test("sends each message as a packet of its own, and never a bundle")
  func noBundles() throws {
    var desk = try Desk.stage()
    desk.listen("/session/show/gain", "/session/show/fader", "/session/music/mute")
    desk.wait(0.1)
    let packets = desk.sent.filter { $0.peer == Self.me }.map(\.packet)
    #expect(packets.count == 3)
    for packet in packets { if case .bundle = packet { Issue.record("\(packet)") } }
  }

  @Test("follows a fade that began before, and ends with its end")
  func fades() throws {
    let rig = ServiceRig(try Desk.stage())
    rig.receive("/session/show/gain/fade", -20.0, 1.0)
    rig.wait(0.1)
    rig.listen("/session/show/fader")
    for _ in 0..<300 { rig.wait(0.005) }
    let heard = rig.take(Self.me)
    #expect(heard.count > 20 && heard.last == "/session/show/fader \(Float(Decibels(-20).fader))")
  }

  @Test("ignores and counts what comes to nothing")
  func ignores() throws {
    let rig = ServiceRig(try Desk.stage())
    for address in [
      "/session/nobody/gain", "/session/show", "/session/list", "/session/show/gain/inc", "/*", "x",
    ] {
      rig.listen(address)
    }
    rig.receive(texts: "hello", #"{"COMMAND":"DANCE","DATA":"/session/show/gain"}"#, from: Self.me)
    #expect(rig.service.texts.ignored == 8)
    rig.receive(texts: #"{"COMMAND":"IGNORE","DATA":"/session/show/gain"}"#, from: Self.me)
    #expect(rig.sent.messages.isEmpty && rig.service.surface.clients.listens.isEmpty)
    let counters = rig.service.statistics { [] }
    #expect(counters.first { $0.name == "ignored" }?.count == 8)
  }

  @Test("ignores a host that may not view")
  func rights() throws {
    let (guest, stranger) = (HostAddress(0x0A00_0001), HostAddress(0x0A00_0002))
    let admission = Admission(hosts: [try #require(HostRule("10.0.0.1", right: .view))])
    let rig = ServiceRig(try Desk.stage(admission: admission))
    for host in [guest, stranger] {
      rig.receive(
        texts: #"{"COMMAND":"LISTEN","DATA":"/session/show/gain"}"#, from: Desk.web(1, at: host))
    }
    #expect(rig.take(Desk.web(1, at: guest)) == ["/session/show/gain 0.0"])
    #expect(rig.service.surface.clients.listens.peers == [Desk.web(1, at: guest)])
    // A host that loses its right hears no more.
    rig.service.admit(Admission())
    #expect(rig.service.surface.clients.listens.isEmpty)
  }

  @Test("tells two clients, and one that has gone no more")
  func leaves() throws {
    let rig = ServiceRig(try Desk.stage())
    rig.listen("/session/show/gain")
    rig.listen("/session/show/gain", from: Desk.web(2))
    _ = rig.take()
    rig.receive("/bye", from: Desk.web(2))
    rig.receive("/session/show/gain", -7.0)
    rig.wait(0.1)
    #expect(
      Set(
        rig.sent.messages.filter { $0.message.address == "/session/show/gain" && $0.peer != Desk.me }.map(
          \.peer)) == [Self.me])
  }

  @Test("ends with the connection, also if a command is carried out only then")
  func ends() throws {
    let rig = ServiceRig(try Desk.stage())
    rig.listen("/session/show/gain", "/session/show/mute")
    rig.listen("/session/show/gain", from: Desk.web(2))
    rig.gone.withLock { _ = $0.insert(Self.me) }
    rig.service.entrance.leave()
    rig.listen("/session/music/gain")
    #expect(rig.service.surface.clients.listens.peers == [Desk.web(2)])
    rig.gone.withLock { _ = $0.insert(Desk.web(2)) }
    rig.service.entrance.leave()
    rig.carryOutTexts()
    #expect(rig.service.surface.clients.listens.isEmpty)
  }

  @Test("gets all values again after a client has not read for a while")
  func resumes() throws {
    var desk = try Desk.stage()
    desk.listen("/session/show/gain", "/session/show/mute")
    #expect(desk.wait(0.1, as: Self.me).count == 2)
    desk.surface.resumeFeedback(to: Self.me)
    #expect(Set(desk.wait(0.1, as: Self.me).map(\.address)) == ["/session/show/gain", "/session/show/mute"])
  }

  @Test("to a meter gets the highest peak since the last message, and nothing while it rests")
  func meters() throws {
    let rig = ServiceRig(try Desk.stage())
    #expect(!rig.service.needsMeters)
    rig.listen("/meter/output/usb/1", "/meter/output/usb/clip")
    #expect(rig.service.needsMeters)
    rig.wait(0.1)
    #expect(rig.take(Self.me) == ["/meter/output/usb/1 0.0", "/meter/output/usb/clip false"])
    for peak: Float in [0.1, 1, 0.01] {
      rig.service.measure(Self.peaks([peak, 0, 0, 0]))
    }
    rig.wait(0.2)
    #expect(rig.take(Self.me) == ["/meter/output/usb/1 1.0", "/meter/output/usb/clip true"])
    rig.service.measure(Self.peaks([0, 0, 0, 0]))
    rig.wait(0.2)
    #expect(rig.take(Self.me) == ["/meter/output/usb/1 0.0"])
    for _ in 0..<5 {
      rig.service.measure(Self.peaks([0, 0, 0, 0]))
      rig.wait(0.2)
    }
    #expect(rig.take(Self.me) == [])
  }

  private static func peaks(_ peaks: [Float]) -> MeterLevels {
    var levels = MeterLevels()
    levels.outputs = ["usb": peaks]
    return levels
  }

  @Test("to 4,000 addresses in a burst gets every value once, in parts that a client can read")
  func burst() throws {
    var desk = try Example.desk()
    for number in 0..<28 { desk.send("/session/create", .string("s\(number)"), "multiRoute") }
    let addresses = try QueryNodes(desk.view).values.filter { $0.node["VALUE"] != nil }.map(\.address).prefix(
      4_000)
    #expect(addresses.count == 4_000)
    let rig = ServiceRig(desk)
    for address in addresses {
      rig.service.receive(text: Array(ListenTests.command(address).utf8), from: Self.me)
    }
    rig.receive("/session/show/gain", -5.0)
    #expect(rig.service.texts.ignored == 0)
    let meters = Set(desk.values(below: "/").filter(\.parameter.isMeter).map(\.address))
    var most = 0
    for _ in 0..<100 {
      let count = rig.sent.messages.count
      rig.wait(0.005)
      most = max(most, rig.sent.messages[count...].count { !meters.contains($0.message.address) })
    }
    let heard = rig.sent.messages.filter { $0.peer == Self.me }.map(\.message.address)
    #expect(Set(heard) == Set(addresses) && heard.count <= 4_010 && most <= 256)
    #expect(!rig.sent.messages.contains { $0.message.address == "/error" })
  }

  @Test("has a bound for each client")
  func bounded() throws {
    let desk = try Desk.stage()
    var listens = Listens()
    let leaf = try desk.surface.tree.find("/session/show/gain", in: desk.state).leaf
    for number in 0..<Listens.mostAddresses + 10 {
      let match = Match(address: "/session/s\(number)/gain", leaf: leaf, target: Target())
      #expect(listens.add(match, for: Self.me, at: 0) == (number < Listens.mostAddresses))
    }
    let inbox = TextInbox()
    for _ in 0..<TextInbox.mostCommands + 5 { inbox.add(.listen("/a"), from: Self.me) }
    #expect(inbox.ignored == 5)
    inbox.add(.listen("/b"), from: Desk.web(2))
    _ = inbox.beginTurn()
    // The other client has its turn next.
    #expect(inbox.beginTurn().peer == Desk.web(2))
  }

  @Test("to every address has the values of a get at the end of 1,000 random events")
  func everything() throws {
    var (source, desk) = (RandomEvents(seed: 38), Desk())
    desk.state = try LawEvents.start()
    var known: [String: [OSCArgument]] = [:]
    func follow(_ messages: [OSCMessage]) {
      for message in messages { known[message.address] = message.arguments }
    }
    desk.listen(below: "/")
    follow(desk.wait(0.5, as: Self.me))
    for _ in 0..<1_000 {
      desk.time += 0.05
      let before = desk.state
      guard (try? desk.happen(source.next(desk.state))) != nil else { continue }
      follow(desk.wait(0, as: Self.me))
      let changes = PathChanges(from: before, to: desk.state)
      desk.surface.endListens(changes.removed)
      for address in changes.removed {
        known = known.filter { $0.key != address && !$0.key.hasPrefix("\(address)/") }
      }
      for address in changes.added.flatMap(\.addresses) { desk.listen(below: address) }
      follow(desk.wait(0, as: Self.me))
    }
    follow(desk.wait(20, as: Self.me))
    let (view, moment) = (desk.view, Moment(desk.state, at: desk.time))
    let all = desk.values(below: "/")
    // Nothing is measured here.
    for match in all where !match.parameter.isMeasured && !match.parameter.isMeter {
      let isMoving = match.parameter.isMoving(moment, match.target)
      guard let value = view.read(match, moment), !isMoving else { continue }
      #expect(known[match.address] == value, "\(match.address)")
    }
    let addresses = Set(all.map(\.address))
    #expect(known.keys.filter { !addresses.contains($0) } == [])
    #expect(known.count > 1_000)
  }

  static func command(_ address: String) -> String { "{\"COMMAND\":\"LISTEN\",\"DATA\":\"\(address)\"}" }
}

extension ServiceRig {
  func listen(_ addresses: String..., from peer: Peer = Desk.web()) {
    for address in addresses { service.receive(text: Array(ListenTests.command(address).utf8), from: peer) }
    carryOutTexts()
  }
}

extension Desk {
  mutating func listen(_ addresses: String...) {
    for address in addresses {
      let isDone = surface.carryOut(.listen(address), of: Desk.web(), state, at: time)
      #expect(isDone, "\(address)")
    }
  }

  /// Listens to every value at an address and below it.
  mutating func listen(below address: String) {
    for match in values(below: address) { listen(match.address) }
  }

  /// The values of the tree that can be read.
  func values(below address: String) -> [Match] {
    nodes(below: address).compactMap { node in
      guard let leaf = node.node.value?.leaf, leaf.queryAccess != 2 else { return nil }
      return Match(address: node.address, leaf: leaf, target: node.target)
    }
  }

  /// The node at an address and all below it.
  func nodes(below address: String) -> [(address: String, node: QueryNode, target: Target)] {
    guard let (node, target) = QueryNode.find(address, in: state) else { return [] }
    var found: [(address: String, node: QueryNode, target: Target)] = []
    func collect(_ node: QueryNode, _ address: String, _ target: Target) {
      found.append((address, node, target))
      for (name, child) in node.children { collect(child, "\(address)/\(name)", target) }
      for (placeholder, child) in node.branches {
        for name in placeholder.names(in: state, at: target) {
          if let filled = placeholder.fill(name, into: target) {
            collect(child, "\(address)/\(name)", filled)
          }
        }
      }
    }
    collect(node, address == "/" ? "" : address, target)
    return found
  }
}
