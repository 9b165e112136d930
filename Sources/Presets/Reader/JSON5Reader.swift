/// Reads JSON5 strictly, with the position of every value and with all problems at once.
///
/// The grammar is that of https://spec.json5.org. Beyond it, these are problems too: duplicate keys, numbers that are not finite,
/// halves of surrogate pairs, bytes that are not UTF-8, nesting deeper than `depthLimit` and files above `sizeLimit`.
public enum JSON5Reader {
  /// Largest document in bytes.
  public static let sizeLimit = 1 << 20
  /// Most objects and arrays around a value.
  public static let depthLimit = 64
  /// Reading ends after so many problems; the rest would hardly be read by anyone.
  public static let problemLimit = 100

  /// Reads a document.
  ///
  /// The value is nil when its structure is not certain, for instance after a bracket or a quote that is never closed. With
  /// problems that leave the structure certain there is a value, so that its content can be examined in the same run; what
  /// could not be read in it is `unreadable`. Problems are sorted by position; a document without any has a value.
  ///
  /// - Parameter sizeLimit: most bytes, where a program and not a person writes the document.
  public static func read(
    _ bytes: [UInt8], file: String, sizeLimit: Int = sizeLimit
  ) -> (value: PositionedValue?, problems: [Problem]) {
    var refusal: (what: String, fix: String)?
    if bytes.count > sizeLimit {
      refusal = ("the file has \(bytes.count) bytes", "keep it under \(sizeLimit) bytes")
    } else if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      refusal = ("the file is UTF-16", "save it as UTF-8")
    }
    if let refusal {
      let problem = Problem(
        file: file, position: .start, path: "", what: refusal.what, fix: refusal.fix)
      return (nil, [problem])
    }
    var parser = JSON5Parser(text: SourceText(bytes), file: file)
    let value = try? parser.document()
    return (value ?? nil, parser.problems.sorted())
  }

  /// Reads a document that is text already.
  public static func read(
    _ text: String, file: String
  ) -> (value: PositionedValue?, problems: [Problem]) {
    read(Array(text.utf8), file: file)
  }
}
