import Presets
import ServerInterface

extension TakenConnections {
  /// Makes a record of taken connections; nil if there are none.
  init?(_ links: Set<Link>, at server: String) {
    guard !links.isEmpty else { return nil }
    self.init(
      server: server, connections: Set(links.map { Connection(source: $0.source, sink: $0.sink) }))
  }

  /// The connections that were taken away.
  var links: Set<Link> { Set(connections.map { Link(source: $0.source, sink: $0.sink) }) }
}
