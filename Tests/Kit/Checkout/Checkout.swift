public import Foundation

/// The files of this checkout, from where this file is.
public enum Checkout {
  /// The folder of `Package.swift`.
  public static let root = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in
    url.deletingLastPathComponent()
  }

  /// The path of a file, such as `docs/osc.md`.
  public static func file(_ path: String) -> String { root.appending(path: path).path() }

  /// A file's text.
  /// - Throws: Foundation's error when it cannot be read.
  public static func text(_ path: String) throws -> String {
    try String(contentsOfFile: file(path), encoding: .utf8)
  }

  /// The names of a folder's files with an ending, sorted.
  public static func names(in folder: String, ending: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: file(folder))) ?? []
    return names.filter { $0.hasSuffix(ending) }.sorted()
  }

  /// Whether to write the generated files instead of comparing them: `make docs`.
  public static let regenerates = ProcessInfo.processInfo.environment["MULTIROUTE_REGENERATE"] == "1"

  /// Replaces a file.
  /// - Throws: Foundation's error when it cannot be written.
  public static func write(_ text: String, to path: String) throws {
    try text.write(toFile: file(path), atomically: true, encoding: .utf8)
  }
}
