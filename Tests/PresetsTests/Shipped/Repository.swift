import Foundation
import Presets
import SessionModel
import SessionPolicy

/// The files of the package, from where this one is.
enum Repository {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  static func file(_ path: String) -> String { root.appending(path: path).path() }

  static func text(_ path: String) throws -> String {
    try String(contentsOfFile: file(path), encoding: .utf8)
  }

  /// The names of a folder's presets, without `.json`, sorted.
  static func presets(in folder: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: file(folder))) ?? []
    return names.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
  }

  /// Whether to write what is shipped instead of comparing it: `MULTIROUTE_REGENERATE=1 swift test --filter PresetsTests`.
  static let regenerates = ProcessInfo.processInfo.environment["MULTIROUTE_REGENERATE"] == "1"

  static func write(_ text: String, to path: String) throws {
    try text.write(toFile: file(path), atomically: true, encoding: .utf8)
  }

  /// A reader with the law that the router has.
  static let reader = PresetReader { state, event, time throws(SessionError) in
    try Policy.reduce(&state, event, at: time)
  }
}
