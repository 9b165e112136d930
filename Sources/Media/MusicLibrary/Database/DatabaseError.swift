/// A statement or a database file that failed.
struct DatabaseError: Error, Equatable {
  /// SQLite's number; its lower eight bits are the main kind.
  var code: Int32
  var text: String

  /// The tables are not those of this program.
  static let otherVersion = DatabaseError(code: -1, text: "it belongs to another version of the program")

  /// A look at the whole file has found damage.
  static let damaged = DatabaseError(code: -2, text: "it is damaged")

  /// Whether the file must be made anew.
  var isDamage: Bool {
    self == .otherVersion || self == .damaged || SqliteCalls.damage.contains(code & 0xff)
      // The search index has no number of its own for a version that it cannot read.
      || text.hasPrefix("invalid fts5 file format")
  }
}
