import CBenchReference
import Glibc
import JackServer

/// A JACK server at which clients are compared.
struct BenchServer {
  private let server: DummyServer
  private let state: TemporaryFolder
  var name: String { server.name }
  /// The folder in which routers keep their state.
  var folder: String { state.path }
  let scheduling: String
  /// Frames of a period.
  let period: Int

  /// Runs a server for as long as `body` measures at it.
  ///
  /// - Parameter isPinned: whether one processor runs all threads of the server, and of clients that are opened within `pinned`. Compared
  ///   clients then find the sound that they share in the same cache. Otherwise they would sometimes fetch it from another core.
  /// - Throws: `BenchError` if the server does not start; what `body` throws.
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

  /// Pins the threads that `body` starts to one processor. The calling thread may use all processors again when this returns.
  static func pinned<Value>(_ body: () throws(BenchError) -> Value) throws(BenchError) -> Value {
    guard bare_pin(0) else { throw BenchError("the system does not pin threads") }
    defer { bare_unpin() }
    return try body()
  }

  /// Starts the server, with real-time priority if the system allows that.
  private init(period: Int) throws(BenchError) {
    var settings = DummyServer.Settings(name: "mrbench-\(getpid())")
    (settings.period, settings.portLimit) = (period, 2_048)
    self.period = period
    state = try TemporaryFolder()
    do throws(ServerError) { server = try .started(settings) } catch { throw BenchError("\(error)") }
    scheduling = server.settings.scheduling == .ordinary ? "ordinary priority" : "real-time priority"
    tell("server         \(period) frames at 48000 Hz, \(scheduling)")
  }
}
