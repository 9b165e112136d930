import Foundation
import OSC
import TestKit
import Testing
import WildPlugins

/// A recall with a fade between two scenes whose effects differ, with sixteen chains.
@Suite struct EffectRecallTests {
  private static let count = 16
  /// The chains of every four streams, in both scenes, and the gain of the tone behind them: a control of a real plugin, one of a plugin that
  /// does nothing else, another plugin, and one more plugin.
  private static let chains = [
    (first: #"["high-pass HPfreq=50"]"#, second: #"["high-pass HPfreq=400"]"#, gains: (1.0, nil as Double?)),
    (#"["urn:multiroute:wild gain=1"]"#, #"["urn:multiroute:wild gain=0.25"]"#, (1, 0.25)),
    (#"["urn:multiroute:wild gain=0.5"]"#, #"["urn:multiroute:other gain=0.25"]"#, (0.5, 0.25)),
    (
      #"["urn:multiroute:wild gain=0.5"]"#,
      #"["urn:multiroute:wild gain=0.75", "urn:multiroute:other gain=0.5"]"#,
      (0.5, 0.375)
    ),
  ]

  private static func scene(isFirst: Bool) -> String {
    let streams = (0..<count).map { number in
      let chain = chains[number % chains.count]
      return """
        "s\(number)": { "channels": 1, "from": ["Tones:out_\(number + 1)"], "to": { "desk:\(number + 1)": 0 },
          "effects": \(isFirst ? chain.first : chain.second) }
        """
    }
    return """
      { "multiroute": 1, "ports": {
        "desk": { "type": "usbAudio", "outputs": ["Desk:playback_*"], "channels": \(count), "ceiling": 0 } },
      "sessions": { "show": { "category": "multiRoute", "options": ["mixWithOthers"], "activate": "start", "streams": {
        \(streams.joined(separator: ",\n")) } } } }
      """
  }

  /// Waits until all effects work.
  private func settle(_ house: House) throws {
    for number in 0..<Self.count {
      let address = "/session/show/stream/s\(number)/effect/1/state"
      let end = ContinuousClock.now + .seconds(60)
      while try house.surface.text(address) != "working", ContinuousClock.now < end {
        try house.stage.do("frames 480")
      }
      #expect(try house.surface.text(address) == "working", "s\(number)")
    }
  }

  private func gain(_ sound: [Float], at frame: Int) -> Double {
    sound.withUnsafeBufferPointer { SineCheck.gain($0, at: frame) }
  }

  @Test(
    "Sixteen chains of two scenes cross in a fade of two seconds: nothing steps, and every control arrives")
  func recall() async throws {
    let (library, plugins) = (try TemporaryFolder(), try WildPlugins())
    _ = try library.write(Self.scene(isFirst: true), to: "first.json")
    _ = try library.write(Self.scene(isFirst: false), to: "second.json")
    let house = try await House(
      Self.scene(isFirst: true),
      programs: [
        "source Tones \(Self.count) sine \(Int(SineCheck.frequency)) -20", "device Desk \(Self.count) 0",
      ],
      period: 64, flags: ["--presets", library.path], environment: ["LV2_PATH": plugins.path])
    try settle(house)
    try house.surface.send("/preset/guard", 0.0)
    try house.surface.subscribe("/event/preset")
    try house.freewheel()
    try house.stage.do("frames 48000")
    let sounds = try house.hear("Desk") {
      try house.stage.do("frames 4800")
      try house.surface.send("/preset/recall", "second", 2.0)
      try house.surface.event("preset") { $0.dropFirst().first == "done" }
      try settle(house)
      try house.stage.do("frames 48000")
    }
    for number in 0..<Self.count {
      let (sound, wanted) = (sounds[number], Self.chains[number % Self.chains.count].gains)
      let fault = SineCheck(gains: 0.25...1).fault(in: sound[...])
      #expect(fault == nil, "s\(number): \(fault ?? "")")
      let ends = (gain(sound, at: 100), gain(sound, at: sound.count - 100))
      #expect(abs(ends.0 - wanted.0) < 0.01, "s\(number) begins with \(ends.0)")
      // The corner of the high-pass is at the tone.
      #expect(abs(ends.1 - (wanted.1 ?? 0.707)) < 0.02, "s\(number) ends with \(ends.1)")
      guard number % Self.chains.count == 1 else { continue }
      let moving = stride(from: 1, to: sound.count - 1, by: 48).map { gain(sound, at: $0) }
      #expect(zip(moving, moving.dropFirst()).allSatisfy { $0 > $1 - 1e-4 }, "s\(number) does not fall")
      let frames = 48 * moving.count { $0 < 0.99 && $0 > 0.26 }
      #expect(abs(frames - 93_600) < 3_000, "s\(number) moves for \(frames) frames")
    }
    for (number, symbol, value) in [
      (0, "HPfreq", 400.0), (1, "gain", 0.25), (2, "gain", 0.25), (3, "gain", 0.75),
    ] {
      for stream in stride(from: number, to: Self.count, by: Self.chains.count) {
        let control = "/session/show/stream/s\(stream)/effect/1/control/\(symbol)"
        #expect(try house.surface.number(control) == value, "\(control)")
      }
    }
  }
}
