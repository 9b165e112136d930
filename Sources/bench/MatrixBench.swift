import CBenchReference
import Glibc

/// 64 inputs to 64 outputs, all crosspoints open: the router's client against OpenBLAS, still and while all gains ramp.
enum MatrixBench {
  /// Frames of a ramp, 20 ms: what every gain takes that nobody asked to take longer.
  private static let ramp = 960

  static func run(_ plan: Plan, _ server: BenchServer, _ table: inout ResultTable) throws(BenchError) {
    var times: [[Double]] = Array(repeating: [], count: 4)
    var (still, moving) = (SelfMeasure(), SelfMeasure())
    for round in 0..<plan.rounds {
      let feed = try BareClient(server, "Feed", bare_noise, outputs: MatrixRouter.channels)
      // Who comes first is served first, so every other round they come in another order.
      let clients = try Clients(server, routersFirst: !round.isMultiple(of: 2))
      for name in Clients.names { try feed.feed(name, channels: MatrixRouter.channels) }
      usleep(200_000)
      _ = (clients.still.takeTelemetry(), clients.moving.takeTelemetry())
      let measured = withExtendedLifetime(feed) {
        OwnTime.measure(clients.all, periods: plan.periods) {
          // A ramp of 20 ms never ends, since the next one begins before.
          clients.moving.ramp(frames: Self.ramp)
          usleep(14_000)
          still += clients.still.takeTelemetry()
          moving += clients.moving.takeTelemetry()
        }
      }
      for (index, time) in measured.enumerated() { times[index].append(time) }
      tell(
        "matrix         \(zip(Clients.names, measured).map { "\($0) \($1.text) us" }.joined(separator: ", "))"
      )
    }
    tell("still          \(still.text) us\nramping        \(moving.text) us")
    let (direct, copied) = (times[0].median, times[1].median)
    table.note("64x64, sgemm on the ports' buffers", direct, " us")
    table.note("64x64, sgemm by way of dense matrices", copied, " us")
    table.add("64x64, the router to the faster sgemm", times[2].median / min(direct, copied), atMost: 1)
    table.add("64x64, all gains ramping", times[3].median / min(direct, copied), atMost: 2.5)
  }

  /// The clients of one round.
  private struct Clients {
    static let names = ["Direct", "Copied", "Router", "Ramping"]

    let all: [OwnTime]
    let still: MatrixRouter
    let moving: MatrixRouter

    init(_ server: BenchServer, routersFirst: Bool) throws(BenchError) {
      let channels = MatrixRouter.channels
      func bare() throws(BenchError) -> (BareClient, BareClient) {
        (
          try BareClient(server, Self.names[0], bare_product, inputs: channels, outputs: channels),
          try BareClient(server, Self.names[1], bare_product_copied, inputs: channels, outputs: channels)
        )
      }
      func routers() throws(BenchError) -> (MatrixRouter, MatrixRouter) {
        (try MatrixRouter(server, name: Self.names[2]), try MatrixRouter(server, name: Self.names[3]))
      }
      let (direct, copied): (BareClient, BareClient)
      if routersFirst {
        (still, moving) = try routers()
        (direct, copied) = try bare()
      } else {
        (direct, copied) = try bare()
        (still, moving) = try routers()
      }
      all = [direct.ownTime, copied.ownTime, still.ownTime, moving.ownTime]
    }
  }
}
