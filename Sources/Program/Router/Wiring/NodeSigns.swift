import ServerInterface
import SessionModel

/// Derives port types from the properties of PipeWire's nodes. The names of the properties are those of PipeWire and udev.
enum NodeSigns {
  /// The type of a node's ports, and the property that decided; nil if no property does.
  static func type(of node: SystemNode, _ direction: Direction) -> (PortType, sign: String)? {
    bluetooth(node, direction) ?? network(node) ?? bus(node) ?? route(node, direction)
      ?? formFactor(node, direction) ?? alsa(node)
  }

  /// The type by weak properties. These count only if the names of node and device do not show a type.
  static func lastResort(of node: SystemNode) -> (PortType, sign: String)? {
    if node["node.virtual"] == "true" { return (.virtual, "node.virtual true") }
    if let factory = node["factory.name"], factory.hasPrefix("support.") {
      return (.virtual, "factory.name \(factory)")
    }
    return node["device.bus"] == "pci" ? (.pci, "device.bus pci") : nil
  }

  /// Bluetooth types follow the profile: A2DP for music, HFP and HSP for calls, BAP for LE Audio.
  private static func bluetooth(_ node: SystemNode, _ direction: Direction) -> (PortType, String)? {
    guard
      node["device.api"] == "bluez5" || node["device.bus"] == "bluetooth" || node["api.bluez5.address"] != nil
    else { return nil }
    for key in ["api.bluez5.profile", "factory.name", "device.profile"] {
      guard let value = node[key] else { continue }
      for (words, type) in profiles where words.contains(where: value.contains) {
        return (type, "\(key) \(value)")
      }
    }
    let sign = node["device.api"] == "bluez5" ? "device.api bluez5" : "device.bus bluetooth"
    return (direction == .output ? .bluetoothA2DP : .bluetoothHFP, sign)
  }

  private static let profiles: [(words: [String], type: PortType)] = [
    (["a2dp"], .bluetoothA2DP), (["headset", "hfp", "hsp", "handsfree", "sco"], .bluetoothHFP),
    (["bap", ".media."], .bluetoothLE),
  ]

  private static func network(_ node: SystemNode) -> (PortType, String)? {
    if node.name.hasPrefix("raop_") { return (.airPlay, "a name that begins with raop_") }
    if node["device.api"] == "avb" || node["factory.name"]?.hasPrefix("avb.") == true {
      return (.avb, "device.api avb")
    }
    return nil
  }

  /// A device that is plugged in has the type of its plug, even if it is a headset; AVAudioSession does the same.
  private static func bus(_ node: SystemNode) -> (PortType, String)? {
    switch node["device.bus"] {
    case "usb": return (.usbAudio, "device.bus usb")
    case "firewire": return (.fireWire, "device.bus firewire")
    case "thunderbolt": return (.thunderbolt, "device.bus thunderbolt")
    default: break
    }
    if let path = node["device.bus-path"], path.contains("-usb-") || path.hasPrefix("usb-") {
      return (.usbAudio, "device.bus-path \(path)")
    }
    return nil
  }

  /// The type by the socket of the card that is in use.
  private static func route(_ node: SystemNode, _ direction: Direction) -> (PortType, String)? {
    guard let route = node.routeType, let types = routes[route],
      let type = direction == .output ? types.output : types.input
    else { return nil }
    return (type, "an active route to \(route)")
  }

  private static let routes: [String: (output: PortType?, input: PortType?)] = [
    "speaker": (.builtInSpeaker, nil), "headphones": (.headphones, nil),
    "headset": (.headphones, .headsetMic), "handset": (.builtInReceiver, .builtInMic),
    "earpiece": (.builtInReceiver, nil), "mic": (nil, .builtInMic), "line": (.lineOut, .lineIn),
    "analog": (.lineOut, .lineIn), "spdif": (.lineOut, .lineIn), "hdmi": (.hdmi, nil),
    "tv": (.hdmi, nil), "usb": (.usbAudio, .usbAudio), "car": (.carAudio, .carAudio),
    "bluetooth": (.bluetoothA2DP, .bluetoothHFP),
  ]

  private static func formFactor(_ node: SystemNode, _ direction: Direction) -> (PortType, String)? {
    guard let factor = node["device.form-factor"] ?? node["device.form_factor"], let types = factors[factor],
      let type = direction == .output ? types.output : types.input
    else { return nil }
    return (type, "device.form-factor \(factor)")
  }

  private static let factors: [String: (output: PortType?, input: PortType?)] = [
    "headset": (.headphones, .headsetMic), "headphone": (.headphones, nil),
    "hands-free": (.bluetoothHFP, .bluetoothHFP), "handset": (.builtInReceiver, .builtInMic),
    "speaker": (.builtInSpeaker, nil), "internal": (.builtInSpeaker, .builtInMic),
    "microphone": (nil, .builtInMic), "webcam": (nil, .builtInMic), "car": (.carAudio, .carAudio),
    "tv": (.hdmi, nil), "hifi": (.lineOut, .lineIn),
  ]

  /// Digital sockets of a card are ALSA devices, whose names show the type.
  private static func alsa(_ node: SystemNode) -> (PortType, String)? {
    for key in ["api.alsa.path", "api.alsa.pcm.id", "api.alsa.pcm.name", "device.profile.name"] {
      guard let value = node[key] else { continue }
      let lower = value.lowercased()
      if lower.contains("hdmi") { return (.hdmi, "\(key) \(value)") }
      if lower.contains("displayport") { return (.displayPort, "\(key) \(value)") }
      if lower.contains("iec958") || lower.contains("spdif") { return (.lineOut, "\(key) \(value)") }
    }
    return nil
  }
}

extension SystemNode {
  fileprivate subscript(property: String) -> String? { properties[property] }
}
