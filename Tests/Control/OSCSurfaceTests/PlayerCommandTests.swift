import ControlInterface
import OSC
import Parameters
import Queues
import SessionModel
import Testing

@testable import OSCSurface

@Suite("Commands to players and their queues")
struct PlayerCommandTests {
  /// A stage with the player `walkin` of the session music, and three items.
  private static func desk() throws -> Desk {
    var desk = try Desk.stage()
    try #require(desk.send("/player/create", "walkin", "music").isEmpty)
    try #require(desk.send("/player/walkin/queue/add", "a.wav", "b.wav", "c.wav").isEmpty)
    return desk
  }

  private static func items(_ desk: Desk) -> [String] {
    desk.state.players["walkin"]?.queue.value.items.map(\.name) ?? []
  }

  @Test("A player is made in the first stream of a session, or in a named one, with a file")
  func creation() throws {
    var desk = try Desk.stage()
    #expect(desk.send("/session/show/stream/create", "click", 1).isEmpty)
    #expect(desk.send("/player/create", "one", "show").isEmpty)
    #expect(desk.send("/player/create", "two", "show.click", "Jazz/Blue.flac").isEmpty)
    #expect(
      desk.send("/player/list") == [
        OSCMessage("/player/list", 0, 2, "one", "show.main", "stopped", "", ""),
        OSCMessage("/player/list", 1, 2, "two", "show.click", "stopped", "", "Jazz/Blue.flac"),
      ])
    #expect(desk.send("/player/remove", "one").isEmpty)
    #expect(Desk.told(desk.events).contains("/event/player one removed"))
    #expect(desk.send("/player/list")[0].arguments.prefix(3) == [0, 1, "two"])
  }

  @Test("A start that is scheduled is told in the sentence of the session, also of a player that stood ready")
  func scheduledStart() throws {
    var desk = try Self.desk()
    desk.send("/session/music/active", 1)
    desk.send("/player/walkin/prepare")
    desk.send("/subscribe", "/session/music/why", from: Desk.other)
    desk.wait(0.5, as: Desk.other)
    try desk.happen(.player("walkin", .order(.play(after: 5))))
    let why = desk.wait(0.5, as: Desk.other)["/session/music/why"]
    #expect(
      why?.first?.text?.contains("its player walkin waits for its start") == true,
      "\(desk.get("/session/music/why"))")
  }

  @Test("A player whose file is not found is not made")
  func creationWithoutFile() throws {
    var desk = try Desk.stage()
    desk.files["no.wav"] = QueueAddition(problems: ["there is no no.wav in /music"])
    let answer = desk.send("/player/create", "one", "show", "no.wav")
    #expect(answer.errorCode == .notFound)
    #expect(answer.errors[0].arguments.last == "there is no no.wav in /music")
    #expect(desk.state.players.isEmpty)
  }

  @Test(
    "What words mean is added in their order; every part that cannot be used is told, and the rest counts")
  func additions() throws {
    var desk = try Self.desk()
    desk.files["list.m3u8"] = QueueAddition(
      [QueueItem(name: "d.wav", title: "D")], problems: ["x.wav in the playlist list.m3u8: there is none"])
    let answers = desk.send("/player/walkin/queue/add", "list.m3u8", "e.wav")
    #expect(Self.items(desk) == ["a.wav", "b.wav", "c.wav", "d.wav", "e.wav"])
    #expect(answers.errorCode == .notFound)
    #expect(Desk.told(desk.events).last?.contains("x.wav in the playlist") == true)
    #expect(
      desk.send("/request", 7, "/player/walkin/queue/add", "list.m3u8") == [
        OSCMessage(
          "/response", 7, 0, "/player/walkin/queue/add", 1, "x.wav in the playlist list.m3u8: there is none")
      ])
    desk.files["bad.m4a"] = QueueAddition(problems: ["bad.m4a contains AAC"])
    #expect(desk.send("/player/walkin/queue/add", "bad.m4a").errorCode == .notFound)
    #expect(Self.items(desk).count == 6)
    #expect(desk.send("/player/walkin/queue/insert", 1, "f.wav").isEmpty)
    #expect(Self.items(desk)[1] == "f.wav")
    #expect(desk.send("/player/walkin/queue/move", 1, 0).isEmpty)
    #expect(Self.items(desk)[0] == "f.wav")
    #expect(desk.send("/player/walkin/queue/remove", 0).isEmpty)
    #expect(Self.items(desk)[0] == "a.wav")
    #expect(desk.send("/player/walkin/file", "g.wav").isEmpty)
    #expect(Self.items(desk) == ["g.wav"])
    #expect(desk.get("/player/walkin/file") == ["g.wav"])
    #expect(desk.send("/player/walkin/queue/clear").isEmpty)
    #expect(Self.items(desk).isEmpty)
  }

  @Test("A queue is listed whole, or page by page")
  func list() throws {
    var desk = try Self.desk()
    #expect(
      desk.send("/player/walkin/queue/list")[2]
        == OSCMessage("/player/walkin/queue/list", 2, 3, "", "c.wav", "", "", 0.0))
    #expect(desk.send("/get", "/player/walkin/queue/list").count == 3)
    #expect(desk.send("/player/walkin/queue/list", 1, 1).map { $0.arguments[0] } == [1])
    #expect(
      desk.send("/player/walkin/queue/list", 5) == [OSCMessage("/player/walkin/queue/list", 3, 3)])
    desk.send("/player/walkin/queue/clear")
    #expect(desk.send("/player/walkin/queue/list") == [OSCMessage("/player/walkin/queue/list", 0, 0)])
  }

  @Test("A queue of thousands is answered in slices")
  func slices() throws {
    var desk = try Self.desk()
    desk.files["all"] = QueueAddition((0..<4_000).map { QueueItem(name: "\($0).wav", title: "\($0)") })
    desk.send("/player/walkin/file", "all")
    let packet = OSCPacket.message(OSCMessage("/player/walkin/queue/list"))
    let trial = try #require(desk.surface.decide(packet, from: Desk.me, &desk.state, at: desk.time))
    var answering = Answering(trial)
    var sizes: [Int] = []
    while !answering.isDone {
      let outcome = desk.surface.answer(&answering, desk.state, at: desk.time, slice: 1_000)
      sizes.append(outcome.datagrams.reduce(0) { $0 + $1.packet.messages.count })
    }
    #expect(sizes.reduce(0, +) == 4_000 && sizes.allSatisfy { $0 <= 1_500 }, "\(sizes)")
  }

  @Test("Orders of one bundle take effect together, or none does")
  func bundle() throws {
    var desk = try Self.desk()
    desk.send("/player/create", "jingle", "music", "j.wav")
    let (one, two) = (OSCMessage("/player/walkin/play"), OSCMessage("/player/jingle/play"))
    #expect(desk.bundle(one, OSCMessage("/player/nobody/play")).errorCode != nil)
    #expect(desk.get("/player/walkin/playing") == [0])
    #expect(desk.bundle(one, two).isEmpty)
    #expect(desk.get("/player/walkin/playing") == [1] && desk.get("/player/jingle/playing") == [1])
    // A player is filled and started by one bundle.
    #expect(
      desk.bundle(
        OSCMessage("/player/create", "third", "music"), OSCMessage("/player/third/queue/add", "t.wav"),
        OSCMessage("/player/third/play")
      ).isEmpty)
    #expect(desk.get("/player/third/playing") == [1])
  }

  @Test("/remote reaches the player that plays; without one it is an errand for the desktop's bus")
  func remote() throws {
    var desk = try Self.desk()
    #expect(desk.send("/remote/toggle").isEmpty)
    #expect(desk.errands.map(\.job) == [.media(.foreign(.toggle))])
    #expect(desk.send("/remote/seek/forward", 1).errorCode == .notFound)
    #expect(desk.send("/remote/seek/forward", 0).isEmpty)
    desk.state.nowPlayingPlayers = ["walkin"]
    desk.send("/player/walkin/play")
    #expect(desk.send("/remote/pause").isEmpty)
    #expect(desk.get("/player/walkin/state") == ["paused"])
    #expect(desk.send("/remote/play").isEmpty)
    #expect(desk.get("/player/walkin/playing") == [1])
    #expect(desk.errands.count == 1)
  }

  @Test("Commands that need files become errands with what they ask for")
  func errands() throws {
    var desk = try Self.desk()
    desk.send("/library/find", "album:Blue", 100, 50)
    desk.send("/library/songs")
    desk.send("/library/albums", 20)
    desk.send("/library/scan")
    desk.send("/player/walkin/queue/save", "Walk-in.m3u8")
    desk.send("/recorder/create", "tape", "output:usb")
    desk.send("/recorder/tape/files", 20)
    desk.send("/recorder/tape/delete", "tape-1.wav")
    let items = ["a.wav", "b.wav", "c.wav"].map { QueueItem(name: $0, title: $0) }
    var page = try Surface.PageRequest(Arguments([100, 50]), at: 0)
    var jobs: [Surface.MediaJob] = [.find("album:Blue", page)]
    page = try Surface.PageRequest(Arguments([]), at: 0)
    jobs.append(.list(.songs, page))
    page.start = 20
    jobs += [
      .list(.albums, page), .scan, .save(items, as: "Walk-in.m3u8"),
      .recordings(page), .delete(recording: "tape-1.wav", of: "tape"),
    ]
    #expect(desk.errands.map(\.job) == jobs.map { .media($0) })
  }

  @Test("A page of a list says where it begins and how long the whole list is")
  func pages() throws {
    var desk = try Self.desk()
    desk.send("/library/songs", 10)
    desk.send("/request", 9, "/library/songs", 10)
    let rows: [[OSCArgument]] = [["id:1", "One"], ["id:2", "Two"]]
    #expect(
      desk.errands[0].answers(rows, from: 10, of: 99) == [
        OSCMessage("/library/songs", 10, 99, "id:1", "One"),
        OSCMessage("/library/songs", 11, 99, "id:2", "Two"),
      ])
    #expect(desk.errands[0].answers([], from: 10, of: 5) == [OSCMessage("/library/songs", 10, 5)])
    #expect(
      desk.errands[1].answers(rows, from: 10, of: 99).last
        == OSCMessage("/response", 9, 0, "/library/songs", 2))
  }

  @Test("Recorders are made of each kind of source, with a template, and listed")
  func recorders() throws {
    var desk = try Desk.stage()
    for (index, source) in ["session:show", "stream:show.main", "output:usb", "input:mic"].enumerated() {
      #expect(desk.send("/recorder/create", .string("r\(index)"), .string(source)).isEmpty, "\(source)")
    }
    #expect(desk.send("/recorder/create", "named", "output:usb", "evening-{n}").isEmpty)
    #expect(desk.get("/recorder/named/file") == ["evening-{n}"])
    #expect(
      desk.send("/recorder/list")[2]
        == OSCMessage("/recorder/list", 2, 5, "r2", "output:usb", "stopped", ""))
    #expect(desk.send("/recorder/remove", "r2").isEmpty)
    #expect(desk.send("/recorder/list").count == 4)
  }

  @Test(
    "Wrong arguments are refused, and nothing changes",
    arguments: [
      ("/player/create", [], .badValue), ("/player/create", ["x"], .badValue),
      ("/player/create", ["X Y", "show"], .badValue), ("/player/create", ["list", "show"], .badValue),
      ("/player/create", ["walkin", "show"], .exists), ("/player/create", ["x", "nobody"], .notFound),
      ("/player/create", ["x", "show.nobody"], .notFound), ("/player/create", ["x", "show.a.b"], .badValue),
      ("/player/create", ["x", 1], .badType), ("/player/create", ["*", "show"], .noWildcard),
      ("/player/remove", [], .badValue), ("/player/remove", ["nobody"], .notFound),
      ("/player/remove", ["w*"], .noWildcard), ("/player/walkin/queue/add", [], .badValue),
      ("/player/walkin/queue/add", ["a", 1], .badType), ("/player/nobody/queue/add", ["a"], .unknownAddress),
      ("/player/walkin/queue/insert", ["a"], .badValue), ("/player/walkin/queue/insert", [0], .badValue),
      ("/player/walkin/queue/insert", [4, "a"], .outOfRange),
      ("/player/walkin/queue/insert", [.float(.infinity), "a"], .badValue),
      ("/player/walkin/queue/insert", [-1, "a"], .outOfRange),
      ("/player/walkin/queue/move", [0], .badValue), ("/player/walkin/queue/move", [0, 3], .outOfRange),
      ("/player/walkin/queue/remove", [3], .outOfRange), ("/player/walkin/queue/remove", [], .badValue),
      ("/player/walkin/queue/remove", ["x"], .badValue), ("/player/walkin/queue/save", [], .badValue),
      ("/player/walkin/queue/list", [-1], .outOfRange), ("/player/walkin/queue/list", [0, 0], .outOfRange),
      ("/player/walkin/queue/list", ["x"], .badValue), ("/player/*/queue/add", ["a"], .noWildcard),
      ("/player/*/play", [], .noWildcard), ("/player/walkin/state", [1], .readOnly),
      ("/library/find", [], .badValue), ("/library/find", [1], .badType),
      ("/library/find", ["a", -1], .outOfRange), ("/library/find", ["a", 0, 100_000], .outOfRange),
      ("/library/songs", ["x"], .badValue), ("/library/progress", [1], .readOnly),
      ("/library/count", [1], .readOnly), ("/recorder/create", [], .badValue),
      ("/recorder/create", ["t"], .badValue), ("/recorder/create", ["t", "usb"], .badValue),
      ("/recorder/create", ["t", "tape:usb"], .badValue),
      ("/recorder/create", ["t", "stream:show"], .badValue),
      ("/recorder/create", ["list", "output:usb"], .badValue), ("/recorder/remove", ["t"], .notFound),
      ("/recorder/t/files", [], .unknownAddress), ("/recorder/t/record", [], .unknownAddress),
      ("/recorder/t/delete", ["x.wav"], .unknownAddress),
      ("/remote/seek/forward", [], .badValue),
    ] as [(String, [OSCArgument], ErrorCode)])
  func wrong(_ address: String, _ arguments: [OSCArgument], _ code: ErrorCode) throws {
    var desk = try Self.desk()
    let before = desk.state
    let answers = desk.send(OSCMessage(address, arguments))
    #expect(answers.errorCode == code, "\(answers)")
    #expect(desk.state == before)
    #expect(desk.errands.isEmpty)
  }

  @Test("A client that may only look lists and finds, and changes nothing")
  func rights() throws {
    let host = HostAddress(0xC0A8_0109)
    let rule = try #require(HostRule("192.168.1.9", right: .view))
    var desk = try Desk.stage(admission: Admission(hosts: [rule]))
    desk.send("/player/create", "walkin", "music", "a.wav")
    let guest = Desk.remote(host, 9)
    #expect(desk.send("/player/list", from: guest).errors.isEmpty)
    #expect(desk.send("/player/walkin/queue/list", from: guest).count == 1)
    #expect(desk.send("/library/find", "blue", from: guest).isEmpty)
    for address in [
      "/player/walkin/play", "/player/walkin/queue/add", "/player/remove", "/remote/play", "/library/scan",
      "/recorder/create", "/player/walkin/queue/save", "/player/walkin/gain",
    ] {
      #expect(desk.send(address, "walkin", from: guest).errorCode == .denied, "\(address)")
    }
  }
}
