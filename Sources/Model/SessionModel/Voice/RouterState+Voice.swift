extension Session {
  /// Whether the session's category and mode have voice processing (docs/develop/law/voice.md#1-modes).
  public var processesVoice: Bool { category.hasInput && mode.processesVoice }
}

extension RouterState {
  /// The parts that process a session's capture now; nil if nothing processes it (docs/develop/law/voice.md#1-modes).
  public func voiceProcessing(of session: Session) -> VoiceProcessing? {
    guard server.isRunning, session.processesVoice, session.capture.channels > 0,
      !microphones(of: session).isEmpty
    else {
      return nil
    }
    let switches = session.voice
    let processing = VoiceProcessing(
      echo: (switches[.echo] ?? true) && !echoOutputs(of: session).isEmpty, noise: switches[.noise] ?? true,
      level: switches[.level] ?? true, highpass: switches[.highpass] ?? true)
    return VoicePart.allCases.contains { processing[$0] } ? processing : nil
  }

  /// The inputs whose sound a session's capture contains: its own, and those that feed the streams of the sessions in it
  /// (docs/develop/law/voice.md#1-modes).
  public func microphones(of session: Session) -> [PortID] {
    var microphones = session.capturedInputs
    for id in session.capturedSessions {
      for stream in sessions[id]?.streams.values ?? [] {
        for case .input(let input, _) in stream.sources
        where inputs.contains(input) && !microphones.contains(input) { microphones.append(input) }
      }
    }
    return microphones
  }

  /// The outputs that the microphones of a session hear, so that their sound is the echo in its capture
  /// (docs/develop/law/voice.md#3-what-the-microphone-hears). Their order is that of `outputs`.
  public func echoOutputs(of session: Session) -> [PortID] {
    let wanted = microphones(of: session).reduce(into: Set<PortID>()) { wanted, id in
      guard let input = inputs[id] else { return }
      wanted.formUnion(input.echo ?? session.route.outputs.filter { isHeardInRoom($0) })
    }
    return wanted.isEmpty ? [] : outputs.keys { $0.isAvailable && wanted.contains($0.id) }
  }

  private func isHeardInRoom(_ id: PortID) -> Bool {
    outputs.contains(id) { $0.type.isHeardInRoom }
  }
}
