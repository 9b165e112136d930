import ServerInterface
import SessionModel
import Testing

@testable import Router

/// Which paths of latency are declared to the server.
@Suite struct LatencyLoopTests {
  /// A program with two inputs and two outputs.
  private static func duplex(_ name: String) -> [SystemPort] {
    (1...2).map { SystemPort(name: "\(name):in_\($0)", isInput: true) }
      + (1...2).map { SystemPort(name: "\(name):out_\($0)", isInput: false) }
  }

  private static func output(_ id: PortID, _ glob: String) -> Event {
    .declarePort(.output, Show.port(id, .lineOut, [glob], channels: 2))
  }

  private static func stream(_ id: StreamID, from glob: String, to output: PortID) -> [Event] {
    [
      .createStream("show", id, channels: 2, placed: false),
      .stream("show", id, .sources([.ports(ProgramPorts(glob)!)])),
      .destination("show", id, output, .on(true)),
    ]
  }

  /// The declared paths through a router whose state is made by these events, as names of its ports.
  private func paths(_ ports: [SystemPort], _ events: [Event], cables: [Link] = []) async -> Set<[String]> {
    let server = MemoryServer(ports)
    let router = Router(Router.Settings(), server: server, isInline: true)
    let session: [Event] = [
      .createSession("show", SessionConfiguration(category: .multiRoute, options: .mixWithOthers)),
      .session("show", .activation(.start)),
    ]
    await router.perform { router in
      router.join()
      for event in session + events { router.happen(event) }
      router.connection?.settling = PortSettling()
      router.wire()
      for cable in cables { server.connectByHand(cable.source, to: cable.sink) }
      router.tick()
    }
    router.executor.stop()
    let names = server.ours.mapValues { String($0.dropFirst("multiroute:".count)) }
    return Set(server.paths.map { [names[$0.source] ?? "", names[$0.sink] ?? ""] })
  }

  @Test("A path from a client to the same client is not declared, and its other paths are")
  func direct() async {
    let events =
      [Self.output("obs", "OBS:in_*"), Self.output("usb", "USB:playback_*")]
      + Self.stream("guest", from: "OBS:out_*", to: "obs") + Self.stream("band", from: "OBS:out_*", to: "usb")
      + Self.stream("music", from: "Band:*", to: "obs")
    let declared = await paths(
      Self.duplex("OBS") + Show.device("USB", playback: 2) + Show.program("Band", 2), events)
    #expect(
      declared == [
        ["show.band_1", "to-usb_1"], ["show.band_2", "to-usb_2"],
        ["show.music_1", "to-obs_1"], ["show.music_2", "to-obs_2"],
      ])
  }

  @Test("A device that is one client with both directions gets no path from its input to its own output")
  func device() async {
    let events =
      [Self.output("usb", "USB:playback_*"), Self.output("phones", "Phones:playback_*")]
      + Self.stream("mic", from: "USB:capture_*", to: "usb")
      + Self.stream("line", from: "USB:capture_*", to: "phones")
    let declared = await paths(
      Show.device("USB", playback: 2, capture: 2) + Show.device("Phones", playback: 2), events)
    #expect(declared == [["show.line_1", "to-phones_1"], ["show.line_2", "to-phones_2"]])
  }

  @Test("Paths that lead back through another program are not declared; a device ends the path")
  func throughOthers() async {
    let programs = Self.duplex("OBS") + Self.duplex("Call") + Show.device("USB", playback: 2, capture: 2)
    let outputs = [
      Self.output("obs", "OBS:in_*"), Self.output("call", "Call:in_*"), Self.output("usb", "USB:playback_*"),
    ]
    let around = await paths(
      programs,
      outputs + Self.stream("a", from: "OBS:out_*", to: "call")
        + Self.stream("b", from: "Call:out_*", to: "obs"))
    #expect(around == [])
    let conversation = await paths(
      programs,
      outputs + Self.stream("a", from: "USB:capture_*", to: "call")
        + Self.stream("b", from: "Call:out_*", to: "usb"))
    #expect(
      conversation == [
        ["show.a_1", "to-call_1"], ["show.a_2", "to-call_2"], ["show.b_1", "to-usb_1"],
        ["show.b_2", "to-usb_2"],
      ])
  }

  @Test("A connection that the operator makes by hand counts, too")
  func byHand() async {
    let events =
      [Self.output("usb", "USB:playback_*")] + Self.stream("band", from: "Band:*", to: "usb")
    let ports = Self.duplex("OBS") + Show.device("USB", playback: 2) + Show.program("Band", 2)
    let cables = [
      Link(source: "OBS:out_1", sink: "multiroute:show.band_1"),
      Link(source: "multiroute:to-usb_1", sink: "OBS:in_1"),
    ]
    let declared = await paths(ports, events, cables: cables)
    #expect(declared == [["show.band_2", "to-usb_2"]])
  }
}
