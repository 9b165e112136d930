import CBenchReference
import Glibc

/// Measures 64 inputs to 64 outputs with all crosspoints open: the router's client against OpenBLAS, with constant gains and while all
/// gains have ramps.
enum MatrixBench {
  /// Length of a ramp in frames: 20 ms, the router's default.
  private static let ramp = 960

  /// The ways in which the bare client multiplies. Each has rounds of its own: a client that runs after another one with the same code
  /// would find that code in the processor's caches, which the router never does.
  private static let products = [
    Product(name: "Direct", text: "sgemm on the ports' buffers", work: bare_product),
    Product(name: "Copied", text: "sgemm by way of dense matrices", work: bare_product_copied),
  ]

  static func run(_ plan: Plan, _ server: BenchServer, _ table: inout ResultTable) throws(BenchError) {
    var (idle, still, moving): ([Double], [Double], [Double]) = ([], [], [])
    for product in products {
      let times = try measure(product, plan, server)
      table.note("64x64, \(product.text)", times.still.product.balanced, " us")
      table.note("64x64, the router in the same rounds", times.still.router.balanced, " us")
      idle += times.idle
      still.append(times.still.ratio)
      moving.append(times.moving.ratio)
    }
    table.note("64x64, a client that does nothing", idle.balanced, " us")
    table.add("64x64, the router to the faster sgemm", still.max() ?? .infinity, atMost: 1)
    table.add(
      "64x64 and all gains ramping, to the faster sgemm", moving.max() ?? .infinity, atMost: 2.5)
  }

  /// Measures all rounds with one of the ways to multiply.
  private static func measure(
    _ product: Product, _ plan: Plan, _ server: BenchServer
  ) throws(BenchError) -> (idle: [Double], still: Comparison, moving: Comparison) {
    var (idle, still, moving) = ([Double](), Comparison(), Comparison())
    for round in 0..<plan.rounds {
      // The server runs clients in the order in which they joined, so every second round has the other order.
      let clients = try BenchServer.pinned { () throws(BenchError) in
        try Clients(server, product, routerFirst: !round.isMultiple(of: 2))
      }
      let times = clients.measure(plan, "still") { usleep(10_000) }
      idle.append(times[2])
      still.add(times)
      // The next ramp begins before the last one of 20 ms has ended, so all gains always have ramps.
      moving.add(
        clients.measure(plan, "ramping") {
          clients.router.ramp(frames: Self.ramp)
          usleep(14_000)
        })
    }
    return (idle, still, moving)
  }

  /// A way in which the bare client multiplies.
  private struct Product {
    var name, text: String
    var work: bare_work
  }

  /// The times of the bare client and of the router in microseconds for each period, one value for each round.
  private struct Comparison {
    var (product, router): ([Double], [Double]) = ([], [])
    var ratio: Double { router.balanced / product.balanced }

    mutating func add(_ times: [Double]) {
      product.append(times[0])
      router.append(times[1])
    }
  }

  /// The clients of one round.
  private struct Clients {
    let feed, idle, bare: BareClient
    let router: MatrixRouter

    init(_ server: BenchServer, _ product: Product, routerFirst: Bool) throws(BenchError) {
      let channels = MatrixRouter.channels
      feed = try BareClient(server, "Feed", bare_noise, outputs: channels)
      // The first client that reads the shared input fetches it into the cache for the others.
      idle = try BareClient(server, "Idle", bare_idle, inputs: channels, outputs: channels)
      let early = routerFirst ? try MatrixRouter(server, name: "Router") : nil
      bare = try BareClient(server, product.name, product.work, inputs: channels, outputs: channels)
      if let early { router = early } else { router = try MatrixRouter(server, name: "Router") }
      for name in ["Idle", product.name, "Router"] { try feed.feed(name, channels: channels) }
      usleep(200_000)
    }

    /// Measures the bare client, the router and the idle client, in microseconds for each period.
    func measure(_ plan: Plan, _ what: String, meanwhile: () -> Void) -> [Double] {
      _ = router.takeTelemetry()
      var own = SelfMeasure()
      let times = withExtendedLifetime(feed) {
        OwnTime.measure([bare.ownTime, router.ownTime, idle.ownTime], periods: plan.periods) {
          meanwhile()
          own += router.takeTelemetry()
        }
      }
      let list = zip([bare.name, "router", "idle"], times).map { "\($0) \($1.text)" }.joined(
        separator: ", ")
      tell("matrix         \(what): \(list) us; \(own.text) us")
      return times
    }
  }
}
