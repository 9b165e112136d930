import Foundation

/// A folder that is removed with its owner.
final class TemporaryFolder {
  private let root: URL

  init() throws {
    root = FileManager.default.temporaryDirectory.appending(path: "multiroute-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  /// A path in it; nothing is made.
  func path(_ name: String) -> String { root.path + "/" + name }

  /// Makes a folder in it.
  func folder(_ name: String) throws -> String {
    try FileManager.default.createDirectory(
      at: root.appending(path: name), withIntermediateDirectories: true)
    return path(name)
  }

  /// Makes a file in it, and the folders on its way.
  func file(_ name: String, _ text: String) throws -> String {
    let url = root.appending(path: name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
    return path(name)
  }
}
