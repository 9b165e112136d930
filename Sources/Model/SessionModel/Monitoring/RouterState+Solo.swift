extension RouterState {
  public func isSoloed(_ target: SoloTarget) -> Bool { monitoring.solos.contains(target) }

  /// The monitor outputs.
  public var monitors: [Port] { outputs.values.filter(\.monitor.isOn) }

  /// The sounds that the present solos bring to a monitor output, each once. What a guard keeps away from the output is left out.
  public func soloParts(at monitor: PortID) -> [SoloPart] {
    guard !monitoring.solos.isEmpty, outputs.read(monitor, { $0.monitor.isOn }) == true else { return [] }
    var parts: [SoloPart] = []
    for target in monitoring.solos {
      for part in soloParts(of: target, at: monitor) where !parts.contains(part) { parts.append(part) }
    }
    return parts
  }

  /// The sounds that one solo brings to a monitor output.
  public func soloParts(of target: SoloTarget, at monitor: PortID) -> [SoloPart] {
    switch target {
    case .session(let id):
      let streams = sessions[id]?.streams.values ?? []
      return streams.filter { !$0.isGuarded(against: monitor) }.map { .stream(id, $0.id) }
    case .stream(let id, let stream):
      return isGuarded(id, stream, against: monitor) ? [] : [.stream(id, stream)]
    case .input(let id): return guardedStream(takingInput: id, against: monitor) == nil ? [.input(id)] : []
    case .output(let id): return id == monitor ? [] : [.output(id)]
    case .player(let id):
      guard let player = players[id] else { return [] }
      return isGuarded(player.session, player.stream, against: monitor) ? [] : [.player(id)]
    case .group(let id):
      return soloTargets(ofGroup: id).flatMap { soloParts(of: $0, at: monitor) }
    }
  }

  /// The members of a group that can be soloed by themselves.
  public func soloTargets(ofGroup id: GroupID) -> [SoloTarget] {
    guard let group = groups[id] else { return [] }
    return members(of: group).compactMap { member in
      switch member {
      case .session(let id): .session(id)
      case .stream(let session, let id): .stream(session, id)
      case .output(let id): .output(id)
      case .player(let id): .player(id)
      case .capture: nil
      }
    }
  }

  /// Whether solos replace or dim a monitor output's own content now.
  public func isSoloing(at monitor: PortID) -> Bool { !soloParts(at: monitor).isEmpty }

  /// Whether a solo replaces an output's own content, so that nothing of it is heard.
  public func isReplaced(_ output: PortID) -> Bool {
    guard !monitoring.solos.isEmpty else { return false }
    return outputs.read(output) { $0.monitor.dim == -.infinity } == true && isSoloing(at: output)
  }

  private func isGuarded(_ session: SessionID, _ stream: StreamID, against output: PortID) -> Bool {
    sessions[session]?.streams[stream]?.isGuarded(against: output) ?? true
  }

  /// A stream that takes an input and may not go to an output; nil if there is none. Such an input is not soloed there.
  public func guardedStream(takingInput input: PortID, against output: PortID) -> String? {
    for session in sessions.values {
      for stream in session.streams.values where stream.isGuarded(against: output) {
        if stream.takesInput(input) { return "\(session.id).\(stream.id)" }
      }
    }
    return nil
  }

  /// The level of what is soloed at a monitor output, in dB. It comes down so far that no sound exceeds the output's total maximum.
  /// - Parameter time: seconds of the router's time, on which gains that fade depend.
  public func soloLevel(at monitor: Port, time: Double) -> Double {
    let wanted = monitor.monitor.level.value(at: time, isLevel: true)
    let level = max(wanted, monitor.monitor.level.target)
    guard monitor.maximumTotal.isFinite else { return level }
    let gains = soloParts(at: monitor.id).map { highestGain(of: $0, monitor.monitor.point, at: time) }
    let own = highestGain(ofOutput: monitor, at: time)
    let room = monitor.maximumTotal - own - (gains.max() ?? 0)
    return max(Decibels.floor, min(level, room))
  }

  /// The highest gain in dB from a source to the point at which a sound is soloed.
  private func highestGain(of part: SoloPart, _ point: SoloPoint, at time: Double) -> Double {
    switch part {
    case .stream(let session, let stream): highestGain(of: session, stream, point, at: time)
    case .input(let id):
      (point == .pfl ? inputs[id]?.highestGainOfChannels(at: time) : inputs[id]?.highestInputGain(at: time))
        ?? 0
    case .player(let id): point == .pfl ? 0 : players[id].map { highestGain(of: $0, at: time) } ?? 0
    case .output(let id): highestGain(throughOutput: id, at: time)
    }
  }

  private func highestGain(
    of id: SessionID, _ streamID: StreamID, _ point: SoloPoint, at time: Double
  ) -> Double {
    guard let session = sessions[id], let stream = session.streams[streamID] else { return 0 }
    var source = 0.0
    for case .input(let input, _) in stream.sources {
      source = max(source, inputs[input]?.highestInputGain(at: time) ?? 0)
    }
    for player in players.values where player.session == id && player.stream == streamID {
      source = max(source, highestGain(of: player, at: time))
    }
    guard point == .afl else { return source }
    let groups = highestGroupGain(of: .session(id), at: time)
    let gain = session.gain.highest(at: time)
    return source + stream.gain.highest(at: time) + highestGroupGain(of: .stream(id, streamID), at: time)
      + stream.width.highestOfWidth(at: time) + min(session.maximum, gain + groups)
  }

  private func highestGain(of player: MediaPlayer, at time: Double) -> Double {
    player.gain.highest(at: time) + highestGroupGain(of: .player(player.id), at: time)
  }

  /// The gain of an output with those of its groups, up to its maximum, and what mono adds.
  private func highestGain(ofOutput output: Port, at time: Double) -> Double {
    let groups = highestGroupGain(of: .output(output.id), at: time)
    return min(output.maximum, output.gain.highest(at: time) + groups) + output.gainOfMono
  }

  private func highestGain(throughOutput id: PortID, at time: Double) -> Double {
    var highest = 0.0
    for session in sessions.values {
      for stream in session.streams.values {
        guard let destination = session.destination(of: stream, at: id), destination.isOn else { continue }
        let point = destination.tap == .post ? SoloPoint.afl : .pfl
        highest = max(
          highest,
          highestGain(of: session.id, stream.id, point, at: time) + destination.gain.highest(at: time))
      }
    }
    return highest + (outputs[id].map { highestGain(ofOutput: $0, at: time) } ?? 0)
  }
}

extension Port {
  /// The highest gain of an input and its channels, in dB.
  fileprivate func highestInputGain(at time: Double) -> Double {
    highestGainOfChannels(at: time) + gain.highest(at: time)
      + (channelStrips.map { $0.gain.highest(at: time) }.max() ?? 0)
  }
}

extension SessionStream {
  /// Whether an input is among the stream's sources.
  public func takesInput(_ id: PortID) -> Bool {
    sources.contains { source in if case .input(id, _) = source { true } else { false } }
  }
}

extension Control {
  /// The highest value from now on, in dB.
  fileprivate func highest(at time: Double) -> Double { max(target, value(at: time, isLevel: true)) }
}
