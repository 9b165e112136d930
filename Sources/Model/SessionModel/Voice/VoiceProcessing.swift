/// One part of voice processing.
public enum VoicePart: String, CaseIterable, Sendable {
  /// The echo canceller.
  case echo
  /// The noise suppressor.
  case noise
  /// The automatic level.
  case level
  /// The high-pass filter.
  case highpass

  /// What the part is called in sentences.
  public var name: String {
    switch self {
    case .echo: "echo canceller"
    case .noise: "noise suppressor"
    case .level: "automatic level"
    case .highpass: "high-pass"
    }
  }
}

/// The parts of voice processing that process a capture now; at least one of them is on.
public struct VoiceProcessing: Hashable, Sendable {
  public var echo: Bool
  public var noise: Bool
  public var level: Bool
  public var highpass: Bool

  public init(echo: Bool = true, noise: Bool = true, level: Bool = true, highpass: Bool = true) {
    (self.echo, self.noise, self.level, self.highpass) = (echo, noise, level, highpass)
  }

  public subscript(part: VoicePart) -> Bool {
    switch part {
    case .echo: echo
    case .noise: noise
    case .level: level
    case .highpass: highpass
    }
  }
}

/// The operator's switches of a session's voice processing.
public struct VoiceSwitches: Equatable, Sendable {
  private var own: [VoicePart: Bool] = [:]
  /// What the session's programs hear while the processing is late.
  public var fallback: VoiceFallback = .dry

  public init() {}

  /// Whether a part is on; nil if the session's mode decides.
  public subscript(part: VoicePart) -> Bool? {
    get { own[part] }
    set { own[part] = newValue }
  }

  /// Whether the mode decides on all parts.
  public var isInherited: Bool { own.isEmpty }

  /// Leaves all parts to the mode.
  public mutating func inherit() { own = [:] }
}

/// What a session's programs hear while its voice processing is late.
public enum VoiceFallback: String, CaseIterable, Sendable {
  /// The unprocessed microphone.
  case dry
  /// The unprocessed microphone, and silence while the loudspeakers are loud.
  case gated
}

/// How the voice processing of a session is.
public enum VoiceState: String, CaseIterable, Sendable {
  /// There is none.
  case off
  case working
  /// The echo canceller does not find the echo.
  case diverged
  /// Its thread does not keep up, so that the capture is not processed.
  case late
}

/// What the router tells of the voice processing of a session. Times are in seconds.
public struct VoiceReport: Equatable, Sendable {
  public var state: VoiceState = .off
  /// What the processing adds to the latency of the capture.
  public var latency = 0.0
  /// Frames that were not processed because the processing was late.
  public var lateFrames = 0
  /// Why the library refuses to process the capture, as a sentence; nil if it does not.
  public var refusal: String?

  public init() {}
}
