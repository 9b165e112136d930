/// A session's specialisation within its category. Names and order are AVAudioSession's.
public enum Mode: String, CaseIterable, Sendable {
  case `default`, voiceChat, videoChat, gameChat, videoRecording, measurement, moviePlayback, spokenAudio
  case voicePrompt, shortFormVideo, dualRoute

  /// The categories in which this mode is legal (docs/develop/law/modes.md#1-modes-and-categories). `gameChat` has none, because only the system may set it.
  public var categories: Set<Category> {
    switch self {
    case .default: Set(Category.allCases)
    case .voiceChat, .videoChat: [.playAndRecord]
    case .gameChat: []
    case .videoRecording: [.record, .playAndRecord]
    case .measurement: Set(Category.allCases).subtracting([.audioProcessing])
    case .moviePlayback, .shortFormVideo: [.playback]
    case .spokenAudio, .voicePrompt: [.ambient, .soloAmbient, .playback, .playAndRecord, .multiRoute]
    case .dualRoute: [.multiRoute]
    }
  }

  /// The options that this mode switches on (docs/develop/law/modes.md#3-implied-options).
  public var impliedOptions: SessionOptions {
    switch self {
    case .voiceChat: .allowBluetoothHFP
    case .videoChat: [.allowBluetoothHFP, .defaultToSpeaker]
    default: []
    }
  }

  /// The modes in which a session may capture.
  public static let capturing = allCases.filter { $0.categories.contains(where: \.hasInput) }

  /// Whether the mode processes the captured voice: a conversation in a room with loudspeakers (docs/develop/law/voice.md#1-modes).
  public var processesVoice: Bool { isConversation }

  /// Whether the mode is for a conversation, which uses only ports that suit a call (docs/develop/law/modes.md#4-conversations).
  public var isConversation: Bool { self == .voiceChat || self == .videoChat || self == .gameChat }
}
