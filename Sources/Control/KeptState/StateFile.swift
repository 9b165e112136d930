public import Presets
import SystemCalls

/// The file of the kept state. Its mode is 0600, and its folder has the mode 0700. No symbolic link in the folder is followed.
///
/// A lock file beside it prevents two routers from writing the same file. Any thread may call; calls may wait for the disk.
public final class StateFile: Sendable {
  /// The path of the file.
  public let path: String
  /// The descriptor of the lock; -1 if this router does not hold the lock.
  private let lock: Int32
  /// Why this router can neither read nor write the file, as a sentence without a full stop; nil if it can.
  public let refusal: String?

  /// Takes the lock, and holds it while the value exists.
  public init(path: String) {
    self.path = path
    do throws(SystemError) {
      let lock = try Self.takeLock(of: path)
      guard let version = Self.newerVersion(of: path) else {
        (self.lock, refusal) = (lock, nil)
        return
      }
      System.close(lock)
      try? System.unlink("\(path).lock")
      self.lock = -1
      refusal =
        "\(path) is of a newer version of multiroute (format \(version), this one reads 1), and stays as it is; use the newer program, or move the file away"
    } catch {
      (lock, refusal) = (-1, "\(error.subject ?? path): \(error.reason)")
    }
  }

  /// The format of a state that this program would not understand, and must not replace; nil for any other file.
  private static func newerVersion(of path: String) -> Int? {
    (try? content(of: path)).flatMap { KeptDocument.newerVersion($0, file: path) }
  }

  private static func takeLock(of path: String) throws(SystemError) -> Int32 {
    try System.makeFolders(WholeFile.folder(of: path), permissions: 0o700)
    let descriptor = try open("\(path).lock", [.readWrite, .create])
    guard (try? System.flock(descriptor)) == true else {
      System.close(descriptor)
      throw SystemError("flock", .again, "\(path).lock", reason: "another router uses it")
    }
    return descriptor
  }

  /// Opens a file of the folder, but does not follow a symbolic link.
  private static func open(_ path: String, _ mode: OpenMode) throws(SystemError) -> Int32 {
    do throws(SystemError) { return try System.open(path, mode.union(.noLink), permissions: 0o600) } catch {
      guard error.number == .tooManyLinks else { throw error }
      throw SystemError(
        "open", error.number, path, reason: "it is a symbolic link, and links are not followed there")
    }
  }

  deinit { System.close(lock) }

  /// Whether this router holds the lock and so may write the file.
  var isOurs: Bool { lock >= 0 }

  /// The content of the file at the start of a run.
  public enum Leftover: Sendable {
    /// There is no file: the earlier run ended cleanly, or there was none.
    case nothing
    /// The state of an earlier run that crashed.
    case state(KeptDocument)
    /// The file cannot be used, for a reason without a full stop.
    case unreadable(String)
  }

  /// Reads the file.
  public func read() -> Leftover {
    guard isOurs else { return .nothing }
    do throws(SystemError) {
      return KeptDocument(try Self.content(of: path), file: path).map { .state($0) }
        ?? .unreadable("it is damaged or from an older version")
    } catch {
      return error.number == .noSuchFile ? .nothing : .unreadable(error.reason)
    }
  }

  private static func content(of path: String) throws(SystemError) -> [UInt8] {
    // Opening a FIFO would otherwise wait for a writer.
    let descriptor = try open(path, .nonblocking)
    defer { System.close(descriptor) }
    let kind = try System.fstat(descriptor).kind
    guard kind == .file else {
      throw SystemError("open", .invalidArgument, path, reason: "it is \(kind.noun), not a file")
    }
    return try WholeFile.bytes(of: descriptor, limit: KeptDocument.sizeLimit + 1)
  }

  /// Replaces the file in one step. A reader sees the old content or the new one, never a part, even after a power cut.
  /// - Throws: `SystemError`, also for a text that would be too large to be read again. The old file stays.
  func write(_ text: String) throws(SystemError) {
    guard isOurs else { throw SystemError("write", .notPermitted, path, reason: refusal) }
    let bytes = Array(text.utf8)
    guard bytes.count <= KeptDocument.sizeLimit else {
      throw SystemError(
        "write", .fileTooLarge, path,
        reason: "it would have \(bytes.count) bytes, and may have \(KeptDocument.sizeLimit)")
    }
    try WholeFile.replace(path, with: bytes, permissions: 0o600)
  }

  /// Removes the file, because the run ended cleanly.
  func remove() {
    guard isOurs else { return }
    try? System.unlink(path)
    try? System.unlink("\(path).lock")
  }
}
