import Foundation
import OSC
import TestKit
import Testing

/// A live show in real time, with as many jobs beside it as the router has sessions for them.
struct LiveShowBesideJobs {
  private let rig: ProcessingHouse
  private let sessions = ["edit", "edit1", "edit2", "edit3"]

  init() async throws {
    rig = try await ProcessingHouse(period: 64)
    try rig.makeSilence()
    // The same program past the router, for comparison.
    try rig.house.connect()
    try rig.surface.send("/session/edit3/foreground", 0)
  }

  /// Expects that no sample of the show differs and no period is late while the jobs run. A busy machine makes the server late without any jobs,
  /// too; only then late periods are excused.
  func expectWhole(seconds: Int, attempts: Int) throws {
    var late: [(beside: Int, alone: Int)] = []
    defer {
      if !late.isEmpty { TestNotes.excuse("late periods of a show beside jobs, and alone: \(late)") }
    }
    for attempt in 1...attempts {
      let (xruns, before, after) = try attemptShow(seconds: seconds, attempt)
      #expect(after > before, "the jobs did not go on")
      if xruns == 0 { return }
      late.append((xruns, try xrunsAlone(seconds: seconds)))
    }
    #expect(
      late.contains { $0.alone > 0 },
      "each of \(attempts) shows beside jobs had late periods, and none without jobs")
  }

  /// The late periods of the show without jobs.
  private func xrunsAlone(seconds: Int) throws -> Int {
    let before = try #require(rig.surface.counters()["xruns"])
    try rig.house.stage.do("frames \(seconds * 48_000)")
    return try #require(rig.surface.counters()["xruns"]) - before
  }

  private func attemptShow(seconds: Int, _ attempt: Int) throws -> (xruns: Int, before: Double, after: Double)
  {
    let surface = rig.surface
    for session in sessions {
      try rig.process("in.wav", "\(session)-\(attempt).flac", in: session)
    }
    let started = try surface.event("process", seconds: 60) { $0.dropFirst().first == "started" }
    let working = try #require(started.first?.text)
    let xruns = try #require(surface.counters()["xruns"])
    let before = try surface.number("/session/\(working)/processing")
    let heard = try rig.house.hear { try rig.house.stage.do("frames \(seconds * 48_000)") }
    let after = try surface.number("/session/\(working)/processing")
    let late = try #require(surface.counters()["xruns"]) - xruns
    // In a late period a device hears the router's last period beside the program's next one, and the server's clock does not jump.
    if late == 0 { heard.expectSame(0, as: 3) }
    for session in sessions where try surface.text("/session/\(session)/why").contains("process") {
      // A job may be done meanwhile.
      _ = try? surface.send("/session/\(session)/process/cancel")
    }
    _ = try surface.takeAll()
    return (late, before, after)
  }
}
