import ControlInterface
import SystemCalls

/// The program that has a UDP port, a TCP port or the path of a Unix socket, as far as the system shows it to this user.
public struct SocketHolder: Hashable, Sendable {
  /// The user that the socket belongs to.
  public let userID: UInt32

  /// The number of the process; nil if the process belongs to another user.
  public let processID: Int32?

  /// The name of the process, at most 15 characters; nil if the process is unknown.
  public let program: String?

  /// A protocol with ports.
  public enum PortKind: String, Sendable { case udp, tcp }

  /// Finds the socket because of which no other socket can be bound to `address`; nil if there is none.
  ///
  /// Reads `/proc/net/udp` or `/proc/net/tcp`, and `/proc/[pid]/fd` (proc(5)), which takes milliseconds. Not for a thread that receives packets.
  public init?(of address: PeerAddress, over kind: PortKind) {
    guard let socket = Self.socket(at: address, kind) else { return nil }
    userID = socket.user
    processID = Self.process(withSocket: socket.inode)
    program = processID.flatMap(Self.name)
  }

  /// Finds the program whose socket is bound to a path of the file system; nil if there is no such file.
  ///
  /// Reads `/proc/net/unix` (proc(5)), which shows the path as the program wrote it. This takes milliseconds. Not for a thread that
  /// receives packets.
  init?(ofPath path: String) {
    guard let file = try? System.lstat(path) else { return nil }
    userID = file.user
    processID = Self.socket(atPath: path).flatMap(Self.process)
    program = processID.flatMap(Self.name)
  }

  /// The inode of the newest socket that is bound to a path. Older sockets of the same path may have lost their file.
  private static func socket(atPath path: String) -> String? {
    // The fields of a line: number, references, protocol, flags, type, state, inode, and a path that may contain spaces.
    WholeFile.lines("/proc/net/unix").last { $0.hasSuffix(" \(path)") }
      .flatMap { $0.split(separator: " ").dropFirst(6).first.map(String.init) }
  }

  private static func name(of process: Int32) -> String? {
    WholeFile.lines("/proc/\(process)/comm").first.map(String.init)
  }

  /// The user and inode of the first socket that has the address, or the same port on all interfaces.
  private static func socket(at address: PeerAddress, _ kind: PortKind) -> (user: UInt32, inode: String)? {
    for table in ["/proc/net/\(kind)", "/proc/net/\(kind)6"] {
      for line in WholeFile.lines(table).dropFirst() {
        let fields = line.split(separator: " ")
        guard fields.count > 9, let user = UInt32(fields[7]) else { continue }
        // Connections may have the port of a TCP socket that listens.
        guard kind == .udp || fields[3] == "0A" else { continue }
        let local = fields[1].split(separator: ":")
        guard local.count == 2, UInt16(local[1], radix: 16) == address.port else { continue }
        guard let host = host(local[0]), blocks(host, address.host) else { continue }
        return (user, String(fields[9]))
      }
    }
    return nil
  }

  /// Reads words of 32 bits, each in the processor's byte order: one for an IPv4 address, four for an IPv6 address.
  private static func host(_ text: Substring) -> HostAddress? {
    var number: UInt128 = 0
    for start in stride(from: 0, to: text.count, by: 8) {
      guard let word = UInt32(text.dropFirst(start).prefix(8), radix: 16) else { return nil }
      number = number << 32 | UInt128(UInt32(bigEndian: word))
    }
    return text.count == 8 ? HostAddress(UInt32(number)) : HostAddress(ipv6: number)
  }

  /// Whether a socket at one address keeps another socket from the same port of the other. One at `::` may receive IPv4, too.
  private static func blocks(_ host: HostAddress, _ other: HostAddress) -> Bool {
    if host.isIPv4 == other.isIPv4, host.isAny || other.isAny { return true }
    return host.number == other.number || host.isAny && !host.isIPv4
  }

  /// The process that has the socket open; nil if this user may not see it.
  private static func process(withSocket inode: String) -> Int32? {
    let target = "socket:[\(inode)]"
    for process in (try? System.readdir("/proc")) ?? [] {
      guard let number = Int32(process) else { continue }
      let folder = "/proc/\(process)/fd"
      for descriptor in (try? System.readdir(folder)) ?? []
      where (try? System.readlink("\(folder)/\(descriptor)")) == target { return number }
    }
    return nil
  }
}

extension SocketHolder: CustomStringConvertible {
  /// `jackd (process 4711)`; `a program of user 1000` if the process is unknown.
  public var description: String {
    guard let processID else { return "a program of user \(userID)" }
    return "\(program ?? "a program") (process \(processID))"
  }
}
