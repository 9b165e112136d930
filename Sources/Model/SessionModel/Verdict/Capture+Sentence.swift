import Numbers

extension RouterState {
  /// One sentence for the operator: what a session's capture contains and where it goes, or why it is silent.
  /// - Parameter activity: that of this state; gather it once for many sessions.
  public func whyOfCapture(_ session: Session, _ activity: Activity) -> String {
    var parts = [content(of: session, activity)] + session.capture.gaps.sentences(ofStream: nil)
    parts += Self.effects(session.recorderVolumes)
    if !session.directSources.isEmpty { parts.append(directSources(of: session)) }
    return parts.joined(separator: "; ")
  }

  private func content(of session: Session, _ activity: Activity) -> String {
    guard session.category.hasInput else { return "no capture: \(session.category.rawValue) has no input" }
    guard session.capture.channels > 0 else { return "no capture: it has no channels" }
    if let reason = captureHold(session) { return "silent: \(reason)" }
    let parts = captureParts(of: session, activity)
    let heard = parts.filter { $0.hindrance == nil }.map(\.name)
    let hindered = parts.compactMap { part in (part.hindrance ?? part.effect).map { "\(part.name) \($0)" } }
    var sentence = [heard.isEmpty ? "silent" : "contains \(heard.joined(separator: ", "))"]
    if parts.isEmpty { sentence[0] += ": \(emptiness(of: session))" }
    if heard.isEmpty, !hindered.isEmpty {
      sentence[0] += ": \(hindered.joined(separator: ", "))"
    } else {
      sentence += hindered
    }
    sentence += voice(of: session) + session.capture.insert.faults(of: "the capture")
    return (sentence + [destination(of: session)]).joined(separator: "; ")
  }

  /// The reason why a whole capture is silent; nil if only its parts decide.
  private func captureHold(_ session: Session) -> String? {
    guard server.isRunning else { return "there is no audio server" }
    guard !isCaptureOpen(session) else {
      if let group = silencer(of: .capture(session.id)) { return silencing(group) }
      return session.recorderVolumes.areSilent ? "the desktop's mixer lets nothing through" : nil
    }
    if session.displacement != nil { return "\(session.id) is interrupted" }
    return session.isActive ? "its client's input is stopped" : "\(session.id) is not active"
  }

  /// What processes the voice in the capture, and why its echo canceller is off.
  private func voice(of session: Session) -> [String] {
    guard session.processesVoice, !microphones(of: session).isEmpty else { return [] }
    let processing = voiceProcessing(of: session)
    let parts = VoicePart.allCases.filter { processing?[$0] == true }.map(\.name)
    let isDeaf = session.voice[.echo] != false && echoOutputs(of: session).isEmpty
    return (parts.isEmpty ? [] : ["voice processing: \(parts.joined(separator: ", "))"])
      + (session.voiceReport.refusal.map { ["not processed: \($0)"] } ?? [])
      + (isDeaf ? ["the echo canceller is off: no loudspeaker is in the room"] : [])
  }

  private func emptiness(of session: Session) -> String {
    session.capture.containsRoute ? "no input is available" : "its mix names nothing"
  }

  /// A part of a capture with its level, and why it is not heard there.
  private struct CapturePart {
    let name: String
    let hindrance: String?
    /// What the desktop's mixer does to a part that is heard.
    let effect: String?

    init(_ name: String, _ send: CaptureSend?, hindrance: String?, effect: String? = nil) {
      let level = send?.gain.target ?? 0
      self.name = level == 0 || Decibels(level).isOff ? name : "\(name) at \(Decibels.text(level))"
      self.hindrance = Decibels(level).isOff ? "is turned off" : hindrance
      self.effect = effect
    }
  }

  private func captureParts(of session: Session, _ activity: Activity) -> [CapturePart] {
    let sessions = session.capturedSessions.map { id in
      CapturePart(id.name, session.capture.sessions[id], hindrance: captureHindrance(of: id, activity))
    }
    let inputs = session.capturedInputs.map { id in
      CapturePart(
        "input \(id)", session.capture.inputs[id],
        hindrance: session.permission == .granted
          ? captureHindrance(ofInput: id)
          : "may not be recorded (permission is \(session.permission))\(detour(of: id, into: session, activity))",
        effect: captureRemark(ofInput: id))
    }
    return sessions + inputs
  }

  /// The sessions by which an input arrives in a capture although the capture's own session may not record it, as the end of a clause.
  private func detour(of input: PortID, into session: Session, _ activity: Activity) -> String {
    let ways = session.capturedSessions.filter { id in
      sessions[id]?.inputsOfStreams.contains(input) == true && captureHindrance(of: id, activity) == nil
    }
    return ways.isEmpty ? "" : ", but arrives by \(ways.map(\.name).joined(separator: ", "))"
  }

  /// Why another session is not heard in captures that contain it; nil if it is.
  public func captureHindrance(of id: SessionID, _ activity: Activity) -> String? {
    guard let session = sessions[id] else { return nil }
    if session.displacement != nil { return "is interrupted" }
    guard session.isActive || session.isAwaitingSignal else { return "is not active" }
    guard session.hasSource else { return "has no program" }
    guard isGateOpen(session, activity) else { return "is silent" }
    if session.isMuted { return "is muted" }
    let isOff = Decibels(session.gain.target).isOff
    if isOff || session.streams.values.allSatisfy({ Decibels($0.gain.target).isOff }) {
      return "is turned off"
    }
    if let group = silencer(of: .session(id)) { return "is \(silencing(group))" }
    let heard = session.streams.values.filter {
      !$0.isMuted && !Decibels($0.gain.target).isOff && silencer(of: .stream(id, $0.id)) == nil
    }
    if heard.isEmpty { return "is muted" }
    return heard.allSatisfy(isSilentOnDesktop) ? "is silenced in the desktop's mixer" : nil
  }

  /// Why an input is not heard in captures that contain it; nil if it is.
  public func captureHindrance(ofInput id: PortID) -> String? {
    guard let port = inputs[id], port.isAvailable else { return "is away" }
    if port.isHardwareMuted { return "is muted in hardware" }
    if port.isMuted { return "is muted" }
    if Decibels(port.gain.target).isOff || port.level.target == 0 { return "is turned off" }
    return port.desktopVolume.flatMap { $0.isSilent ? $0.effect : nil }.map { "is \($0)" }
  }

  /// The reason why an input is not heard in captures that contain it, or what the desktop's mixer does to it there; nil if neither.
  public func captureRemark(ofInput id: PortID) -> String? {
    captureHindrance(ofInput: id) ?? inputs[id]?.desktopVolume?.effect.map { "is \($0)" }
  }

  private func destination(of session: Session) -> String {
    let globs = session.capture.destinations.map(\.text).joined(separator: ", ")
    if globs.isEmpty { return session.isCapturing ? "goes where it was connected by hand" : "goes nowhere" }
    return session.isCapturing ? "goes to \(globs)" : "waits for \(globs)"
  }
}

extension Session {
  /// The inputs that feed streams of the session.
  public var inputsOfStreams: [PortID] {
    streams.values.flatMap(\.sources).compactMap { source in
      if case .input(let id, _) = source { id } else { nil }
    }
  }
}
