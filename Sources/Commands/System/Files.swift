import Glibc

/// The few calls on files that the commands need, each named after what it does.
public enum Files {
  /// The bytes of a file.
  /// - Throws: `CommandFailure` unreadableFile with the system's reason.
  public static func read(_ path: String) throws(CommandFailure) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unreadable(path, errno) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw unreadable(path, errno) }
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
    }
  }

  /// Whether a path leads to a file, rather than nowhere or to a folder.
  public static func isFile(_ path: String) -> Bool { kind(path) == S_IFREG }

  /// Whether a path leads to a folder.
  public static func isFolder(_ path: String) -> Bool { kind(path) == S_IFDIR }

  /// Where a symbolic link leads, nil where there is none.
  static func target(ofLink path: String) -> String? {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &target, target.count)
    guard count > 0, count < target.count else { return nil }
    return String(decoding: target[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Writes all of a text; when nobody can read it any more, the rest is dropped.
  static func write(_ text: String, to descriptor: Int32) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress!, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }

  private static func kind(_ path: String) -> mode_t? {
    var information = stat()
    return stat(path, &information) == 0 ? information.st_mode & S_IFMT : nil
  }

  private static func unreadable(_ path: String, _ number: Int32) -> CommandFailure {
    CommandFailure(
      .unreadableFile, "multiroute: \(path) cannot be read: \(String(cString: strerror(number))).")
  }
}
