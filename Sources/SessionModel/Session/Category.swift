/// What a session is for; spelled as in AVAudioSession, in the published order.
public enum Category: String, CaseIterable, Sendable {
  case ambient, soloAmbient, playback, record, playAndRecord, audioProcessing, multiRoute

  /// Whether sessions of this category are heard live; `audioProcessing` is heard only offline.
  public var hasOutput: Bool { self != .record && self != .audioProcessing }

  /// Whether sessions of this category capture.
  public var hasInput: Bool { self == .record || self == .playAndRecord || self == .multiRoute }

  /// Whether sessions of this category have streams, heard live or offline.
  public var hasStreams: Bool { self != .record }

  /// Whether sessions of this category go on in the background (semantics, section 1).
  public var playsInBackground: Bool { self != .ambient && self != .soloAmbient }

  /// Whether the silent switch silences sessions of this category (semantics, section 1).
  public var obeysSilentSwitch: Bool { self == .ambient || self == .soloAmbient }

  /// Whether sessions of this category play beside others whatever their options say.
  public var alwaysMixes: Bool { self == .ambient || self == .audioProcessing }
}
