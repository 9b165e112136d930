import Glibc
import Spawn

/// The child process of a server, with a watcher that ends it if we end without having done so.
///
/// A shell starts `jackd` and waits for it, and ends it as soon as our end of a pipe is closed: by us, or by the system when
/// this process dies in whatever way, even if it stands still. Both are in a session of their own, so that Ctrl-C reaches the router only, which then
/// fades out before it stops the server.
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

  /// The process id of `jackd`.
  let serverIdentifier: Int32
  private let shell: pid_t
  /// Closing it ends the server.
  private var leash: Int32
  /// Hangs up when the shell has ended, which holds its other end.
  let endDescriptor: Int32
  /// A file without a name that holds what the server printed.
  private let log: Int32
  private var isReaped = false

  init(arguments: [String]) throws(ServerError) {
    var (leashEnds, identifierEnds): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    let log = Self.makeLog()
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard log >= 0, socketpair(AF_UNIX, kind, 0, &leashEnds) == 0,
      socketpair(AF_UNIX, kind, 0, &identifierEnds) == 0
    else {
      let code = errno
      for descriptor in leashEnds + [log] where descriptor >= 0 { close(descriptor) }
      throw .cannotStart(reason: String(cString: strerror(code)))
    }
    let spawned = ChildSpawn(
      path: "/bin/sh", arguments: ["sh", "-c", Self.script, "jackd"] + arguments, input: leashEnds[1],
      output: identifierEnds[1], error: log, newSession: true
    ).start()
    close(leashEnds[1])
    close(identifierEnds[1])
    let shell: pid_t
    switch spawned {
    case .success(let identifier): shell = identifier
    case .failure(let failure):
      for descriptor in [leashEnds[0], identifierEnds[0], log] { close(descriptor) }
      throw .cannotStart(reason: String(cString: strerror(failure.code)))
    }
    let line = Self.readLine(identifierEnds[0])
    (self.shell, leash, endDescriptor, self.log) = (shell, leashEnds[0], identifierEnds[0], log)
    serverIdentifier = Int32(line) ?? -1
  }

  deinit {
    end()
    close(endDescriptor)
    close(log)
  }

  private static func makeLog() -> Int32 {
    guard let file = tmpfile() else { return -1 }
    defer { fclose(file) }
    return fcntl(fileno(file), F_DUPFD_CLOEXEC, 3)
  }

  private static func readLine(_ descriptor: Int32) -> String {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while read(descriptor, &byte, 1) == 1, byte != UInt8(ascii: "\n") { bytes.append(byte) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether the server has ended by itself.
  var hasEnded: Bool { waitForEnd(milliseconds: 0) }

  /// Waits until the server has ended by itself; false if the time was over or `other` could be read first.
  func waitForEnd(milliseconds: Int32, or other: Int32 = -1) -> Bool {
    var requests = [endDescriptor, other].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    guard !isReaped else { return true }
    while poll(&requests, 2, milliseconds) < 0, errno == EINTR {}
    if requests[0].revents != 0 { reap() }
    return isReaped
  }

  private func reap() {
    while waitpid(shell, nil, 0) < 0, errno == EINTR {}
    isReaped = true
  }

  /// Asks the server to end and waits for it; a server that does not is killed after five seconds.
  func end() {
    if leash >= 0 { close(leash) }
    leash = -1
    if !waitForEnd(milliseconds: 5_000) { kill() }
  }

  /// Kills the server and waits for it.
  func kill() {
    if !hasEnded {
      if serverIdentifier > 0 { Glibc.kill(serverIdentifier, SIGKILL) }
      reap()
    }
    if leash >= 0 { close(leash) }
    leash = -1
  }

  /// The end of what the server printed, without the words every start begins with.
  var lastLines: String {
    let size = lseek(log, 0, SEEK_END)
    let start = max(0, size - 2_000)
    var bytes = [UInt8](repeating: 0, count: Int(size - start))
    let count = pread(log, &bytes, bytes.count, start)
    let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    let greeting = ["jackdmp ", "Copyright ", "This is free software", "under certain conditions"]
    let lines = text.split(separator: "\n").filter { line in !greeting.contains { line.hasPrefix($0) } }
    return lines.suffix(6).joined(separator: "; ")
  }
}
