import JSON5

/// Why a preset cannot be read.
public enum PresetLibraryError: Error, Equatable, Sendable {
  /// No folder has a preset of this id.
  case unknown(id: String, folders: [String], nearest: String?)
  /// The file exists or was named, but cannot be read; the code is an errno.
  case unreadable(file: String, code: Int32, reason: String)

  /// The mistake: a clause without a full stop.
  public var what: String {
    switch self {
    case .unknown(let id, let folders, _):
      let places =
        folders.isEmpty ? "there is no folder to look in" : "looked in \(folders.joined(separator: ", "))"
      return "there is no preset \(id.quoted) (\(places))"
    case .unreadable(let file, _, let reason): return "cannot read \(file): \(reason)"
    }
  }

  /// The correction: an instruction without a full stop.
  public var fix: String {
    switch self {
    case .unknown(_, _, let nearest):
      nearest.map { "did you mean \($0.quoted)?" } ?? "multiroute presets lists all presets"
    case .unreadable: "name a file that exists and that you may read"
    }
  }
}

extension PresetLibraryError: CustomStringConvertible {
  /// The error as one sentence.
  public var description: String { "\(what); \(fix)" }
}
