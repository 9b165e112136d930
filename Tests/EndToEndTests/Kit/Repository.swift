import Foundation

/// The files of the package, from where this one is.
enum Repository {
  static let root = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }

  static func file(_ path: String) -> String { root.appending(path: path).path() }

  static func text(_ path: String) throws -> String {
    try String(contentsOfFile: file(path), encoding: .utf8)
  }

  /// The paths of a folder's files with an ending, sorted.
  static func files(in folder: String, ending: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: file(folder))) ?? []
    return names.filter { $0.hasSuffix(ending) }.sorted().map { file("\(folder)/\($0)") }
  }
}
