import SystemCalls

/// A file of lines that another program appends to, and may rotate, replace or delete.
final class GrowingFile {
  private let path: String
  private var descriptor: Int32
  /// The byte up to which the file is read.
  private var offset = 0
  /// Tells of changes in the file's folder; -1 for a file that is read once.
  private let inotify: Int32
  /// The beginning of a line whose end is not written yet.
  private var rest: [UInt8] = []

  /// - Throws: `SystemError` if there is no such file, or no right to read it.
  init(_ path: String, follows: Bool) throws(SystemError) {
    self.path = path
    descriptor = try System.open(path, .read)
    guard follows else {
      inotify = -1
      return
    }
    inotify = try System.inotify_init1()
    try System.inotify_add_watch(inotify, WholeFile.folder(of: path), [.created, .movedIn, .written])
  }

  deinit {
    System.close(descriptor)
    if inotify >= 0 { System.close(inotify) }
  }

  /// The whole lines since the last call, oldest first. If another file has the name now, that of the former file are read to their end first.
  func newLines() throws(SystemError) -> [String] {
    var lines = try readLines()
    guard let present = try? System.stat(path), !present.isSameFile(as: try System.fstat(descriptor)) else {
      return lines
    }
    System.close(descriptor)
    descriptor = try System.open(path, .read)
    (offset, rest) = (0, [])
    lines += try readLines()
    return lines
  }

  /// Waits for a change of the file, no longer than the time.
  func wait(milliseconds: Int32) throws(SystemError) {
    if try System.poll(inotify, milliseconds: milliseconds) { _ = System.inotify_read(inotify) }
  }

  private func readLines() throws(SystemError) -> [String] {
    // A rotation may also copy the file and then empty it.
    if try System.fstat(descriptor).size < offset { (offset, rest) = (0, []) }
    while case let bytes = try System.pread(descriptor, count: 65_536, at: offset), !bytes.isEmpty {
      offset += bytes.count
      rest += bytes
    }
    guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
    let whole = rest[...end]
    rest = Array(rest[(end + 1)...])
    return whole.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
  }
}
