import OSC
import SpeechSounds
import StageKit
import TestKit
import Testing

/// Effects of streams, with real plugins in a real program.
@Suite struct EffectTests {
  private static let wild = "\"urn:multiroute:wild\""

  @Test(
    "A chain that changes nothing, and one that is off, are heard bit for bit, with the latency that is told",
    arguments: [
      ("[{ \"plugin\": \(wild) }]", 0),
      ("[{ \"plugin\": \(wild), \"set\": { \"gain\": 0.5 }, \"on\": false }]", 0),
      ("[{ \"plugin\": \(wild), \"set\": { \"delay\": 100, \"gain\": 3 }, \"on\": false }]", 100),
      ("[\"eq off\", { \"plugin\": \"gate\", \"on\": false }]", 0),
    ])
  func same(chain: String, latency: Int) async throws {
    let house = try await EffectHouse(chain, latency: latency)
    try house.wait(for: "working")
    try house.house.freewheel()
    let (heard, direct) = house.sounds(try house.house.hear { try house.house.stage.do("frames 20000") })
    #expect(heard.elementsEqual(direct))
    #expect(heard.contains { $0 != 0 })
  }

  @Test("Without effects no program runs; with them it runs, and it ends when the last effect goes")
  func program() async throws {
    let house = try await EffectHouse("[]")
    #expect(house.program() == nil)
    try house.surface.send("\(EffectHouse.stream)/effects", "high-pass HPfreq=100")
    try house.wait(for: "working")
    #expect(house.program() != nil)
    try house.house.freewheel()
    try house.surface.send("\(EffectHouse.stream)/effects", "none")
    // The chain runs until nothing of it is heard.
    let end = ContinuousClock.now + .seconds(60)
    while house.program() != nil, ContinuousClock.now < end { try house.house.stage.do("frames 4800") }
    #expect(house.program() == nil)
    let usb = try house.house.hear { try house.house.stage.do("frames 4800") }
    #expect(usb[0] == usb[3])
  }

  @Test(
    "A high-pass at 100 Hz takes 12 dB of 50 Hz and leaves 1 kHz, and moves by OSC", arguments: [50, 1_000])
  func highPass(frequency: Int) async throws {
    let house = try await EffectHouse(
      "[{ \"plugin\": \"high-pass\", \"set\": { \"HPfreq\": 100, \"HPQ\": 0.7 } }]",
      band: "sine \(frequency) -20")
    try house.wait(for: "working")
    try house.house.freewheel()
    try house.house.stage.do("frames 48000")
    func lowered() throws -> Double {
      let usb = try house.house.hear { try house.house.stage.do("frames 48000") }
      let (heard, direct) = house.sounds(usb)
      return Decibels.level(heard) - Decibels.level(direct)
    }
    let first = try lowered()
    #expect(frequency == 50 ? abs(first + 12.3) < 0.5 : abs(first) < 0.1, "\(first) dB")
    // Above the range is its end.
    let control = "\(EffectHouse.stream)/effect/1/control/HPfreq"
    try house.surface.send(control, 90_000.0)
    let highest = try house.surface.number(control)
    #expect(highest == 1_250, "\(highest)")
    try house.surface.send("\(EffectHouse.stream)/effect/1/on", 0)
    try house.house.stage.do("frames 48000")
    let off = try lowered()
    #expect(abs(off) < 0.01, "\(off) dB")
  }

  @Test("A plugin that is not installed is said, and the show runs dry")
  func missing() async throws {
    let house = try await EffectHouse("[\"urn:multiroute:nowhere\"]")
    try house.wait(for: "faulty")
    let why = try house.surface.text("\(EffectHouse.stream)/effect/1/why")
    #expect(why.contains("urn:multiroute:nowhere"))
    try house.house.freewheel()
    let (heard, direct) = house.sounds(try house.house.hear { try house.house.stage.do("frames 9600") })
    #expect(heard.elementsEqual(direct))
  }

  @Test("What is not as asked follows the values that are set, and not those of the load")
  func notes() async throws {
    let house = try await EffectHouse("[\"eq\"]")
    try house.wait(for: "working")
    let effects = "\(EffectHouse.stream)/effects"
    let why = "\(EffectHouse.stream)/effect/1/why"
    _ = try house.surface.subscribe(why)
    for (text, note) in [
      ("eq HPFreq=80", "has no control HPFreq"), ("eq HPfreq=80", ""), ("eq HPfreq=1e9", "is 1250.0 and not"),
    ] {
      try house.surface.send(effects, .string(text))
      try house.surface.wait(for: why) { message in
        message.arguments.first?.text.map { note.isEmpty ? $0.isEmpty : $0.contains(note) } ?? false
      }
    }
  }

  @Test("The bypass of all effects crosses to the dry sound and back")
  func bypass() async throws {
    let house = try await EffectHouse(
      "[{ \"plugin\": \(Self.wild), \"set\": { \"gain\": 0.25 } }]", period: 64)
    try house.wait(for: "working")
    try house.house.freewheel()
    let usb = try house.house.hear {
      try house.house.stage.do("frames 4800")
      try house.surface.send("/effects/bypass", 1)
      try house.house.stage.do("frames 4800")
      try house.surface.send("/effects/bypass", 0)
      try house.house.stage.do("frames 4800")
    }
    let gains = house.gains(usb)
    #expect(gains.first == 0.25 && gains.contains(1) && gains.last == 0.25)
    let step = zip(gains, gains.dropFirst()).map { abs($0 - $1) }.max() ?? 1
    #expect(step < 0.02)
  }

  @Test("Controls move, and plugins are exchanged, without a step")
  func changes() async throws {
    let house = try await EffectHouse(
      "[{ \"plugin\": \(Self.wild), \"set\": { \"gain\": 1 } }]", period: 64)
    try house.wait(for: "working")
    try house.house.freewheel()
    let effect = "\(EffectHouse.stream)/effect/1"
    let usb = try house.house.hear {
      try house.house.stage.do("frames 4800")
      try house.surface.send("\(effect)/control/gain", 0.25)
      try house.house.stage.do("frames 4800")
      try house.surface.send("\(effect)/plugin", "urn:multiroute:other")
      // The law forgets at once what it knew of the other plugin.
      try house.wait(for: "working")
      try house.house.stage.do("frames 4800")
    }
    let gains = house.gains(usb)
    #expect(gains.first == 1 && gains.contains(0.25) && gains.last == 1)
    let step = zip(gains, gains.dropFirst()).map { abs($0 - $1) }.max() ?? 1
    #expect(step < 0.02)
  }

  @Test("A control tells its range, unit, default and text, is clamped aloud, fades in frames and is reset")
  func control() async throws {
    let house = try await EffectHouse("[{ \"plugin\": \"eq\", \"set\": { \"HPfreq\": 100 } }]")
    try house.wait(for: "working")
    let (surface, control) = (house.surface, "\(EffectHouse.stream)/effect/1/control/HPfreq")
    #expect(try surface.text("\(control)/range") == "5..1250" && surface.text("\(control)/unit") == "Hz")
    #expect(try surface.number("\(control)/default") == 20 && surface.text("\(control)/text") == "100 Hz")
    let switchText = try surface.text("\(EffectHouse.stream)/effect/1/control/HighPass/text")
    #expect(switchText == "off", "\(switchText)")
    try surface.tell(control, 90_000.0)
    // The sender is told what was set instead.
    try surface.wait(for: control) { $0.arguments == [1_250.0] }
    try surface.send(control, 100.0)
    try house.house.freewheel()
    try surface.subscribe(control)
    try surface.send("\(control)/fade", 400.0, 2.0)
    var values: [Float] = []
    while values.last != 400 {
      try house.house.stage.do("frames 4800")
      values += try surface.takeAll().filter { $0.address == control }.compactMap {
        if case .float(let value)? = $0.arguments.first { value } else { nil }
      }
    }
    // By equal ratios, so that the middle of the way is an octave and not half of the range.
    #expect(values.count > 4 && zip(values, values.dropFirst()).allSatisfy { $0 < $1 }, "\(values)")
    try surface.send("\(control)/reset")
    #expect(try surface.number(control) == 20)
    try surface.send("\(control)/inc", 5.0)
    #expect(try surface.number(control) == 25)
  }

  @Test(
    "A preset of the plugin is heard, an unknown one is refused, and a meter goes to those who ask for it")
  func presetAndMeter() async throws {
    let house = try await EffectHouse(
      "[{ \"plugin\": \(Self.wild), \"set\": { \"gain\": 0.5 } }]", period: 64)
    try house.wait(for: "working")
    let (surface, effect) = (house.surface, "\(EffectHouse.stream)/effect/1")
    #expect(try surface.text("\(effect)/preset") == "none" && surface.text("\(effect)/presets") == "Loud")
    try house.house.freewheel()
    try surface.subscribe("\(effect)/meter/*")
    // The plugin shows twice its gain.
    try surface.wait(for: "\(effect)/meter/meter") { $0.arguments == [1.0] }
    #expect(try surface.number("\(effect)/meter/meter") == 1)
    let refusal = #expect(throws: ControlSurface.Refusal.self) {
      try surface.send("\(effect)/preset", "Lout")
    }
    #expect(refusal?.symbol == "notFound" && refusal?.sentence.contains("'Loud'") == true)
    try surface.send("\(effect)/preset", "Loud")
    try surface.wait(for: "\(effect)/meter/meter") { $0.arguments == [8.0] }
    #expect(try surface.text(EffectHouse.stream + "/effects") == "urn:multiroute:wild preset=\"Loud\"")
    #expect(try surface.number("\(effect)/control/gain") == 4)
    try surface.send("/unsubscribe", .string("\(effect)/meter/*"))
    // A subscription of the whole stream has no meters.
    try surface.subscribe(EffectHouse.stream)
    _ = try surface.takeAll()
    try house.house.stage.do("frames 48000")
    #expect(try surface.takeAll().allSatisfy { !$0.address.contains("/meter/") })
  }

  @Test("A fade of a gain is heard as a ramp over its time")
  func fade() async throws {
    let house = try await EffectHouse(
      "[{ \"plugin\": \(Self.wild), \"set\": { \"gain\": 1 } }]", period: 64)
    try house.wait(for: "working")
    try house.house.freewheel()
    let control = "\(EffectHouse.stream)/effect/1/control/gain"
    // A freewheeling server is ahead of the router's commands by some periods.
    let usb = try house.house.hear {
      try house.house.stage.do("frames 4800")
      try house.surface.send("\(control)/fade", 0.5, 1.0)
      try house.house.stage.do("frames 60000")
    }
    let gains = house.gains(usb)
    #expect(gains.first == 1 && gains.last == 0.5)
    let moving = gains.count { $0 < 0.999 && $0 > 0.501 }
    #expect(abs(moving - 47_808) < 500, "\(moving) frames")
    let step = zip(gains, gains.dropFirst()).map { abs($0 - $1) }.max() ?? 1
    #expect(step < 0.001, "\(step)")
  }

  @Test("The installed plugins are listed page by page, with their short names and why they cannot be used")
  func list() async throws {
    let house = try await EffectHouse("[]")
    func rows(_ start: Int32, _ count: Int32) throws -> [[OSCArgument]] {
      let surface = house.surface
      // The list has one message for each plugin, and the response their number.
      guard case .int32(let total)? = try surface.send("/effects/list", .int32(start), .int32(count)).last
      else { return [] }
      let rows = surface.takeInbox().filter { $0.address == "/effects/list" }.map(\.arguments)
      #expect(rows.count == total)
      return rows
    }
    let all = try rows(0, 1_000)
    #expect(all.count > 300 && all.allSatisfy { $0[1] == .int32(Int32(all.count)) })
    let wild = try #require(all.first { $0[2].text == "urn:multiroute:voltage" })
    #expect(wild[3].text == "Voltage of the tests" && wild[4].text == "none")
    #expect(wild[9].text == "it must get or give control voltages (volts)")
    let filter = try #require(all.first { $0[2].text == "http://gareus.org/oss/lv2/fil4#stereo" })
    #expect(
      filter[4].text == "high-pass, low-pass, eq" && filter[6...8] == [2, 2, 0] && filter[9].text == "")
    #expect(try rows(10, 3) == Array(all[10..<13]))
  }

  @Test("JACK is told the latency of the effects")
  func latency() async throws {
    let house = try await EffectHouse(
      "[{ \"plugin\": \(Self.wild), \"set\": { \"delay\": 100 } }]", latency: 100)
    try house.wait(for: "working")
    try house.expectTold(356)
    #expect(try abs(house.surface.number("/session/show/latency/out") - 356 / 48_000) < 1e-6)
    try house.surface.send("\(EffectHouse.stream)/effects", "none")
    try house.expectTold(0)
  }

  @Test("jack_iodelay measures the latency of the effects that JACK is told")
  func measuredLatency() async throws {
    let house = try await EffectHouse(
      "[{ \"plugin\": \(Self.wild), \"set\": { \"delay\": 100 } }]", band: "silence", latency: 100)
    try house.wait(for: "working")
    try house.house.stage.do("cable Microphone \"USB Interface\" 1300")
    let latency = try house.house.latency(from: "Microphone:capture_1", to: "multiroute:show.band_1")
    #expect(latency.reported == Double(house.delay))
    // JACK does not know the cable.
    #expect(abs(latency.measured - latency.reported - 1_300) <= 1, "\(latency)")
  }

  @Test("After another period of the server the effects go on, with its latency")
  func anotherPeriod() async throws {
    let house = try await EffectHouse("[{ \"plugin\": \(Self.wild), \"set\": { \"gain\": 0.5 } }]")
    try house.wait(for: "working")
    for period in [512, 128] {
      let old = try #require(house.program())
      try house.house.stage.do("period \(period)")
      try house.waitForAnotherProgram(than: old)
      try house.wait(for: "working")
      try house.house.freewheel()
      func isHalf(_ usb: DeviceSound) -> Bool { zip(usb[0][period...], usb[3]).allSatisfy { $0 == $1 / 2 } }
      // Loading takes its time, and a freewheeling server does not wait for it.
      let end = ContinuousClock.now + .seconds(60)
      var usb = try house.house.hear { try house.house.stage.do("frames 4800") }
      while !isHalf(usb), ContinuousClock.now < end {
        usb = try house.house.hear { try house.house.stage.do("frames 4800") }
      }
      #expect(isHalf(usb), "period \(period)")
      try house.house.realTime()
    }
  }
}
