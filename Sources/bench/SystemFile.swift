import Glibc

/// Small files of the system, and where they are.
enum SystemFile {
  /// The lines of a file; none if it cannot be read.
  static func lines(_ path: String) -> [Substring] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = read(descriptor, &chunk, chunk.count), count > 0 { bytes += chunk.prefix(count) }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
  }

  /// Names in a folder.
  static func names(in folder: String) -> [String] {
    guard let handle = opendir(folder) else { return [] }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  /// The name of a temporary file or folder, for mkstemps and mkdtemp to fill in.
  static func template(_ name: String) -> [CChar] {
    Array("\(getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")/\(name)".utf8CString)
  }

  /// A program that was built with this one.
  static func product(_ name: String) -> String {
    var path = [CChar](repeating: 0, count: 4_096)
    let count = readlink("/proc/self/exe", &path, path.count)
    let own = String(decoding: path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return own.split(separator: "/").dropLast().map { "/\($0)" }.joined() + "/\(name)"
  }
}

/// A file that is gone when nobody needs it any more.
final class TemporaryFile {
  let path: String

  /// - Throws: `BenchError` when there is no room.
  init(_ text: String) throws(BenchError) {
    var template = SystemFile.template("multiroute-bench-XXXXXX.json")
    let descriptor = mkstemps(&template, 5)
    guard descriptor >= 0 else { throw BenchError("no temporary file: \(String(cString: strerror(errno)))") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let bytes = Array(text.utf8)
    let written = write(descriptor, bytes, bytes.count)
    close(descriptor)
    guard written == bytes.count else { throw BenchError("the temporary file cannot be written") }
  }

  deinit { unlink(path) }
}

/// A folder that is gone, with the files in it, when nobody needs it any more.
final class TemporaryFolder {
  let path: String

  /// - Throws: `BenchError` when there is no room.
  init() throws(BenchError) {
    var template = SystemFile.template("multiroute-bench-XXXXXX")
    guard mkdtemp(&template) != nil else {
      throw BenchError("no temporary folder: \(String(cString: strerror(errno)))")
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    for name in SystemFile.names(in: path) { unlink("\(path)/\(name)") }
    rmdir(path)
  }
}
