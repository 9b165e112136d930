import Glibc

/// Calls into the C library: one thin function each, named after the C call.
///
/// Every function repeats a call that a signal interrupted, and throws a `SystemError` for any other failure.
/// Child processes inherit no descriptor that these functions make. Any thread may call them, unless a
/// function says otherwise.
public enum System {
  public static let standardInput: Int32 = 0
  public static let standardOutput: Int32 = 1
  public static let standardError: Int32 = 2

  /// Repeats a call until no signal interrupts it, and returns its result.
  /// - Throws: `SystemError` when the result is negative.
  @discardableResult
  static func retry<Result: SignedInteger>(
    _ call: String, _ subject: @autoclosure () -> String? = nil, _ body: () -> Result
  ) throws(SystemError) -> Result {
    while true {
      let result = body()
      guard result < 0 else { return result }
      let number = errno
      if number != EINTR { throw SystemError(call, ErrorNumber(rawValue: number), subject()) }
    }
  }

  /// Checks the result of a call that signals do not interrupt, or that must not be repeated, and returns it.
  /// - Throws: `SystemError` when the result is negative.
  @discardableResult
  static func check<Result: SignedInteger>(
    _ call: String, _ result: Result, _ subject: @autoclosure () -> String? = nil
  ) throws(SystemError) -> Result {
    let number = errno
    guard result >= 0 else { throw SystemError(call, ErrorNumber(rawValue: number), subject()) }
    return result
  }

  /// Makes a call with a time limit, and repeats it with the remaining time when a signal interrupts it.
  ///
  /// - Parameters:
  ///   - milliseconds: the limit; a negative number means no limit.
  ///   - body: makes the call; its argument is the remaining time in milliseconds.
  static func wait(
    _ call: String, milliseconds: Int32, _ body: (Int32) -> Int32
  ) throws(SystemError) -> Int32 {
    let end = milliseconds > 0 ? monotonicMilliseconds + UInt64(milliseconds) : 0
    var rest = milliseconds
    while true {
      let result = body(rest)
      guard result < 0 else { return result }
      let number = errno
      guard number == EINTR else { throw SystemError(call, ErrorNumber(rawValue: number)) }
      if milliseconds > 0 { rest = Int32(clamping: Int64(end) - Int64(min(end, monotonicMilliseconds))) }
    }
  }
}
