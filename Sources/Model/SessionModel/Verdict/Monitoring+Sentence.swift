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
      let effect = monitor.dim == -.infinity ? "replaced" : "dimmed by \(Decibels.text(monitor.dim))"
      found.append(Cause(.output(output), "\(effect) while \(soloWords) is soloed"))
    }
    let sends = monitoring.sends.filter { $0.output == output }.map { "\($0.session).\($0.stream)" }
    if !sends.isEmpty {
      found.append(
        Cause(
          .output(output), "no other send is heard while \(sends.joined(separator: ", ")) is soloed there"))
    }
    let talkbacks = talkbacks(heardAt: output)
    if let dim = talkbacks.map(\.talkback.dim).min(), dim < 0 {
      let names = talkbacks.map(\.id.name).joined(separator: ", ")
      found.append(Cause(.output(output), "dimmed by \(Decibels.text(dim)) while talkback \(names) is open"))
    }
    return found
  }

  private var soloWords: String { monitoring.solos.map(\.words).joined(separator: ", ") }

  /// One sentence: what a monitor output plays at present, and why.
  public func whyOfMonitor(_ port: Port) -> String {
    guard port.monitor.isOn else { return "\(port.id) is no monitor output" }
    guard port.isAvailable else { return "silent: \(port.id) is away" }
    guard !monitoring.solos.isEmpty else { return "plays its own content: nothing is soloed" }
    var parts = monitoring.solos.filter { !soloParts(of: $0, at: port.id).isEmpty }.map {
      "hears \($0.words) (\(point(of: $0, at: port)))"
    }
    let level = soloLevel(at: port, time: .infinity)
    if !parts.isEmpty, level < port.monitor.level.target {
      parts.append(
        "lowered to \(Decibels.text(level)), because its maxTotal is \(Decibels.text(port.maximumTotal))")
    }
    parts += guarded(at: port.id).map { "\($0) is guarded and never goes here" }
    parts += monitoringCauses(at: port.id).map { "its own content is \($0.sentence)" }
    return parts.joined(separator: "; ")
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
    let heard = listeners.filter { output in
      outputs[output]?.isAvailable == true && talkbacks(heardAt: output).contains { $0.id == session.id }
    }
    guard !heard.isEmpty else {
      return
        "\(state), but heard nowhere: \(session.isMuted ? "\(session.id) is muted" : "its outputs are away or its streams muted")"
    }
    let dim =
      session.talkback.dim < 0
      ? ", where it dims everything else by \(Decibels.text(session.talkback.dim))" : ""
    return "\(state): heard at \(heard.map(\.name).joined(separator: ", "))\(dim)\(waits)"
  }
}
