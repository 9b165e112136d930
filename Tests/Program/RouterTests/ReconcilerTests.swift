import ServerInterface
import SessionModel
import Testing

@testable import Router

@Suite struct ReconcilerTests {
  private let system = Show.devices + Show.program("Band", 2) + Show.program("Click", 1)
  private let band = ["Band:out_1", "multiroute:show.band_1"]
  private let owner = LinkOwner.stream(StreamAddress(session: "show", stream: "band"))

  private var withoutSources: Event { .stream("show", "band", .sources([])) }

  @Test("Wanted connections are made once and stay")
  func makes() throws {
    let graph = GraphRig(system)
    let state = try Show.standard()
    for _ in 0..<3 { graph.go(state) }
    #expect(
      graph.server.connections
        == Set(WantedLinks(state, system, client: "multiroute").links.map { [$0.link.source, $0.link.sink] }))
    #expect(graph.server.connectionCounts.values.allSatisfy { $0 == 1 })
    #expect(!graph.reconciler.isClosing)
  }

  @Test(
    "A port that gets another name loses the router's cable, one that gets a wanted name gets it, and names may be swapped"
  )
  func renames() throws {
    let numbered = system.enumerated().map { index, port in
      var port = port
      port.uuid = UInt64(index + 1)
      return port
    }
    let state = try Show.standard()
    func settled(_ graph: GraphRig) -> Set<[String]> {
      graph.look()
      for frame: UInt64 in [1_000, 3_000, 5_000, 7_000] {
        graph.go(state, frame: frame, closed: frame + 1_000, gone: frame + 500)
      }
      return graph.server.connections
    }
    let graph = GraphRig(numbered)
    graph.go(state)
    let before = settled(graph)
    func wanted() -> Set<[String]> {
      Set(
        WantedLinks(state, graph.server.others, client: "multiroute").links.map {
          [$0.link.source, $0.link.sink]
        })
    }
    graph.server.rename(["Band:out_1": "Private:out_1"])
    #expect(settled(graph) == wanted() && wanted() != before)
    graph.server.rename(["Private:out_1": "Band:out_1"])
    #expect(settled(graph) == before)
    // Cables lead from the ports of other names now, and the router's own from the right ones.
    graph.server.rename(["Band:out_1": "Click:out_1", "Click:out_1": "Band:out_1"])
    #expect(settled(graph) == before)
    graph.server.rename(["USB:playback_1": "USB:playback_2", "USB:playback_2": "USB:playback_1"])
    #expect(settled(graph) == before)
    // A cable that a user has made stays with its port.
    graph.server.connectByHand("Band:out_2", to: "Headphones:playback_1")
    graph.server.rename(["Band:out_2": "Other:out_2"])
    #expect(settled(graph).contains(["Other:out_2", "Headphones:playback_1"]))
  }

  @Test("A connection is removed only when its gate has closed")
  func removes() throws {
    let graph = GraphRig(system)
    graph.go(try Show.standard())
    let without = try Show.standard(withoutSources)
    graph.go(without, frame: 1_000, closed: 2_000)
    #expect(graph.reconciler.mustClose(owner))
    #expect(graph.server.connections.contains(band))
    graph.go(without, frame: 1_999, closed: 3_000)
    #expect(graph.server.connections.contains(band))
    graph.go(without, frame: 2_000, closed: 3_000, gone: 2_768)
    #expect(!graph.server.connections.contains(band))
    // The graph may still show the connection until the server has removed it. This must not open the gate.
    #expect(graph.reconciler.mustClose(owner) && graph.reconciler.isClosing)
    graph.go(without, frame: 2_768, closed: 3_768, gone: 3_536)
    #expect(!graph.reconciler.mustClose(owner) && !graph.reconciler.isClosing)
  }

  @Test(
    "A gate stays closed until the server has carried out the request, even if the connection is wanted again"
  )
  func slowServer() throws {
    let graph = GraphRig(system)
    graph.go(try Show.standard())
    graph.decide(try Show.standard(withoutSources), frame: 0, closed: 100)
    graph.decide(try Show.standard(withoutSources), frame: 100, closed: 200)
    #expect(graph.reconciler.disconnections.contains(Link(source: band[0], sink: band[1])))
    // The connection is wanted again and the graph still shows it, but the server is about to remove it.
    for frame: UInt64 in [1_000, 50_000, 100_000] {
      graph.decide(try Show.standard(), frame: frame, closed: frame + 100)
      #expect(graph.reconciler.mustClose(owner))
      #expect(graph.reconciler.disconnections.contains(Link(source: band[0], sink: band[1])))
      #expect(graph.reconciler.connections.isEmpty)
    }
    graph.carryOut(gone: 100_500)
    #expect(graph.reconciler.mustClose(owner))
    graph.go(try Show.standard(), frame: 100_499, closed: 100_600)
    #expect(!graph.server.connections.contains(band))
    graph.go(try Show.standard(), frame: 100_500, closed: 100_600)
    #expect(graph.server.connections.contains(band) && !graph.reconciler.mustClose(owner))
  }

  @Test(
    "A source that joins one that sounds is connected while the gate is closed; one that has just appeared at once"
  )
  func joins() throws {
    let sources = ["Band:out_*", "Click:*"].map { StreamSource.ports(ProgramPorts($0)!) }
    let joined = try Show.standard(.stream("show", "band", .sources(sources)))
    let click = ["Click:out_1", "multiroute:show.band_1"]
    let graph = GraphRig(system)
    graph.go(try Show.standard())
    graph.go(joined, frame: 0, closed: 100)
    graph.go(joined, frame: 99, closed: 199)
    #expect(graph.reconciler.mustClose(owner) && !graph.server.connections.contains(click))
    graph.decide(joined, frame: 100, closed: 200)
    // The gate stays closed until the server has made the connection.
    #expect(graph.reconciler.mustClose(owner) && !graph.reconciler.isClosing)
    graph.carryOut()
    graph.decide(joined, frame: 150, closed: 250)
    #expect(!graph.reconciler.mustClose(owner) && graph.server.connections.contains(click))
    let other = GraphRig(system)
    other.go(try Show.standard())
    other.decide(joined, new: "Click")
    #expect(!other.reconciler.mustClose(owner) && other.reconciler.connections.count == 2)
  }

  @Test("The gate opens again if the server refuses a source that joins, or if it is no longer wanted")
  func doesNotJoin() throws {
    let sources = ["Band:out_*", "Click:*"].map { StreamSource.ports(ProgramPorts($0)!) }
    let joined = try Show.standard(.stream("show", "band", .sources(sources)))
    let graph = GraphRig(system)
    graph.go(try Show.standard())
    graph.server.refuse(sources: ["Click:out_1"])
    for frame: UInt64 in [0, 100, 200] { graph.go(joined, frame: frame, closed: frame + 100) }
    #expect(graph.reconciler.hasRefusals && !graph.reconciler.mustClose(owner))
    let other = GraphRig(system)
    other.go(try Show.standard())
    other.go(joined, frame: 0, closed: 100)
    other.go(try Show.standard(), frame: 100, closed: 200)
    #expect(!other.reconciler.mustClose(owner))
  }

  @Test("A connection that is wanted again before its gate has closed stays")
  func wantedAgain() throws {
    let graph = GraphRig(system)
    graph.go(try Show.standard())
    graph.go(try Show.standard(withoutSources), frame: 0, closed: 100)
    graph.go(try Show.standard(), frame: 50, closed: 150)
    #expect(!graph.reconciler.isClosing)
    #expect(graph.server.connectionCounts[band] == 1)
    #expect(graph.server.connections.contains(band))
  }

  @Test("A connection made by hand is not removed when it is no longer wanted")
  func handMade() throws {
    let graph = GraphRig(system)
    graph.server.connectByHand(band[0], to: band[1])
    graph.look()
    graph.go(try Show.standard())
    #expect(graph.server.connectionCounts[band] == nil)
    for frame: UInt64 in [0, 1_000, 2_000] {
      graph.go(try Show.standard(withoutSources), frame: frame, closed: frame + 100)
    }
    #expect(graph.server.connections.contains(band))
    #expect(!graph.server.connections.contains(["Band:out_2", "multiroute:show.band_2"]))
  }

  @Test("A connection to a device that disappeared is forgotten, and made again when the device returns")
  func farEnd() throws {
    let graph = GraphRig(system)
    let state = try Show.standard()
    graph.go(state)
    graph.server.unplug("Band")
    graph.look()
    graph.go(state)
    #expect(!graph.reconciler.isClosing)
    graph.server.plug(Show.program("Band", 2))
    graph.look()
    graph.go(state)
    #expect(graph.server.connectionCounts[band] == 2)
  }

  @Test("A refused connection is asked for again only after a wait, and opens no gate")
  func refused() throws {
    let graph = GraphRig(system)
    graph.server.refuse(sources: ["Band:out_1"])
    let state = try Show.standard()
    for _ in 0..<3 { graph.go(state) }
    #expect(graph.reconciler.hasRefusals && graph.reconciler.connections.isEmpty)
    graph.server.refuse(sources: [])
    graph.go(state)
    #expect(!graph.server.connections.contains(band))
    graph.go(state, mayRetry: true)
    #expect(graph.server.connections.contains(band))
    graph.go(state)
    #expect(!graph.reconciler.hasRefusals)
  }
}
