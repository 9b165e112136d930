/// How sessions share one destination; names and numbers are AVAudioSession's (semantics, section 4).
public enum SharingPolicy: String, CaseIterable, Sendable {
  case `default`, longFormAudio, independent, longFormVideo

  /// The modes that the long-form policies go with.
  public static let longFormModes: Set<Mode> = [.default, .moviePlayback, .spokenAudio]

  /// Whether a session of this configuration may have this policy; nobody may ask for `independent`, which the system sets.
  public func isLegal(for configuration: SessionConfiguration) -> Bool {
    switch self {
    case .default: true
    case .independent: false
    case .longFormAudio, .longFormVideo:
      configuration.category == .playback && Self.longFormModes.contains(configuration.mode)
        && configuration.options.isEmpty
    }
  }
}
