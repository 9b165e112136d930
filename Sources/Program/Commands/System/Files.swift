import SystemCalls

/// Access to files that the user names, with failures as messages for the user.
public enum Files {
  /// Reads the bytes of a document that people write, of 1 MiB at most.
  /// - Throws: `CommandFailure` unreadableFile with the system's reason.
  public static func read(_ path: String) throws(CommandFailure) -> [UInt8] {
    do throws(SystemError) { return try WholeFile.document(path, limit: 1 << 20) } catch {
      throw CommandFailure(.unreadableFile, "multiroute: \(path) cannot be read: \(error.reason).")
    }
  }

  /// Whether a path leads to a file that is not a folder.
  public static func isFile(_ path: String) -> Bool { (try? System.stat(path))?.kind == .file }

  /// Whether a path leads to a folder.
  public static func isFolder(_ path: String) -> Bool { (try? System.stat(path))?.kind == .folder }
}
