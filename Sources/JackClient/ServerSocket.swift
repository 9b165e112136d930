import Glibc

/// Where a server of this machine listens for its clients: a socket in the file system.
public struct ServerSocket: Hashable, Sendable {
  public var folder: String
  public var name: String
  public var path: String { folder + "/" + name }

  public init(folder: String, name: String) { (self.folder, self.name) = (folder, name) }

  /// A jackd of this user, by its name.
  public static func jackd(_ server: String) -> Self {
    // As jackd2 makes it on Linux (`GetServerName`, JackTools.cpp).
    Self(folder: "/dev/shm", name: "jack_\(server)_\(getuid())_0")
  }

  /// Where this process's libjack looks for a server; nil is its default one.
  public static func ofLibrary(server: String?) -> Self {
    guard JackClient.isPipeWire else {
      return jackd(server ?? variable("JACK_DEFAULT_SERVER") ?? "default")
    }
    let folders = ["PIPEWIRE_RUNTIME_DIR", "XDG_RUNTIME_DIR", "HOME"]
    return Self(
      folder: folders.lazy.compactMap(variable).first ?? "/",
      name: server ?? variable("PIPEWIRE_REMOTE") ?? "pipewire-0")
  }

  private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// Whether somebody listens there.
  public var answers: Bool { connection().map { _ in true } ?? false }

  /// Tells who listens there from whoever did before or will; nil if nobody does, or the system does not say.
  ///
  /// The number of the process, when it started, and of the system's start: numbers are used again.
  public var identity: String? {
    guard let process = connection()?.process, let status = Self.text("/proc/\(process)/stat"),
      let boot = Self.text("/proc/sys/kernel/random/boot_id")
    else { return nil }
    // `proc_pid_stat(5)`: the name, in parentheses, may contain anything; the start is the twentieth field behind it.
    let fields = status[(status.lastIndex(of: ")") ?? status.startIndex)...].split(separator: " ")
    guard fields.count > 20 else { return nil }
    return "\(process) \(fields[20]) \(boot)"
  }

  /// The first line of a file of the kernel's.
  private static func text(_ path: String) -> String? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1_024)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  /// A connection to whoever listens there, nil if nobody does.
  public func connection() -> ServerConnection? {
    guard var address else { return nil }
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { return nil }
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    let connection = ServerConnection(descriptor)
    return result == 0 ? connection : nil
  }

  private var address: sockaddr_un? {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return address
  }

  // MARK: A server that no longer answers

  /// Ends what this process waits for from the server, now and from now on: libjack's calls fail instead of waiting for ever.
  ///
  /// libjack waits for an answer without a limit, which a server that is stopped or stuck never gives. What was asked of it is
  /// not taken back: it does it when it goes on, and then finds us gone. The client must be closed after this. Any thread.
  public func stopReading() {
    guard let list = opendir("/proc/self/fd") else { return }
    defer { closedir(list) }
    while let entry = readdir(list) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if let descriptor = Int32(name), Self.peer(of: descriptor) == path {
        shutdown(descriptor, Int32(SHUT_RD))
      }
    }
  }

  /// The path that a socket is connected to; nil if it is none, or its peer has no name.
  private static func peer(of descriptor: Int32) -> String? {
    var address = sockaddr_un()
    var size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &size) }
    }
    guard result == 0, address.sun_family == sa_family_t(AF_UNIX) else { return nil }
    return withUnsafeBytes(of: &address.sun_path) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}

/// A connection to a server that says nothing; it hangs up when the server ends, in whatever way.
public final class ServerConnection {
  private let descriptor: Int32

  fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// The process that listens, nil if the system does not say.
  var process: Int32? {
    // `struct ucred`: process, user, group.
    var peer = [Int32](repeating: 0, count: 3)
    var size = socklen_t(3 * MemoryLayout<Int32>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0, peer[0] > 0 else { return nil }
    return peer[0]
  }

  /// Waits until the server has ended; false if it has not after so long.
  public func waitForEnd(milliseconds: Int32) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, milliseconds) > 0
  }
}
