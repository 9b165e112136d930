/// A plain value of an event for programs outside the router: an OSC argument, or a value in JSON.
public enum EventArgument: Equatable, Sendable {
  /// Counts, codes and flags; a flag is 0 or 1.
  case integer(Int32)
  case text(String)
  /// Times in seconds.
  case number(Double)
}

extension EventArgument: CustomStringConvertible {
  /// The value without quotation marks.
  public var description: String {
    switch self {
    case .integer(let number): String(number)
    case .text(let text): text
    case .number(let number): "\(number)"
    }
  }
}
