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
