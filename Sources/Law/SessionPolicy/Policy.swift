public import SessionModel

/// The law of sessions: a pure function from a state and an event to the next state and its notifications.
///
/// The rules run in the order of the list in `Rules/README.md`. A refused event changes nothing. Any thread may call it.
public enum Policy {
  /// Accepts or refuses one event, and applies everything that follows from an accepted one.
  ///
  /// - Parameters:
  ///   - state: changes only if the event is accepted.
  ///   - time: seconds of the router's monotonic time; the policy has no clock of its own.
  /// - Returns: the notifications, in the order in which sessions must get them.
  /// - Throws: `SessionError`, whose sentence names the rule, the session or call that stands in the way, and what would be
  ///   accepted instead.
  public static func reduce(
    _ state: inout RouterState, _ event: Event, at time: Double
  ) throws(SessionError) -> [Notification] {
    var next = state
    var notifications = try decide(&next, event, at: time)
    notifications += AutomaticActivation.apply(&next, after: event, since: state, at: time)
    notifications += Interruptions.apply(&next, after: event, since: state)
    Groups.apply(&next, after: event, since: state)
    AbsentDevices.apply(&next, after: event)
    Guards.apply(&next, after: event)
    Routing.apply(&next, after: event, since: state, appendingTo: &notifications)
    notifications += AvailableInputs.decide(next, after: event, since: state)
    notifications += Disconnections.apply(&next, after: event, since: state)
    notifications += AutomaticResume.apply(&next, after: notifications, at: time)
    notifications += MediaSessions.apply(&next, after: event, since: state, at: time)
    DataSources.apply(&next, appendingTo: &notifications)
    Processing.apply(&next, since: state, appendingTo: &notifications)
    InputGain.apply(&next, since: state)
    VoiceModes.apply(&next)
    StripAssignments.apply(&next, after: event, since: state)
    Solos.apply(&next)
    Talkbacks.apply(&next)
    if event.setsLevel {
      try TotalMaxima.check(next, after: event, since: state, at: time)
    } else {
      notifications += TotalMaxima.apply(&next, at: time)
    }
    if event.concernsOthers {
      next.gatherActivity()
      let activities = (before: state.activity, now: next.activity)
      HardwarePreferences.apply(&next, activities.now)
      notifications += SilenceHint.decide(next, since: state, activities)
      Ducking.apply(&next, since: state, activities, at: time)
    }
    var cursor = Registry<SessionID, Session>.Cursor()
    for case .interruption(let id, .began, _) in notifications {
      next.sessions.update(id, at: &cursor) { $0.interruptionStart = time }
    }
    Recalls.apply(&next, after: event)
    state = next
    return notifications
  }

  /// Calls the one rule that accepts or refuses the event.
  private static func decide(
    _ state: inout RouterState, _ event: Event, at time: Double
  ) throws(SessionError) -> [Notification] {
    switch event {
    case .createSession(let id, let configuration):
      return try Creation.createSession(&state, id, configuration, at: time)
    case .removeSession(let id):
      return try Creation.removeSession(&state, id)
    case .configure(let id, let configuration):
      return try Categories.configure(&state, id, configuration)
    case .activate(let id, let notifyingOthers):
      return try Activations.activate(
        &state, id, notifyingOthers: notifyingOthers, by: .app, at: time)
    case .deactivate(let id, let notifyingOthers):
      return try Activations.deactivate(&state, id, notifyingOthers: notifyingOthers)
    case .activationRefused(let id):
      Activations.refuse(&state, id)
    case .beginInterruption(let id, let reason):
      return try Calls.begin(&state, id, reason)
    case .endInterruption(let id, let shouldResume):
      return Calls.end(&state, id, shouldResume: shouldResume)
    case .ring(let id, let isRinging):
      return try Calls.ring(&state, id, isRinging)
    case .clearInterruptions:
      return Calls.clear(&state)
    case .interrupt(let id, let source):
      guard let reason = state.interruptions[source]?.reason else { return [] }
      return Interruptions.interrupt(&state, by: .source(source), reason) { $0.id == id }
    case .session(let id, .portOverride(let override)):
      try SpeakerOverride.set(&state, id, with: override)
    case .session(let id, .preferredInput(let port)):
      try Preferences.setInput(&state, id, port)
    case .session(let id, .preferredRate(let rate)):
      try HardwarePreferences.set(&state, id) { $0.rate = rate }
    case .session(let id, .preferredPeriod(let period)):
      try HardwarePreferences.set(&state, id) { $0.period = period }
    case .session(let id, .preferredChannels(let direction, let count)):
      try HardwarePreferences.setChannels(&state, id, direction, count)
    case .session(let id, .inputLevel(let move)):
      try InputGain.move(&state, id, move, at: time)
    case .session(let id, .voice(let part, let isOn)):
      return try VoiceModes.set(&state, id, part, isOn)
    case .session(let id, .preferredOutput(let port)):
      try Preferences.setOutput(&state, id, port)
    case .session(let id, .talkback(let setting)):
      try Talkbacks.set(&state, id, setting)
    case .solo(let target, let isOn):
      try Solos.set(&state, target, isOn)
    case .clearSolos:
      state.monitoring.solos = []
    case .soloSend(let send, let isOn):
      try Solos.set(&state, send, isOn)
    case .closeTalkback(let id):
      state.monitoring.talkbacks.removeAll { $0.session == id }
    case .talkback(let id, let isPressed):
      try Talkbacks.press(&state, id, isPressed, at: time)
    case .session(let id, let setting):
      return try Settings.setSession(&state, id, setting, at: time)
    case .alive(let id):
      try state.withSession(id) { session in session.leaseStart = time }
    case .process(let id, let event):
      return try Processing.take(&state, id, event)
    case .elapsed:
      break
    case .createStream(let session, let id, let channels, let placed):
      try Creation.createStream(&state, session, id, channels: channels, placed: placed)
    case .removeStream(let session, let id):
      try Creation.removeStream(&state, session, id)
    case .stream(let session, let id, .route(let route, let seconds)):
      try Sends.setRoute(&state, session, id, route, over: seconds, at: time)
    case .stream(let session, let id, .never(let outputs)):
      try Guards.set(&state, session, id, never: outputs)
    case .stream(let session, let id, let setting):
      try Settings.setStream(&state, session, id, setting, at: time)
    case .destination(let session, let stream, let port, let setting):
      try Sends.setDestination(&state, session, stream, port, setting, at: time)
    case .captureSession(let session, let other, let setting):
      try Captures.setSession(&state, session, other, setting, at: time)
    case .captureInput(let session, let port, let setting):
      try Captures.setInput(&state, session, port, setting, at: time)
    case .row(let events):
      var notifications: [Notification] = []
      var next = events.startIndex
      while next < events.endIndex {
        let rest = events[next...]
        next += Sends.setLevels(&state, rest, at: time)
        guard next < events.endIndex else { break }
        notifications += try decide(&state, events[next], at: time)
        next += 1
      }
      return notifications
    case .player(let id, let event):
      return try Players.decide(&state, id, event, at: time)
    case .recorder(let id, let event):
      return try Recorders.decide(&state, id, event, at: time)
    case .group(let id, let event):
      return try Groups.decide(&state, id, event, at: time)
    case .library(let status):
      state.library = status
    case .port(let direction, let id, let setting):
      return try Settings.setPort(&state, direction, id, setting, at: time)
    case .channel(let port, let number, let setting):
      try Settings.setChannel(&state, port, number, setting, at: time)
    case .router(.strips(let setting)):
      try StripAssignments.set(&state, setting)
    case .router(.preset(let setting)):
      try Recalls.set(&state, setting)
    case .router(.silence(let rule, let isSilenced)):
      return HealthConditions.silence(&state, rule, isSilenced)
    case .router(let setting):
      Settings.setRouter(&state, setting, at: time)
    case .declarePort(let direction, let port):
      Hotplug.declarePort(&state, direction, port)
    case .forgetPort(let direction, let id):
      return Hotplug.forgetPort(&state, direction, id)
    case .portsPresent(let presences):
      return Hotplug.setPresence(&state, presences, at: time)
    case .connected(let id, let isConnected):
      state.sessions[id]?.isConnected = isConnected
      state.sessions[id]?.isVanishing = false
      if !isConnected { state.sessions[id]?.forgetSilence() }
    case .vanishing(let id, let isVanishing):
      state.sessions[id]?.isVanishing = isVanishing
    case .sounding(let id, let isSounding):
      state.sessions[id]?.isSounding = isSounding
    case .quiet(let id, let isQuiet):
      state.sessions[id]?.isQuiet = isQuiet
    case .streamSilence(let session, let stream, let silence):
      state.sessions[session]?.streams[stream]?.silence = silence
    case .signal(let id, let isSignalling):
      state.sessions[id]?.isSignalling = isSignalling
    case .capturing(let id, let isCapturing):
      state.sessions[id]?.isCapturing = isCapturing
    case .heardDirectly(let session, let stream, let sinks):
      state.sessions[session]?.streams[stream]?.directSinks = sinks
    case .receivesDirectly(let id, let sources):
      state.sessions[id]?.directSources = sources
    case .channelGaps(let session, let stream?, let gaps):
      state.sessions[session]?.streams[stream]?.gaps = gaps
    case .streamLoops(let session, let stream, let outputs):
      state.sessions[session]?.streams[stream]?.loops = outputs
    case .channelGaps(let session, nil, let gaps):
      state.sessions[session]?.capture.gaps = gaps
    case .directPrograms(let programs):
      state.directPrograms = programs
    case .hungPrograms(let programs):
      state.hungPrograms = programs
    case .contestedPorts(let ports):
      state.contestedPorts = ports
    case .desktopVolume(let direction, let id, let volume):
      state[direction][id]?.desktopVolume = volume
    case .programVolumes(let session, let stream, let volumes):
      state.sessions[session]?.streams[stream]?.programVolumes = volumes
    case .recorderVolumes(let id, let volumes):
      state.sessions[id]?.recorderVolumes = volumes
    case .voiceReported(let id, let report):
      VoiceModes.report(&state, id, report)
    case .insert(let place, let setting):
      try Inserts.set(&state, place, setting, at: time)
    case .effectsReported(let place, let report):
      Inserts.report(&state, place, report)
    case .server(let server):
      return Hotplug.setServer(&state, server, at: time)
    case .health(let changes):
      return HealthConditions.note(&state, changes, at: time)
    case .presetWaits(let name):
      state.waitingPreset = name
    case .preset(let event):
      return try Recalls.take(&state, event, at: time)
    case .jackPorts(let ports):
      state.jackPorts = ports
    case .align(let outputs):
      Alignment.apply(&state, outputs)
    case .bridge(let direction, let id, let condition):
      return Hotplug.setBridge(&state, direction, id, condition)
    case .measured(let direction, let id, let latency, let isLimiting):
      state[direction][id]?.reportedLatency = latency
      state[direction][id]?.isLimiting = isLimiting
    }
    return []
  }
}

extension Event {
  /// Whether the event may change which sessions are active, which play or which are ducked. Most settings of an operator change
  /// none of these, so the rules about other sessions need not run after them.
  fileprivate var concernsOthers: Bool {
    switch self {
    case .session(_, let setting): setting.concernsOthers
    case .stream(_, _, .route), .stream(_, _, .never), .destination(_, _, _, .on): true
    case .stream, .destination, .captureSession, .captureInput, .channel, .heardDirectly, .receivesDirectly,
      .channelGaps, .streamLoops, .directPrograms, .hungPrograms, .contestedPorts, .desktopVolume,
      .programVolumes,
      .recorderVolumes,
      .vanishing, .quiet,
      .measured, .voiceReported, .effectsReported, .insert,
      .alive,
      .process, .solo, .clearSolos, .soloSend, .talkback, .closeTalkback, .group,
      .activationRefused, .align, .bridge, .presetWaits, .preset, .jackPorts, .library, .health:
      false
    case .player(_, let event): event.concernsOthers
    case .recorder(_, .set), .recorder(_, .create), .recorder(_, .report(.facts)): false
    case .row(let events): events.contains(where: \.concernsOthers)
    case .port(_, _, let setting): setting.concernsOthers
    case .router(let setting): setting.concernsOthers
    default: true
    }
  }
}

extension MediaPlayerEvent {
  fileprivate var concernsOthers: Bool {
    switch self {
    case .create, .set, .report(.facts), .queue(.add), .queue(.insert), .queue(.move): false
    case .remove, .order, .report, .queue: true
    }
  }
}

extension SessionSetting {
  fileprivate var concernsOthers: Bool {
    switch self {
    case .name, .color, .gain, .maximum, .muted, .notifiesOthers, .ignoresAlerts, .outputMuted,
      .signalThreshold, .signalHold, .resumption, .lease, .quietTime, .captureChannels, .captureDestinations,
      .captureSole, .captureRoute,
      .preferredRate, .preferredChannels, .inputLevel, .voiceFallback,
      .talkback:
      false
    // Only the echo canceller may change the mode.
    case .voice(let part, _): part == .echo
    default: true
    }
  }
}

extension PortSetting {
  fileprivate var concernsOthers: Bool {
    switch self {
    case .automatic, .plugged, .duckLimit, .hardwareMuted: true
    default: false
    }
  }
}

extension RouterSetting {
  fileprivate var concernsOthers: Bool {
    switch self {
    case .duckLevel, .duckAttack, .duckRelease, .duckScope: true
    default: false
    }
  }
}
