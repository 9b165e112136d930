import CBenchReference
import Glibc
import StageKit

/// A JACK server for the clients that are compared.
struct BenchServer {
  private let server: DummyServer
  private let state: TemporaryFolder
  var name: String { server.name }
  /// Where routers keep their state.
  var folder: String { state.path }
  let scheduling: String

  /// Runs a server for as long as `body` measures at it.
  ///
  /// - Parameter isPinned: whether its threads stay on one processor, and those of clients that are opened within `pinned`.
  ///   Clients that are compared then find the sound that they share in the same cache, whoever comes first, instead of
  ///   fetching it from another core as chance has it.
  /// - Throws: `BenchError` when it does not start, and what `body` throws.
  static func run(
    period: Int, isPinned: Bool, _ body: (BenchServer) throws(BenchError) -> Void
  ) throws(BenchError) {
    let server =
      isPinned
      ? try pinned { () throws(BenchError) in try BenchServer(period: period) }
      : try BenchServer(period: period)
    defer { server.server.stop() }
    try body(server)
  }

  /// Keeps threads that `body` starts on one processor; our own is free again when it returns.
  static func pinned<Value>(_ body: () throws(BenchError) -> Value) throws(BenchError) -> Value {
    guard bare_pin(0) else { throw BenchError("the system does not pin threads") }
    defer { bare_unpin() }
    return try body()
  }

  /// Starts it, with real-time priority where the system gives it.
  private init(period: Int) throws(BenchError) {
    var settings = DummyServer.Settings(name: "mrbench-\(getpid())")
    (settings.period, settings.portLimit) = (period, 1_024)
    state = try TemporaryFolder()
    do throws(ServerError) { server = try .started(settings) } catch { throw BenchError("\(error)") }
    scheduling = server.settings.scheduling == .ordinary ? "ordinary priority" : "real-time priority"
    tell("server         \(period) frames at 48000 Hz, \(scheduling)")
  }
}
