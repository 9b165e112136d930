import Foundation
import OSC
import TestKit
import Testing

/// The desktop's own mixer, which sets volumes and mutes at PipeWire behind the router.
@Suite struct MixerTests {
  private static let preset = """
    { "multiroute": 1, "ports": {
      "usb": { "type": "usbAudio", "outputs": ["Acme Box:playback_*"], "channels": 2 } },
    "sessions": { "show": { "category": "multiRoute", "activate": "start", "streams": {
      "band": { "channels": 2, "from": ["pw-cat:output_*"], "to": { "usb": 0 } } } } } }
    """
  private static let why = "/session/show/why"

  @Test("why follows the volumes and mutes that the desktop's mixer gives to a device and a program")
  func volumes() async throws {
    let rack = try await Rack(Self.preset) { pipewire, stage in
      try pipewire.plug("alsa_output.usb-1", "Acme Box", "device.bus=usb")
      try pipewire.plug("alsa_output.pci-1", "Desk")
      try pipewire.makeDefault("alsa_output.pci-1")
      try stage.do("device Ear 2 0")
      for device in ["Acme Box", "Desk"] { _ = try stage.monitors(of: device) }
    }
    let player = try ChildProcess(
      "pw-cat", ["--playback", rack.tone(seconds: 60)], environment: rack.pipewire.environment)
    try rack.listen(to: rack.stage.monitors(of: "Acme Box"))
    try rack.stage.do("wait-signal Ear 1 -20")
    try rack.surface.subscribe(Self.why)

    func set(_ node: String, _ properties: String, to parts: String...) throws {
      try rack.pipewire.set(node, "{ \(properties) }")
      // The session manager also connects the player to the default device.
      func isExpected(_ sentence: String?) -> Bool {
        sentence?.components(separatedBy: "; ").filter { !$0.hasPrefix("also heard directly") } == parts
      }
      if try !isExpected(rack.surface.text(Self.why)) {
        try rack.surface.wait(for: Self.why) { isExpected($0.arguments.first?.text) }
      }
    }
    let (card, silent) = ("alsa_output.usb-1", "silent: the desktop's mixer lets nothing through")
    try set(card, "mute: true", to: silent, "usb is muted in the desktop's mixer")
    #expect(try rack.surface.text("/output/usb/desktop") == "muted in the desktop's mixer")
    try set(
      card, "mute: false, channelVolumes: [ 0.027, 0.001 ]",
      to: "heard at usb", "usb is turned down to 30 % in the desktop's mixer")
    try set(card, "channelVolumes: [ 1.0, 1.0 ]", to: "heard at usb")
    try set("pw-cat", "mute: true", to: silent, "pw-cat is muted in the desktop's mixer")
    try rack.stage.do("frames 9600")
    #expect(try rack.tone(997, at: 1) < -100)
    try set(
      "pw-cat", "mute: false, channelVolumes: [ 0.125, 0.125 ]",
      to: "heard at usb", "pw-cat is turned down to 50 % in the desktop's mixer")
    withExtendedLifetime(player) {}
  }
}
