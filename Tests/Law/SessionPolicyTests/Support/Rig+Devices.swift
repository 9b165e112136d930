import LawWorld
import SessionModel
import Testing

extension Rig {
  /// The devices that can be plugged in, by the names of the scenarios. A headset is headphones and a microphone, which arrive in one event.
  private static func ports(of device: String) -> [(Direction, PortID, PortType, channels: Int)] {
    switch device {
    case "phones": [(.output, "phones", .headphones, 2)]
    case "headset": [(.output, "phones", .headphones, 2), (.input, "hsmic", .headsetMic, 1)]
    case "usb": [(.output, "usb", .usbAudio, 4), (.input, "usb", .usbAudio, 4)]
    case "usbin": [(.input, "usbin", .usbAudio, 2)]
    case "hdmi": [(.output, "hdmi", .hdmi, 2)]
    case "line": [(.output, "line", .lineOut, 2)]
    case "bt": [(.output, "bt", .bluetoothA2DP, 2)]
    case "hfp": [(.output, "hfp", .bluetoothHFP, 1), (.input, "hfp", .bluetoothHFP, 1)]
    case "air": [(.output, "air", .airPlay, 2)]
    case "mic": [(.input, "mic", .builtInMic, 1)]
    case "spk": [(.output, "spk", .builtInSpeaker, 2)]
    case "ear": [(.output, "ear", .builtInReceiver, 1)]
    default: []
    }
  }

  /// Plugs a device in. All its ports appear in one event.
  @discardableResult
  mutating func plug(_ device: String) throws -> [Notification] {
    let ports = Self.ports(of: device)
    #expect(!ports.isEmpty, "there is no device \(device)")
    for (direction, id, type, channels) in ports where !state[direction].contains(id) {
      try world.declare(id, type, channels: channels, direction)
    }
    return try handle(
      .portsPresent(
        ports.map { direction, id, _, channels in
          PortPresence(direction, id, members: (1...channels).map { "\(id):\($0)" })
        }))
  }

  /// Unplugs a device.
  @discardableResult
  mutating func unplug(_ device: String) throws -> [Notification] {
    try handle(
      .portsPresent(
        Self.ports(of: device).map { direction, id, _, channels in
          PortPresence(direction, id, members: Array(repeating: nil, count: channels))
        }))
  }

  /// A session's route, as its address reports it.
  func route(_ id: SessionID) -> String { self[id].route.text }
}

extension [Notification] {
  /// The route changes of one session: reason, former route and present route.
  func routes(_ id: SessionID) -> [String] {
    compactMap { notification in
      guard case .route(id, let reason, let previous, let current) = notification else { return nil }
      return "\(reason.rawValue): \(previous.text) > \(current.text)"
    }
  }
}
