import SessionModel

/// Decides which parts of voice processing a session may switch on, and what its capture reports of them (docs/develop/law/voice.md).
enum VoiceModes {
  /// Switches a part on or off, or leaves it to the mode. To switch the echo canceller on in the mode default is to ask for voiceChat, as
  /// an app does that starts AVAudioSession's voice processing.
  static func set(
    _ state: inout RouterState, _ id: SessionID, _ part: VoicePart, _ isOn: Bool?
  ) throws(SessionError) -> [Notification] {
    guard let session = state.sessions[id] else {
      throw missing("session", id.name, among: state.sessions.keys)
    }
    var notifications: [Notification] = []
    if isOn == true, !session.processesVoice {
      guard part == .echo, session.category == .playAndRecord, session.mode == .default else {
        throw refusal(of: part, in: session)
      }
      let configuration = SessionConfiguration(
        category: .playAndRecord, mode: .voiceChat, options: session.requestedOptions)
      notifications = try Categories.configure(&state, id, configuration)
    }
    // Without voice processing there is nothing to switch off.
    if state.sessions[id]?.processesVoice == true { state.sessions[id]?.voice[part] = isOn }
    return notifications
  }

  private static func refusal(of part: VoicePart, in session: Session) -> SessionError {
    let place = "\(session.category.rawValue) in mode \(session.mode.rawValue)"
    let choice =
      switch (session.category, session.mode) {
      case (.playAndRecord, .default):
        "set the mode voiceChat or videoChat, or switch the echo canceller on, which sets voiceChat"
      case (.playAndRecord, _): "set the mode voiceChat or videoChat"
      default: "playAndRecord in mode voiceChat or videoChat does"
      }
    return SessionError(
      .badParam,
      "\(session.id) is \(place), which processes no voice, so that it has no \(part.name); \(choice)")
  }

  static func report(_ state: inout RouterState, _ id: SessionID, _ report: VoiceReport) {
    guard let session = state.sessions[id], session.voiceReport != report else { return }
    state.sessions[id]?.voiceReport = report
    if !state.reportingVoices.contains(id) { state.reportingVoices.append(id) }
  }

  /// Forgets what sessions have told whose voice is not processed any more.
  static func apply(_ state: inout RouterState) {
    guard !state.reportingVoices.isEmpty else { return }
    for id in state.reportingVoices {
      guard let session = state.sessions[id], session.voiceReport != VoiceReport() else {
        state.reportingVoices.removeAll { $0 == id }
        continue
      }
      guard state.voiceProcessing(of: session) == nil else { continue }
      state.sessions[id]?.voiceReport = VoiceReport()
      state.reportingVoices.removeAll { $0 == id }
    }
  }
}
