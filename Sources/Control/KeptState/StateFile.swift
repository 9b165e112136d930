public import Presets
import SystemCalls

/// The file of the kept state. Its mode is 0600, and its folder has the mode 0700.
///
/// A lock file beside it prevents two routers from writing the same file. Any thread may call; calls may wait for the disk.
public final class StateFile: Sendable {
  /// The path of the file.
  public let path: String
  /// The descriptor of the lock; -1 if another router holds the lock, or the folder cannot be written.
  private let lock: Int32

  /// Takes the lock, and holds it while the value exists.
  public init(path: String) {
    self.path = path
    try? System.makeFolders(WholeFile.folder(of: path), permissions: 0o700)
    var descriptor =
      (try? System.open("\(path).lock", [.readWrite, .create, .noLink], permissions: 0o600)) ?? -1
    if descriptor >= 0, (try? System.flock(descriptor)) != true {
      System.close(descriptor)
      descriptor = -1
    }
    lock = descriptor
  }

  deinit { System.close(lock) }

  /// Whether this router holds the lock and so may write the file.
  public var isOurs: Bool { lock >= 0 }

  /// The content of the file at the start of a run.
  public enum Leftover: Sendable {
    /// There is no file: the earlier run ended cleanly, or there was none.
    case nothing
    /// The state of an earlier run that crashed.
    case state(KeptDocument)
    /// The file is damaged or from an older version.
    case unreadable
  }

  /// Reads the file.
  public func read() -> Leftover {
    guard isOurs else { return .nothing }
    // Opening a FIFO would otherwise wait for a writer.
    guard let descriptor = try? System.open(path, [.nonblocking, .noLink]) else { return .nothing }
    defer { System.close(descriptor) }
    guard let status = try? System.fstat(descriptor), status.kind == .file,
      let bytes = try? WholeFile.bytes(of: descriptor, limit: KeptDocument.sizeLimit + 1)
    else { return .unreadable }
    return KeptDocument(bytes, file: path).map { .state($0) } ?? .unreadable
  }

  /// Replaces the file in one step. A reader sees the old content or the new one, never a part, even after a power cut.
  /// - Returns: whether the file was written; if not, the old file stays.
  func write(_ text: String) -> Bool {
    guard isOurs else { return false }
    do throws(SystemError) {
      try WholeFile.replace(path, with: Array(text.utf8), permissions: 0o600)
      return true
    } catch {
      return false
    }
  }

  /// Removes the file, because the run ended cleanly.
  func remove() {
    guard isOurs else { return }
    try? System.unlink(path)
    try? System.unlink("\(path).lock")
  }
}
