import Processes
import SystemCalls

/// The child process of a server, with a shell that ends the server if this process ends first.
///
/// The shell starts `jackd`, waits for it, and ends it as soon as our end of a pipe is closed. We close it,
/// or the system does when this process dies, in whatever way. Shell and `jackd` are in a session of their
/// own. So Ctrl-C reaches only the router, which fades out before it stops the server.
final class ServerProcess {
  private static let script = """
    exec 4<&0
    jackd "$@" </dev/null >&2 4<&- &
    server=$!
    echo $server
    (read -r nothing <&4; kill -TERM $server 2>/dev/null; kill -CONT $server 2>/dev/null) >/dev/null 2>&1 &
    watcher=$!
    exec 4<&-
    wait $server
    code=$?
    kill $watcher 2>/dev/null
    exit $code
    """

  /// The process number of `jackd`.
  let serverIdentifier: Int32
  /// The shell that waits for the server. Closing the shell's input ends the server.
  private let shell: Child
  /// Becomes readable when the shell has ended.
  var endDescriptor: Int32 { shell.endDescriptor }
  /// A file without a name; contains the server's output.
  private let log: Int32

  init(arguments: [String]) throws(ServerError) {
    var log: Int32 = -1
    do throws(SystemError) {
      log = try System.tmpfile()
      var run = ChildProgram("/bin/sh", ["-c", Self.script, "jackd"] + arguments)
      (run.name, run.leavesSession) = ("sh", true)
      (run.input, run.output, run.error) = (.us, .us, .descriptor(log))
      shell = try Child(run)
    } catch {
      System.close(log)
      throw .cannotStart(reason: error.reason)
    }
    self.log = log
    var lines = LineStream(shell.output)
    serverIdentifier = lines.next().flatMap { Int32($0) } ?? -1
  }

  deinit {
    end()
    System.close(log)
  }

  /// Whether the server has ended by itself.
  var hasEnded: Bool { shell.wait(milliseconds: 0) != nil }

  /// Waits until the server has ended by itself; false if the time is over or `other` becomes readable first.
  func waitForEnd(milliseconds: Int32, or other: Int32 = -1) -> Bool {
    _ = try? System.poll([endDescriptor, other], milliseconds: milliseconds)
    return hasEnded
  }

  /// Asks the server to end and waits for that. After five seconds the server is killed.
  func end() {
    shell.endInput()
    if shell.wait(milliseconds: 5_000) == nil { kill() }
  }

  /// Kills the server and waits for it.
  func kill() {
    if !hasEnded, serverIdentifier > 0 { try? System.kill(serverIdentifier, .kill) }
    _ = shell.wait()
    shell.endInput()
  }

  /// The end of the server's output, without the greeting of every start.
  var lastLines: String {
    let limit = 2_000
    let size = (try? System.fstat(log))?.size ?? 0
    let bytes = (try? System.pread(log, count: limit, at: max(0, size - limit))) ?? []
    let text = String(decoding: bytes, as: UTF8.self)
    let greeting = ["jackdmp ", "Copyright ", "This is free software", "under certain conditions"]
    let lines = text.split(separator: "\n").filter { line in !greeting.contains { line.hasPrefix($0) } }
    return lines.suffix(6).joined(separator: "; ")
  }
}
