/// A connection between two ports, by full name.
public struct Link: Hashable, Sendable, Comparable {
  public var source: String
  public var sink: String
  public init(source: String, sink: String) { (self.source, self.sink) = (source, sink) }

  public static func < (left: Self, right: Self) -> Bool {
    (left.source, left.sink) < (right.source, right.sink)
  }
}
