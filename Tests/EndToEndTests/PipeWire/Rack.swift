import TestKit

/// A PipeWire of a test's own with devices like real cards, programs, a router, and an ear at what the devices receive.
final class Rack {
  let pipewire: PrivatePipeWire
  let folder: TemporaryFolder
  private(set) var stage: StageProcess
  private(set) var router: RouterProcess
  let surface: ControlSurface

  /// Builds it; returns when the router is ready.
  ///
  /// - Parameters:
  ///   - preset: what the router runs; nil has it find everything by itself.
  ///   - devices: plugs in what is there at the start.
  ///   - variables: what the router's environment has besides.
  init(
    _ preset: String? = nil, variables: [String: String] = [:],
    devices: (PrivatePipeWire, StageProcess) throws -> Void
  ) async throws {
    pipewire = try await PrivatePipeWire()
    stage = try pipewire.stage()
    folder = try TemporaryFolder()
    try devices(pipewire, stage)
    let folder = folder
    router = try RouterProcess(
      preset: preset.map { try folder.write($0, to: "show.json") }, server: pipewire.name, in: folder,
      environment: pipewire.environment.merging(variables) { $1 }, owners: [stage, pipewire])
    surface = try ControlSurface(port: router.port)
  }

  /// Another stage, for a daemon that was started anew.
  func restage() throws { stage = try pipewire.stage() }

  /// Has the ear listen to what a device receives, at two of its channels.
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
  /// Waits for a device of two channels and answers its monitors, in order; those of `others` are another's of the same name.
  func monitors(of device: String, besides others: [String] = []) throws -> [String] {
    for channel in ["FL", "FR"] where others.isEmpty {
      try self.do("await-port \"\(device):monitor_\(channel)\"")
    }
    let names = try names("ports").filter { $0.hasPrefix("\(device):monitor_") && !others.contains($0) }
    return names.sorted()
  }
}
