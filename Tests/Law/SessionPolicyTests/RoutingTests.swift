import LawWorld
import SessionModel
import Testing

@Suite("Routing: the ports that each session uses")
struct RoutingTests {
  @Test("A multiRoute session uses all eligible outputs at once, and the speaker only if there is no other")
  func multiRoute() throws {
    var world = World()
    try world.start()
    try world.create("show")
    try world.plug("speaker", .builtInSpeaker)
    #expect(world.state.sessions["show"]?.route.outputs == ["speaker"])
    try world.plug("radio", .bluetoothA2DP)
    #expect(world.state.sessions["show"]?.route.outputs == ["speaker"])
    try world.plug("usb", .usbAudio)
    try world.plug("phones", .headphones)
    #expect(world.state.sessions["show"]?.route.outputs == ["usb", "phones"])
  }

  @Test("Network and virtual ports are eligible when a preset names them", arguments: [true, false])
  func named(_ isNamed: Bool) throws {
    var world = World()
    try world.start()
    try world.create("show")
    try world.plug("far", .avb, isNamed: isNamed)
    #expect(world.state.sessions["show"]?.route.outputs == (isNamed ? ["far"] : []))
  }

  @Test(
    "Other categories use the port that arrived last, and the former one when that disappears; built-in ports do not count as arrived"
  )
  func lastIn() throws {
    var world = try World.stage()
    try world.create("music", .playback)
    #expect(world.state.sessions["music"]?.route.outputs == ["headphones"])
    try world.plug("speaker", .builtInSpeaker)
    try world.plug("ear", .builtInReceiver)
    #expect(world.state.sessions["music"]?.route.outputs == ["headphones"])
    try world.unplug("headphones")
    #expect(world.state.sessions["music"]?.route.outputs == ["usb"])
    try world.unplug("usb")
    #expect(world.state.sessions["music"]?.route.outputs == ["speaker"])
    try world.unplug("speaker")
    #expect(world.state.sessions["music"]?.route.outputs == [])
  }

  @Test("Sessions do not move to a found port while the preset names any, unless the operator allows it")
  func automatic() throws {
    var world = World()
    try world.start()
    try world.create("music", .playback)
    try world.plug("found", .lineOut, isNamed: false)
    #expect(world.state.sessions["music"]?.route.outputs == ["found"])
    try world.plug("usb", .usbAudio)
    try world.present(["found"])
    try world.unplug("found")
    try world.present(["found"])
    #expect(world.state.sessions["music"]?.route.outputs == ["usb"])
    let told = try world.handle(.port(.output, "found", .automatic(true)))
    #expect(told.routeReasons == ["music": .routeConfigurationChange])
    #expect(world.state.sessions["music"]?.route.outputs == ["found"])
    // The operator may still prefer such a port.
    try world.handle(.port(.output, "found", .automatic(false)))
    #expect(
      try world.handle(.session("music", .preferredOutput("found"))).routeReasons == ["music": .override])
  }

  @Test("The input is the last arrived one that the category may use")
  func input() throws {
    var world = try World.stage()
    try world.create("show")
    #expect(world.state.sessions["show"]?.route.input == "mic")
    try world.plug("usb", .usbAudio, channels: 2, .input)
    #expect(world.state.sessions["show"]?.route.input == "usb")
    try world.plug("call", .bluetoothHFP, channels: 1, .input)
    #expect(world.state.sessions["show"]?.route.input == "usb")
    #expect(try world.unplug("usb", .input).routeReasons == ["show": .oldDeviceUnavailable])
    #expect(world.state.sessions["show"]?.route.input == "mic")
  }

  @Test("Each route change has its reason, and only affected active sessions are notified")
  func reasons() throws {
    var world = try World.stage()
    try world.create("show")
    try world.create("music", .playback, options: .mixWithOthers)
    try world.create("idle", .playback, isActive: false)
    #expect(
      try world.unplug("headphones").routeReasons == [
        "show": .oldDeviceUnavailable, "music": .oldDeviceUnavailable,
      ])
    #expect(
      try world.present(["headphones"]).routeReasons == [
        "show": .newDeviceAvailable, "music": .newDeviceAvailable,
      ])
    // The session music uses the headphones and stays there.
    #expect(
      try world.handle(.port(.output, "usb", .plugged(false))).routeReasons == ["show": .oldDeviceUnavailable]
    )
    #expect(
      try world.handle(.port(.output, "headphones", .plugged(false))).routeReasons == [
        "show": .noSuitableRouteForCategory, "music": .noSuitableRouteForCategory,
      ])
    #expect(
      try world.handle(.port(.output, "usb", .plugged(true))).routeReasons == [
        "show": .newDeviceAvailable, "music": .newDeviceAvailable,
      ])
    #expect(world.state.sessions["idle"]?.route.outputs == ["usb"])
    #expect(world.state.sessions["show"]?.isActive == true)
  }

  @Test("One device replaces another in one event")
  func exchange() throws {
    var world = try World.stage()
    try world.declare("new", .usbAudio, channels: 2)
    try world.create("music", .playback)
    let told = try world.handle(
      .portsPresent([
        PortPresence(.output, "headphones", members: [nil, nil]),
        PortPresence(.output, "new", members: ["n:1", "n:2"]),
      ]))
    #expect(told.routeReasons == ["music": .oldDeviceUnavailable])
    #expect(world.state.sessions["music"]?.route.outputs == ["new"])
  }

  /// What happens while a headset changes from music to a call, in all orders: its A2DP output goes, and its HFP output and input come. A
  /// microphone and another headset are there.
  @Test(
    "A headset that changes its profile is one device in both directions, whichever of its ports comes first",
    arguments: [true, false])
  func headset(knowsDevices: Bool) throws {
    func device(_ name: String) -> String? { knowsDevices ? "api.bluez5.address \(name)" : nil }
    typealias Change = (inout World) throws -> Void
    func plug(_ id: PortID, _ type: PortType, _ direction: Direction, _ name: String) -> Change {
      { world in
        try world.declare(id, type, channels: 1, direction)
        // Two headsets of one model have one name, if the server tells them apart.
        try world.handle(.port(direction, id, .name(knowsDevices ? "Model" : name)))
        try world.handle(
          .portsPresent([PortPresence(direction, id, members: ["\(id):1"], device: device(name))]))
      }
    }
    let changes: [Change] = [
      { try $0.unplug("mine") }, plug("mine-2", .bluetoothHFP, .output, "Mine"),
      plug("mine", .bluetoothHFP, .input, "Mine"),
    ]
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      for hasOther in [true, false] {
        var world = World()
        try world.start()
        try world.plug("desk", .usbAudio, channels: 1, .input)
        try world.plug("speaker", .builtInSpeaker)
        if hasOther {
          try plug("other", .bluetoothHFP, .output, "Other")(&world)
          try plug("other", .bluetoothHFP, .input, "Other")(&world)
        }
        try plug("mine", .bluetoothA2DP, .output, "Mine")(&world)
        try world.create(
          "call", .playAndRecord, options: [.allowBluetoothHFP, .allowBluetoothA2DP, .mixWithOthers])
        for index in order { try changes[index](&world) }
        let route = try #require(world.state.sessions["call"]).route
        #expect(route.input == "mine" && route.outputs == ["mine-2"], "\(order), \(hasOther): \(route)")
      }
    }
  }
}
