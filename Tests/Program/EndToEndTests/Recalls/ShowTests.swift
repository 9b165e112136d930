import Foundation
import OSC
import TestKit
import Testing

/// A show runs by scenes, over OSC and from the shell.
@Suite("A show")
struct ShowTests {
  private static func scene(_ gain: Int, _ more: String = "") -> String {
    House.preset(
      """
      "show": { "category": "multiRoute", "activate": "start", "gain": \(gain), "streams": {
        "band": { "channels": 2, "from": ["Band:out_*"], "to": { "usb:1-2": 0 } } } }\(more)
      """)
  }

  /// A house whose library has the presets `act-1`, `act-2` and `act-3`.
  private static func house(_ library: TemporaryFolder) async throws -> House {
    for number in 1...3 { _ = try library.write(scene(-10 * number), to: "act-\(number).json") }
    _ = try library.write("{ multiroute: 1, colour: 1 }", to: "broken.json")
    let house = try await House(scene(0), flags: ["--presets", library.path])
    try house.surface.send("/preset/fade", 0.0)
    return house
  }

  @Test("goes on with GO, ignores a second press, and tells every surface")
  func go() async throws {
    let library = try TemporaryFolder()
    let house = try await Self.house(library)
    let tablet = try ControlSurface(port: house.router.port)
    try tablet.subscribe("/preset")
    try house.surface.subscribe("/event/preset")
    #expect(throws: ControlSurface.Refusal.self) { try house.surface.send("/preset/go") }
    #expect(throws: ControlSurface.Refusal.self) { try house.surface.send("/preset/standby", "act-9") }
    try house.surface.send("/preset/standby", "act-1")
    try house.surface.send("/preset/go")
    try house.surface.event("preset") { $0.first == "act-1" && $0.dropFirst().first == "done" }
    #expect(try house.surface.number("/session/show/gain") == -10)
    #expect(try house.surface.text("/preset/current") == "act-1")
    #expect(try house.surface.text("/preset/standby") == "act-2")
    try tablet.wait(for: "/preset/current") { $0.arguments == ["act-1"] }
    try tablet.wait(for: "/preset/act-1/recall") { $0.arguments == [1] }
    // The same finger, once more.
    do {
      try house.surface.send("/preset/go")
      Issue.record("a second press was carried out")
    } catch let refusal as ControlSurface.Refusal {
      #expect(refusal.symbol == "rateLimited")
    }
    try house.surface.tell("/preset/go")
    #expect(try house.surface.takeAll().filter { $0.address == "/error" }.isEmpty)
    #expect(try house.surface.text("/preset/current") == "act-1")
    // Another scene is recalled at once, and is the start of the next step.
    try house.surface.send("/preset/act-2/recall/in", 0.0)
    try house.surface.send("/preset/guard", 0.0)
    try house.surface.send("/preset/next")
    #expect(try house.surface.text("/preset/current") == "act-3")
    #expect(throws: ControlSurface.Refusal.self) { try house.surface.send("/preset/next") }
    try house.surface.send("/preset/prev")
    #expect(try house.surface.number("/session/show/gain") == -20)
    try house.surface.send("/session/show/gain", -3)
    #expect(try house.surface.number("/preset/modified") == 1)
    try house.surface.send("/preset/act-1/recall", 1)
    try house.surface.send("/preset/undo")
    #expect(try house.surface.number("/session/show/gain") == -3)
    #expect(try house.surface.text("/preset/current") == "act-2")
  }

  @Test("ends with its last scene: no shipped preset follows")
  func end() async throws {
    let library = try TemporaryFolder()
    for name in ["act-1", "act-2"] { _ = try library.write(Self.scene(-10), to: "\(name).json") }
    let house = try await House(Self.scene(0), flags: ["--presets", library.path])
    try house.surface.send("/preset/list")
    let listed = house.surface.takeInbox().filter { $0.address == "/preset/list" }.map { $0.arguments[2] }
    #expect(listed.contains("theatre") && listed.contains("usb-and-headphones"))
    try house.surface.send("/preset/act-1/recall/in", 0.0)
    try house.surface.send("/preset/guard", 0.0)
    #expect(try house.surface.text("/preset/standby") == "act-2")
    try house.surface.send("/preset/go")
    #expect(try house.surface.text("/preset/standby") == "none")
    #expect(throws: ControlSurface.Refusal.self) { try house.surface.send("/preset/go") }
    #expect(throws: ControlSurface.Refusal.self) { try house.surface.send("/preset/next") }
    #expect(try house.surface.text("/preset/current") == "act-2")
    // A shipped preset is a scene like any other for whoever names it.
    try house.surface.send("/preset/standby", "theatre")
  }

  @Test("has a scene as soon as its file is in the folder, and no more when it is gone")
  func files() async throws {
    let library = try TemporaryFolder()
    for name in ["act-1", "act-2"] { _ = try library.write(Self.scene(-10), to: "\(name).json") }
    let house = try await House(Self.scene(0), flags: ["--presets", library.path])
    try house.surface.subscribe("/preset/act-*")
    _ = try library.write(Self.scene(-20), to: "act-3.json")
    try house.surface.wait(for: "/preset/act-3/lock")
    try house.surface.send("/preset/act-3/check")
    try house.surface.send("/preset/act-2/recall/in", 0.0)
    #expect(try house.surface.text("/preset/standby") == "act-3")
    try FileManager.default.removeItem(atPath: library.file("act-3.json"))
    _ = try library.write(Self.scene(-30), to: "act-4.json")
    try house.surface.wait(for: "/preset/act-4/lock")
    #expect(throws: ControlSurface.Refusal.self) { try house.surface.send("/preset/act-3/check") }
  }

  @Test("goes on as it is if a scene is missing or broken, and the answer says why")
  func mistakes() async throws {
    let library = try TemporaryFolder()
    let house = try await Self.house(library)
    func refusal(_ id: OSCArgument) throws -> ControlSurface.Refusal? {
      do {
        try house.surface.send("/preset/recall", id)
        return nil
      } catch let refusal as ControlSurface.Refusal {
        return refusal
      }
    }
    let missing = try #require(try refusal("act-9"))
    #expect(missing.symbol == "notFound" && missing.sentence.contains("did you mean"), "\(missing)")
    let broken = try #require(try refusal("broken"))
    #expect(broken.symbol == "badValue" && broken.sentence.contains("colour"), "\(broken)")
    #expect(try refusal("../act-1")?.symbol == "badValue")
    #expect(try refusal("current")?.symbol == "badValue", "the word of an address")
    #expect(try house.surface.text("/preset/current") == "show")
    #expect(try house.surface.number("/session/show/gain") == 0)
    // A file that was written a moment ago is found.
    _ = try library.write(Self.scene(-7), to: "fresh.json")
    #expect(try refusal("fresh") == nil)
    #expect(try house.surface.number("/session/show/gain") == -7)
    try house.surface.send("/preset/list")
    let listed = house.surface.takeInbox().filter { $0.address == "/preset/list" }.map { $0.arguments[2] }
    let own: [OSCArgument] = ["act-1", "act-2", "act-3", "broken", "fresh"]
    #expect(listed.filter(own.contains) == own, "\(listed)")
  }

  /// A scene with a session that records. At the start no scene is on standby, so the scene is set there.
  private static func standBy(_ library: TemporaryFolder, _ id: String, _ voice: String) async throws -> House
  {
    _ = try library.write(
      scene(-30, #", "voice": { \#(voice), "activate": "start", "active": true }"#), to: "\(id).json")
    let house = try await Self.house(library)
    try house.surface.subscribe("/event/preset")
    try house.surface.send("/preset/standby", .string(id))
    return house
  }

  @Test("has a scene in force after GO in a call, except for the session that the call keeps silent")
  func call() async throws {
    let library = try TemporaryFolder()
    let house = try await Self.standBy(
      library, "call", #""category": "playAndRecord", "options": [], "resume": "recommended""#)
    try house.surface.send("/interruption/phone/on", 1)
    try house.surface.send("/preset/go")
    try house.surface.event("preset") { $0.dropFirst().first == "partial" }
    #expect(try house.surface.number("/session/show/gain") == -30)
    #expect(try house.surface.number("/session/voice/active") == 0)
    #expect(try house.surface.text("/session/voice/why").contains("phone"))
    try house.surface.send("/interruption/phone/on", 0)
    #expect(try house.surface.number("/session/voice/active") == 1)
  }

  @Test("has a scene in force after GO with a microphone missing, except for the session that needs one")
  func microphone() async throws {
    let library = try TemporaryFolder()
    let house = try await Self.standBy(library, "record", #""category": "record""#)
    let surface = house.surface
    // The interface has inputs, too.
    for device in ["Microphone", "USB Interface"] { try house.stage.do("unplug \"\(device)\"") }
    _ = try house.stage.ask {
      try surface.number("/input/mic/available") + surface.number("/input/line/available")
    } until: {
      $0 == 0
    }
    try surface.send("/preset/go")
    try surface.event("preset") { $0.first == "record" && $0.dropFirst().first == "partial" }
    #expect(try surface.text("/preset/current") == "record" && surface.number("/session/show/gain") == -30)
    #expect(try surface.number("/session/show/active") == 1 && surface.number("/session/voice/active") == 0)
    #expect(try surface.number("/preset/modified") == 0)
    // What would be missing is what is missing.
    _ = surface.takeInbox()
    try surface.send("/preset/record/check")
    let missing = surface.takeInbox().filter { $0.address == "/preset/record/check" }.map { $0.arguments[2] }
    for address in ["/input/mic", "/output/usb", "/session/voice/active"] {
      #expect(missing.contains(.string(address)), "\(address) in \(missing)")
    }
    try house.stage.do("replug Microphone")
    _ = try house.stage.ask {
      try surface.number("/input/mic/available")
    } until: {
      $0 == 1
    }
    try surface.send("/session/voice/active", 1)
    #expect(try surface.number("/session/voice/active") == 1)
  }

  @Test("tells before GO which plugins a scene would miss, and what has them")
  func plugins() async throws {
    let library = try TemporaryFolder()
    _ = try library.write(
      House.preset(
        #""show": { "category": "multiRoute", "streams": { "band": { "from": ["Band:out_1"], "to": { "usb": 0 }, "effects": ["urn:multiroute:nowhere", "high-pass HPfrek=90"] } } }"#
      ), to: "sung.json")
    let house = try await Self.house(library)
    let surface = house.surface
    _ = surface.takeInbox()
    try surface.send("/preset/sung/check")
    let rows = surface.takeInbox().filter { $0.address == "/preset/sung/check" }
      .map { $0.arguments.dropFirst(2).compactMap(\.text) }
    #expect(
      rows == [
        [
          "/session/show/stream/band/effects",
          "show.band: the plugin urn:multiroute:nowhere is not installed; install the package that has it",
        ],
        [
          "/session/show/stream/band/effects",
          "show.band: x42-eq - Parametric Equalizer Stereo has no control HPfrek; did you mean 'HPfreq'?",
        ],
      ], "\(rows)")
    #expect(house.router.terminate().code == 0)
  }

  @Test("tells before GO what a scene would miss, until it is there")
  func check() async throws {
    let library = try TemporaryFolder()
    _ = try library.write(
      House.preset(
        #""show": { "category": "multiRoute", "streams": { "choir": { "from": ["Choir:out_1"], "to": { "usb": 0 } } } }"#
      ), to: "choir.json")
    let house = try await Self.house(library)
    let surface = house.surface
    let missing: [OSCArgument] = [
      0, 1, "/session/show/stream/choir/from", "nothing matches Choir:out_1; the nearest port is Band:out_1",
    ]
    #expect(try surface.send("/preset/choir/check") == missing)
    #expect(try Array(surface.send("/get", "/preset/choir/check").prefix(4)) == missing)
    #expect(try surface.text("/preset/current") == "show")
    #expect(try surface.send("/preset/act-1/check") == [0, 0])
    #expect(throws: ControlSurface.Refusal.self) { try surface.send("/preset/broken/check") }
    #expect(throws: ControlSurface.Refusal.self) { try surface.send("/preset/act-9/check") }
    try house.stage.do("source Choir 1 silence")
    #expect(
      try house.stage.ask {
        try surface.send("/preset/choir/check")
      } until: {
        $0 == [0, 0]
      } == [0, 0])
  }

  @Test("tells before GO what it will do, and does that")
  func preview() async throws {
    let library = try TemporaryFolder()
    let house = try await Self.house(library)
    let surface = house.surface
    #expect(try surface.send("/get", "/preset/act-2/preview").dropFirst(2).first == "/session/show/gain")
    let rows = try surface.send("/preset/act-2/preview")
    #expect(rows == [0, 1, "/session/show/gain", "0", "-20", "show becomes quieter by 20.0 dB"])
    #expect(try surface.number("/session/show/gain") == 0)
    let child = try Program.start(
      ["presets", "preview", "act-2", "--to", "127.0.0.1:\(house.router.port)"], in: house.folder)
    #expect(child.wait(seconds: 10) == 0)
    #expect(child.output.text.contains("becomes quieter by 20.0 dB"))
    try surface.send("/preset/recall", "act-2")
    #expect(try surface.send("/preset/act-2/preview") == [0, 0])
    #expect(throws: ControlSurface.Refusal.self) { try surface.send("/preset/broken/preview") }
    #expect(throws: ControlSurface.Refusal.self) { try surface.send("/preset/act-9/preview") }
  }

  @Test("is stored as it is heard, changed, and brought back, over OSC and from the shell")
  func store() async throws {
    let library = try TemporaryFolder()
    let house = try await Self.house(library)
    let surface = house.surface
    func symbol(_ address: String, _ arguments: OSCArgument...) throws -> String? {
      do {
        try surface.send(address, arguments)
        return nil
      } catch let refusal as ControlSurface.Refusal {
        return refusal.symbol
      }
    }
    func run(_ words: String...) throws -> (code: Int32?, output: String) {
      let child = try Program.start(words + ["--to", "127.0.0.1:\(house.router.port)"], in: house.folder)
      return (child.wait(seconds: 10), child.output.text)
    }
    try surface.send("/session/show/gain", -17.5)
    try surface.send("/session/create", "guest", "playback")
    try surface.send("/preset/store", "scene", "The storm")
    #expect(try symbol("/preset/store", "scene") == "exists")
    #expect(try symbol("/preset/store", "current") == "badValue")
    #expect(try surface.text("/preset/current") == "scene")
    #expect(try surface.number("/preset/modified") == 0)
    try surface.send("/preset/guard", 0.0)
    try surface.send("/preset/recall", "act-1")
    #expect(try symbol("/get", "/session/guest/gain") == "unknownAddress")
    try surface.send("/preset/recall", "scene")
    #expect(try surface.number("/session/show/gain") == -17.5)
    #expect(try surface.number("/session/guest/gain") == 0)
    try surface.send("/session/show/gain", -5)
    #expect(try run("presets", "update", "scene").code == 0)
    #expect(try run("presets", "versions", "scene").output.contains("1"))
    #expect(try symbol("/preset/scene/lock", 1) == nil)
    #expect(try surface.number("/preset/scene/lock") == 1)
    #expect(try symbol("/preset/delete", "scene") == "locked")
    #expect(try run("presets", "delete", "scene").code == 1)
    #expect(try symbol("/preset/scene/lock", 0) == nil)
    #expect(try run("presets", "delete", "scene").code == 0)
    #expect(try symbol("/preset/recall", "scene") == "notFound")
    #expect(try run("presets", "restore", "scene", "1").code == 0)
    try surface.send("/preset/recall", "scene")
    #expect(try surface.number("/session/show/gain") == -17.5)
    // Somebody else edits the file of the scene in force.
    _ = try library.write(Self.scene(-1), to: "scene.json")
    #expect(try symbol("/preset/update", "scene") == "exists")
    #expect(try library.text(of: "scene.json") == Self.scene(-1))
    #expect(try run("presets", "store", "shell", "--title", "Act 3: the end").code == 0)
    #expect(try library.text(of: "shell.json").contains("Act 3: the end"))
  }

  @Test("can be aborted in mid-fade, and a second recall takes over from the present levels")
  func abort() async throws {
    let library = try TemporaryFolder()
    let house = try await Self.house(library)
    try house.surface.subscribe("/event/preset")
    try house.surface.subscribe("/preset/progress")
    try house.surface.send("/preset/recall", "act-3", 100.0)
    try house.surface.wait(for: "/preset/progress") { message in
      if case .float(let progress)? = message.arguments.first { progress > 0 && progress < 1 } else { false }
    }
    try house.surface.send("/preset/abort")
    let level = try house.surface.number("/session/show/gain")
    #expect(level < 0 && level > -29)
    #expect(try house.surface.number("/session/show/gain") == level)
    #expect(try house.surface.number("/preset/progress") == 1)
    #expect(throws: ControlSurface.Refusal.self) { try house.surface.send("/preset/abort") }
    try house.surface.send("/preset/recall", "act-2", 100.0)
    try house.surface.send("/preset/recall", "act-1", 0.0)
    #expect(try house.surface.number("/session/show/gain") == -10)
    try house.surface.event("preset") { $0.first == "act-2" && $0.dropFirst().first == "aborted" }
    try house.surface.event("preset") { $0.first == "act-1" && $0.dropFirst().first == "done" }
  }

  @Test("is run from the shell")
  func shell() async throws {
    let library = try TemporaryFolder()
    let house = try await Self.house(library)
    func run(_ words: String...) throws -> Int32? {
      let child = try Program.start(words + ["--to", "127.0.0.1:\(house.router.port)"], in: house.folder)
      return child.wait(seconds: 10)
    }
    #expect(try run("recall", "act-2", "--fade", "0") == 0)
    #expect(try house.surface.number("/session/show/gain") == -20)
    try house.surface.send("/preset/guard", 0.0)
    #expect(try run("go") == 0)
    #expect(try house.surface.text("/preset/current") == "act-3")
    #expect(try run("go") == 1)
    #expect(try run("recall", "act-9") == 1)
    #expect(try run("recall") == 64)
  }
}
