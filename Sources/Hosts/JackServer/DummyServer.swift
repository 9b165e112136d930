public import JackClient
import SystemCalls

/// A JACK server of our own without hardware: `jackd` with its dummy driver, as a child that ends with this
/// process.
///
/// Belongs to one thread at a time. The start opens no client. So a process may run several servers, although
/// it can be a client of only one.
public final class DummyServer {
  /// The scheduling of the server's audio threads.
  public enum Scheduling: Hashable, Sendable {
    /// `-R -P priority`: real-time scheduling, necessary for audio without gaps.
    case realTime(priority: Int)
    /// `-r`: ordinary scheduling.
    case ordinary
  }

  /// The settings that the server starts with.
  public struct Settings: Hashable, Sendable {
    public var name: String
    /// Rate in Hz.
    public var sampleRate = 48_000
    /// Period in frames.
    public var period = 256
    public var scheduling = Scheduling.realTime(priority: 70)
    /// `-S`: the server waits for every client in each period. That saves a period of latency.
    public var isSynchronous = false
    /// Channels of the driver's device, `system`.
    public var captureChannels = 0
    public var playbackChannels = 0
    /// How many ports the server has room for; nil is the server's default.
    public var portLimit: Int?

    public init(name: String) { self.name = name }

    /// The arguments of `jackd`.
    var arguments: [String] {
      var list = ["-n", name]
      switch scheduling {
      case .realTime(let priority): list += ["-R", "-P\(priority)"]
      case .ordinary: list += ["-r"]
      }
      if isSynchronous { list += ["-S"] }
      if let portLimit { list += ["-p", "\(portLimit)"] }
      return list + [
        "-d", "dummy", "-r", "\(sampleRate)", "-p", "\(period)", "-C", "\(captureChannels)", "-P",
        "\(playbackChannels)",
      ]
    }
  }

  public let settings: Settings
  public var name: String { settings.name }
  private var child: ServerProcess?

  public init(_ settings: Settings) { self.settings = settings }

  deinit { stop() }

  /// Starts a server with real-time priority, or without it where the system refuses the priority.
  ///
  /// - Parameter stop: as in `start`.
  /// - Throws: `ServerError` if the server starts in neither way.
  public static func started(_ settings: Settings, until stop: Int32 = -1) throws(ServerError) -> DummyServer
  {
    let server = DummyServer(settings)
    do throws(ServerError) {
      try server.start(until: stop)
      return server
    } catch {
      guard case .ended = error, case .realTime = settings.scheduling else { throw error }
    }
    var ordinary = settings
    ordinary.scheduling = .ordinary
    let second = DummyServer(ordinary)
    try second.start(until: stop)
    return second
  }

  /// The process number of `jackd`; nil while it does not run.
  public var processIdentifier: Int32? { child?.serverIdentifier }

  /// The last lines that the server printed, without its greeting; empty while it does not run.
  public var lastLines: String { child?.lastLines ?? "" }

  /// Starts the server and returns when it answers.
  ///
  /// - Parameter stop: a descriptor that ends the wait when it becomes readable. The server then does not
  ///   run.
  /// - Throws: `ServerError`.
  public func start(until stop: Int32 = -1) throws(ServerError) {
    guard child == nil else { return }
    guard !answers else { throw .nameInUse(name) }
    try makeRoom(until: stop)
    try launch(until: stop)
  }

  private func launch(until stop: Int32) throws(ServerError) {
    let started = try ServerProcess(arguments: settings.arguments)
    child = started
    guard !SocketWatch(socket).waitForAnswer(seconds: 10, or: [started.endDescriptor, stop]) else { return }
    if started.hasEnded {
      child = nil
      throw .ended(output: started.lastLines)
    }
    self.stop()
    // libjack keeps the metadata of all servers of a user in one database (jackd2, common/JackMetadata.cpp).
    let metadata = "/dev/shm/jack_db-\(System.getuid())"
    throw .silent(output: started.lastLines, metadata: (try? System.stat(metadata)) == nil ? nil : metadata)
  }

  /// Makes sure that the machine has a place for the server.
  ///
  /// If all places are taken, this starts and ends a server under the name of a killed one: jackd then
  /// releases that place. Another program may do the same for that name at the same time. So a failure counts
  /// only if no place is free afterwards.
  private func makeRoom(until stop: Int32) throws(ServerError) {
    func isOurs(_ place: ServerPlaces.Place) -> Bool { place.user == System.getuid() && place.isAbandoned }
    let places = ServerPlaces()
    guard places.isFull, !places.taken.contains(where: { isOurs($0) && $0.server == name }) else { return }
    for place in places.taken where isOurs(place) && ServerPlaces().isFull {
      var settings = Settings(name: place.server)
      settings.scheduling = .ordinary
      let successor = DummyServer(settings)
      try? successor.launch(until: stop)
      successor.stop()
    }
    let left = ServerPlaces()
    guard !left.isFull else { throw .noPlace(taken: left.taken) }
  }

  /// Waits until the server has ended by itself; false if `other` becomes readable first.
  public func waitForEnd(or other: Int32) -> Bool {
    child?.waitForEnd(milliseconds: -1, or: other) ?? true
  }

  /// Ends the server, which informs its clients, and waits for its end. Calling it again has no effect.
  public func stop() {
    child?.end()
    child = nil
  }

  /// Kills the server, which informs no client, and waits for its end.
  public func kill() {
    child?.kill()
    child = nil
  }

  /// The socket where the server listens.
  public var socket: ServerSocket { .jackd(name) }

  /// Whether a server of this name accepts clients of this user, by libjack's own check.
  public var answers: Bool { socket.answers }
}
