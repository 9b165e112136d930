import Foundation
import OSC
import SpeechSounds
import StageKit
import TestKit
import Testing

extension EffectHouse.Place {
  /// The address of the sentence that tells what is wrong with the effects; nil if the effects are at what no session needs.
  fileprivate var sentence: String? {
    switch self {
    case .stream, .output: "/session/show/why"
    case .capture: "/session/show/capture/why"
    case .input: nil
    }
  }
}

/// What holds for effects wherever they are, and for those of outputs, with real plugins in a real program.
@Suite struct PlacedEffectTests {
  private static let wild = "\"urn:multiroute:wild\""
  typealias Place = EffectHouse.Place

  @Test(
    "At every place a chain that changes nothing, and one that is off, are heard bit for bit",
    arguments: Place.allCases, ["", ", \"on\": false"])
  func same(place: Place, switched: String) async throws {
    let house = try await EffectHouse(
      "[{ \"plugin\": \(Self.wild), \"set\": { \"delay\": 100 }\(switched) }]", at: place, latency: 100)
    try house.wait(for: "working")
    try house.house.freewheel()
    let (heard, direct) = house.sounds(try house.hear { try house.house.stage.do("frames 20000") })
    #expect(heard.elementsEqual(direct))
    #expect(heard.contains { $0 != 0 })
  }

  /// Waits for the alarm of effects. Returns whether it came.
  private func isAlarmed(_ house: EffectHouse) throws -> Bool {
    let end = ContinuousClock.now + .seconds(60)
    while try house.surface.number("/health/effects/on") == 0, ContinuousClock.now < end {
      try house.house.stage.do("frames 4800")
    }
    return try house.surface.number("/health/effects/on") == 1
  }

  @Test(
    "At every place a high-pass at 100 Hz takes 12 dB of 50 Hz and leaves 1 kHz",
    arguments: [Place.output, .input, .capture], [50, 1_000])
  func highPass(place: Place, frequency: Int) async throws {
    let house = try await EffectHouse(
      "[{ \"plugin\": \"high-pass\", \"set\": { \"HPfreq\": 100, \"HPQ\": 0.7 } }]", at: place,
      band: "sine \(frequency) -20")
    try house.wait(for: "working")
    try house.house.freewheel()
    try house.house.stage.do("frames 48000")
    let (heard, direct) = house.sounds(try house.hear { try house.house.stage.do("frames 48000") })
    let change = Decibels.level(heard) - Decibels.level(direct)
    #expect(frequency == 50 ? abs(change + 12.3) < 0.5 : abs(change) < 0.1, "\(change) dB")
  }

  @Test(
    "At every place a plugin that crashes is left out and named, the sound goes on without a step, and a retry brings it back",
    arguments: Place.allCases)
  func faulty(place: Place) async throws {
    let house = try await EffectHouse(
      "[{ \"plugin\": \(Self.wild), \"set\": { \"gain\": 0.5 } }, { \"plugin\": \"urn:multiroute:other\" }]",
      at: place, period: 64)
    try house.wait(for: "working", of: 2)
    try house.house.freewheel()
    let sound = try house.hearCrash()
    let why = try house.surface.text("\(place.address)/effect/1/why")
    #expect(why.contains("urn:multiroute:wild has crashed"))
    let gains = house.gains(sound)
    #expect(abs(gains[1_000] - 0.5) < 1e-5 && abs(gains[gains.count - 1_000] - 1) < 1e-5)
    #expect(gains.allSatisfy { $0 > 0.49 && $0 < 1.01 })
    // The gain moves over 2 ms, by a half.
    let step = zip(gains, gains.dropFirst()).map { abs($0 - $1) }.max() ?? 1
    #expect(step < 0.02)
    if let why = place.sentence {
      let sentence = try house.surface.text(why)
      #expect(sentence.contains("effect 1: urn:multiroute:wild has crashed"), "\(sentence)")
    }
    #expect(try isAlarmed(house))
    try house.surface.send("\(place.address)/effect/1/control/fault", 0)
    try house.surface.send("/effects/retry")
    try house.wait(for: "working")
  }

  @Test(
    "Effects come and go at a place that sounds without a step, and leave no latency behind",
    arguments: [Place.output, .input, .capture])
  func comeAndGo(place: Place) async throws {
    let house = try await EffectHouse("[]", at: place, band: "sine 100 -6", period: 64)
    try house.house.freewheel()
    let sound = try house.hear(room: 200) {
      try house.house.stage.do("frames 4800")
      try house.surface.send("\(place.address)/effects", "urn:multiroute:wild gain=1")
      try house.wait(for: "working")
      try house.house.stage.do("frames 9600")
      try house.surface.send("\(place.address)/effects", "none")
      let end = ContinuousClock.now + .seconds(60)
      while house.program() != nil, ContinuousClock.now < end { try house.house.stage.do("frames 4800") }
      try house.house.stage.do("frames 9600")
    }
    #expect(house.program() == nil)
    let (heard, direct) = (sound[place.ends.heard], sound[place.ends.direct])
    // A sine of 100 Hz at half of full scale moves by 0.0066 in a frame. The delayed one is a fourteenth of a wave behind.
    let step = zip(heard, heard.dropFirst()).map { abs($0 - $1) }.max() ?? 1
    #expect(step < 0.008, "\(step)")
    #expect(Array(heard.suffix(2_000)) == Array(direct.suffix(2_000)))
    #expect((heard.map(abs).max() ?? 0) < 0.502)
  }

  @Test("An output's mute is heard at once, and its gain goes through the effects")
  func order() async throws {
    let house = try await EffectHouse(
      "[{ \"plugin\": \(Self.wild), \"set\": { \"delay\": 4800 } }]", at: .output, band: "sine 1000 -20",
      latency: 4_800)
    try house.wait(for: "working")
    try house.house.freewheel()
    try house.house.stage.do("frames 48000")
    // In freewheel a command takes effect some frames later, but always in the same frame for both.
    try house.surface.send("/output/usb/gain", -6.0)
    try house.surface.sync()
    let usb = try house.hear { try house.house.stage.do("frames 4800") }
    #expect(abs(Decibels.level(usb[0]) - Decibels.level(usb[3])) < 6.1)
    try house.house.stage.do("frames 48000")
    let lower = try house.hear { try house.house.stage.do("frames 4800") }
    #expect(abs(Decibels.level(lower[0]) - Decibels.level(lower[3]) + 6) < 0.1)
    try house.surface.send("/output/usb/mute", 1)
    try house.surface.sync()
    try house.house.stage.do("frames 2400")
    let muted = try house.hear { try house.house.stage.do("frames 4800") }
    #expect(muted[0].allSatisfy { $0 == 0 } && muted[3].contains { $0 != 0 })
  }

  @Test("Alignment and the latencies that are told contain the effects of outputs")
  func latency() async throws {
    let house = try await EffectHouse(
      "[{ \"plugin\": \(Self.wild), \"set\": { \"delay\": 100 } }]", at: .output, latency: 100,
      keys: ", \"align\": \"house\"")
    try house.wait(for: "working")
    try house.expectTold(356)
    #expect(try abs(house.surface.number("/output/usb/latency") - 356 / 48_000) < 1e-6)
    #expect(try abs(house.surface.number("/session/show/latency/out") - 356 / 48_000) < 1e-6)
    // Another output of the group waits for it.
    try house.surface.send("/output/headphones/align", "house")
    func gap() throws -> Double {
      abs(try house.surface.number("/output/headphones/align/delay") - 356 / 48_000)
    }
    let end = ContinuousClock.now + .seconds(60)
    while try gap() > 1e-6, ContinuousClock.now < end { try house.house.stage.do("frames 480") }
    #expect(try gap() < 1e-6)
    #expect(try house.surface.number("/output/usb/align/delay") == 0)
  }

  /// A limiter that must not be skipped, at an output.
  private func muting(_ plugin: String) async throws -> EffectHouse {
    try await EffectHouse(
      "[{ \"plugin\": \(plugin), \"set\": { \"gain\": 0.5 } }, { \"plugin\": \"urn:multiroute:other\" }]",
      at: .output, period: 64, keys: ", \"fallback\": \"mute\"")
  }

  @Test(
    "An output whose effects must not be skipped is muted without a step when a plugin crashes, until it works again"
  )
  func muted() async throws {
    let house = try await muting(Self.wild)
    try house.wait(for: "working", of: 2)
    try house.house.freewheel()
    try house.house.stage.do("frames 48000")
    let sound = try house.hearCrash()
    let gains = house.gains(sound)
    // The program itself crosses by way of dry when a control steps, as the one that has the plugin crash does.
    #expect(gains.first == 0.5 && gains.last == 0 && gains.allSatisfy { $0 > -0.01 && $0 < 1.01 })
    let step = zip(gains, gains.dropFirst()).map { abs($0 - $1) }.max() ?? 1
    #expect(step < 0.02)
    // Once it is silent nothing comes through.
    let silence = try #require(gains.firstIndex(of: 0))
    #expect(gains[silence...].allSatisfy { $0 == 0 })
    let why = try house.surface.text("/session/show/why")
    #expect(
      why.contains("usb is muted, because it needs effect 1: urn:multiroute:wild has crashed"), "\(why)")
    #expect(try isAlarmed(house))
    // Nor does the bypass of all effects skip it.
    try house.surface.send("/effects/bypass", 1)
    try house.surface.sync()
    let bypassed = try house.hear { try house.house.stage.do("frames 9600") }
    #expect(bypassed[0].allSatisfy { $0 == 0 } && bypassed[3].contains { $0 != 0 })
    try house.surface.send("/effects/bypass", 0)
    try house.surface.send("/output/usb/effect/1/control/fault", 0)
    try house.surface.send("/effects/retry")
    try house.wait(for: "working")
    try house.house.stage.do("frames 48000")
    let again = house.gains(try house.hear { try house.house.stage.do("frames 4800") })
    #expect(again.allSatisfy { $0 == 0.5 })
  }

  @Test(
    "Such an output is silent from the start if its plugin is not installed, and while the program is gone",
    arguments: [true, false])
  func neverDry(isInstalled: Bool) async throws {
    let house = try await muting(isInstalled ? Self.wild : "\"urn:multiroute:nowhere\"")
    try house.wait(for: isInstalled ? "working" : "faulty")
    try house.wait(for: "working", of: 2)
    try house.house.freewheel()
    try house.house.stage.do("frames 48000")
    let sound = try house.hear {
      try house.house.stage.do("frames 4800")
      if let program = house.program() { kill(program, SIGKILL) }
      try house.house.stage.do("frames 4800")
    }
    let gains = house.gains(sound)
    #expect(gains.allSatisfy { $0 > -0.01 && $0 < 0.51 })
    #expect(isInstalled ? gains.first == 0.5 && gains.last != 1 : gains.allSatisfy { $0 == 0 })
    if !isInstalled {
      let why = try house.surface.text("/session/show/why")
      #expect(why.contains("usb is muted, because it needs effect 1"), "\(why)")
    }
  }

  @Test(
    "JACK is told the latency of an input with its stream, and of a capture",
    arguments: [Place.input, .capture])
  func toldLatency(place: Place) async throws {
    let house = try await EffectHouse("[{ \"plugin\": \(Self.wild) }]", at: place)
    try house.wait(for: "working")
    func told() throws -> Double {
      try house.house.stage.value("maximum", of: "latency \(place.source) playback")
    }
    let end = ContinuousClock.now + .seconds(60)
    while try told() != 256, ContinuousClock.now < end { try house.house.stage.do("frames 480") }
    #expect(try told() == 256)
  }
}
