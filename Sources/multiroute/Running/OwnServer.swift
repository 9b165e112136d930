import Commands
import StageKit

/// The dummy JACK server of `--start-server`.
enum OwnServer {
  /// Starts one if none of that name answers.
  /// - Throws: `CommandFailure` unavailable when it does not start.
  static func start(named name: String?, _ context: Context) throws(CommandFailure) -> DummyServer? {
    // As libjack names its server.
    let usual = context.environment["JACK_DEFAULT_SERVER"] ?? "default"
    var settings = DummyServer.Settings(name: name ?? usual)
    (settings.captureChannels, settings.playbackChannels) = (2, 2)
    guard !DummyServer(settings).answers else { return nil }
    do throws(ServerError) {
      let server = try DummyServer.started(settings)
      context.console.tell("multiroute: started a dummy JACK server named '\(settings.name)'")
      return server
    } catch {
      throw CommandFailure(.unavailable, "multiroute: no dummy JACK server could be started: \(error)")
    }
  }
}

extension DummyServer {
  /// A running server, with real-time priority where the system gives it.
  /// - Throws: `ServerError` when it does not start either way.
  static func started(_ settings: Settings) throws(ServerError) -> DummyServer {
    let server = DummyServer(settings)
    do throws(ServerError) {
      try server.start()
      return server
    } catch {
      guard case .ended = error, case .realTime = settings.scheduling else { throw error }
    }
    var ordinary = settings
    ordinary.scheduling = .ordinary
    let second = DummyServer(ordinary)
    try second.start()
    return second
  }
}
