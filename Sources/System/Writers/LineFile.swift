import Glibc
import Synchronization

/// A file, FIFO, pipe or terminal to append lines to. A file contains whole lines only.
///
/// A write waits until the whole line is accepted, so it belongs on the thread of a `LineWriter`.
public final class LineFile: Sendable {
  private let descriptor: Int32
  private let isOurs: Bool
  /// Whether the last line could not be written.
  private let hasFailed = Atomic(false)

  /// After a failure the disk must have room for so many bytes before the next line is written. Otherwise short lines would still find room at the
  /// end of a full disk, and each long one would be another failure.
  private static let leastRoom = 65_536

  /// Uses an open descriptor, such as that of standard error, and does not close it.
  public init(descriptor: Int32) { (self.descriptor, isOurs) = (descriptor, false) }

  /// Opens or makes a file, or opens a FIFO that a program reads. Never waits for a reader. A new file has the mode 0600.
  ///
  /// - Throws: `LineFileError`.
  public init(path: String) throws(LineFileError) {
    let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK
    descriptor = open(path, flags, 0o600)
    guard descriptor >= 0 else { throw LineFileError(code: errno) }
    isOurs = true
    guard let kind = Self.status(descriptor)?.st_mode, [S_IFREG, S_IFIFO].contains(kind & S_IFMT) else {
      throw .notAFile
    }
  }

  deinit { if isOurs { close(descriptor) } }

  /// Appends a line, given without its line end.
  ///
  /// - Throws: `LineFileError`. A file that was opened by its path is then unchanged.
  public func append(_ line: String) throws(LineFileError) {
    let before = Self.status(descriptor)
    if hasFailed.load(ordering: .relaxed), let before { try checkRoom(before) }
    let bytes = Array("\(line)\n".utf8)
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        written += count
      } else if errno == EAGAIN {
        waitForRoom()
      } else if errno != EINTR {
        let error = LineFileError(code: errno)
        takeBack(written, before)
        hasFailed.store(true, ordering: .relaxed)
        throw error
      }
    }
    hasFailed.store(false, ordering: .relaxed)
  }

  /// - Throws: `LineFileError` if the disk has little room. A file system that does not tell its size has enough.
  private func checkRoom(_ status: stat) throws(LineFileError) {
    guard isOurs, status.st_mode & S_IFMT == S_IFREG else { return }
    var disk = statvfs()
    guard fstatvfs(descriptor, &disk) == 0, disk.f_blocks > 0 else { return }
    guard disk.f_bavail * disk.f_frsize < Self.leastRoom else { return }
    throw LineFileError(code: ENOSPC)
  }

  /// Whether the file still has this path, and whether it has any name at all. A rotation gives it another name, or deletes it.
  public func names(at path: String) -> (isThere: Bool, isAnywhere: Bool) {
    guard let own = Self.status(descriptor) else { return (false, false) }
    var other = stat()
    let isThere = stat(path, &other) == 0 && (other.st_dev, other.st_ino) == (own.st_dev, own.st_ino)
    return (isThere, own.st_nlink > 0)
  }

  private func waitForRoom() {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    poll(&request, 1, -1)
  }

  /// Removes the start of a line that did not fit on a full disk, unless another program has written after
  /// it.
  private func takeBack(_ written: Int, _ before: stat?) {
    // With any other descriptor the next write would continue at the old position and leave a hole.
    guard isOurs, written > 0, let before, before.st_mode & S_IFMT == S_IFREG,
      let now = Self.status(descriptor), now.st_size == before.st_size + written
    else { return }
    ftruncate(descriptor, before.st_size)
  }

  private static func status(_ descriptor: Int32) -> stat? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? status : nil
  }
}
