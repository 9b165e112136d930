import Commands
import StageKit
import Threads

/// The dummy JACK server of `--start-server`: one that ends by itself is started again.
final class OwnServer {
  /// Seconds before a new try if the last server did not last, and twice as many each time after that.
  private static let shortestWait = 0.5
  /// Seconds before a new try at most; what has run for as long is started again at once.
  private static let longestWait = 30.0

  private let thread: WorkThread

  /// Starts one if none of that name answers.
  /// - Throws: `CommandFailure` unavailable when it does not start.
  static func start(named name: String?, _ context: Context) throws(CommandFailure) -> OwnServer? {
    // As libjack names its server.
    let usual = context.environment["JACK_DEFAULT_SERVER"] ?? "default"
    var settings = DummyServer.Settings(name: name ?? usual)
    (settings.captureChannels, settings.playbackChannels) = (2, 2)
    guard !DummyServer(settings).answers else { return nil }
    do throws(ServerError) { return OwnServer(try started(settings, context.console), context.console) } catch
    {
      throw CommandFailure(.unavailable, "multiroute: no dummy JACK server could be started: \(error)")
    }
  }

  private init(_ server: DummyServer, _ console: Console) {
    let first = First(server: server)
    thread = WorkThread(name: "mr-server") { stop in Self.keep(first.server, until: stop, console) }
  }

  /// Handed over to the thread, and nobody else's from then on.
  private struct First: @unchecked Sendable {
    let server: DummyServer
  }

  /// Ends the server. Repeatable.
  func stop() { thread.stop() }

  private static func started(
    _ settings: DummyServer.Settings, _ console: Console
  ) throws(ServerError) -> DummyServer {
    let server = try DummyServer.started(settings)
    console.tell("multiroute: started a dummy JACK server named '\(settings.name)'")
    return server
  }

  /// Starts the server again for as long as it ends by itself; ends it when `stop` can be read.
  private static func keep(_ first: DummyServer, until stop: Int32, _ console: Console) {
    var (server, wait): (DummyServer?, Double) = (first, 0)
    let settings = first.settings
    var start = MonotonicTime.now
    while true {
      if let running = server, !running.waitForEnd(or: stop) { return running.stop() }
      if let lines = server?.lastLines {
        let why = lines.isEmpty ? "" : ": \(lines)"
        console.tell("multiroute: the dummy JACK server '\(settings.name)' has ended\(why)")
      }
      server = nil
      wait = MonotonicTime.now - start >= longestWait ? 0 : min(max(shortestWait, 2 * wait), longestWait)
      if WorkThread.wait(stop, milliseconds: Int32(1_000 * wait)) { return }
      start = MonotonicTime.now
      do throws(ServerError) { server = try started(settings, console) } catch {
        console.tell("multiroute: no dummy JACK server could be started: \(error)")
        // Somebody else's has taken its place.
        if case .nameInUse = error { return }
      }
    }
  }
}
