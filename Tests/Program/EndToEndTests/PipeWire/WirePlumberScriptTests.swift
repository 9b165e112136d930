import Foundation
import TestKit
import Testing

/// The script that `presets show --wireplumber` prints, in WirePlumber itself.
@Suite struct WirePlumberScriptTests {
  private static let preset = """
    { "multiroute": 1, "ports": {
      "usb": { "type": "usbAudio", "outputs": ["Acme Box:playback_*"], "channels": 2 } },
    "sessions": { "show": { "category": "multiRoute", "activate": "start", "streams": {
      "band": { "channels": 2, "from": ["pw-cat:output_*"], "to": { "usb": 0 } },
      "film": { "channels": 2, "from": ["gst-launch-1.0:output_*"], "exclusive": true, "to": { "usb": 0 } } } } } }
    """

  /// The files of the script and of what loads it, where WirePlumber 0.4 and 0.5 look for them.
  private func configuration() throws -> [String: String] {
    let folder = try TemporaryFolder()
    let file = try folder.write(Self.preset, to: "show.json")
    let script = try Program.run(["presets", "show", file, "--wireplumber"]).output
    return [
      "wireplumber/scripts/multiroute-show.lua": script,
      "wireplumber/main.lua.d/60-multiroute-show.lua": "load_script(\"multiroute-show.lua\")\n",
      "../.local/share/wireplumber/scripts/multiroute-show.lua": script,
      "wireplumber/wireplumber.conf.d/60-multiroute-show.conf": """
      wireplumber.components = [
        { name = multiroute-show.lua, type = script/lua, provides = custom.multiroute }
      ]
      wireplumber.profiles = { main = { custom.multiroute = required } }

      """,
    ]
  }

  @Test("With the script the session manager leaves the preset's programs alone, and connects all others")
  func script() async throws {
    let rack = try await Rack.desk(Self.preset, configuration: try configuration())
    let (stage, file) = (rack.stage, try rack.tone(seconds: 20))
    let recorder = DeviceRecorder(stage: stage, folder: rack.folder)
    let sound = try recorder.hear(["Ear"], clock: .realTime) {
      for _ in 1...5 {
        let player = try ChildProcess("pw-cat", ["--playback", file], environment: rack.pipewire.environment)
        for (number, channel) in ["FL", "FR"].enumerated() {
          try stage.do("await-connection pw-cat:output_\(channel) multiroute:show.band_\(number + 1)")
        }
        try stage.do("frames 9600")
        #expect(try stage.names("connections pw-cat:output_FL") == ["multiroute:show.band_1"])
        player.send(signal: SIGKILL)
        try stage.do("await-port pw-cat:output_FL gone")
      }
    }
    for channel in sound[0].channels {
      #expect(channel.allSatisfy { $0 == 0 }, "the player was heard at the desk")
    }

    let other = try ChildProcess(
      "pw-cat", ["--playback", "--properties", "{ node.name = Other, application.name = Other }", file],
      environment: rack.pipewire.environment)
    try stage.do("await-connection Other:output_FL Desk:playback_FL")
    try stage.do("wait-signal Ear 1 -20")
    withExtendedLifetime(other) {}
  }

  @Test(
    "With the script a program of PulseAudio is heard through the router, which alone frees it from the desk once its server has answered it"
  )
  func pulse() async throws {
    let rack = try await Rack.desk(Self.preset, configuration: try configuration())
    try rack.pipewire.startPulse()
    try rack.listen(to: rack.stage.monitors(of: "Acme Box"))
    let words = ["audiotestsrc", "freq=997", "!", "pulsesink"]
    let player = try ChildProcess("gst-launch-1.0", words, environment: rack.pipewire.environment)
    try rack.stage.do("await-port gst-launch-1.0:output_FL")
    // The server sees the connection to the desk late.
    try rack.pipewire.withPulseStopped { try rack.stage.do("frames 9600") }
    try rack.stage.do("await-connection gst-launch-1.0:output_FL multiroute:show.film_1")
    try rack.stage.do("await-connection gst-launch-1.0:output_FL Desk:playback_FL gone")
    try rack.stage.do("wait-signal Ear 1 -20")
    withExtendedLifetime(player) {}
  }
}
