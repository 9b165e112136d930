import CBenchReference
import Glibc

/// Measures what it costs that all 4,096 gains of a matrix move, against the same router while none does, with an OpenBLAS client beside it.
enum MovingBench {
  /// Length of a ramp in frames: 20 ms, the router's default.
  private static let ramp = 960

  static func run(_ plan: Plan, _ server: BenchServer, _ table: inout ResultTable) throws(BenchError) {
    var (idle, product, still, moving): ([Double], [Double], [Double], [Double]) = ([], [], [], [])
    var adoptions: [Double] = []
    for round in 0..<plan.rounds {
      let channels = MatrixRouter.channels
      let (clients, router) = try BenchServer.pinned { () throws(BenchError) in
        let feed = try BareClient(server, "Feed", bare_noise, outputs: channels)
        let idle = try BareClient(server, "Idle", bare_idle, inputs: channels, outputs: channels)
        let early = round.isMultiple(of: 2) ? nil : try MatrixRouter(server, name: "Router")
        let product = try BareClient(server, "Product", bare_product, inputs: channels, outputs: channels)
        if let early { return ([feed, idle, product], early) }
        return ([feed, idle, product], try MatrixRouter(server, name: "Router"))
      }
      for name in ["Idle", "Product", "Router"] { try clients[0].feed(name, channels: channels) }
      usleep(200_000)
      let threads = [clients[1].ownTime, clients[2].ownTime, router.ownTime]
      _ = router.takeTelemetry()
      let calm = OwnTime.measure(threads, periods: plan.periods) {
        usleep(10_000)
        _ = router.takeTelemetry()
      }
      var (own, plans) = (SelfMeasure(), 0)
      // The next ramp begins before the last one of 20 ms has ended, so all gains always have ramps.
      let busy = withExtendedLifetime(clients) {
        OwnTime.measure(threads, periods: plan.periods) {
          router.ramp(frames: ramp)
          plans += 1
          usleep(14_000)
          own += router.takeTelemetry()
        }
      }
      let adoption = Double(own.adopt) / 1_000 / Double(plans) / Double(router.movingStages) * 1_000
      tell(
        "moving         still \(calm[2].text), moving \(busy[2].text), sgemm \(calm[1].text), idle \(calm[0].text) us; "
          + "\(own.text) us; adopting \(adoption.text) us for 1,000 stages")
      idle.append(calm[0])
      product.append(calm[1])
      still.append(calm[2])
      moving.append(busy[2])
      adoptions.append(adoption)
    }
    let rest = idle.balanced
    table.note("64x64, a client that does nothing", rest, " us")
    table.note("64x64, sgemm on the ports' buffers", product.balanced, " us")
    table.note("64x64, the router", still.balanced, " us")
    table.note("64x64 and all gains ramping, the router", moving.balanced, " us")
    table.add(
      "64x64, all gains ramping to none, less idle", (moving.balanced - rest) / (still.balanced - rest),
      atMost: 2.5)
    table.add("adopting a plan that moves everything, 1,000 stages", adoptions.median, " us", atMost: 5)
  }
}
