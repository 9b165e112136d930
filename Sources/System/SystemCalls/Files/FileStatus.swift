import Glibc

/// The system's facts about a file (stat(2)).
public struct FileStatus: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case file, folder, link, socket, pipe, device

    /// The kind in words, such as `a FIFO`.
    public var noun: String {
      switch self {
      case .file: "a file"
      case .folder: "a folder"
      case .link: "a symbolic link"
      case .socket: "a socket"
      case .pipe: "a FIFO"
      case .device: "a device"
      }
    }
  }

  public var kind: Kind
  /// Size in bytes.
  public var size: Int
  /// When the content changed last, in seconds since 1970.
  public var modified: Int
  /// The same in nanoseconds since 1970; the system's clock for files ticks every few milliseconds.
  public var modifiedNanoseconds: Int
  /// When the content, the owner, the permissions or a name changed last, in nanoseconds since 1970. No program can set this time back.
  public var changedNanoseconds: Int
  /// The number of the owner.
  public var user: UInt32
  /// Permissions of user, group and others to read, write and execute, such as `0o644`.
  public var permissions: UInt32
  /// Together these two numbers identify a file on this machine.
  public var (device, inode): (UInt64, UInt64)

  /// Whether both are one file, whatever its size and permissions were.
  public func isSameFile(as other: FileStatus) -> Bool { (device, inode) == (other.device, other.inode) }

  /// Whether neither the content has changed since, nor the file been replaced.
  public func hasContent(of other: FileStatus) -> Bool {
    isSameFile(as: other) && (size, modifiedNanoseconds) == (other.size, other.modifiedNanoseconds)
  }

  init(_ status: stat) {
    modified = Int(status.st_mtim.tv_sec)
    modifiedNanoseconds = modified &* 1_000_000_000 &+ Int(status.st_mtim.tv_nsec)
    changedNanoseconds = Int(status.st_ctim.tv_sec) &* 1_000_000_000 &+ Int(status.st_ctim.tv_nsec)
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      case S_IFLNK: .link
      case S_IFSOCK: .socket
      case S_IFIFO: .pipe
      default: .device
      }
    (size, user, permissions) = (Int(status.st_size), status.st_uid, status.st_mode & 0o7777)
    (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
  }
}
