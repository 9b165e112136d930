/// What a session is for; spelled as in AVAudioSession, in the published order.
public enum Category: String, CaseIterable, Sendable {
  case ambient, soloAmbient, playback, record, playAndRecord, audioProcessing, multiRoute

  /// Whether sessions of this category are heard.
  public var hasOutput: Bool { self != .record && self != .audioProcessing }

  /// Whether sessions of this category capture.
  public var hasInput: Bool { self == .record || self == .playAndRecord || self == .multiRoute }
}
