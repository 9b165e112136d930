import JSON5
public import Presets
public import SessionModel
public import SystemCalls

/// All settings of a router in a file that a person has it write, in the form of a kept state.
public struct SavedSettings: Equatable, Sendable {
  private let document: JSONValue

  /// - Parameters:
  ///   - preset: the preset in force; nil for none. The file then stands for itself.
  ///   - file: the file's path.
  ///   - time: the present, in seconds of the router's time, on which the places of players depend.
  public init(_ state: RouterState, of preset: Preset?, file: String, at time: Double) {
    let kept =
      preset.map { KeptPreset($0) }
      ?? KeptPreset(id: Self.id(of: file), path: file, hash: "none")
    var head = KeptHead(preset: kept.id, path: kept.path, hash: kept.hash, time: WallClock.now)
    head.isModified = state.presets.isModified
    document = KeptDocument.json(of: state, head: head, at: time)
  }

  /// Replaces the file in one step.
  /// - Throws: `SystemError`; the old file then stays.
  public func write(to file: String) throws(SystemError) {
    try WholeFile.replace(file, with: Array(document.text.utf8), permissions: 0o600)
  }

  /// The settings as if they had been read from a file.
  public func kept(in file: String) -> KeptDocument? { KeptDocument(Array(document.text.utf8), file: file) }

  /// The name of a file without its folder and suffix.
  private static func id(of file: String) -> String {
    String((file.split(separator: "/").last ?? "").prefix { $0 != "." })
  }

  // MARK: Comparison

  /// The part that only the operator and clients change: without what sessions do by themselves as programs come and go, and without the
  /// places of players.
  public var settings: SavedSettings { SavedSettings(Self.settings(of: document)) }

  private init(_ document: JSONValue) { self.document = document }

  /// The members of each part that change by themselves.
  private static let passing: [String: Set<String>] = [
    "kept": ["time", "modified", "active", "interrupted", "waiting", "present", "interruptions"],
    "sessions": ["active"], "players": ["playing", "index", "position"], "recorders": ["recording"],
  ]

  private static func settings(of document: JSONValue) -> JSONValue {
    guard case .object(let members) = document else { return document }
    return .object(
      members.map { part in
        guard let passing = passing[part.key] else { return part }
        let isOne = part.key == "kept"
        return .init(
          part.key, isOne ? part.value.without(passing) : part.value.mapped { $0.without(passing) })
      })
  }
}

extension JSONValue {
  /// An object without some of its members.
  fileprivate func without(_ keys: Set<String>) -> JSONValue {
    guard case .object(let members) = self else { return self }
    return .object(members.filter { !keys.contains($0.key) })
  }

  /// An object with other values.
  fileprivate func mapped(_ change: (JSONValue) -> JSONValue) -> JSONValue {
    guard case .object(let members) = self else { return self }
    return .object(members.map { .init($0.key, change($0.value)) })
  }
}
