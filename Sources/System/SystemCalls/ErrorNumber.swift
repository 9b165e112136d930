import Glibc

/// The system's number for the reason of a failed call (errno(3)).
public struct ErrorNumber: RawRepresentable, Hashable, Sendable {
  public var rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// EACCES
  public static let accessDenied = Self(rawValue: EACCES)
  /// EADDRINUSE
  public static let addressInUse = Self(rawValue: EADDRINUSE)
  /// EADDRNOTAVAIL
  public static let addressNotAvailable = Self(rawValue: EADDRNOTAVAIL)
  /// EAGAIN: the call would have to wait.
  public static let again = Self(rawValue: EAGAIN)
  /// EBADF
  public static let badDescriptor = Self(rawValue: EBADF)
  /// ECHILD
  public static let noChild = Self(rawValue: ECHILD)
  /// ECONNREFUSED: no program listens there.
  public static let connectionRefused = Self(rawValue: ECONNREFUSED)
  /// ECONNABORTED: the connection was closed before it was accepted.
  public static let connectionAborted = Self(rawValue: ECONNABORTED)
  /// ECONNRESET: the other end has closed the connection.
  public static let connectionReset = Self(rawValue: ECONNRESET)
  /// EINPROGRESS: the connection is not made yet.
  public static let inProgress = Self(rawValue: EINPROGRESS)
  /// EHOSTUNREACH: no way leads to the host, or the host does not answer.
  public static let hostUnreachable = Self(rawValue: EHOSTUNREACH)
  /// ENETUNREACH: no way leads to the network.
  public static let networkUnreachable = Self(rawValue: ENETUNREACH)
  /// EEXIST
  public static let exists = Self(rawValue: EEXIST)
  /// EISDIR
  public static let isFolder = Self(rawValue: EISDIR)
  /// The file is larger than allowed.
  public static let fileTooLarge = Self(rawValue: EFBIG)
  /// An argument of the call cannot be used.
  public static let invalidArgument = Self(rawValue: EINVAL)
  /// EMSGSIZE
  public static let messageTooLong = Self(rawValue: EMSGSIZE)
  /// ELOOP: the path is a symbolic link that must not be followed, or leads through too many links.
  public static let tooManyLinks = Self(rawValue: ELOOP)
  /// ENOLCK, ENOSYS, EOPNOTSUPP: the file system has no locks.
  public static let withoutLocks = [ENOLCK, ENOSYS, EOPNOTSUPP].map(Self.init(rawValue:))
  /// ENAMETOOLONG
  public static let nameTooLong = Self(rawValue: ENAMETOOLONG)
  /// ENOENT
  public static let noSuchFile = Self(rawValue: ENOENT)
  /// ENOTDIR
  public static let notFolder = Self(rawValue: ENOTDIR)
  /// ENOSPC: no room is left, on a disk or in a table of the system.
  public static let noSpace = Self(rawValue: ENOSPC)
  /// EDQUOT: the user has no room left on the disk.
  public static let quotaExceeded = Self(rawValue: EDQUOT)
  /// ENXIO
  public static let noSuchDevice = Self(rawValue: ENXIO)
  /// EPERM
  public static let notPermitted = Self(rawValue: EPERM)
  /// EPIPE: the other end no longer reads.
  public static let brokenPipe = Self(rawValue: EPIPE)
  /// ESRCH
  public static let noSuchProcess = Self(rawValue: ESRCH)
  /// ETIMEDOUT
  public static let timedOut = Self(rawValue: ETIMEDOUT)
}

extension ErrorNumber: CustomStringConvertible {
  /// The system's description, such as `No such file or directory`.
  public var description: String { String(cString: strerror(rawValue)) }
}
