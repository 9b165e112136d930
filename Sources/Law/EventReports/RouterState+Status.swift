public import SessionModel

extension RouterState {
  /// The state in one sentence, and the weightiest alarm: `show is in force: 2 of 3 sessions active, 2 of 2 outputs there`.
  public var statusSentence: String {
    let preset = waitingPreset ?? presets.current?.name ?? "no preset"
    guard server.isRunning else { return "waits for a JACK server; \(preset) is in force when one runs" }
    let active = sessions.values.lazy.filter(\.isActive).count
    let present = outputs.values.lazy.filter(\.isAvailable).count
    return
      "\(preset) is in force: \(active) of \(sessions.count) sessions active, \(present) of \(outputs.count) outputs there"
      + (health.alarms.isEmpty ? "" : "; \(health.sentence)")
  }
}
