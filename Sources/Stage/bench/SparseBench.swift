import CBenchReference
import Glibc

/// Measures shows as they are: 64 inputs, each heard in two of 64 outputs, against `scsynth` with the same graph and a bare client that copies
/// 64 inputs to 64 outputs. The time of an idle client is taken off each: for `scsynth` that of a client in a process of its own.
enum SparseBench {
  static let channels = 64

  /// Whether an input is heard in an output: in its own, and in another one.
  static func isOpen(_ input: Int, _ output: Int) -> Bool {
    output == input || output == (input * 7 + 3) % channels
  }

  static func run(_ plan: Plan, _ server: BenchServer, _ table: inout ResultTable) throws(BenchError) {
    try measure(plan, server, &table)
  }

  /// Measures the same at short periods, and what a router costs that has nothing to do.
  static func runSmall(
    _ plan: Plan, _ server: BenchServer, _ table: inout ResultTable
  ) throws(BenchError) {
    try measure(plan, server, &table)
    var (idle, empty): ([Double], [Double]) = ([], [])
    for round in 0..<plan.rounds {
      let isFirst = !round.isMultiple(of: 2)
      let (bare, router) = try BenchServer.pinned { () throws(BenchError) in
        let early = isFirst ? try MatrixRouter(server, name: "Router", channels: 0) : nil
        let bare = try BareClient(server, "Idle", bare_idle)
        if let early { return (bare, early) }
        return (bare, try MatrixRouter(server, name: "Router", channels: 0))
      }
      usleep(200_000)
      let times = OwnTime.measure([bare.ownTime, router.ownTime], periods: plan.periods) {
        usleep(10_000)
        _ = router.takeTelemetry()
      }
      idle.append(times[0])
      empty.append(times[1])
    }
    table.note("\(server.period) frames, a client that does nothing, without ports", idle.balanced, " us")
    table.add(
      "\(server.period) frames, the router with nothing to do, to it", empty.balanced / idle.balanced,
      atMost: 1.2)
  }

  private static func measure(
    _ plan: Plan, _ server: BenchServer, _ table: inout ResultTable
  ) throws(BenchError) {
    var times: [[Double]] = [[], [], [], [], []]
    for round in 0..<plan.rounds {
      for (index, time) in try Self.round(plan, server, routerFirst: !round.isMultiple(of: 2)).enumerated() {
        times[index].append(time)
      }
    }
    let (router, copying, idle) = (times[0].balanced, times[1].balanced, times[2].balanced)
    let (synth, idleChild) = (times[3].balanced, times[4].balanced)
    let what = "sparse, \(server.period) frames"
    table.note("\(what), a client that does nothing", idle, " us")
    table.note("\(what), copying", copying, " us")
    table.note("\(what), the router", router, " us")
    table.note("\(what), scsynth", synth, " us")
    table.note("\(what), nothing in a process of its own", idleChild, " us")
    table.add("\(what), the router to copying, less idle", (router - idle) / (copying - idle), atMost: 2.5)
    table.add("\(what), the router to scsynth, less idle", (router - idle) / (synth - idleChild), atMost: 0.3)
  }

  /// Measures one round, and returns the microseconds of the router, the copying client, the idle one, `scsynth`, and the idle one in a
  /// process of its own.
  private static func round(
    _ plan: Plan, _ server: BenchServer, routerFirst: Bool
  ) throws(BenchError) -> [Double] {
    let feed = try BenchServer.pinned { () throws(BenchError) in
      try BareClient(server, "Feed", bare_noise, outputs: channels)
    }
    // The first clients that read the shared input fetch it into the cache for the others.
    let idleChild = try ChildClient.bare(.idle, "Idle child", server, inputs: channels, outputs: channels)
    try idleChild.waitUntilReady()
    try feed.feed("Idle child", channels: channels)
    let (idle, early) = try BenchServer.pinned { () throws(BenchError) in
      (
        try BareClient(server, "Idle", bare_idle, inputs: channels, outputs: channels),
        routerFirst ? try MatrixRouter(server, name: "Router", isOpen: isOpen) : nil
      )
    }
    let crosspoints = (0..<channels).flatMap { input in
      (0..<channels).filter { isOpen(input, $0) }.map { (input: input, output: $0) }
    }
    guard crosspoints.count == 2 * channels else { throw BenchError("\(crosspoints.count) crosspoints") }
    let synth = try SynthServer(server, from: feed, channels: channels, crosspoints: crosspoints)
    let (copying, router) = try BenchServer.pinned { () throws(BenchError) in
      let copying = try BareClient(server, "Copying", bare_copy, inputs: channels, outputs: channels)
      if let early { return (copying, early) }
      return (copying, try MatrixRouter(server, name: "Router", isOpen: isOpen))
    }
    for name in ["Idle", "Copying", "Router"] { try feed.feed(name, channels: channels) }
    let threads = try [synth.child, idleChild].map { child throws(BenchError) in
      try child.audioThread(periods: { feed.periods })
    }
    usleep(200_000)
    _ = router.takeTelemetry()
    var own = SelfMeasure()
    let times = withExtendedLifetime((feed, synth, idleChild)) {
      OwnTime.measure([router.ownTime, copying.ownTime, idle.ownTime] + threads, periods: plan.periods) {
        usleep(10_000)
        own += router.takeTelemetry()
      }
    }
    tell(
      "sparse         router \(times[0].text), copying \(times[1].text), idle \(times[2].text), "
        + "scsynth \(times[3].text), idle child \(times[4].text) us; \(own.text) us")
    return times
  }
}
