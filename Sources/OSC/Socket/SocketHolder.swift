import Glibc

/// Who has a UDP port, as far as the system tells this user.
public struct SocketHolder: Hashable, Sendable {
  /// The user that the socket belongs to.
  public let userID: UInt32

  /// The process, where it belongs to this user.
  public let processID: Int32?

  /// The name of the process, at most 15 characters.
  public let program: String?

  /// Looks for the socket that keeps others from binding to `address`.
  ///
  /// Source: proc(5), `/proc/net/udp` and `/proc/[pid]/fd`. Takes milliseconds; not for the network thread.
  public init?(of address: PeerAddress) {
    guard let socket = Self.socket(at: address) else { return nil }
    userID = socket.user
    processID = Self.process(withSocket: socket.inode)
    program = processID.flatMap { Self.lines(of: "/proc/\($0)/comm").first.map(String.init) }
  }

  /// Owner and inode of the first socket that overlaps the address; a wildcard overlaps every host.
  private static func socket(at address: PeerAddress) -> (user: UInt32, inode: String)? {
    for table in ["/proc/net/udp", "/proc/net/udp6"] {
      for line in lines(of: table).dropFirst() {
        let fields = line.split(separator: " ")
        guard fields.count > 9, let user = UInt32(fields[7]) else { continue }
        let local = fields[1].split(separator: ":")
        guard local.count == 2, UInt16(local[1], radix: 16) == address.port else { continue }
        // The table shows the address as the processor reads its bytes; only an IPv6 wildcard overlaps IPv4.
        let isWildcard = local[0].allSatisfy { $0 == "0" }
        let isSame = UInt32(local[0], radix: 16) == address.host.bigEndian
        guard isWildcard || isSame || address.host == 0 && table.hasSuffix("udp") else { continue }
        return (user, String(fields[9]))
      }
    }
    return nil
  }

  /// The process that has the socket open.
  private static func process(withSocket inode: String) -> Int32? {
    let target = "socket:[\(inode)]"
    for process in names(in: "/proc") {
      guard let number = Int32(process) else { continue }
      let folder = "/proc/\(process)/fd"
      for descriptor in names(in: folder) where link("\(folder)/\(descriptor)") == target {
        return number
      }
    }
    return nil
  }

  private static func lines(of path: String) -> [Substring] {
    guard let file = fopen(path, "re") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4_096)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
  }

  private static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let offset = MemoryLayout<dirent>.offset(of: \.d_name)!
      let name = (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)
      names.append(String(cString: name))
    }
    return names
  }

  private static func link(_ path: String) -> String? {
    var target = [UInt8](repeating: 0, count: 64)
    let count = target.withUnsafeMutableBytes { buffer in
      buffer.withMemoryRebound(to: CChar.self) { readlink(path, $0.baseAddress!, $0.count) }
    }
    return count > 0 ? String(decoding: target[..<count], as: UTF8.self) : nil
  }
}

extension SocketHolder: CustomStringConvertible {
  /// `jackd (process 4711)`, or the user where the process is not ours to see.
  public var description: String {
    guard let processID else { return "a program of user \(userID)" }
    return "\(program ?? "a program") (process \(processID))"
  }
}
