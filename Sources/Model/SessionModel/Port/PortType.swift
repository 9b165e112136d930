/// The kind of device that a port is. Names are AVAudioSession's.
public enum PortType: String, CaseIterable, Sendable {
  case builtInSpeaker, builtInReceiver, builtInMic, headphones, headsetMic, lineOut, lineIn, usbAudio, hdmi
  case bluetoothA2DP, bluetoothHFP, bluetoothLE, airPlay, carAudio, displayPort, thunderbolt, pci, fireWire
  case avb, virtual, continuityMicrophone

  /// Words for devices that are no types, with the type that they usually mean. A loudspeaker of a stage is at a line output:
  /// `builtInSpeaker` is that of a laptop or telephone.
  public static let everydayWords: [String: PortType] = [
    "usb": .usbAudio, "speaker": .lineOut, "line": .lineOut, "phones": .headphones,
  ]

  /// The type of the inputs of such a device. A preset has one type for both directions.
  public var ofInputs: PortType {
    switch self {
    case .lineOut: .lineIn
    case .headphones: .headsetMic
    case .builtInSpeaker, .builtInReceiver: .builtInMic
    case .bluetoothA2DP: .bluetoothHFP
    default: self
    }
  }

  /// Whether an output of this type is heard in the room, so that its sound comes back through an open microphone
  /// (docs/develop/law/voice.md#3-what-the-microphone-hears).
  public var isHeardInRoom: Bool {
    switch self {
    case .headphones, .headsetMic, .bluetoothA2DP, .bluetoothHFP, .bluetoothLE: false
    default: true
    }
  }

  /// Whether multiRoute sessions may use outputs of this type (docs/develop/law/multi-route.md#1-outputs). Some types are eligible only if a preset names
  /// the port.
  public func isEligibleForMultiRoute(namedByPreset: Bool) -> Bool {
    switch self {
    case .usbAudio, .lineOut, .headphones, .hdmi, .builtInSpeaker: true
    case .virtual, .avb, .pci, .fireWire, .thunderbolt, .displayPort: namedByPreset
    default: false
    }
  }

  /// Whether multiRoute sessions may use inputs of this type (docs/develop/law/multi-route.md#2-input). Some types are eligible only if a preset names
  /// the port.
  public func isEligibleInputForMultiRoute(namedByPreset: Bool) -> Bool {
    switch self {
    case .usbAudio, .headsetMic, .builtInMic: true
    case .virtual, .avb, .pci, .fireWire, .thunderbolt, .displayPort, .lineIn: namedByPreset
    default: false
    }
  }

  /// Whether the mode dualRoute uses outputs of this type: the built-in speaker, or a device with both directions (docs/develop/law/multi-route.md#6-dual-route).
  var isOutputOfDualRoute: Bool {
    switch self {
    case .builtInSpeaker, .headphones, .bluetoothLE, .bluetoothHFP: true
    default: false
    }
  }

  /// Whether the mode dualRoute uses inputs of this type: the built-in microphone, or a device with both directions (docs/develop/law/multi-route.md#6-dual-route).
  var isInputOfDualRoute: Bool {
    switch self {
    case .builtInMic, .headsetMic, .bluetoothLE, .bluetoothHFP: true
    default: false
    }
  }
}
