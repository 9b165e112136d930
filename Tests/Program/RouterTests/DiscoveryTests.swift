import ServerInterface
import SessionModel
import Testing

@testable import Router

@Suite struct DiscoveryTests {
  private func members(_ globs: [String], _ direction: Direction, of system: [SystemPort]) throws -> [String?]
  {
    let port = Show.port("it", .usbAudio, globs, channels: 2)
    let state = try Show.state([.declarePort(direction, port)])
    return Discovery(state, system).presences.first?.members ?? []
  }

  @Test("A glob matches all its ports in channel order: 10 comes after 9")
  func order() throws {
    let names = try members(["USB:playback_*"], .output, of: Show.device("USB", playback: 12).shuffled())
    #expect(names == (1...12).map { "USB:playback_\($0)" })
  }

  @Test("A JACK port that is named without wildcard keeps its channel while it is away")
  func absentChannel() throws {
    let names = try members(
      ["Left:playback_1", "Right:playback_1"], .output, of: Show.device("Right", playback: 1))
    #expect(names == [nil, "Right:playback_1"])
  }

  @Test("An output matches only JACK inputs, and an input only JACK outputs")
  func directions() throws {
    let system = Show.device("USB", playback: 1, capture: 1)
    #expect(try members(["USB:*"], .output, of: system) == ["USB:playback_1"])
    #expect(try members(["USB:*"], .input, of: system) == ["USB:capture_1"])
  }

  @Test("Monitor ports match only globs that contain the word monitor")
  func monitors() throws {
    let system = [
      SystemPort(name: "Sink:monitor_FL", isInput: false), SystemPort(name: "Sink:capture_1", isInput: false),
    ]
    #expect(try members(["Sink:*"], .input, of: system) == ["Sink:capture_1"])
    #expect(try members(["Sink:monitor_*"], .input, of: system) == ["Sink:monitor_FL"])
  }

  @Test("The program of a bridge that ends is no device")
  func endingBridge() {
    let system = Show.device("j2n-hall", playback: 2) + Show.device("USB", playback: 2)
    let found = Discovery(RouterState(), system, bridges: ["j2n-hall"]).found
    #expect(found.map(\.1.name) == ["USB"])
  }

  @Test("A JACK port belongs to the first entry that matches it")
  func claimed() throws {
    let state = try Show.state([
      .declarePort(.output, Show.port("main", .usbAudio, ["USB:playback_1", "USB:playback_2"], channels: 2)),
      .declarePort(.output, Show.port("rest", .usbAudio, ["USB:*"], channels: 2)),
    ])
    let presences = Discovery(state, Show.device("USB", playback: 4)).presences
    #expect(
      presences.map(\.members) == [
        ["USB:playback_1", "USB:playback_2"], ["USB:playback_3", "USB:playback_4"],
      ])
  }

  @Test(
    "A port that the server describes as a device's only later is there all the time; a new device's waits")
  func describedLater() {
    let node = SystemNode(name: "null", description: "Box", properties: ["media.class": "Audio/Sink"])
    var early = SystemPort(name: "Box:playback_FL", isInput: true)
    early.origin = .awaited
    var described = early
    described.origin = .node(node)
    let new = SystemPort(name: "USB:playback_1", isInput: true, isPhysical: true, isTerminal: true)
    let program = SystemPort(name: "Band:out_1", isInput: false)
    var graph = GraphSnapshot()
    graph.ports = [early]
    graph.takePrograms(from: [described, new, program])
    #expect(graph.ports == [early, program])
    // A device that is gone waits, too.
    graph.ports = [described, program]
    graph.takePrograms(from: [])
    #expect(graph.ports == [described])
  }

  @Test("Only ports that have changed are reported")
  func unchanged() throws {
    #expect(Discovery(try Show.standard(), Show.devices).presences.isEmpty)
    #expect(Discovery(try Show.standard(), []).presences.count == 3)
  }

  @Test(
    "A device without an entry in the preset is found, with a type guessed from its name",
    arguments: [
      ("Scarlett USB", PortType.usbAudio, "scarlett-usb"), ("HDA HDMI", .hdmi, "hda-hdmi"),
      ("My Headphones", .headphones, "my-headphones"), ("system", .lineOut, "system"),
    ])
  func found(client: String, type: PortType, id: String) throws {
    let found = Discovery(RouterState(), Show.device(client, playback: 2) + Show.program("Band", 2)).found
    #expect(found.count == 1)
    #expect(found.first?.0 == .output)
    #expect(found.first?.1.type == type)
    #expect(found.first?.1.id.name == id)
    #expect(found.first?.1.isNamedByPreset == false)
    #expect(found.first?.1.typeReason.isEmpty == false)
  }

  @Test("Two devices with the same name get different ids, and known devices are not found again")
  func ids() throws {
    let system = Show.device("USB 1", playback: 1) + Show.device("usb-1", playback: 1)
    var state = RouterState()
    for (direction, port) in Discovery(state, system).found {
      var fresh = port
      fresh.members = port.globs.map(\.text)
      state[direction][port.id] = fresh
    }
    #expect(Set(state.outputs.keys.map(\.name)) == ["usb-1", "usb-1-2"])
    #expect(Discovery(state, system).found.isEmpty)
  }

  @Test(
    "A device that is found again has the id that it had, whichever of two devices with one slug is there first or alone"
  )
  func idsAgain() {
    let devices = [Show.device("USB 1", playback: 1), Show.device("usb-1", playback: 1)]
    func found(_ system: [SystemPort], _ known: KnownDevices) -> [String: String] {
      let found = Discovery(RouterState(), system, known: known).found.map(\.1)
      return Dictionary(uniqueKeysWithValues: found.map { ($0.name, $0.id.name) })
    }
    var (state, known) = (RouterState(), KnownDevices())
    for (direction, port) in Discovery(state, devices[0] + devices[1]).found {
      state[direction][port.id] = port
    }
    known.note(state)
    let ids = ["USB 1": "usb-1", "usb-1": "usb-1-2"]
    #expect(found(devices[0] + devices[1], known) == ids)
    #expect(found(devices[1] + devices[0], known) == ids)
    #expect(found(devices[1], known) == ["usb-1": "usb-1-2"])
    #expect(found(devices[1], KnownDevices()) == ["usb-1": "usb-1"])
  }

  // MARK: Names that servers number

  private func port(
    _ name: String, serial: UInt64 = 0, isInput: Bool = true, node: String? = nil,
    _ kind: String = "Audio/Sink"
  ) -> SystemPort {
    var port = SystemPort(
      name: name, isInput: isInput, isPhysical: true, isTerminal: true, uuid: 1 << 32 | (serial + 1))
    let description = String(port.client)
    port.origin =
      node.map {
        .node(SystemNode(name: $0, description: description, properties: ["media.class": kind]))
      } ?? .unknown
    return port
  }

  /// Two cards of the same name, as PipeWire shows them. The second card, `numbered`, has a number in its name.
  private func twins(numbered: Int) -> [SystemPort] {
    [3 - numbered, numbered].enumerated().flatMap { index, card in
      ["FL", "FR"].enumerated().map { channel, name in
        let serial = UInt64(50 + 10 * index + channel)
        let suffix = index == 1 ? "-\(serial)" : ""
        return port("Twin:playback_\(name)\(suffix)", serial: serial, node: "usb-Twin-\(card)")
      }
    }
  }

  private func apply(_ system: [SystemPort], to state: inout RouterState) throws {
    for (direction, id) in Discovery(state, system).superseded { state[direction][id] = nil }
    for (direction, port) in Discovery(state, system).found { state[direction][port.id] = port }
    state = try Show.state([.portsPresent(Discovery(state, system).presences)], from: state)
  }

  @Test(
    "A device keeps its id even if the server gives its client another number",
    arguments: ["Box", "Box-01", "Box-02"], ["Box", "Box-01", "Box-07"])
  func numberedClient(first: String, second: String) throws {
    var state = RouterState()
    try apply(Show.device(first, playback: 2), to: &state)
    #expect(state.outputs.keys == ["box"])
    try apply([], to: &state)
    #expect(state.outputs["box"]?.isAvailable == false)
    try apply(Show.device(second, playback: 2), to: &state)
    #expect(state.outputs.keys == ["box"])
    #expect(state.outputs["box"]?.members == ["\(second):playback_1", "\(second):playback_2"])
  }

  @Test("An entry matches a numbered name only while no device has the exact name")
  func numberedAndNamed() throws {
    #expect(try members(["Box:playback_*"], .output, of: Show.device("Box-01", playback: 2)).count == 2)
    #expect(
      try members(
        ["Box:playback_*"], .output,
        of: Show.device("Box-01", playback: 2) + Show.device("Box", playback: 1)) == ["Box:playback_1"])
    #expect(
      try members(["Box-01:playback_1"], .output, of: Show.device("Box", playback: 1)) == ["Box:playback_1"])
  }

  @Test(
    "A number that is part of a device's name is not ignored", arguments: ["UA-25", "UA-101", "UA-4", "UA"])
  func model(other: String) throws {
    #expect(try members(["UA-1010:playback_1"], .output, of: Show.device(other, playback: 1)) == [nil])
    var state = RouterState()
    try apply(Show.device(other, playback: 1), to: &state)
    #expect(state.outputs.keys.map(\.name) == [other.lowercased()])
  }

  @Test(
    "Nodes tell two identical cards apart, no matter which card has the name without number",
    arguments: [1, 2])
  func identical(numbered: Int) throws {
    var state = RouterState()
    try apply(twins(numbered: numbered), to: &state)
    #expect(state.outputs.keys == ["twin", "twin-2"])
    #expect(state.outputs.values.map { $0.node?.text } == ["usb-Twin-1", "usb-Twin-2"])
    // The cards exchange their names, and one disappears. Each keeps its id.
    try apply(twins(numbered: 3 - numbered), to: &state)
    #expect(state.outputs.keys == ["twin", "twin-2"])
    let second = twins(numbered: 3 - numbered).filter { $0.node?.name == "usb-Twin-2" }
    #expect(state.outputs["twin-2"]?.members == second.map(\.name))
    try apply(second, to: &state)
    #expect(state.outputs["twin"]?.isAvailable == false)
    #expect(state.outputs["twin-2"]?.members == second.map(\.name))
    // The same ports change nothing.
    let settled = state
    try apply(second, to: &state)
    #expect(state == settled)
  }

  @Test(
    "A preset tells identical cards apart by node, which a server without nodes ignores", arguments: [1, 2])
  func byNode(numbered: Int) throws {
    func entry(_ id: PortID, _ node: String) throws -> Event {
      var port = Show.port(id, .usbAudio, ["Twin:playback_*"], channels: 2)
      port.node = PortGlob(node)
      return .declarePort(.output, port)
    }
    var state = try Show.state([try entry("a", "*Twin-2"), try entry("b", "*Twin-1")])
    let system = twins(numbered: numbered)
    try apply(system, to: &state)
    #expect(state.outputs.keys == ["a", "b"])
    for (id, node) in [("a" as PortID, "usb-Twin-2"), ("b", "usb-Twin-1")] {
      #expect(state.outputs[id]?.members == system.filter { $0.node?.name == node }.map(\.name))
    }
    state = try Show.state([try entry("a", "*Twin-2")])
    try apply(Show.device("Twin", playback: 2), to: &state)
    #expect(state.outputs["a"]?.members.count == 2)
  }

  @Test(
    "If a preset begins to name a found card by node, the found port is removed, and that of its twin is not")
  func superseded() throws {
    var state = RouterState()
    try apply(twins(numbered: 2), to: &state)
    var named = Show.port("house", .usbAudio, ["Twin:playback_*"], channels: 2)
    named.node = PortGlob("usb-Twin-2")
    state.outputs["house"] = named
    try apply(twins(numbered: 2), to: &state)
    #expect(state.outputs.keys == ["twin", "house"])
    #expect(state.outputs["twin"]?.node?.text == "usb-Twin-1")
  }

  @Test(
    "A port without a known node belongs to no entry with a node, and is no device before the directory of nodes has answered",
    arguments: [SystemPort.Origin.awaited, .overdue, .absent])
  func unknownNode(_ origin: SystemPort.Origin) throws {
    var entry = Show.port("house", .usbAudio, ["Twin:*"], channels: 2)
    entry.node = PortGlob("usb-*")
    let state = try Show.state([.declarePort(.output, entry)])
    var system = Show.device("Twin", playback: 2) + Show.device("Other", playback: 2)
    for index in system.indices { system[index].origin = origin }
    #expect(Discovery(state, system).found.map(\.1.name) == (origin == .absent ? ["Twin", "Other"] : []))
    #expect(Discovery(state, system).presences.isEmpty)
  }

  @Test("Under PipeWire, the media class of a node decides whether it is a device")
  func classes() {
    let system = [
      port("Mic:input_MONO", serial: 1, node: "mic", "Audio/Source/Virtual"),
      port("Mic:capture_MONO", serial: 2, isInput: false, node: "mic", "Audio/Source/Virtual"),
      port("Player:in_1", serial: 3, node: "player", "Stream/Input/Audio"),
      port("Duplex:playback_1", serial: 4, node: "duplex", "Audio/Duplex"),
      port("Duplex:capture_1", serial: 5, isInput: false, node: "duplex", "Audio/Duplex"),
    ]
    let found = Discovery(RouterState(), system).found
    #expect(found.map { "\($0.0) \($0.1.id)" } == ["output duplex", "input duplex", "input mic"])
  }

  @Test("The channels of a found node are in the order in which PipeWire made them")
  func channelOrder() throws {
    let names = ["FL", "FR", "FC", "LFE", "RL", "RR"]
    let system = names.enumerated().map { index, name in
      port("HDMI:playback_\(name)", serial: UInt64(100 + index), node: "hdmi")
    }
    var state = RouterState()
    try apply(system.shuffled(), to: &state)
    #expect(state.outputs["hdmi"]?.members == names.map { "HDMI:playback_\($0)" })
  }

  @Test("The chosen data source's ports feed an input")
  func dataSource() throws {
    var port = Port(id: "array", name: "array", type: .usbAudio, globs: [], channels: 1)
    port.sources = [
      Port.DataSource(id: "front", globs: [PortGlob("Array:capture_1")!]),
      Port.DataSource(id: "back", globs: [PortGlob("Array:capture_2")!]),
    ]
    let system = Show.device("Array", capture: 2)
    var state = try Show.state([.declarePort(.input, port)])
    #expect(Discovery(state, system).presences.map(\.members) == [["Array:capture_1"]])
    state = try Show.state([.port(.input, "array", .source("back"))], from: state)
    #expect(Discovery(state, system).presences.map(\.members) == [["Array:capture_2"]])
    // The data source that is not selected is not a new device.
    #expect(Discovery(state, system).found.isEmpty)
  }
}
