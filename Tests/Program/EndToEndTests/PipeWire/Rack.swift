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

  /// Makes a new stage, for a daemon that was started again.
  func restage() throws { stage = try pipewire.stage() }

  /// Connects the ear to the monitors of a device, at two channels of the ear.
  func listen(to monitors: [String], from channel: Int = 1) throws {
    for (index, monitor) in monitors.enumerated() {
      try stage.do("connect \"\(monitor)\" Ear:playback_\(channel + index)")
    }
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
