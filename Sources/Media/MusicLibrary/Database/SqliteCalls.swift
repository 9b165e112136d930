import CSqlite
import SystemCalls

/// All calls into SQLite, named after the C functions. No other file calls the library, which is loaded for the first database.
enum SqliteCalls {
  private static let library = DynamicLibrary.functions(
    mr_sqlite(), mr_sqlite_names(), of: .database)

  /// For all functions but `open`, without which they have nothing to work on.
  private static var calls: mr_sqlite { try! library.get() }

  /// The result of a call: one of SQLite's numbers, and its words.
  struct Failure: Error {
    var code: Int32
    var text: String
  }

  /// Opens or makes a database file, for one thread at a time.
  static func open(_ path: String) throws(Failure) -> OpaquePointer {
    if case .failure(let missing) = library {
      throw Failure(code: SQLITE_CANTOPEN, text: missing.description)
    }
    var database: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = calls.sqlite3_open_v2(path, &database, flags, nil)
    guard code == SQLITE_OK, let database else {
      let failure = Failure(code: code, text: words(calls.sqlite3_errstr(code)))
      _ = calls.sqlite3_close_v2(database)
      throw failure
    }
    return database
  }

  static func close(_ database: OpaquePointer) { _ = calls.sqlite3_close_v2(database) }

  static func busyTimeout(_ database: OpaquePointer, milliseconds: Int32) {
    _ = calls.sqlite3_busy_timeout(database, milliseconds)
  }

  static func prepare(_ database: OpaquePointer, _ sql: String) throws(Failure) -> OpaquePointer {
    var statement: OpaquePointer?
    let code = calls.sqlite3_prepare_v3(database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard code == SQLITE_OK, let statement else { throw failure(database, code) }
    return statement
  }

  static func finalize(_ statement: OpaquePointer) { _ = calls.sqlite3_finalize(statement) }

  static func reset(_ statement: OpaquePointer) {
    _ = calls.sqlite3_reset(statement)
    _ = calls.sqlite3_clear_bindings(statement)
  }

  static func bind(_ statement: OpaquePointer, _ index: Int32, _ value: DatabaseValue) {
    switch value {
    case .null: _ = calls.sqlite3_bind_null(statement, index)
    case .integer(let number): _ = calls.sqlite3_bind_int64(statement, index, number)
    case .real(let number): _ = calls.sqlite3_bind_double(statement, index, number)
    case .text(let text):
      var text = text
      text.withUTF8 { bytes in
        _ = bytes.withMemoryRebound(to: CChar.self) {
          calls.sqlite3_bind_text(statement, index, $0.baseAddress ?? empty, Int32($0.count), copies)
        }
      }
    case .bytes(let bytes):
      _ = bytes.withUnsafeBytes {
        calls.sqlite3_bind_blob(
          statement, index, $0.baseAddress ?? UnsafeRawPointer(empty), Int32($0.count), copies)
      }
    }
  }

  /// Goes to the next row; false at the end.
  static func step(_ statement: OpaquePointer, of database: OpaquePointer) throws(Failure) -> Bool {
    switch calls.sqlite3_step(statement) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw failure(database, code)
    }
  }

  static func integer(_ statement: OpaquePointer, _ column: Int32) -> Int64 {
    calls.sqlite3_column_int64(statement, column)
  }

  static func real(_ statement: OpaquePointer, _ column: Int32) -> Double {
    calls.sqlite3_column_double(statement, column)
  }

  static func text(_ statement: OpaquePointer, _ column: Int32) -> String {
    calls.sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
  }

  static func bytes(_ statement: OpaquePointer, _ column: Int32) -> [UInt8] {
    let count = Int(calls.sqlite3_column_bytes(statement, column))
    guard count > 0, let start = calls.sqlite3_column_blob(statement, column) else { return [] }
    return Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// Gives statements a function from text to text that always has the same result for the same text.
  static func createFunction(
    _ database: OpaquePointer, _ name: String, _ function: @escaping @Sendable (String) -> String
  ) {
    let box = Unmanaged.passRetained(FunctionBox(function)).toOpaque()
    _ = calls.sqlite3_create_function_v2(
      database, name, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, box,
      { context, _, arguments in
        guard let argument = arguments?[0], let box = SqliteCalls.calls.sqlite3_user_data(context) else {
          return
        }
        let text = SqliteCalls.calls.sqlite3_value_text(argument).map { String(cString: $0) } ?? ""
        var result = Unmanaged<FunctionBox>.fromOpaque(box).takeUnretainedValue().function(text)
        result.withUTF8 { bytes in
          bytes.withMemoryRebound(to: CChar.self) {
            SqliteCalls.calls.sqlite3_result_text(
              context, $0.baseAddress ?? SqliteCalls.empty, Int32($0.count), SqliteCalls.copies)
          }
        }
      }, nil, nil, { box in if let box { Unmanaged<FunctionBox>.fromOpaque(box).release() } })
  }

  private final class FunctionBox: Sendable {
    let function: @Sendable (String) -> String
    init(_ function: @escaping @Sendable (String) -> String) { self.function = function }
  }

  private static func words(_ text: UnsafePointer<CChar>?) -> String {
    text.map { String(cString: $0) } ?? ""
  }

  private static func failure(_ database: OpaquePointer, _ code: Int32) -> Failure {
    Failure(code: code, text: words(calls.sqlite3_errmsg(database)))
  }

  /// The numbers of failures that mean that the file is damaged or no database.
  static let damage: Set<Int32> = [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT]

  /// SQLite's mark for bytes that it shall copy, a macro in C.
  private static let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  /// A null pointer would mean NULL. Never written.
  nonisolated(unsafe) private static let empty = UnsafePointer(
    UnsafeMutablePointer<CChar>.allocate(capacity: 1))
}
