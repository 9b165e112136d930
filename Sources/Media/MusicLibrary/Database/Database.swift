/// A connection to a database file. One thread at a time may use it; every call may block on the disk.
final class Database {
  private let handle: OpaquePointer
  /// Statements are compiled once.
  private var statements: [String: OpaquePointer] = [:]

  /// Opens the file, or makes an empty one.
  init(_ path: String) throws(DatabaseError) {
    do throws(SqliteCalls.Failure) { handle = try SqliteCalls.open(path) } catch {
      throw DatabaseError(code: error.code, text: error.text)
    }
    SqliteCalls.createFunction(handle, "folded") { FoldedText($0).string }
  }

  deinit {
    for statement in statements.values { SqliteCalls.finalize(statement) }
    SqliteCalls.close(handle)
  }

  /// How long a statement waits for another process that writes.
  func setPatience(milliseconds: Int32) { SqliteCalls.busyTimeout(handle, milliseconds: milliseconds) }

  /// Runs a statement for its effect.
  func run(_ sql: String, _ values: DatabaseValue...) throws(DatabaseError) {
    try each(sql, values) { _ in }
  }

  /// The rows of a statement.
  func rows<Value>(
    _ sql: String, _ values: [DatabaseValue] = [], _ read: (Row) -> Value
  ) throws(DatabaseError) -> [Value] {
    var rows: [Value] = []
    try each(sql, values) { rows.append(read($0)) }
    return rows
  }

  /// The first row of a statement; nil if it has none.
  func first<Value>(
    _ sql: String, _ values: DatabaseValue..., read: (Row) -> Value
  ) throws(DatabaseError) -> Value? {
    var value: Value?
    try each(sql, values) { if value == nil { value = read($0) } }
    return value
  }

  /// The number in the first column of the first row; nil if there is no row.
  func number(_ sql: String, _ values: [DatabaseValue] = []) throws(DatabaseError) -> Int64? {
    var number: Int64?
    try each(sql, values) { if number == nil { number = $0.integer(0) } }
    return number
  }

  private func each(_ sql: String, _ values: [DatabaseValue], _ body: (Row) -> Void) throws(DatabaseError) {
    do throws(SqliteCalls.Failure) {
      let statement: OpaquePointer
      if let known = statements[sql] {
        statement = known
      } else {
        statement = try SqliteCalls.prepare(handle, sql)
        statements[sql] = statement
      }
      defer { SqliteCalls.reset(statement) }
      for (index, value) in values.enumerated() { SqliteCalls.bind(statement, Int32(index + 1), value) }
      while try SqliteCalls.step(statement, of: handle) { body(Row(statement: statement)) }
    } catch {
      throw DatabaseError(code: error.code, text: error.text)
    }
  }

  /// A row while a statement is at it. Columns count from 0.
  struct Row {
    fileprivate let statement: OpaquePointer

    func integer(_ column: Int32) -> Int64 { SqliteCalls.integer(statement, column) }
    func int(_ column: Int32) -> Int { Int(SqliteCalls.integer(statement, column)) }
    func real(_ column: Int32) -> Double { SqliteCalls.real(statement, column) }
    func text(_ column: Int32) -> String { SqliteCalls.text(statement, column) }
    func bytes(_ column: Int32) -> [UInt8] { SqliteCalls.bytes(statement, column) }
    func bool(_ column: Int32) -> Bool { integer(column) != 0 }
  }
}
