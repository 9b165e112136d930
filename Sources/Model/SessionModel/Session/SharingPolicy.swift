/// How sessions share one output. Names and order are AVAudioSession's (docs/develop/law/categories.md#4-sharing-policies).
public enum SharingPolicy: String, CaseIterable, Sendable {
  case `default`, longFormAudio, independent, longFormVideo

  /// The modes in which the long-form policies are legal.
  public static let longFormModes: Set<Mode> = [.default, .moviePlayback, .spokenAudio]

  /// Whether a session with this configuration may have this policy. Only the system may set `independent`.
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
