import CBenchReference

/// Measures the voice processing of `multiroute run` beside PipeWire's echo cancel module, which has the same library: the share of a core
/// of each voice, and the time that it costs in the callback.
///
/// The module runs the library in the thread that the graph waits for, so that all of its time is time in the callback.
enum VoiceBench {
  static let period = 256

  /// The microseconds of a period that voices cost, of all voices together.
  private struct Times {
    /// In the thread that the graph waits for.
    var callback: Double
    /// In threads of their own.
    var workers = 0.0
  }

  static func run(_ plan: Plan, _ server: BenchServer, _ table: inout ResultTable) throws(BenchError) {
    // Counts the periods for both servers, which have the same.
    let clock = try BareClient(server, "Clock", bare_idle)
    for count in [1, 4] {
      var (ours, plain, theirs): ([Times], [Times], [Times]) = ([], [], [])
      for round in 0..<plan.rounds {
        for turn in round.isMultiple(of: 2) ? [0, 1, 2] : [2, 1, 0] {
          switch turn {
          case 0: ours.append(try router(server, clock, mode: "voiceChat", count, plan))
          case 1: plain.append(try router(server, clock, mode: "default", count, plan))
          default: theirs.append(try module(clock, count, plan))
          }
        }
      }
      tell(
        "voice          \(count): callback \(ours.map(\.callback.text)), without voices "
          + "\(plain.map(\.callback.text)), workers \(ours.map(\.workers.text)), PipeWire \(theirs.map(\.callback.text)) us"
      )
      func each(_ times: [Times], _ part: (Times) -> Double) -> Double {
        times.map(part).balanced / Double(count)
      }
      let callback = each(ours, \.callback) - each(plain, \.callback)
      let (worker, module) = (each(ours, \.workers), each(theirs, \.callback))
      let name = count == 1 ? "1 voice" : "\(count) voices, each"
      table.note("\(name), of a core", share(worker + callback), " %")
      table.note("\(name), of a core, PipeWire's module", share(module), " %")
      table.add("\(name), of a core, to PipeWire's module", (worker + callback) / module, atMost: 1.2)
      table.note("\(name), in the callback", callback, " us")
      table.note("\(name), in the callback, PipeWire's module", module, " us")
      table.add("\(name), in the callback, to PipeWire's module", callback / module, atMost: 0.2)
    }
  }

  /// The percentage of a core that some microseconds of each period are.
  private static func share(_ microseconds: Double) -> Double {
    microseconds * 100 / (Double(period) / 48_000 * 1_000_000)
  }

  /// The router with sessions that capture.
  private static func router(
    _ server: BenchServer, _ clock: BareClient, mode: String, _ count: Int, _ plan: Plan
  ) throws(BenchError) -> Times {
    let preset = try TemporaryFile(preset(mode: mode, count))
    let child = try ChildClient.router(preset: preset.path, server: server)
    try child.waitUntilReady()
    let scene = try ChildClient.call(
      server.name, period: period, count, mode == "voiceChat" ? .cancelled : .plain)
    try scene.waitUntilReady()
    let workers = OwnTime(
      nanoseconds: {
        child.process.threads.values.filter { $0.name == "mr-voice" }.reduce(0) { $0 + $1.nanoseconds }
      },
      periods: { clock.periods })
    let times = OwnTime.measure(
      [try child.audioThread(periods: { clock.periods }), workers], periods: length(plan))
    return withExtendedLifetime((child, scene)) { Times(callback: times[0], workers: times[1]) }
  }

  /// PipeWire with as many modules.
  private static func module(_ clock: BareClient, _ count: Int, _ plan: Plan) throws(BenchError) -> Times {
    let server = try EchoCancelServer(count: count, period: period)
    let scene = try ChildClient.call(
      server.name, period: period, count, .cancelled, connections: EchoCancelServer.connections(count: count),
      variables: server.variables)
    try scene.waitUntilReady()
    let thread = try server.cancellers.audioThread(periods: { clock.periods })
    return withExtendedLifetime((server, scene)) {
      Times(callback: OwnTime.measure([thread], periods: length(plan))[0])
    }
  }

  /// The periods of a round: five seconds.
  private static func length(_ plan: Plan) -> UInt64 { min(plan.periods, 1_000) }

  private static func preset(mode: String, _ count: Int) -> String {
    let sessions = (1...count).map {
      """
      call\($0): { category: 'playAndRecord', mode: '\(mode)', options: ['mixWithOthers'], activate: 'start', output: 'room',
        streams: { main: { channels: 1, from: ['\(CallScene.far):out_\($0)'] } },
        capture: { channels: 1, to: ['\(CallScene.line):playback_\($0)'] } },
      """
    }
    return """
      { multiroute: 1, ports: {
        room: { type: 'lineOut', outputs: ['\(CallScene.room):playback_*'], channels: 1 },
        desk: { type: 'headsetMic', inputs: ['\(CallScene.room):capture_*'] } },
      sessions: { \(sessions.joined(separator: "\n")) } }
      """
  }
}
