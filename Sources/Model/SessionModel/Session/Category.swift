/// The purpose of a session. Names and order are AVAudioSession's.
public enum Category: String, CaseIterable, Sendable {
  case ambient, soloAmbient, playback, record, playAndRecord, audioProcessing, multiRoute

  /// Whether sessions of this category are heard live. `audioProcessing` is heard only when files are rendered.
  public var hasOutput: Bool { self != .record && self != .audioProcessing }

  /// Whether sessions of this category capture.
  public var hasInput: Bool { self == .record || self == .playAndRecord || self == .multiRoute }

  /// Whether sessions of this category have streams, heard live or in rendered files.
  public var hasStreams: Bool { self != .record }

  /// Whether sessions of this category continue to play in the background (docs/develop/law/activation.md#2-background).
  public var playsInBackground: Bool { self != .ambient && self != .soloAmbient }

  /// Whether the silent switch silences sessions of this category (docs/develop/law/mutes.md#3-silent-switch).
  public var obeysSilentSwitch: Bool { self == .ambient || self == .soloAmbient }

  /// Whether the option `mixWithOthers` makes a difference for sessions of this category (docs/develop/law/options.md).
  public var takesMixWithOthers: Bool { self == .playback || self == .playAndRecord || self == .multiRoute }

  /// Whether sessions of this category always play beside others, without the option `mixWithOthers`.
  public var alwaysMixes: Bool { self == .ambient || self == .audioProcessing }
}
