import Numbers

extension RouterState {
  /// Every cause of silence or of a change of a session's sound, in the order of the sound's way.
  ///
  /// First comes what stops the router or the session as a whole, then the programs, the streams, the sends and the outputs. The first
  /// cause that silences the session is the one that `why` tells; a session that is heard has none.
  /// - Parameter activity: that of this state; gather it once for many sessions.
  public func causes(of session: Session, _ activity: Activity) -> [Cause] {
    let found = routerCauses + activationCauses(of: session)
    guard session.category.hasStreams else {
      return found + [silence(.noOutput(session.category), at: .session, of: session)]
    }
    let before = found + programCauses(of: session, after: found) + ruleCauses(of: session, activity)
    return before + levelCauses(of: session) + playerCauses(of: session) + streamCauses(of: session)
      + groupLevelCauses(of: session) + outputCauses(of: session) + deafnessCauses(of: session)
  }

  /// All causes as one text, joined by `; `; `none` if there are none.
  public func causesText(_ session: Session, _ activity: Activity) -> String {
    let causes = causes(of: session, activity)
    return causes.isEmpty ? "none" : causes.map(\.text).joined(separator: "; ")
  }

  private func silence(_ silence: Verdict.Silence, at place: Cause.Place, of session: Session) -> Cause {
    Cause(place, reason(silence, of: session), .silent(silence))
  }

  private var routerCauses: [Cause] {
    var found: [Cause] = []
    if isPanicking { found.append(Cause(.router, "panic is on", .silent(.panic))) }
    if !server.isRunning { found.append(Cause(.router, "there is no audio server", .silent(.mediaLost))) }
    return found
  }

  /// Why a session is interrupted or not active.
  private func activationCauses(of session: Session) -> [Cause] {
    if let displacement = session.displacement {
      let time = timeOfDay(at: session.interruptionStart).map { " at \($0)" } ?? ""
      return [Cause(.session, "interrupted\(time) \(cause(of: displacement))", .interrupted(displacement))]
    }
    let threshold = "threshold of \(Decibels.text(session.signalThreshold.target))"
    if session.isActive { return [] }
    if session.isAwaitingSignal {
      return [Cause(.session, "below its \(threshold), so that it affects no other session")]
    }
    let idleness = idleness(of: session)
    let place = idleness == .noSource ? Cause.Place.program : .session
    let detail = session.isHeldBack ? ": its signal has not been below its \(threshold)" : ""
    return [Cause(place, reason(idleness, of: session) + detail, .silent(idleness))]
  }

  /// The local time of day, such as `20:04:05`; nil if the router's start is unknown.
  private func timeOfDay(at time: Double) -> String? {
    guard let timeOfDayAtStart else { return nil }
    let seconds = Int(timeOfDayAtStart + time) % 86_400
    func two(_ number: Int) -> String { "\(100 + number)".suffix(2).description }
    return "\(two(seconds / 3_600)):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
  }

  private func programCauses(of session: Session, after found: [Cause]) -> [Cause] {
    if session.streams.isEmpty { return [silence(.noStream, at: .session, of: session)] }
    if session.category == .audioProcessing, !server.isOffline {
      return [silence(.onlyOffline, at: .session, of: session)]
    }
    guard !session.hasSource else {
      let hung = hungPrograms(of: session).map { Cause(.program, "\($0) hangs") }
      return session.isQuiet && hung.isEmpty ? [Cause(.program, "connected, and silent")] : hung
    }
    let isKnown = found.contains { $0.verdict == .silent(.noSource) }
    return isKnown ? [] : [silence(.noSource, at: .program, of: session)]
  }

  /// The rules that silence a session though it is active or waits for its signal.
  private func ruleCauses(of session: Session, _ activity: Activity) -> [Cause] {
    var rules: [Verdict.Silence] = []
    if session.isSuspended { rules.append(.background) }
    if session.outputIO == .stopped { rules.append(.stopped) }
    if session.isOutputMuted { rules.append(.outputMuted) }
    if isSilent, session.category.obeysSilentSwitch, session.priority != .alert {
      rules.append(.silentSwitch)
    }
    if let recorder = activity.recorder(silencing: session) { rules.append(.recording(by: recorder)) }
    return rules.map { silence($0, at: .session, of: session) }
  }

  /// Whether nothing of a session that may be heard reaches an output.
  private func isDeaf(_ session: Session) -> Bool {
    (session.isActive || session.isAwaitingSignal) && !session.streams.isEmpty
      && !session.route.outputs.contains { isAudible(session, at: $0) }
  }

  private func levelCauses(of session: Session) -> [Cause] {
    var found: [Cause] = []
    let isDeaf = isDeaf(session)
    let silencing = groupCauses(of: .session(session.id), at: .session, of: session)
    if session.isMuted {
      found.append(Cause(.session, "muted by the operator", isDeaf ? .silent(.muted) : nil))
    }
    if Decibels(session.gain.target).isOff {
      found.append(Cause(.session, "its gain is off", isDeaf ? .silent(.off) : nil))
    }
    return found + silencing
  }

  /// The groups that silence a member on a session's way.
  private func groupCauses(of member: GroupMember, at place: Cause.Place, of session: Session) -> [Cause] {
    let found = groups(of: member).filter { $0.silences(byGain: true) }
    guard !found.isEmpty else { return [] }
    let deafness = isDeaf(session) ? deafness(of: session) : nil
    return found.map { group in
      Cause(
        place, silencing(group.id), deafness == .group(group.id) ? .silent(.group(group.id)) : nil)
    }
  }

  /// The groups that make a session louder or quieter on its way, with the stops where they do.
  private func groupLevelCauses(of session: Session) -> [Cause] {
    guard !groups.isEmpty else { return [] }
    let stops: [(member: GroupMember, place: Cause.Place)] =
      [(.session(session.id), .session)]
      + session.streams.keys.map { (.stream(session.id, $0), .stream($0)) }
      + wantedOutputs(of: session).map { (.output($0.id), .output($0.id)) }
    return groups.values.compactMap { group in
      guard group.changesLevels else { return nil }
      let places = stops.filter { group.contains($0.member) }.map(\.place.description)
      return places.isEmpty
        ? nil
        : Cause(.group(group.id), "\(Decibels.text(group.gain.target)) on \(places.joined(separator: ", "))")
    }
  }

  private func playerCauses(of session: Session) -> [Cause] {
    guard session.runningPlayers > 0 else { return [] }
    return players.values.filter { $0.session == session.id && $0.isRunning }.flatMap { player in
      let place = Cause.Place.player(player.id)
      return (player.isMuted ? [Cause(place, "muted")] : [])
        + (Decibels(player.gain.target).isOff ? [Cause(place, "its gain is off")] : [])
        + groupCauses(of: .player(player.id), at: place, of: session)
    }
  }

  private func streamCauses(of session: Session) -> [Cause] {
    session.streams.values.flatMap { stream -> [Cause] in
      let place = Cause.Place.stream(stream.id)
      var found: [Cause] = []
      if let silence = stream.silence { found.append(Cause(place, silence.sentence)) }
      if isSilentOnDesktop(stream) { found.append(Cause(place, "silenced in the desktop's mixer")) }
      if stream.isMuted { found.append(Cause(place, "muted")) }
      if Decibels(stream.gain.target).isOff { found.append(Cause(place, "its gain is off")) }
      found += groupCauses(of: .stream(session.id, stream.id), at: place, of: session)
      if !stream.never.isEmpty {
        found.append(
          Cause(place, "its guard forbids \(stream.never.map(\.name).joined(separator: ", "))"))
      }
      guard session.category == .multiRoute else { return found }
      for (output, destination) in stream.destinations {
        let place = Cause.Place.send(stream.id, output)
        if !destination.isOn { found.append(Cause(place, "switched off")) }
        if Decibels(destination.gain.target).isOff { found.append(Cause(place, "its gain is off")) }
      }
      return found
    }
  }

  /// The outputs that a session reaches, or is sent to.
  private func wantedOutputs(of session: Session) -> [Port] {
    let sent = session.category == .multiRoute ? session.streams.values.flatMap(\.wantedOutputs) : []
    let wanted = Set(session.route.outputs + sent)
    return outputs.values.filter { wanted.contains($0.id) }
  }

  /// What acts at each output that a session reaches, or is sent to.
  private func outputCauses(of session: Session) -> [Cause] {
    wantedOutputs(of: session).flatMap { output -> [Cause] in
      let place = Cause.Place.output(output.id)
      var found: [Cause] = []
      if let duck = session.ducks.first(where: { $0.output == output.id && $0.isDucked }),
        isDuckHeard(in: session, at: output.id)
      {
        let ducker = duck.ducker.map { " by \($0)" } ?? ""
        found.append(Cause(place, "ducked to \(Decibels.text(duck.target))\(ducker)"))
      }
      found += monitoringCauses(at: output.id)
      if !output.isAvailable { found.append(Cause(place, "absent")) }
      if output.isMuted { found.append(Cause(place, "muted")) }
      found += output.insert.faults(of: "its sound").map { Cause(place, $0) }
      if Decibels(output.gain.target).isOff { found.append(Cause(place, "its gain is off")) }
      found += groupCauses(of: .output(output.id), at: place, of: session)
      if output.section.dim < 0 {
        found.append(Cause(place, "its dim is on, \(Decibels.text(output.section.dim))"))
      }
      if output.maximumTotal.isFinite {
        found.append(
          Cause(place, "all gains together are at most \(Decibels.text(output.maximumTotal))"))
      }
      let delay = output.heldBack(output.delay.target)
      if delay > 0 { found.append(Cause(place, "delayed by \((delay * 1_000).text(.exactly(1))) ms")) }
      if let effect = output.desktopVolume?.effect { found.append(Cause(place, effect)) }
      return found
    }
  }

  /// Why a session that nothing of its own silences reaches no output.
  private func deafnessCauses(of session: Session) -> [Cause] {
    guard isDeaf(session), !session.isMuted, !Decibels(session.gain.target).isOff else { return [] }
    let deafness = deafness(of: session)
    // The group's own cause tells it.
    if case .group = deafness { return [] }
    guard case .outputAbsent(let port) = deafness else {
      return [silence(deafness, at: .outputs, of: session)]
    }
    return [silence(deafness, at: .output(port), of: session)]
  }
}

extension SessionStream {
  /// The outputs that the stream is sent to.
  fileprivate var wantedOutputs: [PortID] { destinations.filter { $0.value.isOn }.map(\.key) }
}
