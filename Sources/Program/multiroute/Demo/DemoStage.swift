import JackServer
import StageKit
import SystemCalls

/// Everything that the demonstration simulates: a JACK server without hardware, devices, and programs that play sound files.
final class DemoStage {
  let server: DummyServer
  let stage: Stage
  /// Receives the sources directly, in the same periods in which the devices receive the router's outputs. The comparison uses both.
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

  /// A simulated program.
  struct Player {
    let name: String
    let file: String
    let channels: Int
    /// The sounds of its channels.
    let sounds: [Sound]
  }

  static let players = [
    Player(name: "Band", file: "music.ogg", channels: 2, sounds: [.bandLeft, .bandRight]),
    Player(name: "Metronome", file: "click.flac", channels: 1, sounds: [.click]),
    Player(name: "Foyer", file: "foyer.ogg", channels: 1, sounds: [.foyer]),
    Player(name: "Announcer", file: "announcement.flac", channels: 1, sounds: [.voice]),
  ]

  /// Starts the server, the devices and the programs.
  /// - Parameters:
  ///   - media: the folder of the shipped sounds.
  /// - Throws: `ServerError` if `jackd` does not start, `StageError` if a sound file or client fails.
  init(media: String) throws {
    server = try .started(DummyServer.Settings(name: "multiroute-demo-\(System.getpid())"))
    stage = try Stage(server: server.name, name: "Demonstration")
    for device in Self.devices {
      try stage.addDevice(
        device.name, playback: device.playback, capture: Array(repeating: .silence, count: device.capture))
    }
    try stage.addDevice("Microphone", playback: 0, capture: [.silence])
    for player in Self.players {
      try stage.addSource(player.name, file: "\(media)/\(player.file)", channels: player.channels)
    }
    let inputs = Sound.allCases.map(\.rawValue)
    reference = try SimulatedClient(
      name: "Reference", server: server.name, layout: .init(inputs: inputs, isDevice: false), signals: [])
    for player in Self.players {
      for (index, sound) in player.sounds.enumerated() {
        try stage.connect("\(player.name):out_\(index + 1)", "Reference:\(sound.rawValue)")
      }
    }
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
  func stop() {
    referenceEar.stop()
    for ear in ears.values { ear.stop() }
    reference.unplug()
    for name in Self.devices.map(\.name) + Self.players.map(\.name) + ["Microphone"] {
      try? stage.unplug(name)
    }
  }
}

/// One channel of one source.
enum Sound: String, CaseIterable {
  case bandLeft = "band_1"
  case bandRight = "band_2"
  case click
  case foyer
  case voice

  /// The name that is printed.
  var name: String {
    switch self {
    case .bandLeft: "band (left)"
    case .bandRight: "band (right)"
    case .click: "click"
    case .foyer: "foyer music"
    case .voice: "announcement"
    }
  }
}
