import ServerInterface
import SessionModel
import SessionPolicy

/// Builds states for tests: events change the empty state.
enum Show {
  /// The state after these events. Throws if the law refuses one.
  static func state(_ events: [Event], from state: RouterState = RouterState()) throws -> RouterState {
    var state = state
    for event in events { _ = try Policy.reduce(&state, event, at: 0) }
    return state
  }

  static func port(_ id: PortID, _ type: PortType, _ globs: [String], channels: Int) -> Port {
    Port(id: id, name: id.name, type: type, globs: globs.compactMap { PortGlob($0) }, channels: channels)
  }

  static func device(_ name: String, playback: Int = 0, capture: Int = 0) -> [SystemPort] {
    (0..<playback).map {
      SystemPort(name: "\(name):playback_\($0 + 1)", isInput: true, isPhysical: true, isTerminal: true)
    }
      + (0..<capture).map {
        SystemPort(name: "\(name):capture_\($0 + 1)", isInput: false, isPhysical: true, isTerminal: true)
      }
  }

  static func program(_ name: String, _ channels: Int) -> [SystemPort] {
    (0..<channels).map { SystemPort(name: "\(name):out_\($0 + 1)", isInput: false) }
  }

  /// A USB interface, headphones and a microphone.
  static let devices =
    device("USB", playback: 4) + device("Headphones", playback: 2) + device("Mic", capture: 1)

  static let ports: [Event] = [
    .server(running),
    .declarePort(.output, port("usb", .usbAudio, ["USB:playback_*"], channels: 4)),
    .declarePort(.output, port("headphones", .headphones, ["Headphones:playback_*"], channels: 2)),
    .declarePort(.input, port("mic", .builtInMic, ["Mic:capture_*"], channels: 1)),
  ]

  static var running: ServerState {
    var server = ServerState()
    (server.isRunning, server.clientName, server.rate, server.period) = (true, "multiroute", 48_000, 256)
    return server
  }

  /// The event that all declared devices are present.
  static let present = Event.portsPresent([
    PortPresence(.output, "usb", members: (1...4).map { "USB:playback_\($0)" }),
    PortPresence(.output, "headphones", members: (1...2).map { "Headphones:playback_\($0)" }),
    PortPresence(.input, "mic", members: ["Mic:capture_1"]),
  ])

  /// One active multiRoute session: the band to the interface, the click to the headphones.
  static let session: [Event] = [
    .createSession("show", SessionConfiguration(category: .multiRoute, options: .mixWithOthers)),
    .session("show", .activation(.start)),
    .createStream("show", "band", channels: 2, placed: false),
    .stream("show", "band", .sources([.ports(ProgramPorts("Band:out_*")!)])),
    .destination("show", "band", "usb", .channels(.range(1...2))),
    .destination("show", "band", "usb", .on(true)),
    .createStream("show", "click", channels: 1, placed: false),
    .stream("show", "click", .sources([.ports(ProgramPorts("Click:*")!)])),
    .destination("show", "click", "headphones", .on(true)),
  ]

  static func standard(_ more: Event...) throws -> RouterState {
    try state(ports + session + [present] + more)
  }
}
