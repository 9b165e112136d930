/// Collects the problems of one file while its document is read; readers of its values share it.
///
/// For use by one thread at a time.
public final class ProblemLog {
  /// The file as its reader knows it.
  public let file: String
  private var collected: [Problem]

  /// Starts with the problems that reading the text brought up.
  public init(file: String, problems: [Problem] = []) { (self.file, collected) = (file, problems) }

  /// Sorted by position.
  public var problems: [Problem] { collected.sorted() }

  /// Whether the document must be refused.
  public var hasErrors: Bool { collected.contains { $0.severity == .error } }

  /// Whether further problems are left out.
  public var isFull: Bool { collected.count >= JSON5Reader.problemLimit }

  /// Records a problem unless the log is full.
  public func report(
    at position: SourcePosition, path: DocumentPath, _ what: String, fix: String,
    severity: Problem.Severity = .error
  ) {
    guard !isFull else { return }
    collected.append(
      Problem(
        file: file, position: position, path: path.description, what: what, fix: fix, severity: severity))
  }
}
