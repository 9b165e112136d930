extension RouterState {
  /// The sessions that are talkbacks.
  public var talkbackSessions: [SessionID] { sessions.keys(where: \.isTalkback) }

  /// The outputs to which a talkback speaks, each once: those that it names, and the members of the groups that it names.
  public func talkbackOutputs(of session: Session) -> [PortID] {
    var found = session.talkback.outputs
    for group in session.talkback.groups.compactMap({ groups[$0] }) {
      found += outputs.keys.filter { group.contains(.output($0)) && !found.contains($0) }
    }
    return found
  }

  /// The streams of a talkback that an output hears while the talkback is open. A guard keeps a stream away.
  public func talkbackStreams(of session: Session, at output: PortID) -> [SessionStream] {
    guard outputs.contains(output), talkbackOutputs(of: session).contains(output) else { return [] }
    return session.streams.values.filter { !$0.isGuarded(against: output) }
  }

  /// The open talkbacks that an output hears if it plays anything. One that is muted, turned off or without a microphone is heard nowhere.
  public func talkbacks(heardAt output: PortID) -> [Session] {
    monitoring.talkbacks.compactMap { sessions[$0.session] }.filter { session in
      talkbackStreams(of: session, at: output).contains { hindrance(of: $0, in: session, at: .post) == nil }
    }
  }

  /// The attenuation of everything else in an output by its open talkbacks, in dB; the deepest counts.
  public func talkbackDim(at output: PortID) -> Double {
    guard !monitoring.talkbacks.isEmpty else { return 0 }
    return talkbacks(heardAt: output).map(\.talkback.dim).min() ?? 0
  }

  /// When the talkback's alarm goes on next, or has gone on; nil while none is open that has an alarm.
  public func alarmTime(of open: OpenTalkback) -> Double? {
    guard let alarm = sessions[open.session]?.talkback.alarm, alarm > 0 else { return nil }
    return open.start + alarm
  }
}

extension Session {
  /// Whether the session is a talkback.
  public var isTalkback: Bool { !talkback.outputs.isEmpty || !talkback.groups.isEmpty }
}
