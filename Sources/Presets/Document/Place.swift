/// Where something was written.
struct Place: Hashable, Sendable {
  /// The file as its reader knows it.
  let file: String
  let position: SourcePosition
  let path: DocumentPath

  /// A problem there.
  func problem(_ what: String, fix: String, severity: Problem.Severity = .error) -> Problem {
    Problem(
      file: file, position: position, path: path.description, what: what, fix: fix, severity: severity)
  }
}

/// A value and where it was written.
struct Placed<Value: Sendable>: Sendable {
  let value: Value
  let place: Place
}

extension ValueReader {
  /// Where the value is written.
  var place: Place { place(at: value.position) }

  /// Where something that belongs to the value is written, such as its key.
  func place(at position: SourcePosition) -> Place { Place(file: log.file, position: position, path: path) }

  /// A value that was read here.
  func placed<Value>(_ value: Value?) -> Placed<Value>? { value.map { Placed(value: $0, place: place) } }
}
