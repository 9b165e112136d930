import OSC
import Parameters
import SessionModel

extension Example {
  /// A preset of the stage's objects that sets the example's value only; nil for an address without a key.
  var preset: String? {
    guard let key = parameter.key else { return nil }
    let own = "\(key): \(json)"
    var ports = [
      "usb": "type: 'usbAudio', outputs: ['usb:*']",
      "headphones": "type: 'headphones', outputs: ['headphones:*']",
      "mic": "type: 'builtInMic', inputs: ['mic:*']",
    ]
    var (root, session) = ("", "")
    switch parameter.owner {
    case .router: root = own
    case .ducking: root = "ducking: { \(own) }"
    case .interruptions: root = "interruptions: { \(own) }"
    case .output: ports[target.output?.name ?? "usb"]? += ", \(own)"
    case .input:
      ports["usb"] =
        "type: 'usbAudio', inputs: ['usb:*'], sources: { front: ['usb:*'], back: ['usb:*'] }, \(own)"
    case .session: session = own
    case .ducker: session = "ducking: { \(own) }"
    case .io: session = "io: { \(own) }"
    case .voice: session = "voice: { \(own) }"
    case .monitor: ports["usb"]? += ", solo: { \(own) }"
    case .talkback: session = "talkback: { \(own) }"
    case .capture: session = "capture: { \(own) }"
    case .captureSession: session = "capture: { mix: { music: { \(own) } } }"
    case .captureInput: session = "capture: { mix: { 'input:usb': { \(own) } } }"
    case .player: root = "players: { walkin: { session: 'show', stream: 'main', \(own) } }"
    case .recorder: root = "recorders: { tape: { source: 'output:usb', \(own) } }"
    case .group: root = "groups: { band: { \(own) } }"
    case .stream: session = "streams: { main: { \(own) } }"
    case .destination: session = "streams: { main: { to: { headphones: { \(own) } } } }"
    }
    if parameter.owner == .captureInput { ports["usb"] = "type: 'usbAudio', inputs: ['usb:*']" }
    let devices = ports.sorted { $0.key < $1.key }.map { "\($0): { \($1) }" }.joined(separator: ", ")
    let sessions = Self.sessions.map { id, configuration in
      let stream = parameter.owner == .player && id == "show" ? ", streams: { main: {} }" : ""
      return "\(id): { \(configuration)\(stream)\(target.session?.name == id ? ", \(session)" : "") }"
    }
    return
      "{ multiroute: 1, ports: { \(devices) }, sessions: { \(sessions.joined(separator: ", ")) }, \(root) }"
  }

  /// The sessions of the stage, as a preset defines them.
  private static let sessions = [
    ("show", "category: 'multiRoute'"), ("music", "category: 'playback'"),
    ("voice", "category: 'playAndRecord', options: ['mixWithOthers', 'allowBluetoothHFP']"),
    ("call", "category: 'playAndRecord', mode: 'voiceChat', options: ['mixWithOthers']"),
  ]

  /// The value as a preset writes it.
  private var json: String {
    let isSwitch = [.toggle, .inheritableToggle].contains(parameter.kind)
    let words = value.map { argument in
      switch argument {
      case .float(let number): "\(number)"
      case .int32(let number): isSwitch ? (number == 1 ? "true" : "false") : "\(number)"
      case .string(let text): "'\(text)'"
      default: "null"
      }
    }
    return ["texts", "names", "ports", "effects"].contains(parameter.kind.name)
      ? "[\(words.joined(separator: ", "))]" : words.joined()
  }
}
