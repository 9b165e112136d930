import Numbers

extension RouterState {
  /// One sentence for the operator: whether a session is heard, ducked, interrupted or silent, what causes this, what the session
  /// waits for, and which other programs its sources are connected to past the router.
  /// - Parameter activity: that of this state; gather it once for many sessions.
  public func why(_ session: Session, _ activity: Activity) -> String {
    why(session, as: verdict(of: session, activity), activity)
  }

  /// The same sentence about a session whose verdict is known.
  public func why(_ session: Session, as verdict: Verdict, _ activity: Activity) -> String {
    var parts = [sentence(verdict, about: session)]
    switch verdict {
    case .heard(let ports): parts += silences(of: session, at: ports)
    case .ducked(let ports, _):
      parts += silences(of: session, at: ports) + exemptions(from: ports, of: session)
    case .silent(.noStream), .silent(.noOutput): parts += recording(by: session, activity)
    default: break
    }
    if session.isActive || session.isAwaitingSignal, session.hasSource, server.isRunning, !isPanicking {
      parts += hindrances(of: session) + desktopEffects(on: session)
    }
    if server.isRunning, !isPanicking {
      parts += missingChannels(of: session)
      if session.isConnected {
        session.streams.forEachValue { parts += $0.gaps.sentences(ofStream: $0.id.name) }
      }
    }
    parts += hungPrograms(of: session).map { "its program \($0) hangs" } + contests(of: session)
    session.streams.forEachValue { stream in
      if let sentence = stream.loopSentence { parts.append("\(stream.id) \(sentence)") }
      parts += stream.insert.faults(of: stream.id.name)
    }
    if server.isRunning, session.isActive { parts += unusedSpeakers(of: session) }
    let absent = awaited(by: session)
    if !absent.isEmpty { parts.append("waits for \(absent.map(\.name).joined(separator: ", "))") }
    parts += preferences(of: session)
    parts += directConnections(of: session)
    parts += playersAndRecorders(of: session)
    if !monitoring.isEmpty { parts += monitoringEffects(on: session) }
    return parts.joined(separator: "; ")
  }

  private func sentence(_ verdict: Verdict, about session: Session) -> String {
    switch verdict {
    case .heard(let ports): return sound(of: session, at: ports)
    case .ducked(let ports, let ducker):
      let level = session.deepestDuck.map { " to \(Decibels.text($0.target))" } ?? ""
      return "\(sound(of: session, at: ports)), ducked\(level) by \(ducker)"
    case .interrupted(let displacement):
      let whenOver =
        session.resumption == .never
        ? "stays silent until it is activated (resume is never)" : "comes back by itself when it ends"
      return "interrupted \(cause(of: displacement)); \(whenOver)"
    case .silent(.noStream) where session.isCapturing && isCaptureOpen(session):
      return "not heard: it has no stream, and only records"
    case .silent(.onlyOffline) where session.process?.isPending == true:
      return offlineWork(session.process)
    case .silent(.noOutput(let category)): return "not heard: \(category.rawValue) has no output"
    case .silent(let silence): return "silent: \(reason(silence, of: session))"
    }
  }

  private func offlineWork(_ process: FileProcess?) -> String {
    process.map { process in
      let files = "\(process.input) into \(process.output)"
      return process.phase == .waiting ? "waits to process \(files)" : "processes \(files)"
    } ?? ""
  }

  /// Whether a session's programs and players send sound to the outputs that they reach.
  private func sound(of session: Session, at ports: [PortID]) -> String {
    let sounding = session.isQuiet ? [] : ports.filter { !isSilent(session, at: $0) }
    return sounding.isEmpty
      ? "\(session.isConnected ? "connected" : "playing"), silent; goes to \(ports.map(\.name).joined(separator: ", "))"
      : "heard at \(sounding.map(\.name).joined(separator: ", "))"
  }

  /// Whether only streams reach an output whose programs and players send nothing.
  private func isSilent(_ session: Session, at port: PortID) -> Bool {
    !session.streams.contains { silence(of: $0, in: session) == nil && isAudible($0, of: session, at: port) }
  }

  /// The outputs that only streams without sound reach, while the session is heard at others.
  private func silences(of session: Session, at ports: [PortID]) -> [String] {
    let silent = session.isQuiet ? [] : ports.filter { isSilent(session, at: $0) }
    guard silent.count < ports.count else { return [] }
    return silent.map { port in
      let reasons = session.streams.values.filter { isAudible($0, of: session, at: port) }.compactMap {
        stream in
        silence(of: stream, in: session).map { "\(stream.id): \($0)" }
      }
      return "silent at \(port) (\(reasons.joined(separator: ", ")))"
    }
  }

  /// The cables that lead past the router, from and to a session's programs.
  private func directConnections(of session: Session) -> [String] {
    var sinks: [String] = []
    session.streams.forEachValue { stream in
      for sink in stream.directSinks where !sinks.contains(sink) { sinks.append(sink) }
    }
    return (sinks.isEmpty ? [] : ["also heard directly at \(sinks.joined(separator: ", "))"])
      + (session.directSources.isEmpty ? [] : [directSources(of: session)])
  }

  /// The ports from which a session's programs receive sound past the router.
  func directSources(of session: Session) -> String {
    "also receives directly from \(session.directSources.joined(separator: ", "))"
  }

  func cause(of displacement: Displacement) -> String {
    switch displacement.interrupter {
    case .session(let id):
      if let other = sessions[id], let next = other.displacement {
        return "by \(id), which is itself interrupted by \(next.interrupter.name)"
      }
      let isThere = sessions[id]?.isActive == true
      return "by \(id) since it \(isThere ? "is active" : "was active, and may come back")"
    case .source(let id):
      return "by a \(interruptions[id]?.isOn == true ? "call" : "ringing call") (\(id))"
    case .input(let id): return "since \(id) is muted in hardware"
    case .output(let id): return "since \(id) has gone"
    }
  }

  func reason(_ silence: Verdict.Silence, of session: Session) -> String {
    switch silence {
    case .panic: "panic is on; /system/panic 0 brings it back"
    case .mediaLost: "there is no audio server"
    case .inactive(let activation): "not active (activate is \(activation.rawValue))"
    case .interruptionOver: "its interruption is over; it is heard again when it is activated"
    case .refused(let holder): "it was refused because of \(holder.name); it is told when that has ended"
    case .heldBack: "it starts again after its signal was silent"
    case .noSource:
      "no program is connected to \(session.id)"
        + (hasPlayer(session) ? ", and no player of it plays" : "")
    case .noOutput(let category): "\(category.rawValue) has no output"
    case .onlyOffline:
      "audioProcessing is heard only where files are processed (/session/\(session.id)/process)"
    case .noStream: "it has no stream"
    case .stopped: "its client's output is stopped"
    case .background: "\(session.category.rawValue) stops in the background"
    case .silentSwitch: "the silent switch is on, which \(session.category.rawValue) obeys"
    case .recording(let recorder): "\(recorder) records, which silences every session but alerts"
    case .outputMuted: "its output is muted"
    case .muted: "muted by the operator"
    case .off: "its gain is off"
    case .group(let id): silencing(id)
    case .outputAbsent(let port): "\(port) has gone; it is heard again when that is back"
    case .noOutputAvailable: "no output is available" + unsuitable(for: session)
    case .inputClosed(let input): inputReason(input)
    case .desktopMixer: "the desktop's mixer lets nothing through"
    case .soloed: "a solo replaces it where it would be heard; the end of the solo brings it back"
    case .unrouted: "none of its streams reaches an available output"
    }
  }

  /// The cables of a session's programs that the router has left to other programs.
  private func contests(of session: Session) -> [String] {
    guard !contestedPorts.isEmpty else { return [] }
    let globs = session.programPorts + session.capture.destinations.compactMap(\.ports)
    return contestedPorts.filter { contested in globs.contains { $0.matches(contested.port) } }.map(
      \.sentence)
  }

  /// The JACK clients of a session's programs that hang.
  func hungPrograms(of session: Session) -> [String] {
    guard !hungPrograms.isEmpty else { return [] }
    let sources = session.programPorts
    return hungPrograms.map(\.client).filter { client in
      jackPorts.contains { port in
        port.name.hasPrefix("\(client):") && sources.contains { $0.matches(port.name) }
      }
    }
  }

  /// The streams and outputs of a session that are muted or turned off, and the reasons why its input is silence.
  private func hindrances(of session: Session) -> [String] {
    func hindrance(_ name: @autoclosure () -> String, isMuted: Bool, isOff: Bool) -> String? {
      isMuted ? "\(name()) is muted" : isOff ? "\(name()) is turned off" : nil
    }
    /// Names the outputs at which streams are heard in spite of a mute or level, because of their taps.
    func exception(_ streams: [SessionStream]) -> String {
      let ports = session.route.outputs.filter { port in
        streams.contains { isAudible($0, of: session, at: port) }
      }
      return ports.isEmpty
        ? "" : ", but heard at \(ports.map(\.name).joined(separator: ", ")), where its tap is before that"
    }
    let own = hindrance(
      session.id.name, isMuted: session.isMuted, isOff: Decibels(session.gain.target).isOff)
    var found: [String] = []
    if let own {
      let heard = exception(session.streams.values)
      // If the session is not heard anywhere, the sentence has begun with this reason.
      if !heard.isEmpty { found.append(own + heard) }
    }
    if let group = silencer(of: .session(session.id)) {
      let heard = exception(session.streams.values)
      if !heard.isEmpty { found.append("\(session.id) is \(silencing(group))" + heard) }
    }
    session.streams.forEachValue { stream in
      let isOff = Decibels(stream.gain.target).isOff
      if let reason = hindrance(stream.id.name, isMuted: stream.isMuted, isOff: isOff) {
        found.append(reason + exception([stream]))
      }
      if let group = silencer(of: .stream(session.id, stream.id)) {
        found.append("\(stream.id) is \(silencing(group))" + exception([stream]))
      }
    }
    for id in session.route.outputs {
      outputs.read(id) { output in
        let isOff = Decibels(output.gain.target).isOff
        if let reason = hindrance(id.name, isMuted: output.isMuted, isOff: isOff) { found.append(reason) }
        found += output.insert.faults(of: id.name)
      }
      if let group = silencer(of: .output(id)) { found.append("\(id) is \(silencing(group))") }
    }
    guard session.category.hasInput, !session.route.inputs.isEmpty else { return found }
    if session.permission != .granted { found.append("may not record (permission is \(session.permission))") }
    let muted = session.route.inputs.filter { inputs[$0]?.isHardwareMuted == true }
    return found + muted.map { "\($0) is muted in hardware" }
  }

  /// The built-in speakers that a multiRoute session sends sound to while it has other outputs (docs/develop/law/multi-route.md#1-outputs).
  private func unusedSpeakers(of session: Session) -> [String] {
    guard session.category == .multiRoute else { return [] }
    return outputs.keys { isUnusedSpeaker($0, of: session) && session.hasDestination(at: $0.id) }.map {
      "not at \($0): \(Self.speakerRule)"
    }
  }

  /// Whether an output is a built-in speaker that a multiRoute session leaves for its other outputs.
  func isUnusedSpeaker(_ output: Port, of session: Session) -> Bool {
    session.mode != .dualRoute && !session.route.outputs.isEmpty && output.type == .builtInSpeaker
      && output.isAvailable && !session.route.outputs.contains(output.id)
  }

  static let speakerRule = "a built-in speaker is used only when no other output is connected"

  /// The streams that are heard at ducked outputs and are not ducked there.
  private func exemptions(from ports: [PortID], of session: Session) -> [String] {
    let exempt = session.streams.values.filter { stream in
      ports.contains { isAudible(stream, of: session, at: $0) && isExempt(stream, of: session, at: $0) }
    }
    return exempt.map { "\($0.id) is not ducked" }
  }

  /// What the capture of a session without sound of its own does.
  private func recording(by session: Session, _ activity: Activity) -> [String] {
    guard session.isCapturing, session.hasCapture else { return [] }
    return ["its capture: \(whyOfCapture(session, activity))"]
  }

  /// Names the outputs that are available but that the session may not use.
  private func unsuitable(for session: Session) -> String {
    let ports = outputs.values.filter { $0.isAvailable && !session.mayUse($0, .output) }
    guard !ports.isEmpty else { return "" }
    let names = ports.map { "\($0.id) (\($0.type.rawValue))" }.joined(separator: ", ")
    return " that \(session.category.rawValue) may use as it is, only \(names)"
  }

  /// The preferences and overrides of a session that its route alone does not show.
  private func preferences(of session: Session) -> [String] {
    func away(_ port: PortID?, _ direction: Direction) -> [String] {
      guard let port, !self[direction].contains(port, where: \.isAvailable) else { return [] }
      return ["prefers the \(direction.rawValue) \(port), which is away"]
    }
    let usesOneOutput = session.category.hasOutput && session.category != .multiRoute
    return (session.portOverride == .speaker ? ["the speaker override is on"] : [])
      + (session.category.hasInput ? away(session.preferredInput, .input) : [])
      + (usesOneOutput && session.awaitedOutput == nil ? away(session.preferredOutput, .output) : [])
  }

  /// The absent outputs that a multiRoute session is sent to.
  private func awaited(by session: Session) -> [PortID] {
    guard session.category == .multiRoute else { return [] }
    return outputs.keys { !$0.isAvailable && session.hasDestination(at: $0.id) }
  }
}

extension SessionStream {
  /// Why monitors of outputs are not connected, as the end of a sentence about the stream; nil if none is left out.
  public var loopSentence: String? {
    guard !loops.isEmpty else { return nil }
    let names = loops.map(\.name).joined(separator: ", ")
    return
      "takes the monitor of \(names) and goes to \(names), so this monitor is not connected, because it would howl"
  }
}

extension Session {
  /// The patterns of the ports whose programs feed the session.
  fileprivate var programPorts: [PortGlob] {
    streams.values.flatMap(\.sources).compactMap { source in
      if case .ports(let program) = source { program.ports } else { nil }
    }
  }
}
