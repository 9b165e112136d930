import Effects

/// What a strip's lamp shows.
public enum StripState: String, CaseIterable, Sendable {
  case heard, muted, ducked, interrupted, unplugged, inactive
}

extension RouterState {
  /// What the lamp of a strip shows for a target; nil if the object does not exist.
  public func stripState(of target: StripTarget, _ activity: Activity) -> StripState? {
    guard exists(target) else { return nil }
    switch target {
    case .session(let id): return sessions[id].map { state(of: $0, activity) }
    case .stream(let id, let stream):
      guard let session = sessions[id], let stream = session.streams[stream] else { return nil }
      return state(of: stream, in: session, at: session.route.outputs, activity)
    case .send(let id, let stream, let output):
      guard let session = sessions[id], let stream = session.streams[stream] else { return nil }
      guard outputs[output]?.isAvailable == true else { return .unplugged }
      return state(of: stream, in: session, at: [output], activity)
    case .output(let id):
      return outputs[id].map { port in
        state(
          of: port, isUsed: sessions.contains { $0.isActive && $0.route.outputs.contains(id) },
          isSilenced: silencer(of: .output(id)) != nil)
      }
    case .input(let id):
      return inputs[id].map { port in
        state(of: port, isUsed: sessions.contains { $0.isActive && $0.takes(id) })
      }
    case .player(let id):
      guard let player = players[id] else { return nil }
      guard player.isRunning, let session = sessions[player.session],
        let stream = session.streams[player.stream]
      else { return .inactive }
      if player.isMuted || Decibels(player.gain.target).isOff || silencer(of: .player(id)) != nil {
        return .muted
      }
      return state(of: stream, in: session, at: session.route.outputs, activity)
    case .group(let id):
      return groups[id].map { group in
        if isPanicking || group.silences(byGain: true) { return .muted }
        let states = members(of: group).compactMap(\.strip).compactMap { stripState(of: $0, activity) }
        return StripState.allCases.first(where: states.contains) ?? .inactive
      }
    case .control(let place, _): return effect(at: place).map { state(of: $0, at: place.chain) }
    }
  }

  private func state(of session: Session, _ activity: Activity) -> StripState {
    switch verdict(of: session, activity) {
    case .heard: .heard
    case .ducked: .ducked
    case .interrupted(let displacement):
      if case .output = displacement.interrupter { .unplugged } else { .interrupted }
    case .silent(let silence): state(of: silence)
    }
  }

  private func state(of silence: Verdict.Silence) -> StripState {
    switch silence {
    case .panic, .silentSwitch, .recording, .outputMuted, .muted, .off, .group, .inputClosed,
      .desktopMixer, .soloed:
      .muted
    case .outputAbsent, .noOutputAvailable: .unplugged
    case .interruptionOver, .refused: .interrupted
    case .mediaLost, .inactive, .heldBack, .noSource, .noOutput, .onlyOffline, .noStream, .stopped,
      .background, .unrouted:
      .inactive
    }
  }

  /// The state of a stream at some of its session's outputs.
  private func state(
    of stream: SessionStream, in session: Session, at ports: [PortID], _ activity: Activity
  ) -> StripState {
    let whole = state(of: session, activity)
    // What silences the session silences the stream; only of a session with sound the stream's own way decides.
    switch verdict(of: session, activity) {
    case .heard, .ducked, .silent(.muted), .silent(.off), .silent(.group), .silent(.inputClosed),
      .silent(.desktopMixer), .silent(.soloed),
      .silent(.unrouted):
      break
    default: return whole
    }
    let audible = ports.filter {
      session.route.outputs.contains($0) && isAudible(stream, of: session, at: $0)
    }
    if let duck = session.ducks.first(where: {
      $0.isDucked && audible.contains($0.output) && !isExempt(stream, of: session, at: $0.output)
    }) {
      return duck.ducker == nil ? .heard : .ducked
    }
    if !audible.isEmpty { return .heard }
    let isSent = ports.contains { session.destination(of: stream, at: $0)?.isOn ?? false }
    return isSent ? .muted : .inactive
  }

  /// The state of an effect.
  private func state(of effect: ChainedEffect, at place: InsertPlace) -> StripState {
    let isBypassed = isBypassingEffects && insert(at: place)?.fallback != .mute
    return switch effect.facts.state {
    case .loading: .inactive
    case .working where effect.effect.isOn && !isBypassed: .heard
    case .working, .faulty: .muted
    }
  }

  /// The state of a port.
  private func state(of port: Port, isUsed: Bool, isSilenced: Bool = false) -> StripState {
    if !port.isAvailable { return .unplugged }
    if port.isMuted || port.isHardwareMuted || isPanicking || isSilenced || port.insert.isSilencing
      || Decibels(port.gain.target).isOff
    {
      return .muted
    }
    return isUsed ? .heard : .inactive
  }
}

extension Session {
  /// Whether the session's capture or one of its streams takes sound from an input.
  fileprivate func takes(_ input: PortID) -> Bool {
    route.inputs.contains(input) || capture.inputs[input]?.isOn ?? false
      || streams.contains { _, stream in
        stream.sources.contains { if case .input(input, _) = $0 { true } else { false } }
      }
  }
}
