/// A session's specialisation within its category; spelled as in AVAudioSession, in the published order.
public enum Mode: String, CaseIterable, Sendable {
  case `default`, voiceChat, videoChat, gameChat, videoRecording, measurement, moviePlayback, spokenAudio
  case voicePrompt, shortFormVideo, dualRoute

  /// The categories that take this mode (semantics, section 2); nobody may ask for `gameChat`, which the system sets.
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

  /// Options that are on while the mode is (semantics, section 2).
  public var impliedOptions: SessionOptions {
    switch self {
    case .voiceChat: .allowBluetoothHFP
    case .videoChat: [.allowBluetoothHFP, .defaultToSpeaker]
    default: []
    }
  }

  /// Whether somebody talks and listens: only ports that suit a call are used then (semantics, section 2).
  public var isConversation: Bool { self == .voiceChat || self == .videoChat || self == .gameChat }
}
