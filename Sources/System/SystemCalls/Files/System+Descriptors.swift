import Glibc

extension System {
  /// Opens a file and returns its descriptor.
  ///
  /// - Parameter permissions: the permissions of a new file.
  public static func open(
    _ path: String, _ mode: OpenMode = .read, permissions: UInt32 = 0o666
  ) throws(SystemError) -> Int32 {
    try retry("open", path) { Glibc.open(path, mode.rawValue | O_CLOEXEC, permissions) }
  }

  /// Closes a descriptor. A negative number is ignored.
  public static func close(_ descriptor: Int32) {
    // Linux frees the number even if a signal interrupts the call (close(2)). A second call could close
    // another file.
    if descriptor >= 0 { _ = Glibc.close(descriptor) }
  }

  /// Reads at most as many bytes as the buffer holds. Returns 0 at the end.
  public static func read(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
  ) throws(SystemError) -> Int {
    try retry("read") { Glibc.read(descriptor, buffer.baseAddress, buffer.count) }
  }

  /// Reads at most `count` bytes. Returns no bytes at the end.
  public static func read(_ descriptor: Int32, count: Int) throws(SystemError) -> [UInt8] {
    try bytes(count) { buffer throws(SystemError) in try read(descriptor, into: buffer) }
  }

  /// Reads at most `count` bytes from a position in a file.
  public static func pread(
    _ descriptor: Int32, count: Int, at offset: Int
  ) throws(SystemError) -> [UInt8] {
    try bytes(count) { buffer throws(SystemError) in
      try retry("pread") { Glibc.pread(descriptor, buffer.baseAddress, buffer.count, offset) }
    }
  }

  /// Writes bytes at a position in a file, all of them.
  public static func pwrite(_ descriptor: Int32, _ bytes: [UInt8], at offset: Int) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      done += try retry("pwrite") {
        bytes.withUnsafeBytes {
          Glibc.pwrite(descriptor, $0.baseAddress! + done, $0.count - done, off_t(offset + done))
        }
      }
    }
  }

  /// Makes an array that a call fills from its start.
  static func bytes(
    _ count: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(SystemError) -> Int
  ) throws(SystemError) -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: count) { buffer, size throws(SystemError) in
      size = min(count, try fill(UnsafeMutableRawBufferPointer(buffer)))
    }
  }

  /// Writes bytes. Returns how many the system accepted.
  public static func write(
    _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer
  ) throws(SystemError) -> Int {
    try retry("write") { Glibc.write(descriptor, bytes.baseAddress, bytes.count) }
  }

  /// Writes bytes in one call. Returns how many the system accepted.
  @discardableResult
  public static func write(_ descriptor: Int32, _ bytes: [UInt8]) throws(SystemError) -> Int {
    try retry("write") { Glibc.write(descriptor, bytes, bytes.count) }
  }

  /// Writes all bytes, in as many calls as necessary.
  public static func writeAll(_ descriptor: Int32, _ bytes: [UInt8]) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      done += try retry("write") {
        bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + done, $0.count - done) }
      }
    }
  }

  /// Waits until a file's content is on the disk.
  public static func fsync(_ descriptor: Int32) throws(SystemError) {
    try retry("fsync") { Glibc.fsync(descriptor) }
  }

  /// Locks an open file against other processes. Returns false if another process holds the lock.
  ///
  /// Where the file system has no locks, as NFS without its lock service, nothing is locked: a program that would not write there is worse.
  ///
  /// - Parameter waits: whether to wait until the other process gives up the lock.
  public static func flock(_ descriptor: Int32, waits: Bool = false) throws(SystemError) -> Bool {
    do throws(SystemError) {
      try retry("flock") { lock(descriptor, waits ? LOCK_EX : LOCK_EX | LOCK_NB) }
      return true
    } catch {
      if error.number == .again { return false }
      guard ErrorNumber.withoutLocks.contains(error.number) else { throw error }
      return true
    }
  }

  /// Makes a file without a name, for reading and writing. It disappears when its descriptor is closed.
  public static func tmpfile() throws(SystemError) -> Int32 {
    guard let file = Glibc.tmpfile() else { throw SystemError("tmpfile", ErrorNumber(rawValue: errno)) }
    defer { fclose(file) }
    return try check("fcntl", fcntl(fileno(file), F_DUPFD_CLOEXEC, 3))
  }

  /// A second descriptor of an open file, which shares its position and its lock.
  public static func dup(_ descriptor: Int32) throws(SystemError) -> Int32 {
    try check("fcntl", fcntl(descriptor, F_DUPFD_CLOEXEC, 3))
  }

  /// Makes child processes not inherit a descriptor. A number that is not open is ignored.
  public static func closeOnExec(_ descriptor: Int32) { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }

  /// Writes out the buffered output of `print`.
  public static func fflush() { _ = Glibc.fflush(nil) }
}

/// Outside `System`, where `flock` would mean the function above. In C, `flock` is also a structure.
private func lock(_ descriptor: Int32, _ operation: Int32) -> Int32 { flock(descriptor, operation) }
