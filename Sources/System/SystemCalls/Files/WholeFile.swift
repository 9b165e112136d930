/// Reads and writes whole files.
public enum WholeFile {
  /// The first bytes of a file, at most `limit` of them.
  /// - Throws: `SystemError` with the path as its subject.
  public static func bytes(_ path: String, limit: Int = .max) throws(SystemError) -> [UInt8] {
    let descriptor = try System.open(path)
    defer { System.close(descriptor) }
    do throws(SystemError) {
      return try bytes(of: descriptor, limit: limit)
    } catch {
      throw SystemError(error.call, error.number, path)
    }
  }

  /// The bytes of a document that people write. Never waits for another program: a FIFO, a device, a socket or a folder is refused.
  ///
  /// - Parameter limit: the greatest size in bytes.
  /// - Throws: `SystemError` with the path as its subject, also if the file is larger, or changes while it is read.
  public static func document(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
    try refuse(try System.stat(path), path)
    // Another program may replace the file meanwhile.
    let descriptor = try System.open(path, .nonblocking)
    defer { System.close(descriptor) }
    let status = try System.fstat(descriptor)
    try refuse(status, path)
    guard status.size <= limit else {
      throw SystemError(
        "read", .fileTooLarge, path, reason: "it has \(status.size) bytes, and may have \(limit)")
    }
    let bytes = try bytes(of: descriptor, limit: limit)
    guard try System.fstat(descriptor).hasContent(of: status), bytes.count == status.size else {
      throw SystemError("read", .again, path, reason: "it changed while it was read; read it again")
    }
    return bytes
  }

  private static func refuse(_ status: FileStatus, _ path: String) throws(SystemError) {
    guard status.kind != .file else { return }
    let number: ErrorNumber = status.kind == .folder ? .isFolder : .invalidArgument
    throw SystemError("open", number, path, reason: "it is \(status.kind.noun), not a file")
  }

  /// The bytes from a descriptor until its end, at most `limit` of them.
  public static func bytes(of descriptor: Int32, limit: Int = .max) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < limit {
      let block = try System.read(descriptor, count: min(65_536, limit - bytes.count))
      if block.isEmpty { break }
      bytes += block
    }
    return bytes
  }

  /// The file that a path means: for a symbolic link the one where it leads, which `replace` then replaces instead of the link.
  ///
  /// - Throws: `SystemError` with the path as its subject, also for a link that leads nowhere.
  public static func target(of path: String) throws(SystemError) -> String {
    guard (try? System.lstat(path))?.kind == .link else { return path }
    do throws(SystemError) { return try System.realpath(path) } catch {
      let place = (try? System.readlink(path)) ?? "nowhere"
      throw SystemError(
        error.call, error.number, path,
        reason: "it is a link to \(place), which cannot be reached: \(error.reason)")
    }
  }

  /// Replaces a file in one step. A reader sees the old content or the new one, never a part, even after a power cut. Replaces a
  /// symbolic link itself.
  ///
  /// - Throws: `SystemError`; the old file then stays as it is.
  public static func replace(_ path: String, with bytes: [UInt8], permissions: UInt32) throws(SystemError) {
    let fresh = "\(path).new"
    try? System.unlink(fresh)
    do throws(SystemError) {
      let descriptor = try System.open(fresh, [.write, .create, .exclusive], permissions: permissions)
      defer { System.close(descriptor) }
      try System.writeAll(descriptor, bytes)
      try System.fsync(descriptor)
      try System.rename(fresh, to: path)
    } catch {
      try? System.unlink(fresh)
      throw error
    }
    syncFolder(of: path)
  }

  /// Writes the folder of a path to the disk, so that a new name in it survives a power cut.
  public static func syncFolder(of path: String) {
    guard let descriptor = try? System.open(folder(of: path), .folder) else { return }
    try? System.fsync(descriptor)
    System.close(descriptor)
  }

  /// The folder of a path.
  public static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The non-empty lines of a small file, such as those in `/proc`; none if the file cannot be read.
  ///
  /// At most the first 16 MB are read.
  public static func lines(_ path: String) -> [Substring] {
    let bytes = (try? bytes(path, limit: 16 << 20)) ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
  }
}
