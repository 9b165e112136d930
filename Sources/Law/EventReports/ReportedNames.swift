import SessionModel

extension Category {
  /// AVAudioSession's name of the category, such as `AVAudioSessionCategoryPlayAndRecord`.
  var reportedName: String { "AVAudioSessionCategory\(rawValue.capitalizedFirst)" }
}

extension Mode {
  /// AVAudioSession's name of the mode, such as `AVAudioSessionModeVoiceChat`.
  var reportedName: String { "AVAudioSessionMode\(rawValue.capitalizedFirst)" }
}

extension PortType {
  /// The end of AVAudioSession's name of the type, such as `BuiltInMic` or `USBAudio`.
  var reportedName: String {
    switch self {
    case .usbAudio: "USBAudio"
    case .hdmi: "HDMI"
    case .pci: "PCI"
    case .avb: "AVB"
    default: rawValue.capitalizedFirst
    }
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
