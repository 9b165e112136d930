import CBenchReference
import Glibc

/// Measures `multiroute run` with 16 stereo sessions, each sent to three stereo devices, against a bare client that copies as many ports.
enum SessionsBench {
  private static let (sessions, devices) = (16, 3)

  static func run(_ plan: Plan, _ server: BenchServer, _ table: inout ResultTable) throws(BenchError) {
    let preset = try TemporaryFile(Self.preset)
    var (bare, router): ([Double], [Double]) = ([], [])
    for round in 0..<plan.rounds {
      let times = try Self.round(plan, server, preset, routerFirst: !round.isMultiple(of: 2))
      tell("sessions       copying \(times[0].text) us, router \(times[1].text) us")
      bare.append(times[0])
      router.append(times[1])
    }
    table.note("16 sessions to 3 devices, copying", bare.balanced, " us")
    table.add("16 sessions to 3 devices, the router", router.balanced / bare.balanced, atMost: 1.3)
  }

  /// Measures one round, and returns the microseconds of the bare client and of the router.
  private static func round(
    _ plan: Plan, _ server: BenchServer, _ preset: TemporaryFile, routerFirst: Bool
  ) throws(BenchError) -> [Double] {
    let (inputs, outputs) = (2 * sessions, 2 * devices)
    // Waking other clients costs time, so both have as many listeners. The router connects to devices only, so its listeners are devices.
    let (feed, listeners) = try BenchServer.pinned { () throws(BenchError) in
      var listeners: [BareClient] = []
      for number in 1...devices {
        listeners.append(
          try BareClient(server, "Device \(number)", bare_watching, inputs: 2, isDevice: true))
        listeners.append(try BareClient(server, "Other \(number)", bare_watching, inputs: 2))
      }
      return (try BareClient(server, "Feed", bare_noise, outputs: inputs), listeners)
    }
    func start(_ isRouter: Bool) throws(BenchError) -> ChildClient {
      let child =
        isRouter
        ? try ChildClient.router(preset: preset.path, server: server)
        : try ChildClient.bare(.copying, "Copying", server, inputs: inputs, outputs: outputs)
      try child.waitUntilReady()
      return child
    }
    let first = try start(routerFirst)
    let second = try start(!routerFirst)
    let (router, copying) = routerFirst ? (first, second) : (second, first)
    try feed.feed("Copying", channels: inputs)
    for channel in 0..<outputs {
      try feed.connect(
        BareClient.output(channel + 1, of: "Copying"), "Other \(channel / 2 + 1):in_\(channel % 2 + 1)")
    }
    let threads = try [copying, router].map { child throws(BenchError) in
      try child.audioThread(periods: { feed.periods })
    }
    guard listeners[0].sample != 0 else { throw BenchError("the router lets nothing through") }
    return withExtendedLifetime((feed, listeners, router, copying)) {
      OwnTime.measure(threads, periods: plan.periods)
    }
  }

  private static var preset: String {
    let ports = (1...devices).map {
      "d\($0): { type: 'usbAudio', outputs: ['Device \($0):playback_*'], channels: 2 },"
    }
    let destinations = (1...devices).map { "d\($0): 0" }.joined(separator: ", ")
    let sessions = (1...sessions).map {
      """
      s\($0): { category: 'multiRoute', options: ['mixWithOthers'], activate: 'start', gain: -30, streams: {
        main: { from: ['Feed:out_\($0)_*'], to: { \(destinations) } } } },
      """
    }
    return """
      { multiroute: 1, ports: { \(ports.joined(separator: "\n")) },
      sessions: { \(sessions.joined(separator: "\n")) } }
      """
  }
}
