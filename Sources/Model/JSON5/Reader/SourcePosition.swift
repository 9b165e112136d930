/// A position in a text file as editors count: line and column from 1.
///
/// Lines end at LF, CR or CRLF. A column is one Unicode scalar, also a tab; a byte order mark has no column.
public struct SourcePosition: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// Line from 1.
  public var line: Int
  /// Column from 1.
  public var column: Int

  public init(line: Int, column: Int) { (self.line, self.column) = (line, column) }

  /// The first character of a file.
  public static let start = SourcePosition(line: 1, column: 1)

  public var description: String { "\(line):\(column)" }

  public static func < (left: Self, right: Self) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}
