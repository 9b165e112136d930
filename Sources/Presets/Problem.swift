/// Something that is wrong in a document, where it is, and what would be right.
public struct Problem: Hashable, Sendable {
  /// Whether a document with the problem can be used.
  public enum Severity: String, Sendable {
    /// The document is refused.
    case error
    /// The document works, but perhaps not as meant.
    case warning
  }

  /// The file as its reader knows it.
  public var file: String
  public var position: SourcePosition
  /// The place in the document, such as `sessions.show.streams.band.to.pa`; empty for the document itself.
  public var path: String
  /// What is wrong: a clause without a full stop.
  public var what: String
  /// What would be right: an instruction without a full stop.
  public var fix: String
  public var severity: Severity

  public init(
    file: String, position: SourcePosition, path: String, what: String, fix: String,
    severity: Severity = .error
  ) {
    (self.file, self.position, self.path) = (file, position, path)
    (self.what, self.fix, self.severity) = (what, fix, severity)
  }

  /// Line from 1.
  public var line: Int { position.line }
  /// Column from 1.
  public var column: Int { position.column }
}

extension Problem: CustomStringConvertible {
  /// `file.json:12:7: sessions.show.category: what; fix`, the form that editors and terminals make clickable.
  public var description: String {
    let kind = severity == .warning ? "warning: " : ""
    let place = path.isEmpty ? "" : "\(path): "
    return "\(file):\(position): \(kind)\(place)\(what); \(fix)"
  }
}

extension Problem: Comparable {
  /// By file, then by position.
  public static func < (left: Self, right: Self) -> Bool {
    if left.file != right.file { return left.file < right.file }
    if left.position != right.position { return left.position < right.position }
    return (left.path, left.what, left.fix, left.severity.rawValue)
      < (right.path, right.what, right.fix, right.severity.rawValue)
  }
}
