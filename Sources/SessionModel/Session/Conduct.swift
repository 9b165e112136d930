/// A session's class: calls displace normal sessions, alerts are never silenced (semantics, head and section 6).
public enum Priority: String, CaseIterable, Sendable {
  case normal, call, alert
}

/// Whether a client's input or output runs: as declared, or found out.
public enum IOState: String, CaseIterable, Sendable {
  /// Found out from sound and cables (osc contract, `/session/<s>/io`).
  case auto
  case running, stopped
}

/// Whether a session may record; without a grant its input is silence.
public enum RecordPermission: String, CaseIterable, Sendable {
  case undetermined, denied, granted
}

/// When the router activates a session by itself.
public enum Activation: String, CaseIterable, Sendable {
  case manual, start, connected, signal
}

/// Whether the router re-activates a session after an interruption.
public enum Resumption: String, CaseIterable, Sendable {
  case never
  /// When it is recommended.
  case recommended
  /// When the interruption ended, whatever is recommended.
  case always
}

/// What becomes of a session whose output port goes.
public enum UnplugConduct: String, CaseIterable, Sendable {
  /// It follows policy to another output.
  case `continue`
  /// It stays silent, never moved, and is heard again when the output is back.
  case wait
  /// It is interrupted; the output's return ends the interruption.
  case interrupt
}

/// What deactivating does while the session's own input or output runs: Apple's generations (semantics, section 6).
public enum DeactivationConduct: String, CaseIterable, Sendable {
  /// It succeeds: iOS 26 and later.
  case succeeds
  /// The session is inactive, and the call reports isBusy: iOS 8 to 25.
  case reports
  /// Nothing changes, and the call fails with isBusy: before iOS 8.
  case refuses
}

/// What promptStyle suggests to those who speak prompts (semantics, section 8).
public enum PromptStyle: String, CaseIterable, Sendable {
  /// Somebody records speech.
  case none
  /// Somebody is in a call.
  case short
  case normal
}
