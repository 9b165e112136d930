import Chance
import OSC
import TestKit
import Testing

/// Recalls of 64 sessions, back and forth between two scenes, while eight programs play and the operator moves a fader in each fade.
struct CrowdedRecalls {
  private let scenes = [CrowdedScene(seed: 1, without: 60..<64), CrowdedScene(seed: 2, without: 0..<4)]
  private let house: House
  private let library: TemporaryFolder
  private var random: SeededGenerator
  /// The level to which the operator moved a session in the last round.
  private var moved: (name: String, level: Double) = ("none", 0)

  /// Frames: the recording before the recall, half of the fade, and the rest. The filter that finds clicks needs 4,800 at both ends.
  private static let (before, half, after) = (9_600, 4_800, 14_400)
  private static let edge = 4_800

  init(seed: UInt64) async throws {
    print("recalls of 64 sessions: seed \(seed)")
    random = SeededGenerator(seed: seed)
    library = try TemporaryFolder()
    for (index, scene) in scenes.enumerated() {
      _ = try library.write(scene.text, to: "scene-\(index).json")
    }
    let programs = (0..<CrowdedScene.sources).map {
      "source Tone\($0) 1 sine \(CrowdedScene.frequency($0)) -20"
    }
    house = try await House(
      scenes[0].text, programs: programs, period: 256, flags: ["--presets", library.path])
    try house.surface.subscribe("/event/preset")
    try house.surface.send("/preset/guard", 0.0)
    try house.freewheel()
  }

  /// Recalls one scene after the other, and expects no click, no xrun, and every level.
  mutating func expectClean(rounds: Int) throws {
    // The server may have been late before it freewheeled.
    let xruns = try house.surface.counters()["xruns"]
    for round in 1...rounds {
      let (scene, former) = (scenes[round % 2], scenes[(round + 1) % 2])
      // A session that both scenes play.
      let candidates = scene.sessions.filter { session in
        session.isActive && !session.isMuted
          && scenes.allSatisfy { $0.sessions.contains { $0.name == session.name } }
      }
      let session = try #require(candidates.randomElement(using: &random))
      let level = Double(Int.random(in: -40 ... -12, using: &random))
      let sound = try house.hear(["USB Interface", "Headphones"]) {
        try house.stage.do("frames \(Self.before)")
        let fade = OSCArgument.float(Float(2 * Self.half) / 48_000)
        try house.surface.send("/preset/recall", .string("scene-\(round % 2)"), fade)
        try house.surface.sync()
        try house.stage.do("frames \(Self.half)")
        try house.surface.send("/session/\(session.name)/gain", .float(Float(level)))
        // Any number of frames passes in freewheel before the router has decided a recall.
        try house.surface.event("preset") { $0.dropFirst().first == "done" }
        // So it does before the server has made the connections of the sessions that the recall makes.
        for session in scene.sessions where !former.sessions.contains(where: { $0.name == session.name }) {
          try house.stage.do("await-connection Tone\(session.source):out_1 multiroute:\(session.name).main_1")
        }
        try house.stage.do("frames \(Self.after)")
      }
      let formerly = moved
      moved = (session.name, level)
      for (output, device) in zip(["usb", "headphones"], sound) {
        expectNoClick(device[0], "round \(round) at \(output)")
        expectLevels(of: former, formerly, then: scene, moved, device[0], at: output, round)
      }
    }
    #expect(try house.surface.counters()["xruns"] == xruns)
  }

  /// Expects nothing above -60 dBFS outside of the sines.
  private func expectNoClick(_ samples: [Float], _ what: String) {
    let tones = (0..<CrowdedScene.sources).map { Double(CrowdedScene.frequency($0)) }
    let rest = SignalCheck.residual(samples, without: tones, sampleRate: 48_000)
    let loudest = rest.dropFirst(Self.edge).dropLast(Self.edge).map(abs).max() ?? 1
    #expect(loudest < 0.001, "\(what), \(samples.count) frames")
  }

  private func expectLevels(
    of former: CrowdedScene, _ formerly: (name: String, level: Double), then scene: CrowdedScene,
    _ moved: (name: String, level: Double), _ samples: [Float], at output: String, _ round: Int
  ) {
    for source in 0..<CrowdedScene.sources {
      let meter = SineMeter(frequency: CrowdedScene.frequency(source), rate: 48_000, step: 2_400)
      let levels = meter.amplitudes(in: samples)
      let before = former.amplitude(of: source, at: output, moved: formerly)
      let after = scene.amplitude(of: source, at: output, moved: moved)
      // The recording contains the whole fade.
      for (heard, wanted) in [(levels.first, before), (levels.last, after)] {
        #expect(
          abs((heard ?? -1) - wanted) < 0.000_1 + wanted * 0.005,
          "round \(round), tone \(source) at \(output)")
      }
    }
  }
}
