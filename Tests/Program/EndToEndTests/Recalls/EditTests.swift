import Foundation
import OSC
import TestKit
import Testing

/// The preset in force is edited while the show runs, with `--watch`.
@Suite("An edit of the preset in force")
struct EditTests {
  private let gain = "/session/show/gain"

  private static func text(_ gain: Double, _ more: String = "") -> String {
    House.preset(
      """
      "show": { "category": "multiRoute", "activate": "start", "gain": \(gain), "streams": {
        "band": { "channels": 2, "from": ["Band:out_*"], "to": { "usb:1-2": 0 } } } }\(more)
      """)
  }

  private static func house(_ preset: String = text(0), _ library: TemporaryFolder? = nil) async throws
    -> House
  {
    let flags = library.map { ["--presets", $0.path] } ?? []
    let house = try await House(preset, flags: ["--watch"] + flags)
    try house.surface.send("/preset/fade", 0.0)
    return house
  }

  /// Waits until the preset was read again once more, and expects a level then.
  private func expectReload(_ house: House, _ level: Double) throws {
    try #require(house.router.child.errors.line(containing: "multiroute: reloaded") != nil)
    #expect(try house.surface.number(gain) == level)
  }

  private func count(_ words: String, _ house: House) -> Int {
    house.router.child.errors.text.components(separatedBy: words).count - 1
  }

  @Test(
    "is in force once, however the editor writes: by a rename, in place, twice in a row, or around a backup")
  func editors() async throws {
    let house = try await Self.house()
    let file = URL(filePath: house.folder.file("show.json"))
    func data(_ gain: Double) -> Data { Data(Self.text(gain).utf8) }
    // The file is there before it is whole, and empty before that.
    func writeSlowly(_ data: Data) throws {
      let handle = try FileHandle(forWritingTo: file)
      try handle.truncate(atOffset: 0)
      usleep(60_000)
      try handle.write(contentsOf: data.prefix(data.count / 2))
      usleep(60_000)
      try handle.write(contentsOf: data.dropFirst(data.count / 2))
      try handle.close()
    }
    try data(-1).write(to: file, options: .atomic)
    try expectReload(house, -1)
    try writeSlowly(data(-2))
    try expectReload(house, -2)
    try data(-40).write(to: file, options: .atomic)
    usleep(40_000)
    try data(-3).write(to: file, options: .atomic)
    try expectReload(house, -3)
    try FileManager.default.moveItem(at: file, to: file.appendingPathExtension("bak"))
    usleep(20_000)
    try data(-4).write(to: file)
    try expectReload(house, -4)
    // The same content, and files that the preset does not use.
    try data(-4).write(to: file, options: .atomic)
    try data(-50).write(to: URL(filePath: house.folder.file("other.json")))
    usleep(300_000)
    try data(-5).write(to: file, options: .atomic)
    try expectReload(house, -5)
    #expect(count("multiroute: reloaded", house) == 5, "\(house.router.child.errors.text)")
    #expect(count("could not be reloaded", house) == 0, "\(house.router.child.errors.text)")
  }

  @Test("moves only what differs in the file, with the fade of /preset/fade")
  func smallest() async throws {
    let house = try await Self.house()
    try house.surface.send("/preset/fade", 100.0)
    try house.surface.send("/session/show/stream/band/gain", -7.0)
    try house.surface.subscribe("/event/*")
    try house.surface.subscribe("/preset/progress")
    try house.folder.write(Self.text(-30), to: "show.json")
    let started = try house.surface.event("preset")
    #expect(started == ["show", "started", 100.0])
    try house.surface.wait(for: "/preset/progress") { message in
      if case .float(let progress)? = message.arguments.first { progress > 0 && progress < 1 } else { false }
    }
    let level = try house.surface.number(gain)
    #expect(level < 0 && level > -30)
    #expect(try house.surface.number("/session/show/stream/band/gain") == -7)
    #expect(try house.surface.number("/preset/modified") == 1, "the operator's fader is still moved")
    try house.surface.send("/preset/abort")
    let told = try house.surface.takeAll().map(\.address)
    #expect(!told.contains("/event/session") && !told.contains("/event/route"), "\(told)")
  }

  @Test("that is broken is reported with every problem, and the show goes on until it is repaired")
  func broken() async throws {
    let house = try await Self.house()
    let errors = house.router.child.errors
    try house.surface.subscribe("/event/error")
    let wrong = Self.text(-1).replacing("usb:1-2", with: "usb:1-9")
    try house.folder.write(
      wrong.replacing("{ \"multiroute\"", with: "{ colour: 1, \"multiroute\""), to: "show.json")
    #expect(errors.line(containing: "nothing was changed") != nil)
    #expect(errors.text.contains("usb has 4 channels") && errors.text.contains("\"colour\""))
    try house.surface.event("error") { $0.contains { $0.text?.contains("nothing was changed") == true } }
    #expect(try house.surface.number(gain) == 0)
    #expect(try house.surface.number("/session/show/active") == 1)
    try FileManager.default.removeItem(atPath: house.folder.file("show.json"))
    #expect(errors.line(containing: "No such file") != nil)
    try FileManager.default.createDirectory(
      atPath: house.folder.file("show.json"), withIntermediateDirectories: false)
    #expect(errors.line(containing: "it is a folder, not a file") != nil)
    try FileManager.default.removeItem(atPath: house.folder.file("show.json"))
    try house.folder.write(Self.text(-2), to: "show.json")
    try expectReload(house, -2)
  }

  @Test("or of a preset that it extends, or at the end of a link, is followed, also after a recall")
  func extended() async throws {
    let (library, elsewhere) = (try TemporaryFolder(), try TemporaryFolder())
    try library.write(#"{ multiroute: 1, ducking: { level: -10 } }"#, to: "base.json")
    try elsewhere.write(Self.text(-8), to: "target.json")
    try FileManager.default.createSymbolicLink(
      atPath: library.file("linked.json"), withDestinationPath: elsewhere.file("target.json"))
    let head = "{ \"multiroute\": 1"
    let house = try await Self.house(
      Self.text(0).replacing(head, with: "\(head), extends: \"base\""), library)
    #expect(try house.surface.number("/duck/level") == -10)
    try library.write(#"{ multiroute: 1, ducking: { level: -20 } }"#, to: "base.json")
    try expectReload(house, 0)
    #expect(try house.surface.number("/duck/level") == -20)
    try house.surface.send("/preset/recall", "linked")
    #expect(try house.surface.number(gain) == -8)
    try elsewhere.write(Self.text(-9), to: "target.json")
    try expectReload(house, -9)
    // SIGHUP, too, reads the scene in force, and not the preset of the start.
    house.router.child.send(signal: SIGHUP)
    try expectReload(house, -9)
    #expect(try house.surface.text("/preset/current") == "linked")
    // The preset of the start is no longer in force.
    try house.folder.write(Self.text(-60), to: "show.json")
    try elsewhere.write(Self.text(-10), to: "target.json")
    try expectReload(house, -10)
    #expect(count("multiroute: reloaded", house) == 4, "\(house.router.child.errors.text)")
    // What this router stores itself is in force already.
    try house.surface.send("/session/show/gain", -11.0)
    try house.surface.send("/preset/store", "stored")
    try library.write(Self.text(-12), to: "stored.json")
    try expectReload(house, -12)
    #expect(count("multiroute: reloaded", house) == 5, "\(house.router.child.errors.text)")
  }
}
