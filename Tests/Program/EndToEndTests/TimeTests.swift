import JackServer
import OSC
import TestKit
import Testing

/// Periods, freewheeling and latency.
@Suite struct TimeTests {
  @Test("A period that changes while sound flows loses at most the period in which it changed")
  func periods() async throws {
    let house = try await House()
    try house.connect()
    for period in [64, 37, 1_024, 8_192, 256] {
      // Long periods freewheel too fast for any disk.
      try period < 1_000 ? house.freewheel() : house.realTime()
      // A freewheeling server's clock is wrong after a change of its period.
      let usb = try house.hear(clock: .changed) {
        #expect(try house.stage.value("period", of: "period \(period)") == Double(period))
        try house.stage.do("frames 40000")
      }
      let different = zip(usb[0], usb[3]).enumerated().filter { $1.0 != $1.1 }.map(\.offset)
      if let first = different.first, let last = different.last {
        #expect(last - first < 2 * 8_192, "\(period)")
      }
      #expect(SignalCheck.firstDifference(usb[0].suffix(20_000), usb[3].suffix(20_000)) == nil)
      try house.surface.sync()
      let information = try house.surface.send("/system/info")
      let place = try #require(information.firstIndex(of: "period"))
      #expect(information[place + 1] == .int32(Int32(period)))
      // The length of a ramp in seconds has not changed.
      let turned = try house.hear(clock: .changed) {
        try house.surface.send("/session/show/stream/band/gain", -6.0)
        try house.surface.sync()
        try house.stage.do("frames 40000")
        try house.surface.send("/session/show/stream/band/gain", 0.0)
        try house.surface.sync()
        try house.stage.do("frames 40000")
      }
      let trace = GainTrace(turned[0], of: turned[3])
      let turn = try #require(trace.gains.firstIndex { GainTrace.equal($0, GainTrace.amplitude(-6)) })
      GainTrace(gains: Array(trace.gains[...(turn + 1)])).expectMove(
        from: 1, to: GainTrace.amplitude(-6), frames: 960)
      GainTrace(gains: Array(trace.gains[(turn + 1)...])).expectMove(
        from: GainTrace.amplitude(-6), to: 1, frames: 960)
    }
  }

  @Test("Freewheeling begins and ends without a lost sample, and commands work as before")
  func freewheel() async throws {
    let house = try await House()
    try house.connect()
    try house.stage.do("wait-signal \"USB Interface\" 1 -90")
    try house.stage.do("frames 4800")
    let usb = try house.hear(clock: .changed) {
      try house.freewheel()
      try house.surface.send("/session/show/stream/click/mute", 1)
      try house.surface.sync()
      try house.stage.do("frames 48000")
      try house.realTime()
      try house.stage.do("frames 4800")
    }
    #expect(SignalCheck.firstDifference(usb[0], usb[3]) == nil)
    #expect(try house.surface.number("/session/show/stream/click/mute") == 1)
  }

  private static let loop = """
    { "multiroute": 1,
      "ports": { "loop": { "type": "virtual", "outputs": ["jack_delay:in"], "channels": 1 } },
      "sessions": { "probe": { "category": "multiRoute", "activate": "start", "streams": {
        "tone": { "channels": 1, "from": ["jack_delay:out"], "to": { "loop:1": 0 } } } } } }
    """

  @Test("jack_iodelay measures one period through the router, plus exactly the delay that is set")
  func measuredDelay() async throws {
    let house = try await House(Self.loop, programs: [])
    let meter = try ChildProcess(
      "stdbuf", ["-oL", "jack_iodelay"], environment: ["JACK_DEFAULT_SERVER": house.server.name])
    try house.stage.do("await-connection jack_delay:out multiroute:probe.tone_1")
    #expect(
      meter.output.line(containing: " \(PrivateServer.period).000 frames", seconds: 20) != nil,
      "\(meter.output.text)")
    try house.surface.send("/output/loop/delay", .float(1_000.0 / 48_000))
    #expect(
      meter.output.line(containing: " \(PrivateServer.period + 1_000).000 frames", seconds: 20) != nil,
      "\(meter.output.text)")
    meter.send(signal: 15)
    _ = meter.wait()
  }

  @Test("The reported latency of each path includes delays and devices")
  func reportedLatency() async throws {
    let server = try await PrivateServer()
    let (stage, folder) = (try server.stage(), try TemporaryFolder())
    try stage.do("device \"USB Interface\" 4 2 512 256")
    try stage.do("device Headphones 2 0 1000 0")
    for program in House.programs { try stage.do(program) }
    let router = try RouterProcess(
      preset: folder.write(House.show, to: "show.json"), server: server.name, in: folder,
      owners: [stage, server])
    let surface = try ControlSurface(port: router.port)
    try stage.do("await-connection multiroute:to-headphones_1 Headphones:playback_1")
    func latency(_ port: String, becomes wanted: String) throws -> String {
      let end = ContinuousClock.now + .seconds(5)
      var seen = ""
      while seen != wanted, ContinuousClock.now < end {
        seen = try stage.do("latency \(port) playback")
        try stage.do("frames 256")
      }
      return seen
    }
    #expect(try latency("Band:out_1", becomes: "minimum=512 maximum=512") == "minimum=512 maximum=512")
    #expect(
      try latency("Metronome:out_1", becomes: "minimum=1000 maximum=1000") == "minimum=1000 maximum=1000")
    try surface.send("/output/headphones/delay", 0.01)
    #expect(
      try latency("Metronome:out_1", becomes: "minimum=1480 maximum=1480") == "minimum=1480 maximum=1480")
    try surface.send("/session/show/stream/click/route", "headphones,usb:3-4")
    #expect(try latency("Metronome:out_1", becomes: "minimum=512 maximum=1480") == "minimum=512 maximum=1480")
    let end = ContinuousClock.now + .seconds(5)
    while abs(try surface.number("/output/headphones/latency") - 1_480.0 / 48_000) > 1e-6,
      ContinuousClock.now < end
    {}
    #expect(abs(try surface.number("/output/headphones/latency") - 1_480.0 / 48_000) < 1e-6)
  }
}
