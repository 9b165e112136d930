import OSC
import TestKit
import Testing

/// Changes over OSC are heard as ramps with exactly the curve and length that the law describes, measured sample by sample.
@Suite struct RampTests {
  private static let ramp = 960
  private let band = "/session/show/stream/band"

  /// The gain of the band's first channel at a channel of the USB interface while something is done.
  private func trace(_ house: House, channel: Int = 1, _ body: () throws -> Void) throws -> GainTrace {
    let usb = try house.hear {
      try body()
      try house.surface.sync()
      try house.stage.do("frames 120000")
    }
    return GainTrace(usb[channel - 1], of: usb[3])
  }

  private func freewheelingHouse() async throws -> House {
    let house = try await House(period: 256)
    try house.connect()
    try house.freewheel()
    return house
  }

  @Test("Gains, mutes, routes and on/off move along a raised cosine and stand exactly at their ends")
  func raisedCosine() async throws {
    let house = try await freewheelingHouse()
    let half = GainTrace.amplitude(-6)
    func expect(_ first: Double, _ last: Double, _ address: String, _ argument: OSCArgument) throws {
      let trace = try trace(house) { try house.surface.send(address, argument) }
      trace.expectMove(from: first, to: last, frames: Self.ramp)
      // The steepest part of a raised cosine, and a little for its straight pieces.
      #expect(trace.largestStep <= abs(last - first) * .pi / 2 / Double(Self.ramp) * 1.01, "\(address)")
    }
    try expect(1, half, "\(band)/gain", -6.0)
    try expect(half, 1, "\(band)/gain", 0.0)
    try expect(1, half, "/session/show/gain", -6.0)
    try expect(half, 0, "\(band)/mute", 1)
    try expect(0, half, "\(band)/mute", 0)
    try expect(half, 0, "/session/show/mute", 1)
    try expect(0, half, "/session/show/mute", 0)
    try expect(half, 1, "/session/show/gain", 0.0)
    try expect(1, 0, "/output/usb/mute", 1)
    try expect(0, 1, "/output/usb/mute", 0)
    try expect(1, half, "/output/usb/gain", -6.0)
    try expect(half, 1, "/output/usb/gain", 0.0)
    try expect(1, 0, "\(band)/to/usb/on", 0)
    try expect(0, 1, "\(band)/to/usb/on", 1)
    try expect(1, half, "\(band)/to/usb/gain", -6.0)
    try expect(half, 1, "\(band)/to/usb/gain", 0.0)
    try expect(1, 0, "\(band)/route", "none")
    try expect(0, 1, "\(band)/route", "usb:1-2")
    try expect(1, 0, "/session/show/active", 0)
    try expect(0, 1, "/session/show/active", 1)
    try expect(1, 0.5, "\(band)/pan", 0.5)
    try expect(0.5, 1, "\(band)/pan", 0.0)
    try expect(1, 0, "/output/usb/plugged", 0)
    try expect(0, 1, "/output/usb/plugged", 1)
    // A level may boost; the limiter lets the quiet part of the counter pass.
    try expect(1, 0, "\(band)/gain", "off")
    try expect(0, 1, "\(band)/gain", 0)
  }

  @Test("The limiter keeps every sample at or below the ceiling, and what is below it passes unchanged")
  func limiter() async throws {
    let house = try await House(programs: ["source Band 2 sine 997 0", "source Metronome 1 silence"])
    try house.connect()
    try house.surface.send("/output/usb/ceiling", -6.0)
    try house.surface.subscribe("/output/usb/limiting")
    try house.freewheel()
    let limited = try house.hear { try house.stage.do("frames 48000") }
    let ceiling = Float(GainTrace.amplitude(-6))
    #expect(limited[0].allSatisfy { abs($0) <= ceiling * 1.000_001 })
    #expect(limited[0].contains { abs($0) > ceiling * 0.9 })
    // The router reads four times a second what the audio thread has measured.
    try house.surface.wait(for: "/output/usb/limiting") { $0.arguments == [1] }
    try house.surface.send("\(band)/gain", -10.0)
    try house.surface.sync()
    try house.stage.do("frames 96000")
    let free = try house.hear { try house.stage.do("frames 48000") }
    #expect(GainTrace.equalEverywhere(free[0], free[3], at: -10))
    try house.surface.wait(for: "/output/usb/limiting") { $0.arguments == [0] }
  }

  @Test("A session or stream that is removed while it sounds fades out", arguments: ["session", "stream"])
  func removal(what: String) async throws {
    let house = try await freewheelingHouse()
    let (address, id): (String, OSCArgument) =
      what == "session" ? ("/session/remove", "show") : ("/session/show/stream/remove", "band")
    try trace(house) { try house.surface.send(address, id) }.expectMove(from: 1, to: 0, frames: Self.ramp)
    try house.stage.do("await-port multiroute:show.band_1 gone")
    #expect(try house.stage.names("connections Band:out_1") == ["USB Interface:playback_4"])
  }

  @Test("The address /ramp sets the length of ramps", arguments: [(0.005, 240), (0.1, 4_800), (1, 48_000)])
  func length(seconds: Float, frames: Int) async throws {
    let house = try await freewheelingHouse()
    try house.surface.send("/ramp", .float(seconds))
    try trace(house) { try house.surface.send("\(band)/gain", -20.0) }.expectMove(
      from: 1, to: GainTrace.amplitude(-20), frames: frames)
  }

  @Test("A route that changes channels crossfades, and the sum of both stays at its level")
  func crossfade() async throws {
    let house = try await House(
      House.show.replacing("\"usb:1-2\"", with: "\"usb:1\"").replacing(
        "\"channels\": 2, \"from\": [\"Band:out_*\"]", with: "\"channels\": 1, \"from\": [\"Band:out_1\"]"))
    try house.connect()
    try house.freewheel()
    let usb = try house.hear {
      try house.surface.send("\(band)/route", "usb:2")
      try house.surface.sync()
      try house.stage.do("frames 20000")
    }
    let (first, second) = (GainTrace(usb[0], of: usb[3]), GainTrace(usb[1], of: usb[3]))
    first.expectMove(from: 1, to: 0, frames: Self.ramp)
    second.expectMove(from: 0, to: 1, frames: Self.ramp)
    #expect(zip(first.gains, second.gains).allSatisfy { abs($0 + $1 - 1) < 1e-5 })
  }

  @Test("Panic mutes all outputs within 0.05 s, and its end fades them in over 1 s")
  func panic() async throws {
    let house = try await freewheelingHouse()
    try trace(house) { try house.surface.send("/system/panic", 1) }.expectMove(from: 1, to: 0, frames: 2_400)
    try trace(house) { try house.surface.send("/system/panic", 0) }.expectMove(from: 0, to: 1, frames: 48_000)
  }

  @Test("Fades run along their curve for their time", arguments: ["fader", "linear", "sCurve"])
  func fades(curve: String) async throws {
    let house = try await freewheelingHouse()
    try house.surface.send("/fade/curve", .string(curve))
    let law: (Double) -> Double = { way in
      switch curve {
      case "linear": 1 + (GainTrace.amplitude(-20) - 1) * way
      default:
        GainTrace.amplitude(
          Self.level(position: 0.75 - 0.375 * (curve == "fader" ? way : GainTrace.raisedCosine(way))))
      }
    }
    try trace(house) { try house.surface.send("\(band)/gain/fade", -20.0, 0.5) }.expectMove(
      from: 1, to: GainTrace.amplitude(-20), frames: 24_000, tolerance: 6e-3, curve: law)
  }

  /// The fader's law: the level in dB of a position 0...1.
  private static func level(position: Double) -> Double {
    switch position {
    case 0.5...: 40 * position - 30
    case 0.25...: 80 * position - 50
    case 0.0625...: 160 * position - 70
    default: 480 * position - 90
    }
  }

  @Test("A set or a fade during a fade begins at the present level, without a step")
  func takeover() async throws {
    let house = try await freewheelingHouse()
    let trace = try trace(house) {
      try house.surface.send("\(band)/gain/fade", "off", 3.0)
      try house.surface.sync()
      try house.stage.do("frames 48000")
      try house.surface.send("\(band)/gain/fade", 0.0, 1.0)
      try house.surface.sync()
      try house.stage.do("frames 12000")
      try house.surface.send("\(band)/gain", -6.0)
    }
    #expect(trace.gains.first == 1)
    #expect(trace.gains.last.map { GainTrace.equal($0, GainTrace.amplitude(-6)) } == true)
    // No faster than a ramp of the largest height.
    #expect(trace.largestStep <= .pi / 2 / Double(Self.ramp) * 1.01)
  }

  @Test("Random changes of a fader cause no click in a sine")
  func clicks() async throws {
    let house = try await House(programs: ["source Band 2 sine 997 -6", "source Metronome 1 silence"])
    try house.freewheel()
    var generator = SystemRandomNumberGenerator()
    let usb = try house.hear {
      for _ in 0..<60 {
        let choices: [(String, OSCArgument)] = [
          ("\(band)/gain", .float(.random(in: -30...0, using: &generator))),
          ("\(band)/mute", .int32(.random(in: 0...1, using: &generator))),
          ("\(band)/to/usb/on", .int32(.random(in: 0...1, using: &generator))),
          ("\(band)/pan", .float(.random(in: -1...1, using: &generator))),
          ("\(band)/route", .string(["usb:1-2", "usb:2-3", "none", "usb:1:2+2:1"].randomElement()!)),
          ("/session/show/active", .int32(.random(in: 0...1, using: &generator))),
          ("/output/usb/mute", .int32(.random(in: 0...1, using: &generator))),
        ]
        let (address, argument) = choices.randomElement(using: &generator)!
        try house.surface.send(address, argument)
        try house.stage.do("frames 1500")
      }
    }
    for channel in usb.prefix(3) {
      let rest = SignalCheck.residual(channel, without: [997], sampleRate: 48_000)
      let worst = rest.map(abs).max() ?? 0
      // A ramp's own sidebands beyond 200 Hz stay below this; a step of one tenth exceeds it.
      #expect(worst < 0.05, "residual")
    }
  }
}
