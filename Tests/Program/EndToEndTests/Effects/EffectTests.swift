import Foundation
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

  @Test("A program that is killed at any moment costs no sample: the sound passes it by in the same period")
  func killed() async throws {
    let house = try await EffectHouse("[{ \"plugin\": \(Self.wild) }]", period: 64)
    try house.wait(for: "working")
    try house.house.freewheel()
    for round in 0..<20 {
      let old = try #require(house.program())
      let usb = try house.house.hear {
        try house.house.stage.do("frames \(4_800 + round * 37)")
        kill(old, SIGKILL)
        try house.house.stage.do("frames 4800")
      }
      let (heard, direct) = house.sounds(usb)
      // The ramp counts frames, so each sample is another one. In a fade between two equal sounds the last bit may be rounded.
      let greatest = zip(heard, direct).map { abs($0 - $1) / max(1e-9, abs($1)) }.max() ?? 1
      #expect(greatest < 1e-6)
      try house.waitForAnotherProgram(than: old)
      try house.wait(for: "working")
      // Until the sound has crossed back.
      try house.house.stage.do("frames 4800")
    }
  }

  @Test("A plugin that crashes is left out and named, the sound goes on, and a retry brings it back")
  func faulty() async throws {
    let house = try await EffectHouse(
      "[{ \"plugin\": \(Self.wild), \"set\": { \"gain\": 0.5 } }, { \"plugin\": \"urn:multiroute:other\" }]",
      period: 64)
    try house.wait(for: "working", of: 2)
    try house.house.freewheel()
    let control = "\(EffectHouse.stream)/effect/1/control/fault"
    // While the program starts again, a freewheeling server does minutes.
    let usb = try house.house.hear(["USB Interface"], room: 200) {
      try house.house.stage.do("frames 4800")
      try house.surface.send(control, 1)
      try house.wait(for: "faulty")
      try house.wait(for: "working", of: 2)
      try house.house.stage.do("frames 9600")
    }
    let why = try house.surface.text("\(EffectHouse.stream)/effect/1/why")
    #expect(why.contains("urn:multiroute:wild has crashed"))
    let (heard, direct) = house.sounds(usb[0])
    let gains = zip(heard, direct).map { $0 / $1 }.filter(\.isFinite)
    #expect(abs(gains[1_000] - 0.5) < 1e-5 && abs(gains[gains.count - 1_000] - 1) < 1e-5)
    #expect(gains.allSatisfy { $0 > 0.49 && $0 < 1.01 })
    // No step: the gain moves over 2 ms, by a half.
    let step = zip(gains, gains.dropFirst()).map { abs($0 - $1) }.max() ?? 1
    #expect(step < 0.02)
    try house.surface.send(control, 0)
    try house.surface.send("/effects/retry")
    try house.wait(for: "working")
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
    let (heard, direct) = house.sounds(usb)
    let gains = zip(heard, direct).map { $0 / $1 }.filter(\.isFinite)
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
    let (heard, direct) = house.sounds(usb)
    let gains = zip(heard, direct).map { $0 / $1 }.filter(\.isFinite)
    #expect(gains.first == 1 && gains.contains(0.25) && gains.last == 1)
    let step = zip(gains, gains.dropFirst()).map { abs($0 - $1) }.max() ?? 1
    #expect(step < 0.02)
  }

  @Test("A program that somebody has stopped costs no sample, and another one takes its place")
  func stopped() async throws {
    let house = try await EffectHouse("[{ \"plugin\": \(Self.wild) }]", period: 64)
    try house.wait(for: "working")
    try house.house.freewheel()
    let old = try #require(house.program())
    // While another program starts, a freewheeling server does minutes.
    let usb = try house.house.hear(["USB Interface"], room: 200) {
      try house.house.stage.do("frames 4800")
      kill(old, SIGSTOP)
      try house.waitForAnotherProgram(than: old)
      try house.wait(for: "working")
      try house.house.stage.do("frames 9600")
    }
    let (heard, direct) = house.sounds(usb[0])
    #expect(zip(heard, direct).allSatisfy { abs($0 - $1) <= 1e-6 * abs($1) })
  }

  @Test("JACK is told the latency of the effects")
  func latency() async throws {
    let house = try await EffectHouse(
      "[{ \"plugin\": \(Self.wild), \"set\": { \"delay\": 100 } }]", latency: 100)
    try house.wait(for: "working")
    func told() throws -> Double {
      try house.house.stage.value("maximum", of: "latency Band:out_1 playback")
    }
    let end = ContinuousClock.now + .seconds(60)
    while try told() != Double(house.delay), ContinuousClock.now < end {
      try house.house.stage.do("frames 480")
    }
    #expect(try told() == 356)
    #expect(try abs(house.surface.number("/session/show/latency/out") - 356 / 48_000) < 1e-6)
    try house.surface.send("\(EffectHouse.stream)/effects", "none")
    while try told() != 0, ContinuousClock.now < end { try house.house.stage.do("frames 480") }
    #expect(try told() == 0)
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
