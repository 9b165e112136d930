/// A session's class. Calls interrupt normal sessions; alerts are never silenced (docs/develop/law/principles.md#3-classes).
public enum Priority: String, CaseIterable, Sendable {
  case normal, call, alert
}

/// Whether a client's input or output runs.
public enum IOState: String, CaseIterable, Sendable {
  /// The router finds out from the sound and the connections (docs/develop/law/principles.md#2-playing).
  case auto
  case running, stopped
}

/// Whether a session may record. Unless it is `granted`, the session's input is silence.
public enum RecordPermission: String, CaseIterable, Sendable {
  case undetermined, denied, granted
}

/// When the router activates a session by itself.
public enum Activation: String, CaseIterable, Sendable {
  /// Never.
  case manual
  /// With the audio server.
  case start
  /// When a program connects.
  case connected
  /// When the signal rises above the threshold.
  case signal
}

/// Whether the router activates a session again after an interruption.
public enum Resumption: String, CaseIterable, Sendable {
  case never
  /// If the end of the interruption recommends to resume.
  case recommended
  /// After every interruption, whether or not resuming is recommended.
  case always
}

/// What happens to a session whose output disappears.
public enum UnplugConduct: String, CaseIterable, Sendable {
  /// The session moves to the output that the routing rules choose.
  case `continue`
  /// The session is silent until the output returns, and does not move to another output.
  case wait
  /// The session is interrupted until the output returns.
  case interrupt
}

/// What a deactivation does while the session's own input or output runs. The three cases are those of successive iOS versions
/// (docs/develop/law/activation.md#4-becoming-inactive).
public enum DeactivationConduct: String, CaseIterable, Sendable {
  /// The deactivation succeeds, as since iOS 26.
  case succeeds
  /// The session becomes inactive and the client gets the error isBusy, as from iOS 8 to 25.
  case reports
  /// The session stays active and the client gets the error isBusy, as before iOS 8.
  case refuses
}

/// How a session should speak its prompts, as AVAudioSession's promptStyle suggests (docs/develop/law/hints.md#3-prompt-style).
public enum PromptStyle: String, CaseIterable, Sendable {
  /// No prompts: another session records speech.
  case none
  /// Short prompts: a call is on.
  case short
  case normal
}
