/// A problem in a document: the mistake, its place, and its correction.
public struct Problem: Hashable, Sendable {
  /// Whether a document with the problem can still be used.
  public enum Severity: String, Sendable {
    /// The document is refused.
    case error
    /// The document works, but possibly not as intended.
    case warning
  }

  /// How much of a document must be known to see the problem.
  public enum Aspect: Sendable {
    /// The text is not in the format: a bracket, a quote, a key twice.
    case syntax
    /// A value is wrong by itself: its kind, its range, its key, or a key that it must have. A schema describes this.
    case shape
    /// The rest of the document, another file, the law or a count of bytes decides. No schema describes this.
    case meaning
  }

  /// The file's name, as given to the reader.
  public var file: String
  public var position: SourcePosition
  /// The path in the document, such as `sessions.show.streams.band.to.pa`; empty for the document itself.
  public var path: String
  /// The mistake: a clause without a full stop.
  public var what: String
  /// The correction: an instruction without a full stop.
  public var fix: String
  public var severity: Severity
  public var aspect: Aspect

  public init(
    file: String, position: SourcePosition, path: String, what: String, fix: String,
    severity: Severity = .error, aspect: Aspect
  ) {
    (self.file, self.position, self.path) = (file, position, path)
    (self.what, self.fix, self.severity, self.aspect) = (what, fix, severity, aspect)
  }

  /// Line from 1.
  public var line: Int { position.line }
  /// Column from 1.
  public var column: Int { position.column }
}

extension Problem: CustomStringConvertible {
  /// `file.json:12:7: sessions.show.category: what; fix`. Editors and terminals make this form clickable.
  public var description: String {
    let kind = severity == .warning ? "warning: " : ""
    let place = path.isEmpty ? "" : "\(path): "
    return "\(file):\(position): \(kind)\(place)\(what); \(fix)"
  }
}

extension Problem: Comparable {
  /// Sorts by file, then by position.
  public static func < (left: Self, right: Self) -> Bool {
    if left.file != right.file { return left.file < right.file }
    if left.position != right.position { return left.position < right.position }
    return (left.path, left.what, left.fix, left.severity.rawValue)
      < (right.path, right.what, right.fix, right.severity.rawValue)
  }
}
