import Glibc
public import JackClient

/// A JACK server of our own without hardware: `jackd` with its dummy driver, as a child that ends when we end.
///
/// Belongs to one thread at a time. It is started without opening a client, so a process may run several servers; it can be
/// a client of one only.
public final class DummyServer {
  /// How the server's audio threads are scheduled.
  public enum Scheduling: Hashable, Sendable {
    /// `-R -P priority`: what continuity needs.
    case realTime(priority: Int)
    /// `-r`.
    case ordinary
  }

  /// Everything the server is started with.
  public struct Settings: Hashable, Sendable {
    public var name: String
    /// Hz.
    public var sampleRate = 48_000
    /// Frames.
    public var period = 256
    public var scheduling = Scheduling.realTime(priority: 70)
    /// `-S`: every client is waited for, which takes a period off the latency.
    public var isSynchronous = false
    /// Channels of the driver's own device, `system`.
    public var captureChannels = 0
    public var playbackChannels = 0
    /// Room for ports; nil leaves the server's default.
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

  /// Starts a server, with real-time priority where the system gives it and without where it does not.
  ///
  /// - Parameter stop: as in `start`.
  /// - Throws: `ServerError` when it does not start either way.
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

  /// The process id of `jackd`; nil while it is not running.
  public var processIdentifier: Int32? { child?.serverIdentifier }

  /// The last lines the server printed, without its greeting; empty while it is not running.
  public var lastLines: String { child?.lastLines ?? "" }

  /// Starts the server and returns when it answers.
  ///
  /// - Parameter stop: a descriptor that ends the wait when it can be read; the server does not run then.
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
    throw .silent(output: started.lastLines)
  }

  /// Sees that the machine has a place for the server.
  ///
  /// Where all are taken, a server of a name whose own was killed is started and ended, with which jackd gives its place
  /// back. Another program may do the same for that name at the same time, so a failure counts only if no place is free then.
  private func makeRoom(until stop: Int32) throws(ServerError) {
    func isOurs(_ place: ServerPlaces.Place) -> Bool { place.user == getuid() && place.isAbandoned }
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

  /// Waits until the server has ended by itself; false if `other` can be read first.
  public func waitForEnd(or other: Int32) -> Bool {
    child?.waitForEnd(milliseconds: -1, or: other) ?? true
  }

  /// Ends the server, which tells its clients, and waits for it. Repeatable.
  public func stop() {
    child?.end()
    child = nil
  }

  /// Kills the server, which tells nobody, and waits for it.
  public func kill() {
    child?.kill()
    child = nil
  }

  /// Where it listens.
  public var socket: ServerSocket { .jackd(name) }

  /// Whether a server of this name accepts clients of this user, by libjack's own check.
  public var answers: Bool { socket.answers }
}
