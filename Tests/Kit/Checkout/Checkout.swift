public import Foundation

/// The files of this checkout, from where this file is.
public enum Checkout {
  /// The folder of `Package.swift`.
  public static let root = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in
    url.deletingLastPathComponent()
  }

  /// The path of a file, such as `docs/reference/osc.md`.
  public static func file(_ path: String) -> String { root.appending(path: path).path() }

  /// A file's text.
  /// - Throws: Foundation's error when it cannot be read.
  public static func text(_ path: String) throws -> String {
    try String(contentsOfFile: file(path), encoding: .utf8)
  }

  /// A file's bytes.
  /// - Throws: Foundation's error when it cannot be read.
  public static func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: file(path))))
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
  public static func write(_ text: String, to path: String) throws { try write(Array(text.utf8), to: path) }

  /// Replaces a file.
  /// - Throws: Foundation's error when it cannot be written.
  public static func write(_ bytes: [UInt8], to path: String) throws {
    try Data(bytes).write(to: URL(filePath: file(path)), options: .atomic)
  }
}
