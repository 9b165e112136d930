package import JackServer
import StageKit
import SystemCalls

/// Everything that the demonstration simulates: a JACK server without hardware, devices, and a program that plays a sound file.
package final class DemoStage {
  package let server: DummyServer
  let stage: Stage
  /// Receives the program directly, in the same periods in which the devices receive the router's outputs. The comparison uses both.
  private let reference: SimulatedClient
  let referenceEar: Ear
  private(set) var ears: [String: Ear] = [:]

  /// A simulated output device.
  struct Device {
    /// The port's id in the preset.
    let id: String
    /// The JACK client's name.
    let name: String
    let playback: Int
    let capture: Int
  }

  static let devices = [
    Device(id: "usb", name: "USB Interface", playback: 4, capture: 2),
    Device(id: "headphones", name: "Headphones", playback: 2, capture: 0),
    Device(id: "speaker", name: "Speaker", playback: 2, capture: 0),
  ]

  /// A simulated program. All other sounds are those of the router's players.
  private static let announcer = (name: "Announcer", file: "announcement.flac", sound: Sound.voice)

  /// Starts the server, the devices and the program.
  /// - Parameters:
  ///   - media: the folder of the shipped sounds.
  /// - Throws: `ServerError` if `jackd` does not start, `StageError` if a sound file or client fails.
  package init(media: String) throws {
    server = try .started(DummyServer.Settings(name: "multiroute-demo-\(System.getpid())"))
    stage = try Stage(server: server.name, name: "Demonstration")
    for device in Self.devices {
      try stage.addDevice(
        device.name, playback: device.playback, capture: Array(repeating: .silence, count: device.capture))
    }
    try stage.addDevice("Microphone", playback: 0, capture: [.silence])
    let (name, input) = (Self.announcer.name, Self.announcer.sound.rawValue)
    try stage.addSource(name, file: "\(media)/\(Self.announcer.file)", channels: 1)
    reference = try SimulatedClient(
      name: "Reference", server: server.name, layout: .init(inputs: [input], isDevice: false), signals: [])
    try stage.connect("\(name):out_1", "Reference:\(input)")
    referenceEar = try Ear(reference)
    for device in Self.devices { try listen(to: device) }
  }

  private func listen(to device: Device) throws {
    ears[device.id] = try Ear(stage.client(device.name))
  }

  /// Reads what all devices have received since the last call.
  func listen() {
    referenceEar.listen()
    for ear in ears.values { ear.listen() }
  }

  func unplug(_ device: Device) throws {
    ears[device.id] = nil
    try stage.unplug(device.name)
  }

  func replug(_ device: Device) throws {
    try stage.replug(device.name)
    try listen(to: device)
  }

  /// Ends all clients. The server goes on, for its owner to stop.
  package func stop() {
    referenceEar.stop()
    for ear in ears.values { ear.stop() }
    reference.unplug()
    for name in Self.devices.map(\.name) + [Self.announcer.name, "Microphone"] {
      try? stage.unplug(name)
    }
  }
}
