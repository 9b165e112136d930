import Foundation
import OSC
import TestKit
import Testing

/// A disk of the events file and of the kept state that becomes full, and has room again.
@Suite struct FullDiskTests {
  /// The lines of the events file. Fails the test if one is not whole.
  private func lines(_ path: String) throws -> [Data] {
    let bytes = try Data(contentsOf: URL(filePath: path))
    #expect(bytes.last == UInt8(ascii: "\n"), "the last line has no end")
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    for line in lines where (try? JSONSerialization.jsonObject(with: line)) == nil {
      Issue.record("no whole line: \(String(decoding: line, as: UTF8.self))")
    }
    return lines
  }

  /// Makes a session active and inactive, which is an event each.
  private func makeEvents(_ count: Int, _ surface: ControlSurface) throws {
    for round in 0..<count { try surface.send("/session/blinker/active", .int32(Int32((round + 1) % 2))) }
  }

  @Test(
    "A full disk leaves whole lines in the events file and the old state, is reported once, and once more when it has room",
    .enabled(if: PrivateDisk.isPossible))
  func fullDisk() async throws {
    let rig = try await RouterOnSmallDisk(preset: House.preset("")) {
      ["--events", "\($0)/events.jsonl", "--state", $0]
    }
    let (router, surface) = (rig.router, rig.surface)
    let (events, kept) = (rig.file("events.jsonl"), rig.file("multiroute.json"))
    try surface.subscribe("/event/*")
    try surface.send("/session/create", "blinker", "playback", "default", "mixWithOthers")
    try surface.send("/session/blinker/gain", -20)
    let end = ContinuousClock.now + .seconds(5)
    func state() throws -> String { try String(contentsOfFile: kept, encoding: .utf8) }
    while (try? state())?.contains("-20") != true, ContinuousClock.now < end { usleep(10_000) }
    let before = try state()
    #expect(before.contains("-20"))

    try rig.setFull(true)
    // More lines than fit into the page that the file has begun. The last of them would be cut.
    try makeEvents(100, surface)
    try surface.send("/session/blinker/gain", -30)
    let log = router.child.errors
    #expect(log.line(containing: "events.jsonl is losing events: No space left on device") != nil)
    #expect(
      log.line(
        containing: "the state cannot be saved in \(rig.disk.path)/multiroute.json: No space left on device")
        != nil)
    try surface.event("error") { $0.contains { $0.text?.contains("cannot be saved") == true } }
    let during = try lines(events)
    try makeEvents(100, surface)
    #expect(try lines(events).count == during.count)
    #expect(try state() == before)

    try rig.setFull(false)
    try surface.event("error", seconds: 20) { $0.contains { $0.text?.contains("is saved again") == true } }
    #expect(try state().contains("-30"))
    try makeEvents(2, surface)
    let again = try #require(log.line(containing: "events.jsonl can be written again"))
    #expect(router.terminate().code == 0)
    let missing = try #require(again.split(separator: " ").compactMap { Int($0) }.last)
    #expect(missing > 100)
    let text = log.text
    for words in ["is losing events", "can be written again", "cannot be saved", "is saved again"] {
      #expect(text.components(separatedBy: words).count == 2, "\(words): \(text)")
    }
  }
}
