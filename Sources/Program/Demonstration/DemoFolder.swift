package import Commands
import SystemCalls

/// A folder into which the demonstration writes.
package struct DemoFolder {
  package let path: String

  /// Makes a folder with a new name, for the time of the demonstration.
  package init() throws(CommandFailure) {
    let place = System.getenv("TMPDIR").flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    do throws(SystemError) { path = try System.mkdtemp("\(place)/multiroute-demo-XXXXXX") } catch {
      throw CommandFailure(
        .unreadableFile, "multiroute: no folder can be created in \(place): \(error.reason)")
    }
  }

  /// Makes the folder of `path`, unless it exists.
  package init(_ path: String) throws(CommandFailure) {
    do throws(SystemError) { try System.mkdir(path, permissions: 0o755) } catch {
      guard error.number == .exists else {
        throw CommandFailure(.unreadableFile, "multiroute: \(path) cannot be created: \(error.reason)")
      }
    }
    self.path = path
  }

  /// Removes the folder and its files.
  package func remove() {
    for name in (try? System.readdir(path)) ?? [] { try? System.unlink("\(path)/\(name)") }
    try? System.rmdir(path)
  }
}
