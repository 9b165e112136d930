import Foundation
import JackServer
import TestKit
import Testing

/// A show in which the router is killed and started again.
@Suite struct CrashTests {
  private let band = "/session/show/stream/band"

  /// Kills the router when the kept state contains these words. The router writes it once a second.
  private func kill(_ house: House, keeping words: String...) throws {
    let file = house.folder.file("XDG_STATE_HOME/multiroute/multiroute.json")
    let end = ContinuousClock.now + .seconds(5)
    func isKept() -> Bool {
      let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
      return words.allSatisfy(text.contains)
    }
    while !isKept(), ContinuousClock.now < end { usleep(10_000) }
    try #require(isKept(), "\(words)")
    #expect(house.router.terminate(by: SIGKILL).code == -SIGKILL)
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
    #expect(try stage.names("connections Band:out_1") == ["Speaker:playback_1"])
    #expect(try stage.names("connections Band:out_2") == ["Headphones:playback_2"])
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
