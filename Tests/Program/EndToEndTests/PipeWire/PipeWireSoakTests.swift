import Chance
import Foundation
import OSC
import SoundFiles
import TestKit
import Testing

/// What happens at few of many starts under PipeWire. `make soak` counts to the whole number, `make test` to a tenth of it.
@Suite("Under PipeWire, again and again") struct PipeWireSoakTests {
  private static func count(_ whole: Int) -> Int {
    Soak.count(whole / 10, of: whole)
  }

  // MARK: Programs that start and end

  private static let preset = """
    { "multiroute": 1, "ports": {
      "usb": { "type": "usbAudio", "outputs": ["Acme Box:playback_*"], "channels": 2 } },
    "sessions": { "show": { "category": "multiRoute", "options": ["mixWithOthers"], "activate": "start", "streams": {
      "band": { "channels": 2, "from": ["Band:out_*"], "to": { "usb": 0 } },
      "film": { "channels": 2, "from": ["gst-launch-1.0:output_*"], "exclusive": true, "to": { "usb": 0 } } } } } }
    """

  @Test("a program of PulseAudio that starts and ends never makes the router leave the server")
  func programs() async throws {
    let rack = try await Rack.desk(Self.preset)
    try rack.stage.do("source Band 2 sine 997 -12")
    try rack.pipewire.startPulse()
    try rack.stage.do("await-connection Band:out_2 multiroute:show.band_2")
    try rack.surface.subscribe("/event/media")
    for _ in 0..<Self.count(500) {
      let words = ["audiotestsrc", "num-buffers=10", "!", "pulsesink"]
      let player = try ChildProcess("gst-launch-1.0", words, environment: rack.pipewire.environment)
      // In two of a hundred starts PipeWire's server of PulseAudio never tells that so short a sound has been played.
      if player.wait(seconds: 2) == nil { player.send(signal: SIGKILL) }
    }
    try rack.surface.sync()
    let told = try rack.surface.takeAll().filter { $0.address == "/event/media" }
    #expect(told.isEmpty, "\(told)")
    #expect(!rack.router.child.errors.text.contains("is gone"))
    #expect(try rack.stage.names("connections Band:out_1") == ["multiroute:show.band_1"])
  }

  // MARK: The beginning of a program

  @Test(
    "Of 100 starts of a program 95 lose at most two periods of its beginning",
    .enabled(if: Soak.isRunning))
  func beginnings() async throws {
    let preset = Self.preset.replacing("\"gst-launch-1.0:output_*\"", with: "{ \"node\": \"cue\" }")
    let rack = try await Rack.desk(preset)
    try rack.listen(to: rack.stage.monitors(of: "Acme Box"))
    let (file, heard) = (rack.folder.file("ramp.wav"), rack.folder.file("heard.wav"))
    // A sample tells its frame, from 1.
    let ramp = (1...24_000).map { Float($0) / 16_777_216 }
    try SoundFile(channels: [ramp, ramp], sampleRate: 48_000).write(path: file)
    try rack.stage.do("record Ear \(heard) 120")
    for _ in 0..<100 {
      let words = ["-p", "-P", "{ node.name = cue }", file]
      let player = try ChildProcess("pw-cat", words, environment: rack.pipewire.environment)
      #expect(player.wait(seconds: 10) == 0)
      try rack.stage.do("frames 9600")
    }
    _ = try rack.stage.stopRecording("Ear")
    let samples = try SoundFile(path: heard).channels[0]
    let firsts = samples.indices.dropFirst().filter { samples[$0] != 0 && samples[$0 - 1] == 0 }
      .map { Int(samples[$0] * 16_777_216) }
    // The program gives the last part of a period later, behind a silence of its own.
    let beginnings = firsts.filter { $0 < 12_000 }.sorted()
    #expect(beginnings.count >= 95)
    let period = Int(try rack.stage.value("period", of: "period"))
    #expect(beginnings[beginnings.count * 95 / 100 - 1] <= 2 * period + 1, "\(beginnings)")
  }

  // MARK: Devices that are found

  /// Two identical cards and a virtual microphone.
  private static func plug(_ pipewire: PrivatePipeWire) throws {
    for card in 1...2 {
      try pipewire.plug("alsa_output.usb-Twin_\(card)-00.analog-stereo", "Twin DAC", "device.bus=usb")
    }
    try pipewire.plug("vmic", "Microphone", isSource: true, channels: "MONO")
  }

  /// Each device that is there, with its channels and the reason for its type, which names its node.
  private static func devices(_ router: RouterProcess) throws -> Set<String> {
    let text = try Program.run(["ports", "--json", "--to", "127.0.0.1:\(router.port)"]).output
    let document = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    var found: Set<String> = []
    for direction in ["output", "input"] {
      for port in document?[direction + "s"] as? [[String: Any]] ?? []
      where port["available"] as? Bool == true {
        let node = (port["reason"] as? String ?? "").split(separator: " ").dropFirst().first ?? ""
        found.insert("\(direction) \(port["id"] ?? "") \(port["channels"] ?? "") \(node)")
      }
    }
    return found
  }

  private static let expected: Set<String> = [
    "output twin-dac 2 alsa_output.usb-Twin_1-00.analog-stereo",
    "output twin-dac-2 2 alsa_output.usb-Twin_2-00.analog-stereo", "input microphone 1 vmic",
  ]

  @Test(
    "identical cards and a virtual microphone are found alike at each start beside a program that comes and goes"
  )
  func starts() async throws {
    let pipewire = try await PrivatePipeWire()
    try Self.plug(pipewire)
    for round in 0..<Self.count(200) {
      let other = try pipewire.stage()
      try other.do("source Band 2 sine 997 -12")
      let router = try RouterProcess(
        preset: nil, server: pipewire.name, in: TemporaryFolder(), environment: pipewire.environment,
        owners: [pipewire])
      let devices = try Self.devices(router)
      #expect(devices == Self.expected, "start \(round): \(router.child.errors.text)")
      #expect(router.terminate().code == 0)
    }
  }

  @Test("and keep their ids whenever the server is started again")
  func rejoins() async throws {
    let pipewire = try await PrivatePipeWire()
    try Self.plug(pipewire)
    let router = try RouterProcess(
      preset: nil, server: pipewire.name, in: TemporaryFolder(), environment: pipewire.environment,
      owners: [pipewire])
    let surface = try ControlSurface(port: router.port)
    #expect(try Self.devices(router) == Self.expected)
    try surface.subscribe("/event/*")
    for round in 0..<Self.count(200) {
      pipewire.kill()
      #expect(try surface.event("media", seconds: 10) == ["lost"])
      try pipewire.start()
      let other = try pipewire.stage()
      try Self.plug(pipewire)
      #expect(try surface.event("media", seconds: 10) == ["reset"])
      let found = try other.ask({ try Self.devices(router) }) { $0.count == 3 }
      #expect(found == Self.expected, "rejoin \(round): \(router.child.errors.text)")
    }
    let ids = try surface.takeAll().filter { $0.address == "/event/port" }.map { $0.arguments[2] }
    #expect(Set(ids) == ["twin-dac", "twin-dac-2", "microphone"], "\(ids)")
  }
}
