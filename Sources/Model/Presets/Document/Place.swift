package import JSON5

/// A place in a file.
package struct Place: Hashable, Sendable {
  /// The file's name, as given to its reader.
  package let file: String
  package let position: SourcePosition
  package let path: DocumentPath

  /// A problem at this place.
  package func problem(
    _ what: String, fix: String, severity: Problem.Severity = .error, aspect: Problem.Aspect = .meaning
  ) -> Problem {
    Problem(
      file: file, position: position, path: path.description, what: what, fix: fix, severity: severity,
      aspect: aspect)
  }
}

/// A value with its place.
struct Placed<Value: Sendable>: Sendable {
  let value: Value
  let place: Place
}

extension ValueReader {
  /// The place of the value.
  var place: Place { place(at: value.position) }

  /// The place of something that belongs to the value, such as its key.
  func place(at position: SourcePosition) -> Place { Place(file: log.file, position: position, path: path) }

  /// Attaches this place to a value that was read here.
  func placed<Value>(_ value: Value?) -> Placed<Value>? { value.map { Placed(value: $0, place: place) } }
}
