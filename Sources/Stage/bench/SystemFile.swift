import SystemCalls

/// Where files of the benchmarks are.
enum SystemFile {
  /// A name for a temporary folder, for `System.mkdtemp` to complete.
  static var template: String { "\(System.getenv("TMPDIR") ?? "/tmp")/multiroute-bench-XXXXXX" }

  /// The path of a program that was built together with this one.
  static func product(_ name: String) -> String {
    let own = (try? System.readlink("/proc/self/exe")) ?? ""
    return own.split(separator: "/").dropLast().map { "/\($0)" }.joined() + "/\(name)"
  }
}

/// A temporary file, which is removed when the last reference to it goes.
final class TemporaryFile {
  private let folder: TemporaryFolder
  let path: String

  /// - Throws: `BenchError` when there is no room.
  init(_ text: String) throws(BenchError) {
    folder = try TemporaryFolder()
    path = "\(folder.path)/preset.json"
    try folder.write(text, to: "preset.json")
  }
}

/// A temporary folder, which is removed with its files when the last reference to it goes.
final class TemporaryFolder {
  let path: String

  /// - Throws: `BenchError` when there is no room.
  init() throws(BenchError) {
    do throws(SystemError) { path = try System.mkdtemp(SystemFile.template) } catch {
      throw BenchError("\(error)")
    }
  }

  /// Writes a file.
  /// - Throws: `BenchError` when there is no room.
  func write(_ text: String, to name: String) throws(BenchError) {
    do throws(SystemError) {
      let descriptor = try System.open("\(path)/\(name)", [.write, .create], permissions: 0o600)
      defer { System.close(descriptor) }
      try System.writeAll(descriptor, Array(text.utf8))
    } catch {
      throw BenchError("\(error)")
    }
  }

  deinit {
    for name in (try? System.readdir(path)) ?? [] { try? System.unlink("\(path)/\(name)") }
    try? System.rmdir(path)
  }
}
