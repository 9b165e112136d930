/// Why there is no preset to read.
public enum PresetLibraryError: Error, Equatable, Sendable {
  /// No folder has a preset of the id.
  case unknown(id: String, folders: [String], nearest: String?)
  /// The file is there or was named, and cannot be read; the number is an errno.
  case unreadable(file: String, code: Int32, reason: String)

  /// What is wrong: a clause without a full stop.
  public var what: String {
    switch self {
    case .unknown(let id, let folders, _):
      let places =
        folders.isEmpty ? "there is no folder to look in" : "looked in \(folders.joined(separator: ", "))"
      return "there is no preset \(id.quoted) (\(places))"
    case .unreadable(let file, _, let reason): return "cannot read \(file): \(reason)"
    }
  }

  /// What would be right: an instruction without a full stop.
  public var fix: String {
    switch self {
    case .unknown(_, _, let nearest):
      nearest.map { "did you mean \($0.quoted)?" } ?? "multiroute presets lists those there are"
    case .unreadable: "name a file that exists and that you may read"
    }
  }
}

extension PresetLibraryError: CustomStringConvertible {
  /// One sentence for a person.
  public var description: String { "\(what); \(fix)" }
}
