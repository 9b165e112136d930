import Foundation
import OSC
import TestKit
import Testing

/// Presets that cannot be read or written while the show runs.
@Suite("A library with mishaps")
struct LibraryTests {
  private static func scene(_ gain: Double) -> String {
    House.preset(#""show": { "category": "multiRoute", "activate": "start", "gain": \#(gain) }"#)
  }

  /// The refusal of a command; nil if the router carries it out.
  private func refusal(
    _ surface: ControlSurface, _ address: String, _ id: String, _ rest: OSCArgument...
  ) throws -> ControlSurface.Refusal? {
    do {
      try surface.send(address, [.string(id)] + rest)
      return nil
    } catch let refusal as ControlSurface.Refusal { return refusal }
  }

  @Test(
    "says what is wrong with a file that is a folder, a FIFO, too large or not readable, and the show goes on"
  )
  func files() async throws {
    let library = try TemporaryFolder()
    let house = try await House(Self.scene(-3), flags: ["--presets", library.path])
    try FileManager.default.createDirectory(
      atPath: library.file("folder.json"), withIntermediateDirectories: false)
    try #require(mkfifo(library.file("fifo.json"), 0o600) == 0)
    try library.write(String(repeating: " ", count: 1 << 20) + "{}", to: "large.json")
    try library.write(String(repeating: "[", count: 100_000), to: "deep.json")
    try FileManager.default.createSymbolicLink(
      atPath: library.file("loop.json"), withDestinationPath: library.file("loop.json"))
    for (id, code, words) in [
      ("folder", "io", "it is a folder, not a file"), ("fifo", "io", "it is a FIFO, not a file"),
      ("large", "io", "it has 1048578 bytes, and may have 1048576"), ("deep", "badValue", "deep.json:1:"),
      ("loop", "notFound", "there is no preset"),
    ] {
      for address in ["/preset/recall", "/preset/update"] where address == "/preset/recall" || code == "io" {
        let refusal = try #require(try refusal(house.surface, address, id), "\(address) \(id)")
        #expect(refusal.symbol == code && refusal.sentence.contains(words), "\(refusal)")
      }
    }
    #expect(try house.surface.number("/session/show/gain") == -3)
    #expect(try house.surface.text("/preset/current") == "show")
    #expect(try FileManager.default.contentsOfDirectory(atPath: library.path).contains("fifo.json"))
  }

  @Test("touches no file for an id that is no slug, a path or a word of addresses")
  func ids() async throws {
    let library = try TemporaryFolder()
    try library.write(Self.scene(-3), to: "outside.json")
    let house = try await House(Self.scene(-3), flags: ["--presets", library.file("presets")])
    let ids = [
      "../outside", "/tmp/x", "Act 1", "", "current", "act.json", "..", String(repeating: "a", count: 33),
    ]
    let addresses = ["store", "update", "delete", "versions", "recall", "standby"].map { "/preset/\($0)" }
    for id in ids {
      for address in addresses {
        let refusal = try #require(try refusal(house.surface, address, id), "\(address) '\(id)'")
        #expect(["badValue", "notFound"].contains(refusal.symbol), "\(refusal)")
      }
      #expect(try refusal(house.surface, "/preset/restore", id, 1)?.symbol == "badValue", "\(id)")
    }
    #expect(try refusal(house.surface, "/preset/store", "none")?.symbol == "badValue")
    #expect(!FileManager.default.fileExists(atPath: library.file("presets")))
    #expect(try library.text(of: "outside.json") == Self.scene(-3))
  }

  @Test(
    "on a full or read-only disk keeps the old file whole, answers io, and stores again once it can",
    .enabled(if: PrivateDisk.isPossible))
  func fullDisk() async throws {
    let rig = try await RouterOnSmallDisk(preset: Self.scene(-3)) { ["--presets", $0] }
    let surface = rig.surface
    let file = rig.file("act-1.json")
    try surface.send("/preset/store", "act-1")
    let before = try String(contentsOfFile: file, encoding: .utf8)
    try surface.send("/session/show/gain", -9.5)
    func expectRefusals(_ reason: String) throws {
      for (address, id) in [("/preset/update", "act-1"), ("/preset/store", "act-2")] {
        let refusal = try #require(try refusal(surface, address, id))
        #expect(refusal.symbol == "io" && refusal.sentence.contains(reason), "\(refusal)")
      }
    }
    try rig.setReadOnly(true)
    try expectRefusals("Read-only file system")
    try rig.setReadOnly(false)
    try rig.setFull(true)
    try expectRefusals("No space left on device")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == before)
    #expect(!FileManager.default.fileExists(atPath: rig.file("act-2.json")))
    #expect(try surface.number("/session/show/gain") == -9.5)
    try rig.setFull(false)
    try surface.send("/preset/update", "act-1")
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains("-9.5"))
  }

  @Test("of two routers loses nothing: the second one to write is refused, and gets what the first one wrote")
  func twoRouters() async throws {
    let library = try TemporaryFolder()
    try library.write(Self.scene(-1), to: "act-1.json")
    let house = try await House(Self.scene(-3), flags: ["--presets", library.path])
    let other = try RouterProcess(
      preset: house.folder.file("show.json"), server: house.server.name, in: house.folder,
      flags: ["--presets", library.path, "--name", "second"], owners: [house.stage, house.server])
    let (first, second) = (house.surface, try ControlSurface(port: other.port))
    for (surface, gain) in [(first, -11.0), (second, -12.0)] as [(ControlSurface, Float)] {
      try surface.send("/preset/recall", "act-1", 0.0)
      try surface.send("/session/show/gain", .float(gain))
    }
    try first.send("/preset/update", "act-1")
    let written = try library.text(of: "act-1.json")
    let refused = try #require(try refusal(second, "/preset/update", "act-1"))
    #expect(refused.symbol == "exists" && refused.sentence.contains("another router"), "\(refused)")
    #expect(try library.text(of: "act-1.json") == written && written.contains("-11"))
    // What neither has in force: the second one replaces what it finds, which stays as a version.
    try first.send("/preset/store", "act-2")
    #expect(try refusal(second, "/preset/store", "act-2")?.symbol == "exists")
    try second.send("/preset/guard", 0.0)
    try second.send("/preset/recall", "act-1", 0.0)
    #expect(try second.number("/session/show/gain") == -11)
    try second.send("/session/show/gain", -13.0)
    try second.send("/preset/update", "act-1")
    try first.send("/preset/restore", "act-1", 2)
    #expect(try library.text(of: "act-1.json") == written)
    #expect(other.terminate().code == 0)
  }
}
