import OSC
import TestKit
import Testing

/// Outputs of one group with different latencies are heard at the same time, and the reported latencies are correct.
@Suite struct AlignmentTests {
  /// Frames to the loudspeaker that the devices declare.
  private static let devices = ["device Near 2 0 300 0", "device Far 2 0 1000 0"]

  private static let preset = """
    { "multiroute": 1, "ports": {
      "near": { "type": "headphones", "outputs": ["Near:playback_*"], "align": "house", "ceiling": 0 },
      "far": { "type": "lineOut", "outputs": ["Far:playback_*"], "align": "house", "ceiling": 0 },
      "usb": { "type": "usbAudio", "outputs": ["USB Interface:playback_*"], "ceiling": 0 } },
    "sessions": { "show": { "category": "multiRoute", "activate": "start", "streams": {
      "band": { "channels": 1, "from": ["Band:out_1"], "to": { "near": 0, "far": 0, "usb": 0 } } } } } }
    """

  private func house(_ signal: String) async throws -> House {
    let house = try await House(Self.preset, programs: ["source Band 1 \(signal)"] + Self.devices)
    for device in ["Near", "Far", "\"USB Interface\""] {
      try house.stage.do("wait-signal \(device) 1 -90")
    }
    return house
  }

  /// The number of frames by which impulses at one device follow those at another; nil if the number varies.
  private func offset(of device: String, to other: String, _ house: House) throws -> Int? {
    let heard = try house.hear([device, other]) { try house.stage.do("frames 48000") }
    let times = heard.map { channels in channels[0].indices.filter { channels[0][$0] > 0.5 } }
    // The recording may begin between an impulse at the other device and the same one at this device.
    let offsets = times[0].compactMap { time in times[1].last { $0 <= time }.map { time - $0 } }
    return offsets.count >= 3 && Set(offsets).count == 1 ? offsets[0] : nil
  }

  @Test(
    "A sound leaves all outputs of a group in the same frame, from the start, and sources see the same latency"
  )
  func start() async throws {
    let house = try await house("impulse 9600")
    let surface = house.surface
    try house.freewheel()
    #expect(try offset(of: "Near", to: "Far", house) == 700)
    #expect(abs(try surface.number("/output/near/align/delay") - 700.0 / 48_000) < 1e-6)
    #expect(try surface.number("/output/far/align/delay") == 0)
    for output in ["near", "far"] {
      #expect(abs(try surface.number("/output/\(output)/latency") - 1_000.0 / 48_000) < 1e-6)
      let port = "multiroute:to-\(output)_1"
      #expect(
        try house.stage.value("maximum", of: "latency \(port) playback") == (output == "near" ? 300 : 1_000))
    }
    // The third output is in no group.
    #expect(try house.stage.value("maximum", of: "latency Band:out_1 playback") == 1_000)
    #expect(try house.stage.value("minimum", of: "latency Band:out_1 playback") == 0)

    // The operator's delay is added, and reported.
    try surface.send("/output/near/delay", .float(96 / 48_000))
    try surface.sync()
    try house.stage.do("frames 4800")
    #expect(try offset(of: "Near", to: "Far", house) == 796)
    #expect(try house.stage.value("maximum", of: "latency Band:out_1 playback") == 1_096)
    #expect(abs(try surface.number("/output/near/latency") - 1_096.0 / 48_000) < 1e-6)
  }

  @Test("An output that joins a group while it sounds is aligned only by /align/now, without a click")
  func now() async throws {
    // Of 100 Hz at -12 dBFS no sample is further from the next than 0.0033, and a crossfade of 20 ms adds 0.0005.
    let house = try await house("sine 100 -12")
    let surface = house.surface
    // An output that has just appeared would be aligned at once.
    try house.stage.do("frames 60000")
    try house.freewheel()
    let heard = try house.hear("USB Interface") {
      try surface.send("/output/usb/align", "house")
      try house.stage.do("frames 240000")
      #expect(try surface.number("/output/usb/align/delay") == 0)
      try surface.send("/align/now")
      #expect(abs(try surface.number("/output/usb/align/delay") - 1_000.0 / 48_000) < 1e-6)
      try surface.sync()
      try house.stage.do("frames 9600")
    }[0]
    let steps = zip(heard, heard.dropFirst()).map { abs($1 - $0) }
    #expect(steps.max() ?? 1 < 0.0045)
    try house.stage.do("play Band 1 impulse 9600")
    try house.stage.do("frames 9600")
    #expect(try offset(of: "USB Interface", to: "Far", house) == 1_000)
  }

  @Test("A silent group is aligned by itself")
  func quiet() async throws {
    let house = try await house("sine 100 -12")
    let surface = house.surface
    try surface.send("/output/usb/align", "house")
    try surface.subscribe("/output/usb/align")
    try surface.send("/session/show/active", 0)
    try surface.wait(for: "/output/usb/align/delay", seconds: 6) { $0.arguments != [.float(0)] }
    #expect(abs(try surface.number("/output/usb/align/delay") - 1_000.0 / 48_000) < 1e-6)
  }

  @Test(
    "A program whose sound comes back to it through a delay keeps its latency, however many connections follow"
  )
  func loop() async throws {
    let preset = """
      { "multiroute": 1, "ports": {
        "call": { "type": "lineOut", "outputs": ["Call:in_*"], "delay": 0.045, "align": "house" },
        "far": { "type": "lineOut", "outputs": ["Far:playback_*"], "align": "house" } },
      "sessions": { "show": { "category": "multiRoute", "activate": "start", "streams": {
        "guest": { "from": ["Call:out_*"], "to": { "call": 0, "far": 0 } } } } } }
      """
    let house = try await House(
      preset, programs: ["duplex Call 2", "source Band 1 silence", "listener Recorder 1"] + Self.devices)
    try house.stage.do("await-connection multiroute:to-call_2 Call:in_2")
    try house.stage.do("await-connection multiroute:to-far_2 Far:playback_2")
    try house.freewheel()
    func latency(of port: String) throws -> Double {
      try house.stage.value("maximum", of: "latency \(port) playback")
    }
    // The server computes latencies after each change of the graph, on a thread of its own.
    let end = ContinuousClock.now + .seconds(10)
    while try latency(of: "Call:out_1") != 1_000, ContinuousClock.now < end {
      try house.stage.do("frames 256")
    }
    #expect(try latency(of: "Call:out_1") == 1_000)
    for _ in 0..<10 {
      try house.stage.do("connect Band:out_1 Recorder:in_1")
      try house.stage.do("frames 4800")
      try house.stage.do("disconnect Band:out_1 Recorder:in_1")
      try house.stage.do("frames 4800")
    }
    #expect(try latency(of: "Call:out_1") == 1_000)
    #expect(try latency(of: "Call:in_1") == 1_000)
    #expect(abs(try house.surface.number("/output/call/latency") - (1_000.0 / 48_000 + 0.045)) < 1e-6)
    #expect(try house.surface.number("/output/far/align/delay") == 0)
  }

  @Test("jack_iodelay measures one period through the router, and exactly each delay more")
  func measured() async throws {
    let server = try await PrivateServer()
    let folder = try TemporaryFolder()
    let stage = try server.stage()
    let preset = """
      { "multiroute": 1, "ports": { "loop": { "type": "virtual", "outputs": ["jack_delay:in"], "ceiling": 0 } },
      "sessions": { "loop": { "category": "multiRoute", "activate": "start", "streams": {
        "main": { "channels": 1, "from": ["jack_delay:out"], "to": { "loop:1": 0 } } } } } }
      """
    let router = try RouterProcess(
      preset: folder.write(preset, to: "loop.json"), server: server.name, in: folder, owners: [stage, server])
    let surface = try ControlSurface(port: router.port)
    let meter = try ChildProcess(
      "stdbuf", ["-oL", "jack_iodelay"], environment: ["JACK_DEFAULT_SERVER": server.name])
    try stage.do("await-connection multiroute:to-loop_1 jack_delay:in")
    for delay in [0, 1, 64, 1_000, 4_800, 20_000] {
      try surface.send("/output/loop/delay", .float(Float(delay) / 48_000))
      try surface.sync()
      // The first readings are rough; it must settle within a hundredth of a frame.
      var reading = 0.0
      while abs(reading - Double(PrivateServer.period + delay)) > 0.01,
        let line = meter.output.line(containing: " frames ", seconds: 10)
      { reading = line.split(separator: " ").first.flatMap { Double($0) } ?? 0 }
      #expect(abs(reading - Double(PrivateServer.period + delay)) <= 0.01, "at \(delay)")
    }
    meter.send(signal: 15)
    _ = meter.wait()
  }
}
