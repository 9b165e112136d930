import ServerInterface
import SessionModel
import Testing

@testable import Router

@Suite("Cables past the router") struct DirectConnectionsTests {
  private let backend = MemoryServer(
    Show.devices + Show.program("Band", 3) + Show.program("Game", 1)
      + [SystemPort(name: "Phone:in", isInput: true), SystemPort(name: "Phone:in_2", isInput: true)],
    clientName: "multiroute")

  private func direct(_ events: Event..., except ignored: Set<Link> = []) throws -> DirectConnections {
    var state = try Show.standard()
    state = try Show.state(events, from: state)
    var graph = GraphSnapshot()
    graph.ports = backend.others
    for port in graph.ports { graph.connections[port.name] = backend.connections(of: port.name) }
    return DirectConnections(
      WantedLinks(state, backend.others, client: "multiroute"), graph, client: "multiroute", except: ignored)
  }

  private var sources: Event { .stream("show", "band", .sources([.ports(ProgramPorts("Band:out_1")!)])) }
  private let band = StreamAddress(session: "show", stream: "band")

  @Test(
    "A stream's ports, and other ports of its program at devices, are found; cables that are being removed are not"
  )
  func streams() throws {
    backend.connectByHand("Band:out_1", to: "Headphones:playback_1")
    backend.connectByHand("Band:out_3", to: "Headphones:playback_2")
    backend.connectByHand("Band:out_1", to: "multiroute:show.band_1")
    #expect(try direct(sources).sinks == [band: ["Headphones:playback_1", "Headphones:playback_2"]])
    let removed = Link(source: "Band:out_1", sink: "Headphones:playback_1")
    #expect(try direct(sources, except: [removed]).sinks == [band: ["Headphones:playback_2"]])
  }

  @Test("A program of no session is listed with the devices at which it plays")
  func strangers() throws {
    backend.connectByHand("Game:out_1", to: "Headphones:playback_1")
    #expect(
      try direct(sources).programs == [DirectProgram(client: "Game", sinks: ["Headphones:playback_1"])])
  }

  @Test("What the ports of a capture receive from others is found")
  func captures() throws {
    backend.connectByHand("Game:out_1", to: "Phone:in")
    let found = try direct(
      .session("show", .captureChannels(1)),
      .session("show", .captureDestinations([ProgramPorts("Phone:in")!])))
    #expect(found.sources == ["show": ["Game:out_1"]])
  }
}
