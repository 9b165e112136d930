import CBenchReference
import Glibc
import Spawn

/// A JACK client as a child process, told to end when nobody needs it any more.
final class ChildClient {
  let identifier: Int32
  /// When it was started, in microseconds of the server's clock.
  let began: Double
  private let errors: Int32

  /// Starts `multiroute run`; it is not ready yet.
  /// - Throws: `BenchError` when the program is not there.
  static func router(preset: String, server: BenchServer) throws(BenchError) -> ChildClient {
    try ChildClient(
      SystemFile.product("multiroute"),
      [
        "run", preset, "--server", server.name, "--config", "none", "--osc", "127.0.0.1:0", "--fresh",
        "--state",
        server.folder,
      ])
  }

  /// Starts a bare client that copies its inputs to its outputs, in a process of its own as the router is: a thread that
  /// runs after one of another process pays for that.
  /// - Throws: `BenchError` when it does not start.
  static func copying(
    _ name: String, _ server: BenchServer, inputs: Int, outputs: Int
  ) throws(BenchError) -> ChildClient {
    try ChildClient(SystemFile.product("bench"), [copyingFlag, server.name, name, "\(inputs)", "\(outputs)"])
  }

  /// Starts a bare client with one input, which it multiplies by the gains that it receives, and two outputs.
  /// - Throws: `BenchError` when it does not start.
  static func gain(_ name: String, _ server: BenchServer) throws(BenchError) -> ChildClient {
    try ChildClient(SystemFile.product("bench"), [gainFlag, server.name, name, "1", "2"])
  }

  /// The flags by which this program becomes such a client.
  static let copyingFlag = "--copying"
  static let gainFlag = "--gain"

  private init(_ program: String, _ arguments: [String]) throws(BenchError) {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw BenchError(String(cString: strerror(errno)))
    }
    began = BareClient.now
    let spawned = ChildSpawn(
      path: program, arguments: [program] + arguments, input: ends[1], output: ends[1], error: ends[1]
    ).start()
    close(ends[1])
    errors = ends[0]
    switch spawned {
    case .success(let child): identifier = child
    case .failure(let failure):
      close(ends[0])
      throw BenchError("cannot start \(program): \(String(cString: strerror(failure.code)))")
    }
  }

  deinit {
    kill(identifier, SIGTERM)
    var patience = 300
    while waitpid(identifier, nil, WNOHANG) == 0, patience > 0 {
      usleep(10_000)
      patience -= 1
    }
    if patience == 0 {
      kill(identifier, SIGKILL)
      waitpid(identifier, nil, 0)
    }
    close(errors)
  }

  /// Waits for the line that says that it is ready; the number at its end, where the router hears OSC.
  /// - Throws: `BenchError` with what it says instead.
  @discardableResult
  func waitUntilReady() throws(BenchError) -> UInt16 {
    var (text, byte) = ("", UInt8(0))
    while read(errors, &byte, 1) == 1 {
      text.unicodeScalars.append(Unicode.Scalar(byte))
      guard byte == UInt8(ascii: "\n"), let ready = text.split(separator: "\n").last,
        ready.hasPrefix("multiroute: ready ") || ready.hasPrefix(BareClient.ready)
      else { continue }
      if let port = ready.split(separator: ":").last.flatMap({ UInt16($0) }) { return port }
    }
    throw BenchError("a client did not become ready: \(text)")
  }

  /// Bytes of memory that are not shared with the server, in MB of 1,000,000.
  var megabytes: Double {
    let lines = SystemFile.lines("/proc/\(identifier)/status")
    let kibibytes = lines.filter { $0.hasPrefix("RssAnon:") || $0.hasPrefix("RssFile:") }
      .compactMap {
        $0.split(whereSeparator: { " \t".contains($0) }).dropFirst().first.flatMap { Double($0) }
      }
    return kibibytes.reduce(0, +) * 1_024 / 1_000_000
  }

  /// The audio thread, kept on the server's processor: the one with the highest real-time priority, or at a server without, the
  /// one that wakes up most often.
  /// - Throws: `BenchError` when there is none.
  func audioThread(periods: @escaping () -> UInt64) throws(BenchError) -> OwnTime {
    let folder = "/proc/\(identifier)/task"
    let threads = SystemFile.names(in: folder)
    // Behind the name in brackets the 38th word is the real-time priority.
    func priority(_ thread: String) -> Int {
      let words = SystemFile.lines("\(folder)/\(thread)/stat").first?.split(separator: ")").last?.split(
        separator: " ")
      return words.flatMap { $0.count > 37 ? Int($0[37]) : nil } ?? 0
    }
    // The router's other threads have the lowest one.
    let realTime = threads.max { priority($0) < priority($1) }.flatMap { priority($0) > 1 ? $0 : nil }
    let busiest = threads.max { Self.schedule("\(folder)/\($0)", 2) < Self.schedule("\(folder)/\($1)", 2) }
    guard let thread = realTime ?? busiest, let number = Int32(thread), bare_pin(number) else {
      throw BenchError("a client has no audio thread")
    }
    return OwnTime(nanoseconds: { Self.schedule("\(folder)/\(thread)", 0) }, periods: periods)
  }

  /// A word of a thread's `schedstat`: 0 is its processor time in nanoseconds, 2 how often it ran.
  private static func schedule(_ thread: String, _ word: Int) -> UInt64 {
    let words = SystemFile.lines("\(thread)/schedstat").first?.split(separator: " ")
    return words.flatMap { $0.count == 3 ? UInt64($0[word]) : nil } ?? 0
  }
}
