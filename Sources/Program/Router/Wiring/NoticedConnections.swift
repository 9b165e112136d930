import ServerInterface

/// Connections between ports of other clients that notices have told of, and that the graph may not show yet.
///
/// The graph is read a period later at the earliest. A program that connects itself to a device would be heard there until then, although
/// its stream is exclusive.
struct NoticedConnections {
  /// The first request whose report shows the connection.
  private var requests: [Link: Int] = [:]

  /// Notes that a connection was made.
  /// - Parameter request: the number of the next request.
  mutating func note(_ link: Link, request: Int) { requests[link] = request }

  /// Notes that a connection was removed. Returns whether it was noted.
  mutating func remove(_ link: Link) -> Bool { requests.removeValue(forKey: link) != nil }

  /// The graph of a report with the connections that the report may lack.
  mutating func completed(_ graph: GraphSnapshot, of request: Int) -> GraphSnapshot {
    requests = requests.filter { $0.value > request }
    var graph = graph
    for link in requests.keys { graph.add(link) }
    return graph
  }
}
