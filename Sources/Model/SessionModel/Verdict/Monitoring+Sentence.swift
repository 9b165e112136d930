extension RouterState {
  /// Where a session is soloed to, and where talkbacks dim it.
  func monitoringEffects(on session: Session) -> [String] {
    let soloed = monitors.compactMap { monitor -> String? in
      let isHeard = soloParts(at: monitor.id).contains { part in
        switch part {
        case .stream(session.id, _): true
        case .player(let id): players[id]?.session == session.id
        default: false
        }
      }
      return isHeard ? "soloed at \(monitor.id) (\(monitor.monitor.point.rawValue))" : nil
    }
    let dimmed = session.route.outputs.compactMap { output -> String? in
      guard isAudible(session, at: output) else { return nil }
      let causes = monitoringCauses(at: output)
      return causes.isEmpty ? nil : "\(output): \(causes.map(\.sentence).joined(separator: ", "))"
    }
    return soloed + dimmed
  }

  /// What solos and talkbacks do at each output, in words; empty while nothing is soloed and no talkback is open. Two states with equal effects
  /// need no new sentences because of them.
  public var monitoringEffects: [String] {
    guard !monitoring.isEmpty else { return [] }
    return monitoring.sends.map(\.words)
      + outputs.values.flatMap { output in
        [
          output.id.name, output.monitor.point.rawValue, whyOfMonitor(output),
          soloParts(at: output.id).map { "\($0)" }.joined(),
        ]
          + monitoringCauses(at: output.id).map(\.sentence)
          + talkbacks(heardAt: output.id).map(\.id.name)
      }
  }

  /// The solos and talkbacks that dim or replace what an output plays.
  func monitoringCauses(at output: PortID) -> [Cause] {
    guard !monitoring.isEmpty else { return [] }
    var found: [Cause] = []
    if isSoloing(at: output), let monitor = outputs[output]?.monitor {
      let effect =
        monitor.dim == -.infinity ? replacement : "dimmed by \(Decibels.text(monitor.dim)) \(duringSolos)"
      found.append(Cause(.output(output), effect))
    }
    if let words = soloedSends(at: output) { found.append(Cause(.output(output), words)) }
    let talkbacks = talkbacks(heardAt: output)
    if let dim = talkbacks.map(\.talkback.dim).min(), dim < 0 {
      let names = talkbacks.map(\.id.name).joined(separator: ", ")
      found.append(Cause(.output(output), "dimmed by \(Decibels.text(dim)) while talkback \(names) is open"))
    }
    return found
  }

  /// What monitor outputs play, in words; empty without monitor outputs.
  public var whysOfMonitors: [String] { monitors.map(whyOfMonitor) }

  /// The solo that keeps a stream from being heard at an output, in words; nil if none does.
  func soloSilencing(_ stream: StreamID, of session: SessionID, at output: PortID) -> String? {
    if isReplaced(output) { return replacement }
    return isOutsoloed(session, stream, at: output) ? soloedSends(at: output) : nil
  }

  private func soloedSends(at output: PortID) -> String? {
    let sends = monitoring.sends.filter { $0.output == output }.map { "\($0.session).\($0.stream)" }
    return sends.isEmpty
      ? nil : "no other send is heard while \(sends.joined(separator: ", ")) is soloed there"
  }

  private var replacement: String { "replaced \(duringSolos)" }

  private var duringSolos: String {
    "while \(monitoring.solos.map(\.words).joined(separator: ", ")) is soloed"
  }

  /// One sentence: what a monitor output plays at present, and why.
  public func whyOfMonitor(_ port: Port) -> String {
    guard port.monitor.isOn else { return "\(port.id) is no monitor output" }
    if let hindrance = hindrance(of: port) { return "silent: \(hindrance)" }
    guard !monitoring.solos.isEmpty else { return "plays its own content: nothing is soloed" }
    let (activity, level) = (activity, soloLevel(at: port, time: .infinity))
    let isOff = Decibels(level).isOff
    var parts = monitoring.solos.compactMap { target -> String? in
      let parts = soloParts(of: target, at: port.id)
      guard !parts.isEmpty else { return nil }
      let hindrances = parts.map {
        isOff ? "the level of solos is off" : hindrance(of: $0, soloedAt: port, activity)
      }
      let silence = hindrances.contains(nil) ? nil : hindrances.first ?? nil
      return "hears \(target.words) (\(point(of: target, at: port)))"
        + (silence.map { ", which is silent: \($0.prefix { $0 != ";" })" } ?? "")
    }
    if !parts.isEmpty, level < port.monitor.level.target {
      parts.append(
        "lowered to \(Decibels.text(level)), because its maxTotal is \(Decibels.text(port.maximumTotal))")
    }
    parts += guarded(at: port.id).map { "\($0) is guarded and never goes here" }
    parts += monitoringCauses(at: port.id).map { "its own content is \($0.sentence)" }
    return parts.joined(separator: "; ")
  }

  /// Why nothing is heard of a sound that is soloed at a monitor output; nil if it is heard.
  private func hindrance(
    of part: SoloPart, soloedAt monitor: Port, _ activity: Activity
  ) -> String? {
    let isPFL = monitor.monitor.point == .pfl
    switch part {
    case .stream(let id, let stream):
      guard let session = sessions[id], let stream = session.streams[stream] else { return nil }
      if !isPFL, !isGateOpen(session, activity) {
        if case .silent(let silence) = verdict(of: session, activity) { return reason(silence, of: session) }
        return "\(id) is not active"
      }
      return hindrance(of: stream, in: session, at: isPFL ? .input : .post)
    case .input(let id):
      guard let input = inputs[id] else { return nil }
      let isOpen = isPFL ? input.isAvailable && !input.isHardwareMuted : !input.isClosed(nil)
      return isOpen && input.desktopVolume?.isSilent != true
        ? nil : "\(id) \(captureHindrance(ofInput: id) ?? "is muted")"
    case .player(let id):
      return players[id].flatMap { $0.isPlaying ? nil : "\(id) does not play" }
    case .output(let id):
      // A solo takes the sound that leaves the router. The desktop's mixer changes the output's own sound behind that.
      var undisturbed = self
      undisturbed.outputs[id]?.desktopVolume = nil
      return undisturbed.hindrance(ofOutput: id, soloedAt: monitor, activity)
    }
  }

  private func hindrance(
    ofOutput id: PortID, soloedAt monitor: Port, _ activity: Activity
  ) -> String? {
    guard let output = outputs[id] else { return nil }
    if let hindrance = hindrance(of: output) { return hindrance }
    let isHeard = sessions.contains { (session: Session) in
      switch verdict(of: session, activity) {
      case .heard(let ports), .ducked(let ports, _):
        ports.contains(id)
          && session.streams.contains {
            !$0.isGuarded(against: monitor.id) && isAudible($0, of: session, at: id)
          }
      default: false
      }
    }
    let isSpokenTo = talkbacks(heardAt: id).contains { session in
      !session.streams.contains { (stream: SessionStream) in stream.isGuarded(against: monitor.id) }
    }
    return isHeard || isSpokenTo ? nil : "nothing is heard at \(id)"
  }

  private func point(of target: SoloTarget, at port: Port) -> String {
    if case .output = target { return SoloPoint.afl.rawValue }
    return port.monitor.point.rawValue
  }

  /// What is soloed and kept away from a monitor output by a guard.
  private func guarded(at monitor: PortID) -> [String] {
    monitoring.solos.flatMap { target -> [String] in
      switch target {
      case .session(let id):
        (sessions[id]?.streams.values ?? []).filter { $0.isGuarded(against: monitor) }.map {
          "\(id).\($0.id)"
        }
      case .output(let id):
        sessions.values.flatMap { session in
          session.streams.values.filter { stream in
            stream.isGuarded(against: monitor) && session.destination(of: stream, at: id)?.isOn == true
          }.map { "\(session.id).\($0.id)" }
        }
      default: soloParts(of: target, at: monitor).isEmpty ? [target.words] : []
      }
    }
  }

  /// One sentence: who hears a talkback, or why nobody does.
  public func whyOfTalkback(_ session: Session) -> String {
    let listeners = talkbackOutputs(of: session)
    guard !listeners.isEmpty else {
      let groups = session.talkback.groups.map(\.name).joined(separator: ", ")
      return "speaks to nobody: no output is a member of group \(groups)"
    }
    let away = listeners.filter { outputs[$0]?.isAvailable != true }
    let waits = away.isEmpty ? "" : "; \(away.map(\.name).joined(separator: ", ")) is away"
    guard monitoring.isOpen(session.id) else {
      return "closed; speaks to \(listeners.map(\.name).joined(separator: ", "))\(waits)"
    }
    let isLatched = monitoring.talkbacks.first { $0.session == session.id }?.press == nil
    let state = isLatched ? "open, latched" : "open while its button is held"
    if isPanicking { return "\(state), but panic is on" }
    let hindrances = listeners.compactMap { id in outputs[id].flatMap { hindrance(of: $0) } }
    let heard = listeners.filter { output in
      outputs.contains(output) { hindrance(of: $0) == nil }
        && talkbacks(heardAt: output).contains { $0.id == session.id }
    }
    guard !heard.isEmpty else {
      let own = session.streams.values.map { hindrance(of: $0, in: session, at: .post) }
      let reason = own.contains(nil) ? hindrances.first ?? "its streams are guarded there" : own.first ?? nil
      return "\(state), but heard nowhere: \(reason ?? "it has no stream")"
    }
    let dim =
      session.talkback.dim < 0
      ? ", where it dims everything else by \(Decibels.text(session.talkback.dim))" : ""
    return "\(state): heard at \(heard.map(\.name).joined(separator: ", "))\(dim)"
      + hindrances.map { "; \($0)" }.joined()
  }
}
