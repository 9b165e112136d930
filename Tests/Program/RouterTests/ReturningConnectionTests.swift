import ServerInterface
import SessionModel
import SessionPolicy
import Testing

@testable import Router

/// Connections that appear and disappear without a request: a device returns while its gate closes, or the server is busy.
@Suite struct ReturningConnectionTests {
  private func state() throws -> RouterState {
    var state = RouterState()
    let port = Port(
      id: "usb", name: "USB", type: .usbAudio, globs: [PortGlob("USB:in_1")!, PortGlob("USB:in_2")!],
      channels: 2)
    let members = PortPresence(.output, "usb", members: ["USB:in_1", "USB:in_2"])
    for event in [Event.declarePort(.output, port), .portsPresent([members])] {
      _ = try Policy.reduce(&state, event, at: 0)
    }
    return state
  }

  private func look(
    _ graph: GraphRig, _ frame: UInt64, isWanted: Bool = true, mayRetry: Bool = false
  ) throws {
    graph.look()
    let state = isWanted ? try state() : RouterState()
    graph.go(state, frame: frame, closed: frame + 1_000, gone: frame, mayRetry: mayRetry)
  }

  private let device = ["USB:in_1", "USB:in_2"].map { SystemPort(name: $0, isInput: true) }

  @Test("Connections that were lost between two reports are made again behind a closed gate")
  func betweenLooks() throws {
    let graph = GraphRig(device)
    try look(graph, 0)
    #expect(graph.server.connections.count == 2)
    #expect(!graph.reconciler.mustClose(.output("usb")))
    for connection in graph.server.connections {
      graph.server.disconnectByHand(connection[0], from: connection[1])
    }
    try look(graph, 5_000)
    #expect(graph.server.connections.isEmpty)
    #expect(graph.reconciler.mustClose(.output("usb")) && graph.reconciler.isClosing)
    try look(graph, 5_999)
    #expect(graph.server.connections.isEmpty)
    try look(graph, 6_000)
    #expect(graph.server.connections.count == 2)
    #expect(!graph.reconciler.mustClose(.output("usb")) && !graph.reconciler.isClosing)
  }

  @Test("If a user removes one connection, it is made again at once, and the other channels go on")
  func onePulled() throws {
    let graph = GraphRig(device)
    try look(graph, 0)
    graph.server.disconnectByHand("multiroute:to-usb_1", from: "USB:in_1")
    try look(graph, 5_000)
    #expect(graph.server.connections.count == 2)
    #expect(!graph.reconciler.mustClose(.output("usb")))
  }

  @Test(
    "Connections that a busy server makes late are removed behind a closed gate when they are no longer wanted",
    arguments: [false, true])
  func late(isSeen: Bool) throws {
    let graph = GraphRig(device)
    graph.server.beBusy(true)
    try look(graph, 0)
    try look(graph, 50)
    #expect(graph.server.connections.isEmpty && graph.reconciler.hasRefusals)
    graph.server.beBusy(false)
    if isSeen { try look(graph, 100) }
    #expect(graph.server.connections.count == 2)
    try look(graph, 200, isWanted: false)
    #expect(graph.server.connections.count == 2 && graph.reconciler.mustClose(.output("usb")))
    try look(graph, 1_200, isWanted: false)
    #expect(graph.server.connections.isEmpty)
  }

  @Test("An owner that has lost its connections is connected again only when its gate has closed")
  func seen() throws {
    let graph = GraphRig(device)
    graph.reconciler.block(.output("usb"), until: 300)
    try look(graph, 299)
    #expect(graph.server.connections.isEmpty)
    try look(graph, 300)
    #expect(graph.server.connections.count == 2)
  }
}
