import Glibc
import StageKit

/// `multiroute run` as a child process, told to end when nobody needs it any more.
final class RouterChild {
  let identifier: Int32
  /// When it was started, in microseconds of the server's clock.
  let began: Double
  private let errors: Int32

  /// Starts it; it is not ready yet.
  /// - Throws: `BenchError` when the program is not there.
  init(preset: String, server: BenchServer) throws(BenchError) {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw BenchError(String(cString: strerror(errno)))
    }
    let program = SystemFile.product("multiroute")
    let arguments = [
      program, "run", preset, "--server", server.name, "--config", "none", "--osc", "127.0.0.1:0",
    ]
    began = BareClient.now
    let spawned = ChildSpawn(
      path: program, arguments: arguments, input: ends[1], output: ends[1], error: ends[1]
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

  /// Waits for the line that says that it is ready; the port where it hears OSC.
  /// - Throws: `BenchError` with what it says instead.
  func waitUntilReady() throws(BenchError) -> UInt16 {
    var (text, byte) = ("", UInt8(0))
    while read(errors, &byte, 1) == 1 {
      text.unicodeScalars.append(Unicode.Scalar(byte))
      guard byte == UInt8(ascii: "\n"), let ready = text.split(separator: "\n").last,
        ready.hasPrefix("multiroute: ready ")
      else { continue }
      if let port = ready.split(separator: ":").last.flatMap({ UInt16($0) }) { return port }
    }
    throw BenchError("multiroute did not become ready: \(text)")
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

  /// Processor time and time slices of each thread, by its number.
  private var threads: [String: (nanoseconds: UInt64, slices: UInt64)] {
    var threads: [String: (UInt64, UInt64)] = [:]
    for thread in SystemFile.names(in: "/proc/\(identifier)/task") {
      let words = SystemFile.lines("/proc/\(identifier)/task/\(thread)/schedstat").first?.split(
        separator: " ")
      guard let words, words.count == 3, let time = UInt64(words[0]), let slices = UInt64(words[2]) else {
        continue
      }
      threads[thread] = (time, slices)
    }
    return threads
  }

  /// The audio thread: of all threads the one that wakes up most often over half a second.
  func audioThread(periods: @escaping () -> UInt64) -> OwnTime {
    let before = threads
    usleep(500_000)
    let woken = threads.mapValues(\.slices).merging(before.mapValues(\.slices)) { $0 - $1 }
    let thread = woken.max { $0.value < $1.value }?.key ?? ""
    return OwnTime(nanoseconds: { self.threads[thread]?.nanoseconds ?? 0 }, periods: periods)
  }
}
