import Foundation
import JackServer
import OSC
import TestKit
import Testing

/// A show in which the router is killed and started again.
@Suite struct CrashTests {
  private let band = "/session/show/stream/band"

  /// Kills the router when the kept state contains these words. The router writes it once a second.
  private func kill(_ house: House, keeping words: String...) throws {
    try kill(house.router, house.folder, words)
  }

  private func kill(_ router: RouterProcess, _ folder: TemporaryFolder, keeping words: String...) throws {
    try kill(router, folder, words)
  }

  private func kill(_ router: RouterProcess, _ folder: TemporaryFolder, _ words: [String]) throws {
    let file = folder.file("XDG_STATE_HOME/multiroute/multiroute.json")
    let end = ContinuousClock.now + .seconds(5)
    func isKept() -> Bool {
      let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
      return words.allSatisfy(text.contains)
    }
    while !isKept(), ContinuousClock.now < end { usleep(10_000) }
    try #require(isKept(), "\(words)")
    #expect(router.terminate(by: SIGKILL).code == -SIGKILL)
  }

  /// Starts another router on the same preset and state.
  private func router(_ house: House, _ flags: String...) throws -> RouterProcess {
    try RouterProcess(
      preset: house.folder.file("show.json"), server: house.server.name, in: house.folder, flags: flags,
      owners: [house.stage, house.server])
  }

  @Test(
    "The next run restores the settings from before a crash, and --fresh begins from the preset",
    arguments: [false, true])
  func settings(isFresh: Bool) async throws {
    let house = try await House()
    try house.surface.send("\(band)/gain", -7.5)
    try house.surface.send("/session/create", "talk", "playback", "default", "mixWithOthers")
    try kill(house, keeping: "\"gain\": -7.5", "\"talk\"")
    let next = try isFresh ? router(house, "--fresh") : router(house)
    #expect(next.child.errors.text.contains("the last run crashed") == !isFresh)
    let surface = try ControlSurface(port: next.port)
    #expect(try surface.number("\(band)/gain") == (isFresh ? 0 : -7.5))
    let category = try? surface.text("/session/talk/category")
    #expect(category == (isFresh ? nil : "playback"))
    #expect(next.terminate().code == 0)
    // A clean end leaves nothing to restore.
    let last = try router(house)
    #expect(!last.child.errors.text.contains("the last run crashed"))
  }

  /// Waits until strip 1 has a name.
  private func waitForStrip(_ surface: ControlSurface) throws {
    func hasName(_ message: OSCMessage) -> Bool {
      message.address == "/strip/1/name" && message.arguments != [""]
    }
    if try !surface.subscribe("/strip/1/name").contains(where: hasName) {
      try surface.wait(for: "/strip/1/name", where: hasName)
    }
  }

  @Test("A bank over the controls of a chain is where it was, as soon as the plugin is loaded again")
  func encoders() async throws {
    let house = try await House(
      House.preset(
        """
        "show": { "category": "multiRoute", "streams": {
          "band": { "channels": 2, "from": ["Band:out_*"], "to": { "usb:1-2": 0 }, "effects": ["eq"] } } }
        """))
    let surface = house.surface
    try surface.send("/bank/1/size", 4)
    try surface.send("/bank/1/over", .string(band))
    try waitForStrip(surface)
    try surface.send("/bank/1/at", 4)
    let target = try surface.text("/strip/1/assign")
    #expect(target.hasPrefix("\(band)/effect/1/control/"))
    try kill(house, keeping: "\"/bank/1/at\": 4", "\"/bank/1/over\": \"\(band)\"")
    let next = try router(house)
    let other = try ControlSurface(port: next.port)
    #expect(try other.text("/bank/1/over") == band)
    try waitForStrip(other)
    #expect(try other.text("/strip/1/assign") == target && other.number("/bank/1/at") == 4)
    #expect(next.terminate().code == 0)
  }

  @Test("A restart fades out, and the next run goes on with everything in force; a stop does not")
  func restart() async throws {
    let house = try await House()
    try house.connect()
    try house.stage.do("wait-signal \"USB Interface\" 1 -90")
    try house.stage.do("frames 4800")
    try house.surface.send("/session/create", "talk", "playback", "default", "mixWithOthers")
    try house.surface.send("/output/headphones/gain", -9.5)
    // Less than a second before the end: what is written last counts.
    try house.surface.send("\(band)/mute", 0)
    try house.surface.send("/session/talk/gain", -7.5)
    var end: (code: Int32?, seconds: Double) = (nil, .infinity)
    let usb = try house.hear { end = house.router.terminate(by: SIGUSR1) }
    #expect(end.code == 0)
    #expect(end.seconds < 1)
    usb.gain(of: 0, against: 3).expectMove(from: 1, to: 0, frames: 2_400)
    let next = try router(house)
    #expect(next.child.errors.text.contains("restarted; its settings were restored"))
    let surface = try ControlSurface(port: next.port)
    #expect(try surface.number("/output/headphones/gain") == -9.5)
    #expect(try surface.number("/session/talk/gain") == -7.5)
    #expect(try surface.number("/session/show/active") == 1)
    #expect(next.terminate().code == 0)
    #expect(try !router(house).child.errors.text.contains("restored"))
  }

  @Test(
    "The scene in force, the one on standby and the modified mark come back, from a kept state that is a preset"
  )
  func scene() async throws {
    let library = try TemporaryFolder()
    for (id, level) in [("act-1", -5), ("act-2", -6), ("act-3", -7)] {
      let act = House.show.replacing(
        "\"category\": \"multiRoute\"", with: "\"category\": \"multiRoute\", \"gain\": \(level)")
      try library.write(act, to: "\(id).json")
    }
    let house = try await House(flags: ["--presets", library.path])
    try house.surface.send("/preset/fade", 0.0)
    try house.surface.send("/preset/recall", "act-2")
    try house.surface.send("/preset/standby", "act-1")
    try kill(house, keeping: "\"preset\": \"act-2\"", "\"/preset/standby\": \"act-1\"")
    var next = try router(house, "--presets", library.path)
    var surface = try ControlSurface(port: next.port)
    #expect(try surface.text("/preset/current") == "act-2")
    #expect(try surface.text("/preset/standby") == "act-1")
    #expect(try surface.number("/preset/modified") == 0 && surface.number("/session/show/gain") == -6)
    try surface.send("\(band)/mute", 1)
    try surface.send("/output/usb/gain", -8.5)
    #expect(try surface.number("/preset/modified") == 1)
    try kill(next, house.folder, keeping: "\"modified\": true", "\"gain\": -8.5")

    // The kept state is a preset: it can be looked at, checked and recalled.
    let state = house.folder.file("XDG_STATE_HOME/multiroute/multiroute.json")
    let copy = library.file("copy.json")
    try FileManager.default.copyItem(atPath: state, toPath: copy)
    let check = try Program.run(["check", copy])
    #expect(check.code == 0 && check.errors.isEmpty, "\(check)")
    // Without the file of the scene its settings still come back.
    try FileManager.default.removeItem(atPath: library.file("act-2.json"))
    next = try router(house, "--presets", library.path)
    surface = try ControlSurface(port: next.port)
    #expect(next.child.errors.text.contains("act-2.json"))
    #expect(try surface.text("/preset/current") == "act-2" && surface.number("/preset/modified") == 1)
    #expect(try surface.number("/output/usb/gain") == -8.5 && surface.number("\(band)/mute") == 1)
    try surface.send("/preset/guard", 0.0)
    try surface.send("/preset/recall", "act-3")
    #expect(try surface.number("/output/usb/gain") == 0 && surface.number("\(band)/mute") == 0)
    try surface.send("/preset/recall", "copy")
    #expect(try surface.number("/output/usb/gain") == -8.5 && surface.number("\(band)/mute") == 1)
    #expect(try surface.number("/session/show/gain") == -6 && surface.number("/session/show/active") == 1)
    #expect(next.terminate().code == 0)
    // A run of it goes on where it ends.
    next = try RouterProcess(
      preset: copy, server: house.server.name, in: house.folder, flags: ["--presets", library.path],
      owners: [house.stage, house.server])
    surface = try ControlSurface(port: next.port)
    #expect(try surface.text("/preset/current") == "act-2" && surface.text("/preset/standby") == "act-1")
    #expect(try surface.number("/output/usb/gain") == -8.5 && surface.number("/preset/modified") == 1)
    #expect(next.terminate().code == 0)
  }

  @Test("Without a preset the run after a crash goes on with the scene that was recalled")
  func nameless() async throws {
    let server = try await PrivateServer()
    let folder = try TemporaryFolder()
    try folder.write(House.preset(#""news": { "category": "ambient", "gain": -5 }"#), to: "news.json")
    func start() throws -> RouterProcess {
      try RouterProcess(
        preset: nil, server: server.name, in: folder, flags: ["--presets", folder.path], owners: [server])
    }
    let first = try start()
    try ControlSurface(port: first.port).send("/preset/recall", "news")
    try ControlSurface(port: first.port).send("/session/news/gain", -9.5)
    try kill(first, folder, keeping: "\"gain\": -9.5")
    let next = try start()
    let surface = try ControlSurface(port: next.port)
    #expect(try surface.text("/preset/current") == "news")
    #expect(try surface.number("/session/news/gain") == -9.5)
    #expect(next.terminate().code == 0)
  }

  @Test("A preset that was made quieter after the crash wins, and the run says what it does not restore")
  func edited() async throws {
    let house = try await House()
    try house.surface.send("/session/show/gain", -3.0)
    try house.surface.send("\(band)/gain", -7.5)
    try kill(house, keeping: "\"gain\": -7.5", "\"gain\": -3")
    let quieter = House.show.replacingOccurrences(
      of: "\"activate\": \"start\"", with: "\"activate\": \"start\", \"gain\": -25")
    _ = try house.folder.write(quieter, to: "show.json")
    let next = try router(house)
    let surface = try ControlSurface(port: next.port)
    #expect(try surface.number("/session/show/gain") == -25)
    let log = next.child.errors.text
    #expect(log.contains("none louder than the preset says"))
    #expect(log.contains("not as before the crash: /session/show/gain"), "\(log)")
    #expect(try surface.number("\(band)/gain") == -7.5)
    #expect(next.terminate().code == 0)
  }

  @Test(
    "The next run gives back at its end connections of an exclusive stream, except for those that were replaced"
  )
  func exclusive() async throws {
    let house = try await House()
    let stage = house.stage
    for number in 1...2 { try house.connect("Band:out_\(number)", to: "Speaker:playback_\(number)") }
    try house.surface.send("\(band)/exclusive", 1)
    for number in 1...2 {
      try stage.do("await-connection Band:out_\(number) Speaker:playback_\(number) gone")
    }
    try kill(house, keeping: "\"exclusive\": true", "Speaker:playback_1", "Speaker:playback_2")
    try house.connect("Band:out_2", to: "Headphones:playback_2")
    let next = try router(house)
    try stage.do("await-connection Band:out_2 Headphones:playback_2 gone")
    try stage.do("await-connection Band:out_1 multiroute:show.band_1")
    #expect(try stage.names("connections Band:out_1") == ["multiroute:show.band_1"])
    #expect(next.terminate().code == 0)
    try stage.expectLeft(["Speaker:playback_1"], at: "Band:out_1")
    try stage.expectLeft(["Headphones:playback_2"], at: "Band:out_2")
  }

  @Test("A next run without exclusive streams gives back connections at once")
  func given() async throws {
    let house = try await House()
    try house.connect("Band:out_1", to: "Speaker:playback_1")
    try house.surface.send("\(band)/exclusive", 1)
    try house.stage.do("await-connection Band:out_1 Speaker:playback_1 gone")
    try kill(house, keeping: "\"exclusive\": true", "Speaker:playback_1")
    let next = try router(house, "--fresh")
    try house.stage.do("await-connection Band:out_1 Speaker:playback_1")
    #expect(next.terminate().code == 0)
  }
}
