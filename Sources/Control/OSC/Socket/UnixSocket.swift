import Synchronization
import SystemCalls

/// A datagram socket in the file system with mode 0600: only programs of its own user on this machine can send to it.
///
/// Any thread may send; one thread receives. The last reference removes the file.
public final class UnixSocket: Sendable {
  /// The socket's path in the file system.
  public let path: String
  private let descriptor: Int32
  /// The status of the new file. A file that another program puts at the same path differs from it and is not removed.
  private let file: FileStatus
  private let ended = Atomic<Bool>(false)

  /// Binds a socket.
  ///
  /// Replaces the socket of a program that has crashed, but not the socket of a running program.
  /// - Throws: `SocketError`; `pathInUse` if a program listens at the path, `noSocket` if the file is not a socket.
  public init(path: String) throws(SocketError) {
    let address = try UnixAddress(path: path)
    try Self.removeAbandoned(address, path)
    var descriptor: Int32 = -1
    do throws(SystemError) {
      descriptor = try System.socket(.unix, .datagram)
      // The new file gets its mode from the socket. So other users cannot send to it even for a moment.
      try System.fchmod(descriptor, 0o600)
      try System.bind(descriptor, to: address.socketAddress)
      try System.chmod(path, 0o600)
      file = try System.lstat(path)
    } catch {
      System.close(descriptor)
      guard error.number == .addressInUse else { throw SocketError(error, path: path) }
      throw .pathInUse(path, holder: SocketHolder(ofPath: path))
    }
    (self.path, self.descriptor) = (path, descriptor)
  }

  deinit {
    System.close(descriptor)
    removeFile()
  }

  /// Removes the file, unless another program has replaced it. Calling it again has no effect.
  func removeFile() {
    guard let found = try? System.lstat(path), found.kind == .socket, found.isSameFile(as: file) else {
      return
    }
    try? System.unlink(path)
  }

  /// Whether a program listens at a path and this user may send to it.
  public static func isAlive(_ path: String) -> Bool {
    guard let address = try? UnixAddress(path: path) else { return false }
    return (try? connect(to: address)) != nil
  }

  /// Sends one datagram to another socket without waiting.
  /// - Throws: `SocketError`, also if the call would have to wait.
  public func send(_ bytes: [UInt8], to address: UnixAddress) throws(SocketError) {
    do throws(SystemError) {
      try System.sendto(descriptor, bytes, to: address.socketAddress)
    } catch {
      throw SocketError(error, path: "\(address)")
    }
  }

  /// Connects a socket to an address and closes it again. Sends nothing.
  /// - Throws: `SystemError` if no program listens there.
  private static func connect(to address: UnixAddress) throws(SystemError) {
    let descriptor = try System.socket(.unix, .datagram)
    defer { System.close(descriptor) }
    try System.connect(descriptor, to: address.socketAddress)
  }

  private static func removeAbandoned(_ address: UnixAddress, _ path: String) throws(SocketError) {
    guard let file = try? System.lstat(path) else { return }
    guard file.kind == .socket else { throw .noSocket(path) }
    do throws(SystemError) {
      try connect(to: address)
    } catch {
      // Only this error proves that the program has ended. After another error a program may listen there as another user or with
      // another kind of socket.
      guard error.number == .connectionRefused else {
        if error.number == .noSuchFile { return }
        throw .pathInUse(path, holder: SocketHolder(ofPath: path))
      }
      do throws(SystemError) { try System.unlink(path) } catch { throw SocketError(error, path: path) }
      return
    }
    throw .pathInUse(path, holder: SocketHolder(ofPath: path))
  }
}

extension UnixSocket: DatagramSocket {
  public func receive(
    into buffer: UnsafeMutableRawBufferPointer
  ) throws(SocketError) -> (size: Int, sender: UnixAddress) {
    do throws(SystemError) {
      guard let (size, sender) = try System.recvfrom(descriptor, into: buffer, waits: true) else {
        throw SystemError("recvfrom", .again)
      }
      return (size, UnixAddress(sender))
    } catch {
      throw SocketError(error, path: path)
    }
  }

  public func endReceiving() {
    ended.store(true, ordering: .releasing)
    System.shutdown(descriptor, .reading)
  }

  public var hasEnded: Bool { ended.load(ordering: .acquiring) }
}
