import Foundation
import JackServer
import OSC
import TestKit
import Testing

/// The router as a client of a session manager (NSM), which is a double.
@Suite struct SessionManagerTests {
  private typealias Message = SessionManager.Message

  @Test("Announced, opened, changed, saved and ended; the next run opens what was saved")
  func steps() async throws {
    let router = try await ManagedRouter(at: "127.0.1.1")
    let (manager, stage) = (router.manager, try router.server.stage())
    try router.welcome()
    // The session manager may take its time. The router has no JACK client until it has a name.
    #expect(router.child.errors.line(containing: "waiting for New Session Manager to open a session") != nil)
    #expect(try !stage.names("ports").contains { $0.hasPrefix("multiroute") })
    try router.open("one")
    var surface = try router.ready()
    try manager.expect(Message.progress(1), Message.loaded)
    #expect(router.text("session.json", of: "one").contains("\"multiroute\""))

    try surface.send("/session/create", "talk", "playback")
    try manager.expect(Message.dirty)
    try surface.send("/session/remove", "talk")
    try manager.expect(Message.clean)
    try surface.send("/session/create", "talk", "playback")
    try surface.send("/session/talk/gain", -7.5)
    try manager.expect(Message.dirty)
    try surface.send("/output/system/gain", -3.5)
    try manager.send("/nsm/client/save")
    try manager.expect(Message.saved, Message.clean)
    #expect(router.text("session.json", of: "one").contains("-7.5"))
    #expect(router.child.errors.text.contains("the session 'one' is open in"))
    try surface.send("/session/talk/gain", -20.0)
    try manager.expect(Message.dirty)

    try manager.send("/nsm/client/session_is_loaded")
    let end = router.end()
    #expect(end.code == 0 && end.seconds < 1)
    #expect(manager.rest == 0)
    #expect(!FileManager.default.fileExists(atPath: "\(router.project("one"))/kept.json"))

    let next = try await ManagedRouter(after: router)
    surface = try next.begin("one")
    #expect(try surface.number("/session/talk/gain") == -7.5)
    #expect(try surface.number("/output/system/gain") == -3.5)
    #expect(next.end().code == 0)
    // What was loaded is what is saved.
    #expect(next.manager.rest == 0)
    #expect(!next.child.errors.text.contains("crashed"))
  }

  @Test("Another session in place: its settings alone, the same JACK client, or one of another name")
  func change() async throws {
    let router = try await ManagedRouter()
    let (manager, stage) = (router.manager, try router.server.stage())
    let surface = try router.begin("one")
    try surface.send("/session/create", "talk", "playback")
    try surface.send("/output/system/gain", -8.5)
    let moves: [(address: String, value: OSCArgument)] = [
      ("/output/system/mute", .int32(1)), ("/output/system/delay", .float(0.5)),
      ("/output/system/max", .float(-8)),
    ]
    let beginning = try moves.map { try surface.value($0.address) }
    for move in moves { try surface.send(move.address, [move.value]) }
    try surface.send("/preset/store", "mine", "Mine")
    try manager.expect(Message.dirty)
    try manager.send("/nsm/client/save")
    try manager.expect(Message.saved, Message.clean)
    #expect(router.text("presets/mine.json", of: "one").contains("talk"))
    try surface.subscribe("/event/media")

    try router.open("two")
    try manager.expect(Message.progress(0.5), Message.progress(1), Message.loaded)
    #expect(throws: ControlSurface.Refusal.self) { try surface.text("/session/talk/category") }
    #expect(try surface.number("/output/system/gain") == 0)
    for (move, value) in zip(moves, beginning) {
      #expect(try surface.value(move.address) == value, "\(move)")
    }
    #expect(try surface.takeAll().allSatisfy { $0.address != "/event/media" })
    try surface.send("/session/create", "other", "ambient")
    try manager.expect(Message.dirty)

    // The other settings were not saved, and are dropped.
    try router.open("one", client: "multiroute.nWXYZ")
    try manager.expect(Message.progress(0.5), Message.progress(1), Message.loaded, Message.clean)
    #expect(try surface.text("/session/talk/category") == "playback")
    #expect(throws: ControlSurface.Refusal.self) { try surface.text("/session/other/category") }
    #expect(try surface.number("/output/system/gain") == -8.5)
    for move in moves { #expect(try surface.value(move.address) == move.value, "\(move)") }
    #expect(!router.text("session.json", of: "two").contains("other"))
    let ports = try stage.names("ports")
    #expect(ports.contains { $0.hasPrefix("multiroute.nWXYZ:talk") }, "\(ports)")
    #expect(!ports.contains { $0.hasPrefix("multiroute.nABCD:") })
    #expect(!FileManager.default.fileExists(atPath: "\(router.project("two"))/kept.json"))
    #expect(router.end().code == 0)
    #expect(manager.rest == 0)
  }

  @Test(
    "A session that is opened for the first time begins as the preset says, without the moves of the one before"
  )
  func first() async throws {
    let router = try await ManagedRouter(
      preset: """
        { "multiroute": 1, "ramp": 0.05,
          "ports": { "system": { "type": "lineOut", "outputs": ["system:playback_*"] } },
          "sessions": {
            "talk": { "category": "playback", "gain": -6, "streams": { "main": { "channels": 2, "gain": -3 } } },
            "show": { "category": "multiRoute", "options": ["mixWithOthers"], "streams": {
              "band": { "channels": 2, "to": { "system": -1 } }, "click": { "channels": 1 } } } },
          "players": { "walkin": { "session": "talk", "stream": "main", "gain": -4 } },
          "recorders": { "tape": { "source": "session:talk" } } }
        """)
    let surface = try router.begin("one")
    let moves: [(address: String, value: OSCArgument)] = [
      ("/session/talk/gain", .float(-20)),
      ("/session/talk/mute", .int32(1)),
      ("/session/talk/stream/main/gain", .float(-30)),
      ("/session/talk/stream/main/pan", .float(0.5)),
      ("/session/show/stream/band/to/system/gain", .float(-15)),
      ("/session/show/stream/band/mute", .int32(1)),
      ("/session/talk/mode", .string("spokenAudio")),
      ("/session/talk/priority", .string("call")),
      ("/output/system/gain", .float(-8.5)),
      ("/output/system/mute", .int32(1)),
      ("/output/system/delay", .float(0.1)),
      ("/output/system/max", .float(-2)),
      ("/player/walkin/gain", .float(-40)),
      ("/player/walkin/queue/crossfade", .float(2)),
      ("/recorder/tape/before", .float(3)),
      ("/ramp", .float(0.5)),
      ("/silent", .int32(1)),
      ("/system/panic", .int32(1)),
      ("/preset/fade", .float(7)),
    ]
    let beginning = try moves.map { try surface.value($0.address) }
    #expect(beginning[0] == .float(-6) && beginning[2] == .float(-3), "\(beginning)")
    for move in moves { try surface.send(move.address, [move.value]) }
    for (move, value) in zip(moves, beginning) {
      #expect(try surface.value(move.address) != value, "\(move)")
    }
    try surface.send("/session/create", "extra", "ambient")
    try router.manager.expect(Message.dirty)
    try router.manager.send("/nsm/client/save")
    try router.manager.expect(Message.saved, Message.clean)
    try router.open("two")
    try router.manager.expect(Message.progress(0.5), Message.progress(1), Message.loaded)
    for (move, value) in zip(moves, beginning) {
      #expect(try surface.value(move.address) == value, "\(move.address)")
    }
    #expect(throws: ControlSurface.Refusal.self) { try surface.text("/session/extra/category") }
    _ = router.end()
  }

  @Test(
    "A session manager that refuses the router is named, and the router starts without it",
    arguments: [(code: Int32(-6), reason: "No session is open."), (-2, "The API is too new.")])
  func refused(code: Int32, reason: String) async throws {
    let router = try await ManagedRouter()
    try router.manager.expect(
      Message.announcement(executable: "multiroute", process: router.child.identifier))
    try router.manager.send("/error", .string("/nsm/server/announce"), .int32(code), .string(reason))
    _ = try router.ready(as: "multiroute")
    #expect(
      router.child.errors.text.contains(
        "refused the router: \(reason) (\(code)); the router starts without a session manager"))
    #expect(router.end().code == 0)
  }

  @Test(
    "A project that cannot be made or read is refused by its code and stays as it is, and the next one is opened"
  )
  func failures() async throws {
    let router = try await ManagedRouter()
    let manager = router.manager
    try router.welcome()
    try router.folder.write("a file", to: "obstacle")
    try manager.open(router.folder.file("obstacle/multiroute.nABCD"), "one", "multiroute.nABCD")
    try manager.expect(Message.progress(0))
    #expect(try manager.expectError("/nsm/client/open", -10).contains("obstacle"))
    try manager.send("/nsm/client/save")
    #expect(try manager.expectError("/nsm/client/save", -6) == "no session is open, so nothing can be saved")

    try FileManager.default.createDirectory(
      atPath: router.project("broken"), withIntermediateDirectories: true)
    let file = "\(router.project("broken"))/session.json"
    try "{ \"multiroute\": 1, ".write(toFile: file, atomically: true, encoding: .utf8)
    try router.open("broken")
    #expect(try manager.expectError("/nsm/client/open", -9).contains("session.json is damaged"))
    try router.open("good")
    let surface = try router.ready()
    try manager.expect(Message.progress(1), Message.loaded)

    // The session that is open stays so.
    try surface.send("/session/create", "talk", "playback")
    try manager.expect(Message.dirty)
    try router.open("broken")
    #expect(try manager.expectError("/nsm/client/open", -9).contains("session.json is damaged"))
    #expect(try surface.text("/session/talk/category") == "playback")
    try manager.send("/nsm/client/save")
    try manager.expect(Message.saved, Message.clean)
    #expect(router.text("session.json", of: "good").contains("talk"))
    #expect(router.text("session.json", of: "broken") == "{ \"multiroute\": 1, ")
    #expect(router.end().code == 0)
  }

  @Test(
    "An order to save that comes during the load is carried out after it, and one to open the same session again, too"
  )
  func saveDuringLoad() async throws {
    let router = try await ManagedRouter()
    let manager = router.manager
    try router.welcome()
    try manager.open(router.project("one"), "one", "multiroute.nABCD")
    try manager.send("/nsm/client/save")
    try manager.open(router.project("one"), "one", "multiroute.nABCD")
    try manager.expect(
      Message.progress(0), Message.progress(1), Message.loaded, Message.saved, Message.progress(0),
      Message.progress(0.5), Message.progress(1), Message.loaded)
    try router.ready().sync()
    #expect(router.end().code == 0)
    #expect(manager.rest == 0)
  }

  @Test("A project that cannot be written says so, and its settings stay dirty")
  func unwritable() async throws {
    let router = try await ManagedRouter()
    let manager = router.manager
    let surface = try router.begin("one")
    try surface.send("/session/create", "talk", "playback")
    try manager.expect(Message.dirty)
    let file = "\(router.project("one"))/session.json"
    try FileManager.default.removeItem(atPath: file)
    try FileManager.default.createDirectory(atPath: "\(file)/x", withIntermediateDirectories: true)
    try manager.send("/nsm/client/save")
    #expect(try manager.expectError("/nsm/client/save", -1).contains("session.json"))
    try FileManager.default.removeItem(atPath: file)
    try manager.send("/nsm/client/save")
    try manager.expect(Message.saved, Message.clean)
    #expect(router.end().code == 0)
  }

  @Test("After a crash the project comes back as it was, and is not saved")
  func crash() async throws {
    let router = try await ManagedRouter()
    let surface = try router.begin("one")
    try surface.send("/session/create", "talk", "playback")
    try router.manager.expect(Message.dirty)
    let end = ContinuousClock.now + .seconds(5)
    while !router.text("kept.json", of: "one").contains("\"talk\":"), ContinuousClock.now < end {
      usleep(10_000)
    }
    #expect(router.end(by: SIGKILL).code == -SIGKILL)

    let next = try await ManagedRouter(after: router)
    try next.welcome()
    try next.open("one")
    let again = try next.ready()
    try next.manager.expect(
      Message.progress(1), Message.loaded,
      Message.text("/nsm/client/message") + Message.text(",is") + Message.number(2)
        + Message.text("the last run crashed; its settings were restored and are not saved yet"),
      Message.dirty)
    #expect(try again.text("/session/talk/category") == "playback")
    #expect(!next.text("session.json", of: "one").contains("\"talk\":"))
    #expect(next.end().code == 0)
  }

  @Test(
    "SIGTERM ends a router within a second that waits for a session, also one that was started by its name alone",
    arguments: [false, true])
  func endsWhileWaiting(isBare: Bool) async throws {
    let router = try await ManagedRouter(isBare: isBare)
    try router.welcome()
    #expect(router.child.errors.line(containing: "waiting for New Session Manager") != nil)
    let end = router.end()
    #expect(end.code == 0 && end.seconds < 1)
    #expect(router.manager.rest == 0)
  }

  @Test("Without a JACK server the session manager gets the reason, and the router ends")
  func noServer() async throws {
    let router = try await ManagedRouter()
    router.server.server.stop()
    try router.welcome()
    try router.open("one")
    #expect(try router.manager.expectError("/nsm/client/open", -1).contains("no JACK server"))
    #expect(router.child.wait(seconds: 10) == 69)
  }

  @Test(
    "A session manager that does not answer, or an NSM_URL that is none, does not keep the router from starting",
    arguments: [
      (nil, "no session manager answers at osc.udp://"),
      (
        "osc.tcp://127.0.0.1:9/", "NSM_URL is 'osc.tcp://127.0.0.1:9/', and must be like osc.udp://HOST:PORT/"
      ),
      ("osc.udp://no-such-host.invalid:9/", "no-such-host.invalid"),
    ] as [(String?, String)])
  func silent(url: String?, line: String) async throws {
    let router = try await ManagedRouter(url: url)
    _ = try router.ready(as: "multiroute")
    #expect(router.child.errors.text.contains(line), "\(router.child.errors.text)")
    #expect(router.child.errors.text.contains("the router starts without a session manager"))
    #expect(router.end().code == 0)
  }
}
