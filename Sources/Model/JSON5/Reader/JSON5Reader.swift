/// Reads JSON5 strictly, with the position of every value and with all problems at once.
///
/// The grammar is that of https://spec.json5.org. Beyond it, these are problems too: duplicate keys, numbers that are not finite,
/// halves of surrogate pairs, bytes that are not UTF-8, nesting deeper than `depthLimit` and files above `sizeLimit`.
public enum JSON5Reader {
  /// The size of the largest document in bytes.
  public static let sizeLimit = 1 << 20
  /// The most objects and arrays around a value.
  public static let depthLimit = 64
  /// Reading stops after so many problems; people would hardly read more.
  public static let problemLimit = 100

  /// Reads a document.
  ///
  /// The value is nil if its structure is uncertain, for instance after a bracket or quote that is never
  /// closed. If problems leave the structure certain there is a value, so that its content can be checked in
  /// the same run; its unreadable parts are `unreadable`. Problems are sorted by position. A document without
  /// problems has a value.
  ///
  /// - Parameter sizeLimit: the most bytes; larger for documents that programs write.
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
        file: file, position: .start, path: "", what: refusal.what, fix: refusal.fix, aspect: .syntax)
      return (nil, [problem])
    }
    var parser = JSON5Parser(text: SourceText(bytes), file: file)
    let value = try? parser.document()
    return (value ?? nil, parser.problems.sorted())
  }

  /// Whether a document has comments.
  public static func hasComments(_ bytes: [UInt8]) -> Bool {
    var parser = JSON5Parser(text: SourceText(bytes), file: "")
    _ = try? parser.document()
    return parser.hasComments
  }

  /// Reads a document that is already text.
  public static func read(
    _ text: String, file: String
  ) -> (value: PositionedValue?, problems: [Problem]) {
    read(Array(text.utf8), file: file)
  }

  /// The number that a text would be without its quotes; nil if it would not be one. May be infinite or NaN.
  public static func number(_ text: String) -> Double? {
    if case .number(let number, _)? = JSON5Parser.literal(text) { number } else { nil }
  }
}
