import Foundation

/// A temporary folder. It is removed when this object is released.
final class TemporaryFolder {
  private let root: URL

  init() throws {
    root = FileManager.default.temporaryDirectory.appending(path: "multiroute-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  /// A path in the folder. Creates nothing.
  func path(_ name: String) -> String { root.path + "/" + name }

  /// Creates a folder in the folder.
  func folder(_ name: String) throws -> String {
    try FileManager.default.createDirectory(
      at: root.appending(path: name), withIntermediateDirectories: true)
    return path(name)
  }

  /// Creates a file in the folder, and the folders of its path.
  func file(_ name: String, _ text: String) throws -> String {
    let url = root.appending(path: name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
    return path(name)
  }
}
