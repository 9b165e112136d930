extension RouterState {
  /// One sentence for a sound engineer: why a session is heard, ducked, interrupted or silent, by whom, what it waits for, and who
  /// hears its programs besides.
  public func why(_ session: Session, _ activity: Activity) -> String {
    let verdict = verdict(of: session, activity)
    var parts = [sentence(verdict, about: session)]
    if session.isActive || session.isAwaitingSignal, session.isConnected, server.isRunning, !isPanicking {
      parts += hindrances(of: session)
    }
    let absent = awaited(by: session)
    if !absent.isEmpty { parts.append("waits for \(absent.map(\.name).joined(separator: ", "))") }
    parts += wishes(of: session)
    let direct = session.streams.values.filter { !$0.isExclusive }.flatMap(\.directSinks)
    if !direct.isEmpty { parts.append("also heard directly at \(direct.joined(separator: ", "))") }
    return parts.joined(separator: "; ")
  }

  private func sentence(_ verdict: Verdict, about session: Session) -> String {
    switch verdict {
    case .heard(let ports): return "heard at \(ports.map(\.name).joined(separator: ", "))"
    case .ducked(let ports, let ducker):
      let level = session.deepestDuck.map { " to \(Decibels.text($0.target)) dB" } ?? ""
      return "heard at \(ports.map(\.name).joined(separator: ", ")), ducked\(level) by \(ducker)"
    case .interrupted(let displacement):
      let whenOver =
        session.resumption == .never
        ? "stays silent until it is activated (resume is never)" : "comes back by itself when it ends"
      return "interrupted \(cause(of: displacement)); \(whenOver)"
    case .silent(.noOutput(let category)): return "not heard: \(category.rawValue) has no output"
    case .silent(let silence): return "silent: \(reason(silence, of: session))"
    }
  }

  private func cause(of displacement: Displacement) -> String {
    switch displacement.interrupter {
    case .session(let id):
      if let other = sessions[id], let next = other.displacement {
        return "by \(id), which is itself interrupted by \(next.interrupter.name)"
      }
      let isThere = sessions[id]?.isActive == true
      return "by \(id) since it \(isThere ? "is active" : "was active, and may come back")"
    case .source(let id):
      return "by call since \(id) \(interruptions[id]?.isOn == true ? "is on" : "rings")"
    case .input(let id): return "since \(id) is muted in hardware"
    case .output(let id): return "since \(id) has gone"
    }
  }

  private func reason(_ silence: Verdict.Silence, of session: Session) -> String {
    switch silence {
    case .panic: "panic is on; /system/panic 0 brings it back"
    case .mediaLost: "there is no audio server"
    case .inactive(let activation): "not active (activate is \(activation.rawValue))"
    case .interruptionOver: "its interruption is over; it is heard again when it is activated"
    case .refused(let holder): "it was refused because of \(holder.name); it is told when that has ended"
    case .heldBack: "it starts again after its signal was silent"
    case .noSource: "no program is connected to \(session.id)"
    case .noOutput(let category): "\(category.rawValue) has no output"
    case .onlyOffline: "audioProcessing is heard only where files are rendered"
    case .noStream: "it has no stream"
    case .stopped: "its client's output is stopped"
    case .background: "\(session.category.rawValue) stops in the background"
    case .silentSwitch: "the silent switch is on, which \(session.category.rawValue) obeys"
    case .recording(let recorder): "\(recorder) records, which silences everybody but alerts"
    case .outputMuted: "its output is muted"
    case .muted: "muted by the operator"
    case .off: "its gain is off"
    case .outputAbsent(let port): "\(port) has gone; it is heard again when that is back"
    case .noOutputAvailable: "no output is available" + unsuitable(for: session)
    case .unrouted: "none of its streams reaches an available output"
    }
  }

  /// Which of its streams and outputs are muted or turned off, and why its input is silence.
  private func hindrances(of session: Session) -> [String] {
    func hindrance(_ name: String, isMuted: Bool, isOff: Bool) -> String? {
      isMuted ? "\(name) is muted" : isOff ? "\(name) is turned off" : nil
    }
    var found = session.streams.values.compactMap {
      hindrance("\($0.id)", isMuted: $0.isMuted, isOff: Decibels($0.gain.target).isOff)
    }
    found += session.route.outputs.compactMap { outputs[$0] }.compactMap {
      hindrance("\($0.id)", isMuted: $0.isMuted, isOff: Decibels($0.gain.target).isOff)
    }
    guard session.category.hasInput, !session.route.inputs.isEmpty else { return found }
    if session.permission != .granted { found.append("may not record (permission is \(session.permission))") }
    let muted = session.route.inputs.filter { inputs[$0]?.isHardwareMuted == true }
    return found + muted.map { "\($0) is muted in hardware" }
  }

  /// What is there, but of no use to a session.
  private func unsuitable(for session: Session) -> String {
    let ports = outputs.values.filter { $0.isAvailable && !session.mayUse($0, .output) }
    guard !ports.isEmpty else { return "" }
    let names = ports.map { "\($0.id) (\($0.type.rawValue))" }.joined(separator: ", ")
    return " that \(session.category.rawValue) may use as it is, only \(names)"
  }

  /// What it was asked to do with its route, as far as the route alone does not show it.
  private func wishes(of session: Session) -> [String] {
    func away(_ port: PortID?, _ direction: Direction) -> [String] {
      guard let port, self[direction][port]?.isAvailable != true else { return [] }
      return ["prefers the \(direction.rawValue) \(port), which is away"]
    }
    let usesOneOutput = session.category.hasOutput && session.category != .multiRoute
    return (session.portOverride == .speaker ? ["the speaker override is on"] : [])
      + (session.category.hasInput ? away(session.preferredInput, .input) : [])
      + (usesOneOutput && session.awaitedOutput == nil ? away(session.preferredOutput, .output) : [])
  }

  /// The outputs that it would be heard at if they were there.
  private func awaited(by session: Session) -> [PortID] {
    guard session.category == .multiRoute else { return [] }
    return outputs.values.filter { port in
      !port.isAvailable && session.streams.contains { $0.value.destinations[port.id]?.isOn == true }
    }.map(\.id)
  }
}

extension Decibels {
  /// `-14` rather than `-14.0`.
  fileprivate static func text(_ level: Double) -> String {
    level == level.rounded() ? "\(Int(level))" : "\(Float(level))"
  }
}
