import Glibc
import Spawn

/// One run of a bridge's program. Belongs to the thread that starts it, and is killed by the system when that thread ends.
struct BridgeChild {
  /// Becomes readable at its end.
  let endDescriptor: Int32
  /// Becomes readable when it prints something, and at its end.
  let outputDescriptor: Int32
  private let name: String
  private let identifier: pid_t
  private var lastLine = ""
  private var rest: [UInt8] = []

  /// Why a program did not start, in words for a person.
  struct Failure: Error {
    var reason: String
  }

  /// Starts a program.
  ///
  /// - Parameter folders: searched before those of PATH.
  /// - Throws: `Failure`.
  init(_ program: BridgeProgram, folders: [String]) throws(Failure) {
    guard let path = Self.find(program.name, in: folders + Self.usualFolders) else {
      throw Failure(
        reason:
          "\(program.name) is not there; install the package \(program.package), or say by --bridge-path where it is"
      )
    }
    let nowhere = open("/dev/null", O_RDONLY | O_CLOEXEC)
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard nowhere >= 0, socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      if nowhere >= 0 { close(nowhere) }
      throw Failure(reason: "\(program.name) cannot be started: \(String(cString: strerror(errno)))")
    }
    let spawned = ChildSpawn(
      path: path, arguments: [program.name] + program.arguments,
      environment: Self.environment(with: program.variables), input: nowhere, output: ends[1],
      error: ends[1], newSession: true, endsWithThread: true
    ).start()
    close(nowhere)
    close(ends[1])
    guard case .success(let child) = spawned, let end = ChildSpawn.endDescriptor(of: child) else {
      close(ends[0])
      var code = errno
      switch spawned {
      case .failure(let failure): code = failure.code
      case .success(let child):
        kill(child, SIGKILL)
        waitpid(child, nil, 0)
      }
      throw Failure(reason: "\(program.name) cannot be started: \(String(cString: strerror(code)))")
    }
    (name, identifier, endDescriptor, outputDescriptor) = (program.name, child, end, ends[0])
  }

  /// Asks it to end, or kills it.
  func end(isForced: Bool) { kill(identifier, isForced ? SIGKILL : SIGTERM) }

  /// Reads what it printed, so that it never waits for us; false at the end of it.
  mutating func read() -> Bool {
    var chunk = [UInt8](repeating: 0, count: 4_096)
    let count = recv(outputDescriptor, &chunk, chunk.count, Int32(MSG_DONTWAIT))
    guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) }
    rest += chunk[..<count]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      note(rest[..<end])
      rest.removeSubrange(...end)
    }
    // A line without end is no reason to keep everything.
    if rest.count > 4_096 { rest = [] }
    return true
  }

  private mutating func note(_ line: ArraySlice<UInt8>) {
    let text = String(decoding: line.filter { $0 >= 0x20 }.prefix(200), as: UTF8.self)
    if !text.allSatisfy(\.isWhitespace) { lastLine = text }
  }

  /// Waits for one that has ended; returns how it ended, with the last thing it said.
  mutating func reap() -> String {
    var hasMore = true
    while hasMore {
      let size = rest.count
      hasMore = read() && rest.count != size
    }
    note(rest[...])
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
    close(endDescriptor)
    close(outputDescriptor)
    let (signal, code) = (status & 0x7f, (status >> 8) & 0xff)
    let how = signal != 0 ? " by signal \(signal)" : code != 0 ? " with \(code)" : ""
    return "\(name) ended\(how)" + (lastLine.isEmpty ? "" : ": \(lastLine)")
  }

  // MARK: Where programs are

  private static var usualFolders: [String] {
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
    return path.split(separator: ":").map(String.init)
  }

  /// The first of the folders that has an executable file of the name.
  private static func find(_ name: String, in folders: [String]) -> String? {
    folders.lazy.map { "\($0)/\(name)" }.first { path in
      var status = stat()
      return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }
  }

  private static func environment(with variables: [String]) -> [String] {
    var all: [String] = []
    var next = environ
    while let entry = next.pointee {
      all.append(String(cString: entry))
      next += 1
    }
    let names = variables.map { $0.prefix { $0 != "=" } }
    return all.filter { entry in !names.contains { entry.hasPrefix($0 + "=") } } + variables
  }
}
