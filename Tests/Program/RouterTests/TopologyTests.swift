import MixEngine
import SessionModel
import Testing

@testable import Router

@Suite struct TopologyTests {
  /// The crosspoints from a stream's ports to an output as `channel>port` with their scales.
  private func cells(_ state: RouterState, to port: PortID) -> [String: Float] {
    var cells: [String: Float] = [:]
    for cell in TopologyBuilder.topology(of: state).cells {
      guard case .port(.output(port, let sink)) = cell.key.sink,
        case .port(.stream(_, _, let channel)) = cell.key.row.source
      else { continue }
      cells["\(channel)>\(sink)"] = cell.key.scale
    }
    return cells
  }

  private func route(_ text: String, of stream: StreamID = "band") throws -> Event {
    .stream("show", stream, .route(try StreamRoute(text)))
  }

  @Test(
    "A route becomes crosspoints, channel by channel",
    arguments: [
      ("band", "usb", ["1>1": 1, "2>2": 1]), ("band", "usb:3-4", ["1>3": 1, "2>4": 1]),
      ("band", "usb:1:4+2:1", ["1>4": 1, "2>1": 1]),
      ("click", "usb", ["1>1": 1, "1>2": 1]), ("click", "usb:2-4", ["1>2": 1, "1>3": 1, "1>4": 1]),
      ("click", "none", [:]),
    ] as [(StreamID, String, [String: Float])])
  func routes(stream: StreamID, text: String, expected: [String: Float]) throws {
    let other: StreamID = stream == "band" ? "click" : "band"
    #expect(
      cells(try Show.standard(route("none", of: other), route(text, of: stream)), to: "usb") == expected)
  }

  @Test("A stream has no crosspoint to an output that its guard forbids, or to a destination that is off")
  func guards() throws {
    #expect(cells(try Show.standard(.stream("show", "band", .never(["usb"]))), to: "usb").isEmpty)
    #expect(cells(try Show.standard(.destination("show", "band", "usb", .on(false))), to: "usb").isEmpty)
  }

  private func stages(_ tap: Tap) throws -> [StageKey] {
    let state = try Show.standard(.destination("show", "band", "usb", .tap(tap)))
    let cell = TopologyBuilder.topology(of: state).cells.first {
      $0.key.row.source == .port(.stream("show", "band", 1))
    }
    return cell?.key.row.stages ?? []
  }

  @Test("Each tap has the stages that the law describes")
  func taps() throws {
    let gates: [StageKey] = [.sessionGate("show"), .streamGate("show", "band")]
    let mutes: [StageKey] = [.sessionMute("show"), .streamMute("show", "band")]
    let gains: [StageKey] = [
      .sessionGain("show"), .streamGain("show", "band"), .streamPan("show", "band", channel: 0),
    ]
    #expect(try stages(.input) == gates)
    #expect(try stages(.pre) == gates + mutes)
    #expect(try stages(.post) == gates + mutes + gains)
  }

  @Test("An input as a source has its own stages, and a mono input feeds all channels of the stream")
  func inputs() throws {
    let state = try Show.standard(.stream("show", "band", .sources([.input("mic", channels: nil)])))
    let cells = TopologyBuilder.topology(of: state).cells.filter {
      $0.key.row.source == .port(.input("mic", 1))
    }
    #expect(cells.map(\.key.sink) == [.port(.output("usb", 1)), .port(.output("usb", 2))])
    #expect(
      cells.first?.key.row.stages.prefix(3) == [.inputGate("mic"), .inputMute("mic"), .inputGain("mic")])
  }

  @Test("Exempt streams, and sends that are tapped before the mutes, have no duck stage")
  func exempt() throws {
    let state = try Show.standard(
      .stream("show", "click", .duckExempt(true)), .destination("show", "band", "headphones", .tap(.input)),
      .destination("show", "band", "headphones", .on(true)))
    for cell in TopologyBuilder.topology(of: state).cells {
      let isDucked = cell.send == .stream("show", "band", "usb")
      #expect(cell.key.row.ducked == (isDucked ? "show" : nil), "\(cell.send)")
    }
  }

  @Test("A session that is not multiRoute is heard at the one output of its route")
  func singleOutput() throws {
    let state = try Show.standard(
      .createSession("announce", SessionConfiguration(category: .playback, options: .mixWithOthers)),
      .createStream("announce", "main", channels: 2, placed: false),
      .session("announce", .preferredOutput("usb")))
    let sinks = TopologyBuilder.topology(of: state).cells
      .filter { $0.key.row.source == .port(.stream("announce", "main", 1)) }.map(\.key.sink)
    #expect(sinks == [.port(.output("usb", 1))])
  }

  @Test(
    "A capture contains the input of its session's route and its mix, and mono sources feed all its channels")
  func captures() throws {
    let base: [Event] = [
      .session("show", .captureChannels(2)),
      .createSession("talk", SessionConfiguration(category: .multiRoute, options: .mixWithOthers)),
      .createStream("talk", "main", channels: 1, placed: false),
      .captureSession("show", "talk", .on(true)),
    ]
    func captured(_ more: [Event]) throws -> [String] {
      TopologyBuilder.topology(of: try Show.state(Show.ports + Show.session + [Show.present] + base + more))
        .cells
        .compactMap { cell in
          guard case .port(.capture("show", let channel)) = cell.key.sink else { return nil }
          return "\(cell.key.row.source.port?.name ?? "")>\(channel)"
        }
    }
    #expect(try captured([]).sorted() == ["from-mic_1>1", "from-mic_1>2", "talk.main_1>1", "talk.main_1>2"])
    #expect(
      try captured([.session("show", .captureRoute(false))]).sorted() == ["talk.main_1>1", "talk.main_1>2"])
    #expect(
      try captured([.captureInput("show", "mic", .on(false)), .captureSession("show", "talk", .on(false))])
        .isEmpty)
  }

  @Test("The two inputs of a dualRoute session are the channels of its capture, side by side")
  func dualCapture() throws {
    let events: [Event] = [
      .declarePort(.input, Show.port("hsmic", .headsetMic, ["Headset:capture_1"], channels: 1)),
      .portsPresent([PortPresence(.input, "hsmic", members: ["Headset:capture_1"])]),
      .configure(
        "show",
        SessionConfiguration(category: .multiRoute, mode: .dualRoute, options: .allowBluetoothHFP)),
      .session("show", .captureChannels(2)),
    ]
    let state = try Show.standard()
    let dual = try Show.state(events, from: state)
    #expect(dual.sessions["show"]?.route.inputs == ["mic", "hsmic"])
    let cells = TopologyBuilder.topology(of: dual).cells.compactMap { cell -> String? in
      guard case .port(.capture("show", let channel)) = cell.key.sink else { return nil }
      return "\(cell.key.row.source.port?.name ?? "")>\(channel) x\(cell.key.scale)"
    }
    #expect(cells == ["from-mic_1>1 x1.0", "from-hsmic_1>2 x1.0"])
    // With a setting of its own, the input is separate again and feeds all channels.
    let explicit = try Show.state([.captureInput("show", "hsmic", .on(true))], from: dual)
    #expect(!explicit.hasSameTopology(as: dual))
  }

  @Test("The members of a group change the topology only if a talkback speaks to them")
  func talkbackGroups() throws {
    func members(_ text: String) -> Event { .group("ears", .set(.members([GroupPattern(text)!]))) }
    let quiet = try Show.state([.group("ears", .create), members("output:usb")], from: Show.standard())
    let state = try Show.state([.session("show", .talkback(.outputs([], groups: ["ears"])))], from: quiet)
    #expect(!state.hasSameTopology(as: quiet))
    let other = members("output:headphones")
    #expect(try Show.state([other], from: quiet).hasSameTopology(as: quiet))
    #expect(try !Show.state([other], from: state).hasSameTopology(as: state))
    for event in [.group("ears", .set(.gain(.set(-6)))), members("output:us*")] {
      #expect(try Show.state([event], from: state).hasSameTopology(as: state), "\(event)")
    }
  }

  @Test("Routes and ports change the topology, and levels do not")
  func sameTopology() throws {
    let state = try Show.standard()
    for event: Event in [
      .stream("show", "band", .gain(.set(-6))), .session("show", .muted(true)),
      .deactivate("show", notifyingOthers: false),
      .destination("show", "band", "usb", .gain(.set(-3))), .router(.panic(true)),
    ] { #expect(try Show.standard(event).hasSameTopology(as: state), "\(event)") }
    for event: Event in [
      .destination("show", "band", "usb", .on(false)), .destination("show", "band", "usb", .tap(.pre)),
      .removeStream("show", "click"), .stream("show", "click", .duckExempt(true)),
      .stream("show", "click", .never(["usb"])), .session("show", .captureChannels(1)), try route("usb:3-4"),
    ] { #expect(try !Show.standard(event).hasSameTopology(as: state), "\(event)") }
  }
}
