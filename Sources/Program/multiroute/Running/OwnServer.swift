import Commands
import JackServer
import Synchronization
import Threads

/// The dummy JACK server of `--start-server`. If it ends by itself, it is restarted.
final class OwnServer: Sendable {
  /// Seconds before the first restart of a server that ended early. The wait doubles with each further restart.
  private static let shortestWait = 0.5
  /// The longest wait in seconds. A server that ran for at least this long is restarted at once.
  private static let longestWait = 30.0

  private let hand: Hand
  private let thread: WorkThread

  /// Passes the server to the thread that restarts it, and back. No other code has the server.
  private final class Hand: Sendable {
    private struct Content: @unchecked Sendable {
      var server: DummyServer?
    }
    private let content: Mutex<Content>

    init(_ server: DummyServer) { content = Mutex(Content(server: server)) }

    func give(_ server: DummyServer) {
      let content = Content(server: server)
      self.content.withLock { $0 = content }
    }

    func take() -> DummyServer? {
      content.withLock { held in
        defer { held.server = nil }
        return held
      }.server
    }
  }

  /// Starts a server unless a server of that name answers.
  /// - Throws: `CommandFailure` unavailable if the server does not start.
  static func start(named name: String?, _ context: Context) throws(CommandFailure) -> OwnServer? {
    // libjack chooses the name in the same way.
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
    let (hand, settings) = (Hand(server), server.settings)
    self.hand = hand
    thread = WorkThread(name: "mr-server") { stop in Self.keep(hand, settings, until: stop, console) }
  }

  /// Stops restarting. The running server goes on. May be called more than once.
  func endKeeping() { thread.stop() }

  /// Ends the server. May be called more than once.
  func stop() {
    endKeeping()
    hand.take()?.stop()
  }

  private static func started(
    _ settings: DummyServer.Settings, until stop: Int32 = -1, _ console: Console
  ) throws(ServerError) -> DummyServer {
    let server = try DummyServer.started(settings, until: stop)
    console.tell("multiroute: started a dummy JACK server named '\(settings.name)'")
    return server
  }

  /// Restarts the server whenever it ends by itself, until the descriptor `stop` becomes readable.
  private static func keep(
    _ hand: Hand, _ settings: DummyServer.Settings, until stop: Int32, _ console: Console
  ) {
    var server = hand.take()
    var (start, wait) = (MonotonicTime.now, 0.0)
    while true {
      if let running = server {
        guard running.waitForEnd(or: stop) else { return hand.give(running) }
        let lines = running.lastLines
        console.tell(
          "multiroute: the dummy JACK server '\(settings.name)' has ended\(lines.isEmpty ? "" : ": \(lines)")"
        )
        server = nil
      }
      wait = MonotonicTime.now - start >= longestWait ? 0 : min(max(shortestWait, 2 * wait), longestWait)
      if WorkThread.wait(stop, milliseconds: Int32(1_000 * wait)) { return }
      start = MonotonicTime.now
      do throws(ServerError) { server = try started(settings, until: stop, console) } catch {
        if WorkThread.wait(stop, milliseconds: 0) { return }
        if case .nameInUse = error {
          // Another server has the name. This server is needed again when that one has ended.
          wait = longestWait
        } else {
          console.tell("multiroute: no dummy JACK server could be started: \(error)")
        }
      }
    }
  }
}
