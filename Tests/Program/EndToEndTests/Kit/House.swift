import JackServer
import SoundFiles
import StageKit
import TestKit

/// A test's own server with the simulated devices and programs of the shipped preset, and a router that runs a preset.
///
/// Devices: "USB Interface" (4 out, 2 in), "Headphones" (2 out), "Speaker" (2 out), "Microphone" (1 in). Programs: "Band" (2
/// channels that count frames) and "Metronome" (1 channel with an impulse every 480 frames).
final class House {
  let server: PrivateServer
  let stage: StageProcess
  let folder: TemporaryFolder
  private(set) var router: RouterProcess
  private(set) var surface: ControlSurface

  /// Starts server, devices, programs and router. Returns when the router has made all its connections.
  ///
  /// - Parameter systemOutputs: the outputs of the server's own sound card, which programs know as `system:playback_1` and so on.
  init(
    _ preset: String = House.show, programs: [String] = House.programs, period: Int = PrivateServer.period,
    rate: Int = 48_000, systemOutputs: Int = 0, flags: [String] = [], environment: [String: String] = [:]
  ) async throws {
    server = try await PrivateServer {
      ($0.period, $0.sampleRate, $0.playbackChannels) = (period, rate, systemOutputs)
    }
    stage = try server.stage()
    folder = try TemporaryFolder()
    for device in Self.devices + programs { try stage.do(device) }
    router = try RouterProcess(
      preset: folder.write(preset, to: "show.json"), server: server.name, in: folder, flags: flags,
      environment: environment, owners: [stage, server])
    surface = try ControlSurface(port: router.port)
  }

  static let devices = [
    "device \"USB Interface\" 4 2", "device Headphones 2 0", "device Speaker 2 0", "device Microphone 0 1",
  ]
  static let programs = ["source Band 2 ramp", "source Metronome 1 impulse 480"]

  /// The ports of the house as a preset names them. Ceilings of 0 dB, so that signals up to full scale pass bit for bit.
  static let ports = """
    "usb": { "type": "usbAudio", "outputs": ["USB Interface:playback_*"], "channels": 4, "ceiling": 0 },
    "headphones": { "type": "headphones", "outputs": ["Headphones:playback_*"], "channels": 2, "ceiling": 0 },
    "speaker": { "type": "builtInSpeaker", "outputs": ["Speaker:playback_*"], "channels": 2, "ceiling": 0 },
    "mic": { "type": "builtInMic", "inputs": ["Microphone:capture_*"] },
    "line": { "type": "lineIn", "inputs": ["USB Interface:capture_*"], "channels": 2 }
    """

  /// A preset with the ports of the house and these sessions.
  static func preset(_ sessions: String) -> String {
    "{ \"multiroute\": 1, \"ports\": { \(ports) },\n\"sessions\": { \(sessions) } }"
  }

  /// The main job: the band at the USB interface and the click at the headphones, from one session.
  static let show = preset(
    """
    "show": { "category": "multiRoute", "options": ["mixWithOthers"], "activate": "start", "streams": {
      "band": { "channels": 2, "from": ["Band:out_*"], "to": { "usb:1-2": 0 } },
      "click": { "channels": 1, "from": ["Metronome:out_*"], "to": { "headphones": 0 }, "never": ["speaker"] } } }
    """)

  // MARK: Doing

  /// Lets the server freewheel, until all first ramps have ended.
  func freewheel() throws {
    if !isFreewheeling { try stage.do("freewheel on") }
    isFreewheeling = true
    try stage.do("frames 20000")
  }

  /// Lets the server run in real time again.
  func realTime() throws {
    if isFreewheeling { try stage.do("freewheel off") }
    isFreewheeling = false
  }

  private var isFreewheeling = false

  /// Records devices while `body` runs. All recordings start at the first frame that every device received.
  ///
  /// - Parameter clock: nil is the one that the server runs by now.
  /// - Throws: `DeviceRecorder.Loss`.
  func hear(
    _ devices: [String], room seconds: Int = 40, clock: DeviceRecorder.Clock? = nil,
    while body: () throws -> Void
  ) throws -> [DeviceSound] {
    try DeviceRecorder(stage: stage, folder: folder).hear(
      devices, room: seconds, clock: clock ?? (isFreewheeling ? .freewheel : .realTime), while: body)
  }

  /// Records one device while `body` runs.
  func hear(
    _ device: String = "USB Interface", clock: DeviceRecorder.Clock? = nil, while body: () throws -> Void
  ) throws -> DeviceSound {
    try hear([device], clock: clock, while: body)[0]
  }

  /// The channels of a recording in the house's folder.
  func heard(_ file: String) throws -> [[Float]] { try SoundFile(path: folder.file(file)).channels }

  /// Connects a program directly to a free channel of a device, as a user would.
  func connect(_ source: String = "Band:out_1", to sink: String = "USB Interface:playback_4") throws {
    try stage.do("connect \(source) \"\(sink)\"")
  }
}
