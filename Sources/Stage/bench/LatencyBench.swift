import CBenchReference
import Glibc
import OSC

/// Measures the time from sending a gain over OSC to the first changed sample at a device, at 256 frames per period.
enum LatencyBench {
  static let period = 256

  /// Number of rounds of each client. The median round counts, so that a time in which the machine is busy with other work does not.
  private static let rounds = 5

  static func run(_ plan: Plan, _ server: BenchServer, _ table: inout ResultTable) throws(BenchError) {
    let source = try BareClient(server, "Source", bare_level, outputs: 1)
    let limit = Double(Self.period) / 48
    func share(_ times: [Double]) -> Double {
      Double(100 * times.filter { $0 <= limit }.count) / Double(times.count)
    }
    var (bare, router, times): ([Double], [Double], [Double]) = ([], [], [])
    for _ in 0..<rounds {
      bare.append(share(try measureBare(plan.trials, server, from: source)))
      let round = try measureRouter(plan.trials, server)
      router.append(share(round))
      times += round
    }
    withExtendedLifetime(source) {}
    table.note("gain to a bare client within \(limit.text) ms", bare.median, " %")
    table.add("gain to first changed sample within \(limit.text) ms", router.median, " %", atLeast: 99)
    table.add("gain to first changed sample, median", times.median, " ms", atMost: 0.75 * limit)
  }

  /// Measures a client with a thread that waits for a gain and keeps it for the next period. This is the time that the system itself needs
  /// to wake a thread.
  private static func measureBare(
    _ trials: Int, _ server: BenchServer, from source: BareClient
  ) throws(BenchError) -> [Double] {
    let device = try BareClient(server, "Device", bare_watching, inputs: 2)
    let client = try ChildClient.bare(.gain, "Gain", server, inputs: 1, outputs: 2)
    let port = try client.waitUntilReady()
    try source.feed("Gain", channels: 1)
    for channel in 1...2 {
      try device.connect(BareClient.output(channel, of: "Gain"), "Device:in_\(channel)")
    }
    return try withExtendedLifetime(client) { () throws(BenchError) in
      try measure(trials, device, port: port, what: "latency        bare", gains(0.5, 0.25))
    }
  }

  private static func measureRouter(_ trials: Int, _ server: BenchServer) throws(BenchError) -> [Double] {
    let device = try BareClient(server, "Device", bare_watching, inputs: 2, isDevice: true)
    let preset = try TemporaryFile(Self.preset)
    let router = try ChildClient.router(preset: preset.path, server: server)
    return try measure(
      trials, device, port: router.waitUntilReady(), what: "latency        router", gains(-6, -12))
  }

  private static func gains(_ first: Float, _ second: Float) -> (Bool) -> OSCMessage {
    { OSCMessage("/session/show/stream/main/gain", .float($0 ? first : second)) }
  }

  /// Sends commands at random moments of the period, and returns the milliseconds until each is heard.
  ///
  /// - Parameter command: one command and another in turn, each of which changes the sound.
  static func measure(
    _ trials: Int, _ device: BareClient, port: UInt16, what: String, _ command: (Bool) -> OSCMessage
  ) throws(BenchError) -> [Double] {
    var (times, isFirst): ([Double], Bool) = ([], false)
    var random = SystemRandomNumberGenerator()
    do throws(SocketError) {
      let client = try OSCClient(port: port)
      while times.count < trials {
        // Longer than a ramp of 20 ms and its last period, so that the level is constant again.
        usleep(50_000 + UInt32.random(in: 0..<10_000, using: &random))
        isFirst.toggle()
        let bytes = PacketEncoder.encode(command(isFirst))
        device.watch(for: device.sample)
        let sent = BareClient.now
        try client.send(bytes: bytes)
        guard let heard = Self.await(device) else { return times }
        times.append((heard - sent) / 1_000)
      }
    } catch {
      throw BenchError("\(error)")
    }
    tell(
      "\(what): least \(times.quantile(0).text), median \(times.median.text), 99 % "
        + "\(times.quantile(0.99).text), most \(times.quantile(1).text) ms; overruns \(device.xruns)")
    return times
  }

  private static func await(_ device: BareClient) -> Double? {
    for _ in 0..<1_000 {
      if let time = device.heard { return time }
      usleep(1_000)
    }
    return nil
  }

  private static let preset = """
    { multiroute: 1, ports: { device: { type: 'usbAudio', outputs: ['Device:playback_*'], channels: 2 } },
    sessions: { show: { category: 'multiRoute', options: ['mixWithOthers'], activate: 'start', streams: {
      main: { channels: 1, from: ['Source:out_*'], to: { device: 0 } } } } } }
    """
}
