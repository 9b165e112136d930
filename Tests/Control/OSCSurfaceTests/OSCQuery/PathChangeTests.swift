import ControlInterface
import JSON5
import OSC
import RandomEvents
import SessionModel
import Synchronization
import Testing

@testable import OSCSurface

/// Tests what clients of OSCQuery are told when nodes come and go.
@Suite("Nodes that come and go")
struct PathChangeTests {
  @Test("are told with all that is in a new node")
  func told() throws {
    let rig = ServiceRig(try Desk.stage())
    rig.receive("/session/create", "quiet", "multiRoute")
    #expect(rig.texts.texts.isEmpty)
    rig.textClients.withLock { $0 = [Desk.web(1), Desk.web(2)] }
    rig.receive("/session/create", "play", "playback")
    let first = rig.texts.texts.filter { $0.peer == Desk.web(1) }.map(\.text)
    #expect(first == rig.texts.texts.filter { $0.peer == Desk.web(2) }.map(\.text))
    #expect(
      try Set(first.map(Self.event)) == [
        "PATH_ADDED /session/play", "PATH_ADDED /meter/session/play", "PATH_ADDED /meter/stream/play",
      ])
    for text in first {
      // The node's attributes stand beside the command.
      let nodes = try QueryNodes(text)
      #expect(nodes.addresses.count > 3)
    }
    let session = try QueryNodes(#require(first.first { $0.contains(#""DATA":"/session/play""#) }))
    #expect(session["/session/play/gain"]?["VALUE"]?.items?.first?.number == 0)

    rig.texts.texts = []
    rig.listen("/session/play/gain", "/session/show/gain")
    rig.receive("/session/remove", "play")
    for _ in 0..<100 where rig.texts.texts.isEmpty { rig.wait(0.1) }
    let gone = try rig.texts.texts.filter { $0.peer == Desk.web(1) }.map { try Self.event($0.text) }
    #expect(
      Set(gone) == [
        "PATH_REMOVED /session/play", "PATH_REMOVED /meter/session/play", "PATH_REMOVED /meter/stream/play",
      ])
    // With the node, the listening ends.
    #expect(!rig.service.surface.clients.listens.mayWant(below: ["session", "play"]))
    #expect(rig.service.surface.clients.listens.mayWant(below: ["session", "show"]))
  }

  @Test("of every kind of object are told")
  func kinds() throws {
    var desk = try Example.desk()
    let start = desk.state
    func changes(_ address: String, _ arguments: OSCArgument...) -> PathChanges {
      desk.state = start
      desk.send(OSCMessage(address, arguments))
      desk.wait(1)
      return PathChanges(from: start, to: desk.state)
    }
    func changes(plugging id: PortID, _ direction: Direction) throws -> PathChanges {
      desk.state = start
      try desk.plug(direction, id, direction == .output ? .lineOut : .lineIn, channels: 3)
      return PathChanges(from: start, to: desk.state)
    }
    let stream = changes("/session/show/stream/create", "extra")
    #expect(stream.added.flatMap(\.addresses) == ["/session/show/stream/extra", "/meter/stream/show/extra"])
    let send = changes("/session/show/stream/main/to/usb/on", 1)
    #expect(send.added.flatMap(\.addresses) == ["/session/show/stream/main/to/usb"])
    let port = try changes(plugging: "new", .output)
    #expect(Set(port.added.flatMap(\.addresses)) == ["/output/new", "/meter/output/new"])
    let wide = try changes(plugging: "line", .input)
    #expect(Set(wide.added.flatMap(\.addresses)) == ["/input/line", "/meter/input/line"])
    let player = changes("/player/remove", "walkin")
    #expect(player.removed == ["/player/walkin"])
    let recorder = changes("/recorder/create", "new", "output:usb")
    #expect(recorder.added.flatMap(\.addresses) == ["/recorder/new"])
    let capture = changes("/session/voice/capture/session/music/on", 1)
    #expect(capture.added.flatMap(\.addresses) == ["/session/voice/capture/session/music"])
    let source = changes("/interruption/begin", "door")
    #expect(source.added.flatMap(\.addresses) == ["/interruption/door"])
    #expect(changes("/session/show/gain", -3.0).isEmpty)
  }

  @Test("in crowds are told by the node above them")
  func crowd() throws {
    let desk = try Desk.stage()
    var later = desk
    for number in 0..<20 { later.send("/session/create", .string("s\(number)"), "multiRoute") }
    let changes = PathChanges(from: desk.state, to: later.state)
    let messages = changes.messages(later.view)
    #expect(messages.contains(#"{"COMMAND":"PATH_CHANGED","DATA":"/session"}"#))
    #expect(messages.reduce(0) { $0 + $1.utf8.count } < 128 << 10)
  }

  @Test("are those by which the trees before and after random events differ")
  func complete() throws {
    var source = RandomEvents(seed: 5)
    var desk = Desk()
    desk.state = try LawEvents.start()
    var tree = Set(desk.nodes(below: "/").map(\.address))
    for _ in 0..<300 {
      desk.time += 0.05
      let before = desk.state
      guard (try? desk.happen(source.next(desk.state))) != nil else { continue }
      let changes = PathChanges(from: before, to: desk.state)
      for address in changes.removed { tree = tree.filter { $0 != address && !$0.hasPrefix("\(address)/") } }
      for address in changes.added.flatMap(\.addresses) {
        tree.formUnion(desk.nodes(below: address).map(\.address))
      }
      let present = Set(desk.nodes(below: "/").map(\.address))
      #expect(tree.symmetricDifference(present) == [])
    }
  }

  private static func event(_ text: String) throws -> String {
    let members = try #require(JSON5Reader.read(text, file: "").value?.kind.members)
    return try "\(#require(members["COMMAND"]?.text)) \(#require(members["DATA"]?.text))"
  }
}
