/// Collects the problems of one file. All readers of the document's values share it.
///
/// For one thread at a time.
public final class ProblemLog {
  /// The file's name, as given to the reader.
  public let file: String
  private var collected: [Problem]

  /// Starts with the problems of the text itself.
  public init(file: String, problems: [Problem] = []) { (self.file, collected) = (file, problems) }

  /// The problems, sorted by position.
  public var problems: [Problem] { collected.sorted() }

  /// Whether the document must be refused.
  public var hasErrors: Bool { collected.contains { $0.severity == .error } }

  /// Whether further problems are dropped.
  public var isFull: Bool { collected.count >= JSON5Reader.problemLimit }

  /// Records a problem unless the log is full.
  public func report(
    at position: SourcePosition, path: DocumentPath, _ what: String, fix: String,
    severity: Problem.Severity = .error, aspect: Problem.Aspect = .shape
  ) {
    guard !isFull else { return }
    collected.append(
      Problem(
        file: file, position: position, path: path.description, what: what, fix: fix, severity: severity,
        aspect: aspect))
  }
}
