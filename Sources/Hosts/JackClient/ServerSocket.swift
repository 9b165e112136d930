import SystemCalls

/// The socket at which a server of this machine listens for clients.
public struct ServerSocket: Hashable, Sendable {
  public var folder: String
  public var name: String
  public var path: String { folder + "/" + name }

  public init(folder: String, name: String) { (self.folder, self.name) = (folder, name) }

  /// The socket of a jackd of this user, by the server's name. A jackd for all users has the same socket for each of them.
  public static func jackd(_ server: String) -> Self {
    // The name that jackd2 makes on Linux (`BuildName`, JackSocket.cpp).
    let isForAll = System.getenv("JACK_PROMISCUOUS_SERVER") != nil
    return Self(
      folder: "/dev/shm", name: isForAll ? "jack_\(server)_0" : "jack_\(server)_\(System.getuid())_0")
  }

  /// The socket where jackd's library looks for a server; nil is the default server.
  public static func ofJackd(server: String?) -> Self {
    jackd(server ?? System.getenv("JACK_DEFAULT_SERVER") ?? "default")
  }

  /// The socket where PipeWire's library looks for a server; nil is the default server.
  public static func ofPipeWire(server: String?) -> Self {
    let folders = ["PIPEWIRE_RUNTIME_DIR", "XDG_RUNTIME_DIR", "HOME"]
    return Self(
      folder: folders.lazy.compactMap(System.getenv).first ?? "/",
      name: server ?? System.getenv("PIPEWIRE_REMOTE") ?? "pipewire-0")
  }

  /// The socket where this process's libjack looks for a server; nil is the default server.
  public static func ofLibrary(server: String?) -> Self {
    JackClient.isPipeWire ? ofPipeWire(server: server) : ofJackd(server: server)
  }

  /// Whether this process's libjack looks for its server nowhere else, as jackd2's does. Those of PipeWire and of jackd1 have more places.
  public static var isTheOnlyPlace: Bool { JackCalls.version().hasPrefix("1.9.") }

  /// Whether a program listens at the socket.
  public var answers: Bool { connection().map { _ in true } ?? false }

  /// Distinguishes the listening program from earlier and later ones; nil if none listens, or if the system
  /// does not show it.
  ///
  /// It joins the process number, the start of the process and the start of the system, since process numbers
  /// are reused.
  public var identity: String? {
    guard let process = connection()?.process, let status = WholeFile.lines("/proc/\(process)/stat").first,
      let boot = WholeFile.lines("/proc/sys/kernel/random/boot_id").first
    else { return nil }
    // `proc_pid_stat(5)`: the name, in parentheses, may contain anything; the start is the twentieth field
    // after it.
    let fields = status[(status.lastIndex(of: ")") ?? status.startIndex)...].split(separator: " ")
    guard fields.count > 20 else { return nil }
    return "\(process) \(fields[20]) \(boot)"
  }

  /// The greatest number of ports at the server; nil if there is no such limit, as at PipeWire, or if the system does not show it.
  public var portLimit: Int? { connection()?.process.flatMap { PortLimit.ofServer(process: $0) } }

  /// A connection to the listening program; nil if none listens.
  public func connection() -> ServerConnection? {
    guard let descriptor = try? System.socket(.unix, .stream) else { return nil }
    let connection = ServerConnection(descriptor)
    do throws(SystemError) { try System.connect(descriptor, to: .unix(path: path)) } catch { return nil }
    return connection
  }

  // MARK: A server that no longer answers

  /// Makes libjack's calls fail that wait for the server, now and from now on.
  ///
  /// libjack waits without a limit for an answer that a stopped or stuck server never gives. A request that
  /// was sent is not withdrawn: the server carries it out when it continues, and then finds us gone. Close
  /// the client afterwards. Any thread.
  public func stopReading() {
    for descriptor in connections { System.shutdown(descriptor, .reading) }
  }

  /// Whether libjack has a connection to the server that neither end has closed. Any thread.
  public var isConnected: Bool {
    let awaited = connections.map { ($0, PollEvents()) }
    return (try? System.poll(awaited, milliseconds: 0))?.contains(false) ?? true
  }

  /// All connections of this process to the server.
  private var connections: [Int32] {
    ((try? System.readdir("/proc/self/fd")) ?? []).compactMap { Int32($0) }
      .filter { System.getpeername($0) == .unix(path: path) }
  }
}

/// A silent connection to a server. It hangs up when the server ends, however that happens.
public final class ServerConnection {
  private let descriptor: Int32

  fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { System.close(descriptor) }

  /// The number of the listening process; nil if the system does not show it.
  var process: Int32? { System.peerProcess(descriptor) }

  /// Waits until the server has ended; false if that takes longer than `milliseconds`.
  public func waitForEnd(milliseconds: Int32) -> Bool {
    (try? System.poll(descriptor, milliseconds: milliseconds)) ?? false
  }
}
