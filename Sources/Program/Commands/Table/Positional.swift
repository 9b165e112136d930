/// An argument without a flag, as data.
public struct Positional: Sendable {
  /// The name in capitals, as the help prints it.
  public let name: String
  public let count: Count
  /// One sentence for the reference.
  public let summary: String

  /// How often the argument may occur.
  public enum Count: Sendable { case optional, one, any, oneOrMore }

  init(_ name: String, _ count: Count, _ summary: String) {
    (self.name, self.count, self.summary) = (name, count, summary)
  }

  /// The argument as a usage line shows it.
  var usage: String {
    switch count {
    case .optional: "[\(name)]"
    case .one: name
    case .any: "[\(name)...]"
    case .oneOrMore: "\(name)..."
    }
  }

  /// The least and the greatest number of occurrences.
  var range: ClosedRange<Int> {
    switch count {
    case .optional: 0...1
    case .one: 1...1
    case .any: 0...Int.max
    case .oneOrMore: 1...Int.max
    }
  }
}
