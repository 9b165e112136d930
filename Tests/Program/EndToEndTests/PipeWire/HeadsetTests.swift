import TestKit
import Testing

/// A Bluetooth headset that changes its profile, as PipeWire shows it: its nodes go, and others come.
@Suite("Under PipeWire, a headset that changes its profile") struct HeadsetTests {
  private static let preset = """
    { "multiroute": 1, "sessions": { "call": {
      "category": "playAndRecord", "options": ["allowBluetoothHFP", "mixWithOthers"], "activate": "start",
      "streams": { "v": { "channels": 1, "from": ["Far:out_*"] } },
      "capture": { "channels": 1, "to": ["Far:in_*"] } } } }
    """

  private enum Node: CaseIterable { case output, input }

  private func plug(_ node: Node, _ rack: Rack) throws {
    let profile = "device.api=bluez5 api.bluez5.profile=headset-head-unit"
    switch node {
    case .output: try rack.pipewire.plug("bluez_output.X.1", "Headset", channels: "MONO", profile)
    case .input: try rack.pipewire.plug("bluez_input.X", "Headset", isSource: true, channels: "MONO", profile)
    }
  }

  @Test(
    "is one device, whichever direction comes first, beside another microphone and another headset",
    arguments: [true, false])
  func oneDevice(outputFirst: Bool) async throws {
    let rack = try await Rack(Self.preset) { pipewire, stage in
      try pipewire.plug("alsa_output.usb-1", "Scarlett", "device.bus=usb")
      try pipewire.plug("alsa_input.usb-1", "Scarlett", isSource: true, "device.bus=usb")
      try pipewire.plug("alsa_input.pci-1", "Lid", isSource: true, "device.form-factor=internal")
      try pipewire.plug("bluez_output.Y.1", "Other", "device.api=bluez5 api.bluez5.profile=a2dp-sink")
      try pipewire.plug("bluez_output.X.1", "Headset", "device.api=bluez5 api.bluez5.profile=a2dp-sink")
      try stage.do("await-port Headset:monitor_FR")
      try stage.do("duplex Far 1")
    }
    let surface = rack.surface
    _ = try rack.stage.ask({ try surface.text("/output/headset/type") }) { $0 == "bluetoothA2DP" }
    try rack.pipewire.unplug("bluez_output.X.1")
    _ = try rack.stage.ask({ try surface.number("/output/headset/available") }) { $0 == 0 }
    for node in outputFirst ? [Node.output, .input] : [.input, .output] { try plug(node, rack) }
    // The output of the other profile keeps its id, so that levels of the two do not mix.
    let route = try rack.stage.ask({ try surface.text("/session/call/route") }) {
      $0 == "in:headset out:headset-2"
    }
    #expect(route == "in:headset out:headset-2")
    #expect(try surface.text("/output/headset-2/name") == "Headset")
    #expect(try surface.text("/output/headset-2/type") == "bluetoothHFP")
  }
}
