import SystemCalls

/// Finds the stopped programs at a JACK server of this machine, from the system's process tables.
///
/// jackd's library does not tell clients each other's processes: `jack_get_client_pid` works only in the
/// server. But each client maps the server's memory, and gets notices through a socket whose path contains
/// the client's name.
enum StoppedPrograms {
  /// The names of stopped clients; where no client name is found, the name of the program.
  /// - Parameter clients: the clients that the server shows. Of a program with several clients, one is named.
  static func names(among clients: Set<String>) -> [String] {
    let own = segments(of: "self")
    guard !own.isEmpty else { return [] }
    let stopped = processes().filter {
      isStopped($0) && !own.isDisjoint(with: segments(of: $0)) && !servers.contains(program($0))
    }
    guard !stopped.isEmpty else { return [] }
    let sockets = clientSockets()
    return stopped.map { process in
      let names = descriptors(of: process).compactMap { sockets[$0] }.sorted()
      return names.first { clients.contains($0) } ?? names.first ?? program(process)
    }.sorted()
  }

  /// The server programs of jackd2. They map the same segments as their clients.
  private static let servers: Set = ["jackd", "jackdbus"]

  /// Whether a signal or a debugger has stopped a process (`proc_pid_stat(5)`, the field after the name).
  static func isStopped(_ process: String) -> Bool {
    guard let text = read("/proc/\(process)/stat"), let end = text.lastIndex(of: ")") else { return false }
    return ["T", "t"].contains(text[end...].dropFirst(2).first)
  }

  private static func program(_ process: String) -> String {
    String((read("/proc/\(process)/comm") ?? "of process \(process)").prefix { $0 != "\n" })
  }

  private static func processes() -> [String] {
    ((try? System.readdir("/proc")) ?? []).filter { $0.first?.isNumber == true }
  }

  /// The segments of jackd's shared memory that a process maps, by device and inode: in another container a server has files of the same names.
  private static func segments(of process: String) -> Set<String> {
    let prefix = "/dev/shm/jack-"
    var found: Set<String> = []
    for line in (read("/proc/\(process)/maps") ?? "").split(separator: "\n") {
      // proc_pid_maps(5): addresses, permissions, offset, device, inode, path.
      let fields = line.split(separator: " ", maxSplits: 5)
      guard fields.count == 6, fields[5].drop(while: { $0 == " " }).hasPrefix(prefix) else { continue }
      // All servers share the registry, so it does not identify a server.
      if !fields[5].hasSuffix("-registry") { found.insert("\(fields[3]) \(fields[4])") }
    }
    return found
  }

  /// The client names of jackd by socket: each client has a socket at which the server sends it notices.
  ///
  /// `proc(5)`, `/proc/net/unix`; the path is `jack_NAME_USER_NUMBER` (`JackSocketServerNotifyChannel.cpp`).
  private static func clientSockets() -> [String: String] {
    var names: [String: String] = [:]
    for line in (read("/proc/net/unix") ?? "").split(separator: "\n").dropFirst() {
      let fields = line.split(separator: " ", maxSplits: 7)
      guard fields.count == 8, let slash = fields[7].lastIndex(of: "/"),
        fields[7][slash...].hasPrefix("/jack_")
      else { continue }
      let name = fields[7][slash...].dropFirst("/jack_".count).split(
        separator: "_", omittingEmptySubsequences: false
      ).dropLast(2)
      names["socket:[\(fields[6])]"] = name.joined(separator: "_")
    }
    return names
  }

  /// The targets of a process's open descriptors.
  private static func descriptors(of process: String) -> [String] {
    let folder = "/proc/\(process)/fd"
    return ((try? System.readdir(folder)) ?? []).compactMap { try? System.readlink("\(folder)/\($0)") }
  }

  /// The text of a file in `/proc`; nil if it cannot be read.
  private static func read(_ path: String) -> String? {
    guard let bytes = try? WholeFile.bytes(path), !bytes.isEmpty else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}
