import ServerInterface
import SessionModel

/// Guesses the type of a device, and gives the reason.
enum TypeGuess {
  /// Guesses the type by the node's properties, if the server has nodes, and then by names.
  static func type(of port: SystemPort, _ direction: Direction) -> (PortType, reason: String) {
    if let node = port.node {
      if let (type, sign) = NodeSigns.type(of: node, direction) {
        return (type, "PipeWire's \(node.name) has \(sign)")
      }
      for (text, name) in [(node.description, "description"), (node.name, "name")] {
        if let (type, word) = NameSigns.type(of: text, direction) {
          return (type, "PipeWire's \(node.name) has '\(word)' in its \(name)")
        }
      }
      if let (type, sign) = NodeSigns.lastResort(of: node) {
        return (type, "PipeWire's \(node.name) has \(sign)")
      }
    }
    if let (type, word) = NameSigns.type(of: port.plainClient, direction) {
      return (type, "its name contains '\(word)'")
    }
    for alias in port.aliases {
      if let (type, word) = NameSigns.type(of: alias, direction) {
        return (type, "its other name '\(alias)' contains '\(word)'")
      }
    }
    return direction == .output
      ? (.lineOut, "a physical output whose name says nothing")
      : (.lineIn, "a physical input whose name says nothing")
  }
}

/// Derives port types from the words of a name.
enum NameSigns {
  static func type(of name: String, _ direction: Direction) -> (PortType, word: String)? {
    let words = words(of: name)
    for rule in rules {
      guard let type = direction == .output ? rule.output : rule.input,
        let sign = rule.signs.first(where: { contains(words, $0) })
      else { continue }
      return (type, sign)
    }
    return nil
  }

  /// The words in lower case, without numbers and a plural s at the end: `USB2` becomes `usb`, `Speakers` becomes `speaker`.
  private static func words(of name: String) -> [Substring] {
    name.lowercased().split { !($0.isLetter || $0.isNumber) }.map { word in
      let stem = word.reversed().drop { $0.isNumber }
      let end = stem.first == "s" && stem.count > 3 ? stem.dropFirst() : stem
      return end.isEmpty ? word : word.prefix(end.count)
    }
  }

  /// Whether a name contains the words of a sign in sequence.
  private static func contains(_ words: [Substring], _ sign: String) -> Bool {
    let wanted = sign.split(separator: " ")
    guard words.count >= wanted.count else { return false }
    return (0...words.count - wanted.count).contains { words[$0..<$0 + wanted.count].elementsEqual(wanted) }
  }

  /// The first rule that matches decides. Rules about the kind of device precede rules about its plug, except for Bluetooth.
  private static let rules: [(signs: [String], output: PortType?, input: PortType?)] = [
    (["hfp", "hsp", "hands free", "handsfree"], .bluetoothHFP, .bluetoothHFP),
    (["bluetooth le", "le audio"], .bluetoothLE, nil),
    (["a2dp", "bluez", "bluetooth"], .bluetoothA2DP, .bluetoothHFP),
    (["airplay", "raop"], .airPlay, nil),
    (["carplay", "android auto", "car audio"], .carAudio, .carAudio),
    (["continuity", "iphone", "ipad"], nil, .continuityMicrophone),
    (["headset"], .headphones, .headsetMic),
    (["headphone", "phone", "earphone", "earbud"], .headphones, nil),
    (["hdmi"], .hdmi, nil),
    (["displayport"], .displayPort, .displayPort),
    (["usb", "usbaudio"], .usbAudio, .usbAudio),
    (["thunderbolt"], .thunderbolt, .thunderbolt),
    (["firewire", "ieee", "ffado"], .fireWire, .fireWire),
    (["avb", "milan"], .avb, .avb),
    (["receiver", "earpiece", "handset"], .builtInReceiver, nil),
    (["speaker", "loudspeaker"], .builtInSpeaker, nil),
    (["mic", "microphone"], nil, .builtInMic),
    (["spdif", "pdif", "iec", "toslink", "line"], .lineOut, .lineIn),
    (["virtual", "loopback"], .virtual, .virtual),
    (["pci", "pcie"], .pci, .pci),
  ]
}
