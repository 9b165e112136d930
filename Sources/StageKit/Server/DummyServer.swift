import Glibc

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

  /// The process id of `jackd`; nil while it is not running.
  public var processIdentifier: Int32? { child?.serverIdentifier }

  /// The last lines the server printed, without its greeting; empty while it is not running.
  public var lastLines: String { child?.lastLines ?? "" }

  /// Starts the server and returns when it answers.
  ///
  /// - Throws: `ServerError`.
  public func start() throws(ServerError) {
    guard child == nil else { return }
    guard !answers else { throw .nameInUse(name) }
    let started = try ServerProcess(arguments: settings.arguments)
    child = started
    // libjack's own check is the same: whether the server's socket accepts a connection.
    var patience = 5_000
    while !answers {
      if started.hasEnded {
        child = nil
        throw .ended(output: started.lastLines)
      }
      patience -= 1
      guard patience > 0 else {
        stop()
        throw .silent(output: started.lastLines)
      }
      usleep(2_000)
    }
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

  /// Whether a server of this name accepts clients of this user.
  public var answers: Bool {
    let path = "/dev/shm/jack_\(name)_\(getuid())_0"
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard path.utf8.count < room else { return false }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
  }
}
