/// A connection between two ports, by full name.
public struct Link: Hashable, Sendable, Comparable {
  public var source: String
  public var sink: String
  public init(source: String, sink: String) { (self.source, self.sink) = (source, sink) }

  /// The client of the source.
  public var sourceClient: String { Self.client(of: source) }
  /// The client of the sink.
  public var sinkClient: String { Self.client(of: sink) }

  /// The client of a port with this full name.
  public static func client(of port: String) -> String { String(port.prefix { $0 != ":" }) }

  public static func < (left: Self, right: Self) -> Bool {
    (left.source, left.sink) < (right.source, right.sink)
  }
}
