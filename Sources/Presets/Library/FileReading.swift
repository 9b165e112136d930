import Glibc

/// Reads whole files through the system's calls, since their errors are what a person needs to know.
enum FileReading {
  /// The first bytes of a file, at most `limit`.
  /// - Throws: `PresetLibraryError` unreadable.
  static func bytes(of file: String, upTo limit: Int) throws(PresetLibraryError) -> [UInt8] {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(file, errno) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while bytes.count < limit {
      let count = read(descriptor, &block, min(block.count, limit - bytes.count))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure(file, errno) }
      guard count > 0 else { break }
      bytes += block.prefix(count)
    }
    return bytes
  }

  /// The names in a folder, sorted; none when it cannot be read.
  static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      // The name is an array in C; it ends at its first zero.
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) { pointer in
          pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        })
    }
    return names.sorted()
  }

  /// Whether there is something of that name.
  static func exists(_ file: String) -> Bool { access(file, F_OK) == 0 }

  private static func failure(_ file: String, _ code: Int32) -> PresetLibraryError {
    .unreadable(file: file, code: code, reason: String(cString: strerror(code)))
  }
}
