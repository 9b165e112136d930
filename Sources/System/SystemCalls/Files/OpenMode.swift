import Glibc

/// Modes of `System.open`. Without `write` or `readWrite` the file opens for reading.
public struct OpenMode: OptionSet, Sendable {
  public let rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }

  public static let read: OpenMode = []
  public static let write = OpenMode(rawValue: O_WRONLY)
  public static let readWrite = OpenMode(rawValue: O_RDWR)
  /// Makes the file if it does not exist.
  public static let create = OpenMode(rawValue: O_CREAT)
  /// Fails if the file exists; only with `create`.
  public static let exclusive = OpenMode(rawValue: O_EXCL)
  /// Fails if the last part of the path is a symbolic link.
  public static let noLink = OpenMode(rawValue: O_NOFOLLOW)
  /// Empties the file.
  public static let truncate = OpenMode(rawValue: O_TRUNC)
  /// Every write goes to the end of the file.
  public static let append = OpenMode(rawValue: O_APPEND)
  /// A call that would have to wait fails with `ErrorNumber.again`.
  public static let nonblocking = OpenMode(rawValue: O_NONBLOCK)
  /// The last part of the path must be a folder.
  public static let folder = OpenMode(rawValue: O_DIRECTORY)
}
