import CBenchReference
import Glibc

/// 64 inputs to 64 outputs, all crosspoints open: the router's client against OpenBLAS, still and while all gains ramp.
enum MatrixBench {
  /// Frames of a ramp, 20 ms: what every gain takes that nobody asked to take longer.
  private static let ramp = 960

  static func run(_ plan: Plan, _ server: BenchServer, _ table: inout ResultTable) throws(BenchError) {
    var (still, moving): ([[Double]], [[Double]]) = ([], [])
    for round in 0..<plan.rounds {
      // Who comes first is served first, so every other round they come in another order.
      let clients = try BenchServer.pinned { () throws(BenchError) in
        try Clients(server, routerFirst: !round.isMultiple(of: 2))
      }
      still.append(clients.measure(plan, "still") { usleep(10_000) })
      // A ramp of 20 ms never ends, since the next one begins before.
      moving.append(
        clients.measure(plan, "ramping") {
          clients.router.ramp(frames: Self.ramp)
          usleep(14_000)
        })
    }
    let (direct, copied, router) = (
      still.map { $0[0] }.balanced, still.map { $0[1] }.balanced, still.map { $0[2] }
    )
    table.note("64x64, a client that does nothing", still.map { $0[3] }.balanced, " us")
    table.note("64x64, sgemm on the ports' buffers", direct, " us")
    table.note("64x64, sgemm by way of dense matrices", copied, " us")
    table.add("64x64, the router to the faster sgemm", router.balanced / min(direct, copied), atMost: 1)
    table.add(
      "64x64 and all gains ramping, to the faster sgemm",
      moving.map { $0[2] }.balanced / min(moving.map { $0[0] }.balanced, moving.map { $0[1] }.balanced),
      atMost: 2.5
    )
  }

  /// The clients of one round.
  private struct Clients {
    let feed, idle, direct, copied: BareClient
    let router: MatrixRouter

    init(_ server: BenchServer, routerFirst: Bool) throws(BenchError) {
      let channels = MatrixRouter.channels
      feed = try BareClient(server, "Feed", bare_noise, outputs: channels)
      let early = routerFirst ? try MatrixRouter(server, name: "Router") : nil
      idle = try BareClient(server, "Idle", bare_idle, inputs: channels, outputs: channels)
      direct = try BareClient(server, "Direct", bare_product, inputs: channels, outputs: channels)
      copied = try BareClient(server, "Copied", bare_product_copied, inputs: channels, outputs: channels)
      if let early { router = early } else { router = try MatrixRouter(server, name: "Router") }
      for name in ["Idle", "Direct", "Copied", "Router"] { try feed.feed(name, channels: channels) }
      usleep(200_000)
    }

    /// Microseconds for each period of direct and copied product and of the router.
    func measure(_ plan: Plan, _ what: String, meanwhile: () -> Void) -> [Double] {
      _ = router.takeTelemetry()
      var own = SelfMeasure()
      let times = withExtendedLifetime(feed) {
        OwnTime.measure(
          [direct.ownTime, copied.ownTime, router.ownTime, idle.ownTime], periods: plan.periods
        ) {
          meanwhile()
          own += router.takeTelemetry()
        }
      }
      let list = zip(["direct", "copied", "router", "idle"], times).map { "\($0) \($1.text)" }.joined(
        separator: ", ")
      tell("matrix         \(what): \(list) us; \(own.text) us")
      return times
    }
  }
}
