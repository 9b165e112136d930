import ServerInterface
import Testing

@testable import Router

@Suite struct NoticedConnectionsTests {
  private let link = Link(source: "Player:out_1", sink: "Speaker:playback_1")

  @Test("A connection that a notice told of is in the graph until a report can show it")
  func completed() {
    var noticed = NoticedConnections()
    noticed.note(link, request: 3)
    #expect(noticed.completed(GraphSnapshot(), of: 2).has(link))
    #expect(!noticed.completed(GraphSnapshot(), of: 3).has(link))
    #expect(!noticed.completed(GraphSnapshot(), of: 2).has(link))
  }

  @Test("A connection that was removed again is not added to the graph")
  func removed() {
    var noticed = NoticedConnections()
    noticed.note(link, request: 3)
    #expect([noticed.remove(link), noticed.remove(link)] == [true, false])
    #expect(!noticed.completed(GraphSnapshot(), of: 2).has(link))
  }

  @Test("The graph shows a connection at both of its ports, once")
  func snapshot() {
    var graph = GraphSnapshot()
    for _ in 1...2 { graph.add(link) }
    #expect(
      graph.connections == ["Player:out_1": ["Speaker:playback_1"], "Speaker:playback_1": ["Player:out_1"]])
    graph.remove(link)
    #expect(graph == GraphSnapshot())
  }
}
