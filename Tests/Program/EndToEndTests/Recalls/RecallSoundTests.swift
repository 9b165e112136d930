import OSC
import TestKit
import Testing

/// Scenes change on a real server while eight programs play.
@Suite("A recall is heard")
struct RecallSoundTests {
  @Test(
    "without a click between two scenes of 64 sessions, twenty times, and every level is right, also that of a fader that the operator moves meanwhile"
  )
  func crowd() async throws {
    var recalls = try await CrowdedRecalls(seed: .random(in: 0...999_999))
    try recalls.expectClean(rounds: 20)
  }

  @Test("at the right level after next, prev, a second recall in mid-fade, an abort and an undo")
  func ends() async throws {
    let library = try TemporaryFolder()
    func scene(_ gain: Int) -> String {
      House.preset(
        """
        "show": { "category": "multiRoute", "activate": "start", "gain": \(gain), "streams": {
          "tone": { "channels": 1, "from": ["Tone:out_1"], "to": { "usb:1": 0 } } } }
        """)
    }
    for number in 1...3 { _ = try library.write(scene(-10 * number), to: "act-\(number).json") }
    let house = try await House(
      scene(0), programs: ["source Tone 1 sine 1000 -6"], flags: ["--presets", library.path])
    let surface = house.surface
    try surface.send("/preset/guard", 0.0)
    try surface.send("/preset/fade", 0.2)
    try surface.subscribe("/preset/progress")
    func expectLevel(_ gain: Double) throws {
      try house.stage.awaitTone(1_000, gain - 6, at: "USB Interface", 1)
      let levels = try house.stage.tones(1_000, at: ["USB Interface"])
      #expect(levels[0].first.map { abs($0 - gain + 6) < 0.1 } == true, "\(levels) for \(gain)")
    }
    /// Begins a long fade, and waits until it moves.
    func begin(_ scene: String) throws {
      _ = surface.takeInbox()
      try surface.send("/preset/recall", .string(scene), 100.0)
      try surface.wait(for: "/preset/progress") { message in
        if case .float(let progress)? = message.arguments.first {
          progress > 0 && progress < 1
        } else {
          false
        }
      }
    }
    try surface.send("/preset/recall", "act-1", 0.1)
    try expectLevel(-10)
    try surface.send("/preset/next")
    try expectLevel(-20)
    try surface.send("/preset/prev")
    try expectLevel(-10)
    try begin("act-3")
    try surface.send("/preset/recall", "act-2", 0.3)
    try expectLevel(-20)
    #expect(try surface.number("/preset/progress") == 1)
    try begin("act-1")
    try surface.send("/preset/abort")
    let stopped = try surface.number("/session/show/gain")
    #expect(stopped > -20 && stopped < -10)
    try expectLevel(stopped)
    try surface.send("/preset/undo")
    try expectLevel(-20)
    #expect(try surface.text("/preset/current") == "act-2")
    try surface.send("/session/show/gain/reset")
    try expectLevel(-20)
  }

  @Test("as a crossing of equal power if a stream moves from one output to another")
  func crossing() async throws {
    let library = try TemporaryFolder()
    func scene(_ output: String) -> String {
      House.preset(
        """
        "show": { "category": "multiRoute", "activate": "start", "streams": {
          "band": { "channels": 1, "from": ["Band:out_1"], "to": { "\(output):1": 0 } } } }
        """)
    }
    _ = try library.write(scene("headphones"), to: "moved.json")
    let house = try await House(scene("usb"), period: 256, flags: ["--presets", library.path])
    try house.connect()
    try house.freewheel()
    let sound = try house.hear(["USB Interface", "Headphones"]) {
      try house.surface.send("/preset/recall", "moved", 1.0)
      try house.surface.sync()
      try house.stage.do("frames 120000")
    }
    let (from, to) = (
      GainTrace(sound[0][0], of: sound[0][3]), GainTrace(sound[1][0], of: sound[0][3])
    )
    from.expectMove(from: 1, to: 0, frames: 48_000, tolerance: 5e-3) { way in
      (1 - GainTrace.raisedCosine(way)).squareRoot()
    }
    to.expectMove(from: 0, to: 1, frames: 48_000, tolerance: 5e-3) { way in
      GainTrace.raisedCosine(way).squareRoot()
    }
    #expect(zip(from.gains, to.gains).allSatisfy { abs($0 * $0 + $1 * $1 - 1) < 0.01 })
  }
}
