import CBenchReference
import Glibc

/// 16 stereo sessions, each to three stereo devices, by `multiroute run`, against a bare client that copies as many ports through.
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
    table.note("16 sessions to 3 devices, copying", bare.median, " us")
    table.add("16 sessions to 3 devices, the router", router.median / bare.median, atMost: 1.3)
  }

  /// Measures once; microseconds of the bare client and of the router.
  private static func round(
    _ plan: Plan, _ server: BenchServer, _ preset: TemporaryFile, routerFirst: Bool
  ) throws(BenchError) -> [Double] {
    let (inputs, outputs) = (2 * sessions, 2 * devices)
    let feed = try BareClient(server, "Feed", bare_noise, outputs: inputs)
    // Each has devices of its own: a client that wakes others pays for that.
    var listeners: [BareClient] = []
    for name in ["Device", "Other"] {
      for number in 1...devices {
        listeners.append(
          try BareClient(server, "\(name) \(number)", bare_watching, inputs: 2, isDevice: true))
      }
    }
    func start() throws(BenchError) -> RouterChild {
      let child = try RouterChild(preset: preset.path, server: server)
      _ = try child.waitUntilReady()
      return child
    }
    let early = routerFirst ? try start() : nil
    let copying = try BareClient(server, "Copying", bare_copy, inputs: inputs, outputs: outputs)
    try feed.feed(copying.name, channels: inputs)
    for channel in 0..<outputs {
      try copying.connect(
        "\(copying.name):out_\(channel + 1)", "Other \(channel / 2 + 1):playback_\(channel % 2 + 1)")
    }
    let router: RouterChild
    if let early { router = early } else { router = try start() }
    let thread = router.audioThread(periods: { copying.periods })
    guard listeners[0].sample != 0 else { throw BenchError("the router lets nothing through") }
    return withExtendedLifetime((feed, listeners, router)) {
      OwnTime.measure([copying.ownTime, thread], periods: plan.periods)
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
        main: { from: ['Feed:out_\(2 * $0 - 1)', 'Feed:out_\(2 * $0)'], to: { \(destinations) } } } },
      """
    }
    return """
      { multiroute: 1, ports: { \(ports.joined(separator: "\n")) },
      sessions: { \(sessions.joined(separator: "\n")) } }
      """
  }
}
