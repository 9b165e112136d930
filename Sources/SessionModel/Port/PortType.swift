/// What kind of device a port is; spelled as in AVAudioSession.
public enum PortType: String, CaseIterable, Sendable {
  case builtInSpeaker, builtInReceiver, builtInMic, headphones, headsetMic, lineOut, lineIn, usbAudio, hdmi
  case bluetoothA2DP, bluetoothHFP, bluetoothLE, airPlay, carAudio, displayPort, thunderbolt, pci, fireWire
  case avb, virtual, continuityMicrophone

  /// Whether multiRoute sessions may be heard there (semantics, section 11); the second group only when a preset names the port.
  public func isEligibleForMultiRoute(namedByPreset: Bool) -> Bool {
    switch self {
    case .usbAudio, .lineOut, .headphones, .hdmi, .builtInSpeaker: true
    case .virtual, .avb, .pci, .fireWire, .thunderbolt, .displayPort: namedByPreset
    default: false
    }
  }

  /// Whether multiRoute sessions may capture from there (semantics, section 11), with the same second group.
  public func isEligibleInputForMultiRoute(namedByPreset: Bool) -> Bool {
    switch self {
    case .usbAudio, .headsetMic, .builtInMic: true
    case .virtual, .avb, .pci, .fireWire, .thunderbolt, .displayPort, .lineIn: namedByPreset
    default: false
    }
  }

  /// Whether the mode dualRoute knows such outputs: the built-in one, and those of devices with both directions (semantics, section 2).
  var isOutputOfDualRoute: Bool {
    switch self {
    case .builtInSpeaker, .headphones, .bluetoothLE, .bluetoothHFP: true
    default: false
    }
  }

  /// Whether the mode dualRoute knows such inputs, likewise.
  var isInputOfDualRoute: Bool {
    switch self {
    case .builtInMic, .headsetMic, .bluetoothLE, .bluetoothHFP: true
    default: false
    }
  }
}
