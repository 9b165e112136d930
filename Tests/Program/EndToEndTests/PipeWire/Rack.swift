import Foundation
import SoundFiles
import TestKit

/// A test's own PipeWire with devices like real cards, programs, a router, and an ear that records the devices.
final class Rack {
  let pipewire: PrivatePipeWire
  let folder: TemporaryFolder
  private(set) var stage: StageProcess
  private(set) var router: RouterProcess
  let surface: ControlSurface

  /// Builds the rack. Returns when the router is ready.
  ///
  /// - Parameters:
  ///   - preset: the router's preset; nil lets the router find all devices by itself.
  ///   - devices: plugs in the devices that exist at the start.
  ///   - variables: additional environment variables of the router.
  ///   - configuration: files of PipeWire's configuration.
  init(
    _ preset: String? = nil, variables: [String: String] = [:], configuration: [String: String] = [:],
    devices: (PrivatePipeWire, StageProcess) throws -> Void
  ) async throws {
    pipewire = try await PrivatePipeWire(configuration: configuration)
    stage = try pipewire.stage()
    folder = try TemporaryFolder()
    try devices(pipewire, stage)
    let folder = folder
    router = try RouterProcess(
      preset: preset.map { try folder.write($0, to: "show.json") }, server: pipewire.name, in: folder,
      environment: pipewire.environment.merging(variables) { $1 }, owners: [stage, pipewire])
    surface = try ControlSurface(port: router.port)
  }

  /// A rack with the interface "Acme Box" and the default device "Desk", to whose monitors the ear listens.
  static func desk(_ preset: String, configuration: [String: String] = [:]) async throws -> Rack {
    let rack = try await Rack(preset, configuration: configuration) { pipewire, stage in
      try pipewire.plug("alsa_output.usb-1", "Acme Box", "device.bus=usb")
      try pipewire.plug("alsa_output.pci-1", "Desk")
      try pipewire.makeDefault("alsa_output.pci-1")
      try stage.do("device Ear 2 0")
      for device in ["Acme Box", "Desk"] { _ = try stage.monitors(of: device) }
    }
    try rack.listen(to: rack.stage.monitors(of: "Desk"))
    return rack
  }

  /// A rack in which the program "Band" plays 997 Hz at -12 dBFS through the session "show" to the desk, and is heard.
  static func band() async throws -> Rack {
    let rack = try await desk(
      """
      { "multiroute": 1, "ports": {
        "desk": { "type": "lineOut", "outputs": ["Desk:playback_*"], "channels": 2, "ceiling": 0 } },
      "sessions": { "show": { "category": "multiRoute", "activate": "start", "streams": {
        "main": { "channels": 2, "from": ["Band:out_*"], "to": { "desk": 0 } } } } } }
      """)
    try rack.stage.do("source Band 2 sine 997 -12")
    try rack.awaitSound(at: 1...2)
    return rack
  }

  /// A sound file with a sine of 997 Hz and -12 dBFS that is never zero at its first frame, so that a recording shows its beginning.
  func tone(seconds: Int) throws -> String {
    let file = folder.file("tone.wav")
    let angle = 2 * Double.pi * 997 / 48_000
    let tone = (1...48_000 * seconds).map { (frame: Int) -> Float in Float(sin(Double(frame) * angle)) / 4 }
    try SoundFile(channels: [tone, tone], sampleRate: 48_000).write(path: file)
    return file
  }

  /// Makes a new stage, for a daemon that was started again.
  func restage() throws { stage = try pipewire.stage() }

  /// Connects the ear to the monitors of a device, at two channels of the ear.
  func listen(to monitors: [String], from channel: Int = 1) throws {
    for (index, monitor) in monitors.enumerated() {
      try stage.do("connect \"\(monitor)\" Ear:playback_\(channel + index)")
    }
  }

  /// Waits until every one of these channels of the ear is heard, and then until a measurement holds nothing from before.
  ///
  /// PipeWire activates each connection by itself: one may be heard some periods before the next.
  func awaitSound(at channels: ClosedRange<Int>) throws {
    for channel in channels { try stage.do("wait-signal Ear \(channel) -20") }
    try stage.do("frames 9600")
  }

  /// The level of a tone at a channel of the ear, in dBFS.
  func tone(_ frequency: Int, at channel: Int) throws -> Double {
    try stage.value("tone", of: "level Ear \(channel) \(frequency) 0.2")
  }
}

extension StageProcess {
  /// Waits for a device with two channels and returns its monitors in order, without the monitors `others` of a device with that name.
  func monitors(of device: String, besides others: [String] = []) throws -> [String] {
    for channel in ["FL", "FR"] where others.isEmpty {
      try self.do("await-port \"\(device):monitor_\(channel)\"")
    }
    let names = try names("ports").filter { $0.hasPrefix("\(device):monitor_") && !others.contains($0) }
    return names.sorted()
  }
}
