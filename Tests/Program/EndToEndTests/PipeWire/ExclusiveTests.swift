import OSC
import TestKit
import Testing

/// A native PipeWire player, which WirePlumber links to the default sink, and a router that plays it at another device.
@Suite struct ExclusiveTests {
  private static let preset = """
    { "multiroute": 1, "ports": {
      "usb": { "type": "usbAudio", "outputs": ["Acme Box:playback_*"], "channels": 2 } },
    "sessions": { "show": { "category": "multiRoute", "activate": "start", "streams": {
      "band": { "channels": 2, "from": ["pw-cat:output_*"], "to": { "usb": 0 } } } } } }
    """

  private let rack: Rack
  private let source: ChildProcess

  init() async throws {
    rack = try await Rack(Self.preset) { pipewire, stage in
      try pipewire.plug("alsa_output.usb-1", "Acme Box", "device.bus=usb")
      try pipewire.plug("alsa_output.pci-1", "Desk")
      try pipewire.plug("alsa_output.pci-2", "Lounge")
      try pipewire.makeDefault("alsa_output.pci-1")
      try stage.do("device Ear 4 0")
      for device in ["Acme Box", "Desk", "Lounge"] { _ = try stage.monitors(of: device) }
    }
    source = try ChildProcess(
      "pw-cat", ["--playback", rack.tone(seconds: 60)], environment: rack.pipewire.environment)
    try rack.listen(to: rack.stage.monitors(of: "Acme Box"))
    try rack.listen(to: rack.stage.monitors(of: "Desk"), from: 3)
    try rack.stage.do("wait-signal Ear 1 -20")
  }

  private static let exclusive = "/session/show/stream/band/exclusive"

  @Test(
    "A player that is moved twenty times without a pause is left at its last device when the router ends",
    arguments: 0..<2)
  func movesQuickly(last: Int) throws {
    let nodes = ["alsa_output.pci-1", "alsa_output.pci-2"]
    try awaitDirect(true)
    try rack.surface.send(Self.exclusive, 1)
    try awaitDirect(false)
    try rack.pipewire.move("pw-cat", along: (0...20 + last).map { nodes[$0 % 2] })
    // The session manager carries out a move a moment after it has been asked.
    try rack.stage.do("frames 24000")
    #expect(rack.router.terminate().code == 0)
    let device = ["Desk", "Lounge"][last]
    // A connection that never comes shows below, with those that are there instead.
    try? awaitDirect(true, at: device)
    for channel in ["FL", "FR"] {
      let left = try rack.stage.names("connections pw-cat:output_\(channel)")
      #expect(left == ["\(device):playback_\(channel)"], "the router said: \(rack.router.child.errors.text)")
    }
  }

  private func awaitDirect(_ isThere: Bool, at device: String = "Desk") throws {
    for channel in ["FL", "FR"] {
      try rack.stage.do(
        "await-connection pw-cat:output_\(channel) \(device):playback_\(channel)\(isThere ? "" : " gone")")
    }
  }

  @Test(
    "The router lists direct outputs of a player; while exclusive, the player is heard through the router alone"
  )
  func player() throws {
    let (surface, stage) = (rack.surface, rack.stage)
    try awaitDirect(true)
    try stage.do("wait-signal Ear 3 -20")
    #expect(try surface.text("/session/show/why").contains("also heard directly at Desk:playback_FL"))
    try surface.subscribe("/event/error")

    try surface.send(Self.exclusive, 1)
    try awaitDirect(false)
    // A new device and a new default make the session manager link the player again.
    try rack.pipewire.plug("alsa_output.usb-2", "Other Box")
    _ = try stage.monitors(of: "Other Box")
    try stage.do("frames 60000")
    try rack.pipewire.makeDefault("alsa_output.pci-2")
    try stage.do("frames 60000")
    #expect(try stage.names("connections pw-cat:output_FL") == ["multiroute:show.band_1"])
    #expect(abs(try rack.tone(997, at: 1) + 12.04) < 0.01)
    #expect(try rack.tone(997, at: 3) < -100)
    #expect(try !surface.text("/session/show/why").contains("directly"))
    let told = try surface.takeAll().filter { $0.address == "/event/error" }
    #expect(told.isEmpty, "\(told)")

    // The player returns to the sink to which the session manager linked it last.
    try surface.send(Self.exclusive, 0)
    try awaitDirect(true, at: "Lounge")
    let both = ["Lounge:playback_FL", "multiroute:show.band_1"]
    #expect(try stage.names("connections pw-cat:output_FL").sorted() == both)
    try surface.send(Self.exclusive, 1)
    try awaitDirect(false, at: "Lounge")
    #expect(rack.router.terminate().code == 0)
    try awaitDirect(true, at: "Lounge")
    #expect(try stage.names("connections pw-cat:output_FL") == ["Lounge:playback_FL"])
  }
}
