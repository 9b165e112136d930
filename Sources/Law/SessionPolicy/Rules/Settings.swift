import SessionModel

/// Applies the settings that no other rule decides: levels, mutes, names and the like. The operator is always obeyed, whatever the
/// session's category and whether it is active.
enum Settings {
  static func setSession(
    _ state: inout RouterState, _ id: SessionID, _ setting: SessionSetting, at time: Double
  ) throws(SessionError) -> [Notification] {
    switch setting {
    case .outputIO(let io): try InputOutput.setOutput(&state, id, io)
    case .inputIO(let io): try InputOutput.setInput(&state, id, io)
    case .outputMuted(let isMuted): return try OutputMute.set(&state, id, isMuted)
    default: try setPlain(&state, id, setting, at: time)
    }
    return []
  }

  private static func setPlain(
    _ state: inout RouterState, _ id: SessionID, _ setting: SessionSetting, at time: Double
  ) throws(SessionError) {
    let (curve, router) = (state.fadeCurve, state.ducking)
    try state.withSession(id) { session throws(SessionError) in
      /// Moves a ducker's own value, which starts from the router's value; nil returns to the router's value.
      func inherit(
        _ move: ControlMove?, _ value: WritableKeyPath<DuckerSettings, Control?>, _ inherited: Control
      ) {
        guard let move else { return session.ducker[keyPath: value] = nil }
        var own = session.ducker[keyPath: value] ?? Control(inherited.target)
        own.move(move, curve: curve, at: time, isLevel: false)
        session.ducker[keyPath: value] = own
      }
      switch setting {
      case .name(let name): session.name = name
      case .color(let color): session.color = color
      case .gain(let move):
        session.gain.move(move, curve: curve, at: time, isLevel: true, maximum: session.maximum)
      case .maximum(let level):
        session.maximum = level
        session.gain.lower(to: level, at: time)
      case .muted(let isMuted): session.isMuted = isMuted
      case .policy(let policy): try Categories.setPolicy(&session, policy)
      case .priority(let priority):
        guard !session.isActive || priority == session.priority else {
          throw SessionError(
            .isBusy, "\(id) is active as \(session.priority.rawValue); deactivate it to change its class")
        }
        session.priority = priority
      case .foreground(let isForeground): session.isForeground = isForeground
      case .protected(let isProtected): session.isProtected = isProtected
      case .notifiesOthers(let notifies): session.notifiesOthers = notifies
      case .permission(let permission): session.permission = permission
      case .captureExclusive(let isExclusive): session.isCaptureExclusive = isExclusive
      case .ignoresAlerts(let ignores): session.ignoresAlerts = ignores
      case .duckExempt(let isExempt): session.isDuckExempt = isExempt
      case .duckLevel(let move): inherit(move, \.level, router.level)
      case .duckAttack(let move): inherit(move, \.attack, router.attack)
      case .duckRelease(let move): inherit(move, \.release, router.release)
      case .activation(let activation): session.activation = activation
      case .signalThreshold(let move):
        session.signalThreshold.move(move, curve: curve, at: time, isLevel: false)
      case .signalHold(let move): session.signalHold.move(move, curve: curve, at: time, isLevel: false)
      case .resumption(let resumption): session.resumption = resumption
      case .unplug(let conduct):
        session.unplug = conduct
        if conduct == .continue { session.awaitedOutput = nil }
      case .lease(let move):
        session.lease.move(move, curve: curve, at: time, isLevel: false)
        session.leaseStart = time
      case .quietTime(let move):
        session.quietTime.move(move, curve: curve, at: time, isLevel: false)
      case .captureChannels(let channels):
        guard session.category.hasInput || channels == 0 else {
          throw SessionError(
            .incompatibleCategory,
            "\(id) is \(session.category.rawValue), which captures nothing; multiRoute does")
        }
        session.capture.channels = channels
      case .captureDestinations(let globs): session.capture.destinations = globs
      case .captureSole(let isSole): session.capture.isSole = isSole
      case .captureRoute(let isContained): session.capture.containsRoute = isContained
      case .voiceFallback(let fallback): session.voice.fallback = fallback
      case .outputIO, .inputIO, .outputMuted, .preferredOutput, .preferredInput, .portOverride,
        .preferredRate, .preferredPeriod, .preferredChannels, .inputLevel, .voice, .talkback:
        preconditionFailure("another rule decides this")
      }
    }
  }

  static func setStream(
    _ state: inout RouterState, _ session: SessionID, _ id: StreamID, _ setting: StreamSetting,
    at time: Double
  ) throws(SessionError) {
    let (curve, inputs) = (state.fadeCurve, state.inputs)
    try state.withStream(session, id) { stream throws(SessionError) in
      switch setting {
      case .sources(let sources):
        for case .input(let id, let range) in sources {
          guard let port = inputs[id] else { throw unknown(.input, id, among: inputs.keys) }
          let channels = port.nameableChannels
          if let last = range?.upperBound, channels > 0, last > channels {
            throw SessionError(
              .badParam, "\(id) has \(channels.channelsText), so there is no channel \(last)")
          }
        }
        for case .ports(let entry) in sources {
          if let channel = entry.channel, channel > stream.channels {
            throw SessionError(
              .badParam,
              "\(session).\(stream.id) has \(stream.channels.channelsText), so there is no channel \(channel)"
            )
          }
        }
        stream.sources = sources
      case .color(let color): stream.color = color
      case .gain(let move): stream.gain.move(move, curve: curve, at: time, isLevel: true)
      case .muted(let isMuted): stream.isMuted = isMuted
      case .pan(let move):
        try ChannelControls.checkPan(move, of: "\(session).\(id)", having: stream.channels)
        stream.pan.move(move, curve: curve, at: time, isLevel: false)
      case .inverted(let channels): try ChannelControls.invert(&stream, of: session, channels)
      case .width(let move):
        try ChannelControls.setWidth(&stream, of: session, move, curve: curve, at: time)
      case .exclusive(let isExclusive): stream.isExclusive = isExclusive
      case .loop(let isAllowed): stream.allowsLoop = isAllowed
      case .duckExempt(let isExempt): stream.isDuckExempt = isExempt
      case .never, .route: preconditionFailure("another rule decides this")
      }
    }
  }

  static func setPort(
    _ state: inout RouterState, _ direction: Direction, _ id: PortID, _ setting: PortSetting, at time: Double
  ) throws(SessionError) -> [Notification] {
    guard var port = state[direction][id] else {
      throw missing(direction.rawValue, id.name, among: state[direction].keys)
    }
    let curve = state.fadeCurve
    let (wasAvailable, formerSource) = (port.isAvailable, port.currentSource)
    switch setting {
    case .name(let name): port.name = name
    case .color(let color): port.color = color
    case .gain(let move):
      port.gain.move(move, curve: curve, at: time, isLevel: true, maximum: port.maximum)
    case .maximum(let level):
      port.maximum = level
      port.gain.lower(to: level, at: time)
    case .maximumTotal(let level): port.maximumTotal = level
    case .muted(let isMuted): port.isMuted = isMuted
    case .automatic(let isAutomatic): port.automatic = isAutomatic
    case .plugged(let isPlugged): port.isPlugged = isPlugged
    case .delay(let move): port.delay.move(move, curve: curve, at: time, isLevel: false)
    case .alignmentGroup(let group): port.alignmentGroup = group
    case .ceiling(let move): port.ceiling.move(move, curve: curve, at: time, isLevel: false)
    case .duckLimit(let move): port.duckLimit.move(move, curve: curve, at: time, isLevel: false)
    case .section(let setting):
      try ChannelControls.set(&port, setting, isRecalling: state.isRecalling, curve: curve, at: time)
    case .inverted(let channels): try ChannelControls.invert(&port, channels, isRecalling: state.isRecalling)
    case .trim(let move): port.trim.move(move, curve: curve, at: time, isLevel: false)
    case .width(let move):
      try ChannelControls.setWidth(&port, move, isRecalling: state.isRecalling, curve: curve, at: time)
    case .monitor(let setting): Solos.setMonitor(&port.monitor, setting, curve: curve, at: time)
    case .meters(let meters): try Meters.set(&port, meters, isRecalling: state.isRecalling)
    case .resetMeters: port.meterResets += 1
    case .hardwareMuted(let isMuted): port.isHardwareMuted = isMuted
    case .source(let source):
      if let source { try DataSources.check(source, of: port) }
      port.source = source
    case .echo(let outputs): port.echo = outputs
    }
    if port.isAvailable, !wasAvailable {
      state.arrivals += 1
      port.arrival = state.arrivals
    }
    state[direction][id] = port
    if port.currentSource != formerSource { return DataSources.reconfigured(state, by: id) }
    return port.isAvailable == wasAvailable ? [] : [.port(direction, id, isAvailable: port.isAvailable)]
  }

  static func setChannel(
    _ state: inout RouterState, _ id: PortID, _ number: Int, _ setting: ChannelSetting, at time: Double
  ) throws(SessionError) {
    guard var port = state.inputs[id] else { throw missing("input", id.name, among: state.inputs.keys) }
    guard port.channelStrips.indices.contains(number - 1) else {
      throw SessionError(
        .notFound, "\(id) has \(port.channels.channelsText), so there is no channel \(number)")
    }
    switch setting {
    case .gain(let move):
      port.channelStrips[number - 1].gain.move(move, curve: state.fadeCurve, at: time, isLevel: true)
    case .muted(let isMuted): port.channelStrips[number - 1].isMuted = isMuted
    }
    state.inputs[id] = port
  }

  static func setRouter(_ state: inout RouterState, _ setting: RouterSetting, at time: Double) {
    switch setting {
    case .ramp(let move): state.ramp.move(move, curve: state.fadeCurve, at: time, isLevel: false)
    case .fadeCurve(let curve): state.fadeCurve = curve
    case .panic(let isPanicking): state.isPanicking = isPanicking
    case .lock(let isLocked): state.isLocked = isLocked
    case .meterRate(let move): state.meterRate.move(move, curve: state.fadeCurve, at: time, isLevel: false)
    case .duckLevel(let move):
      state.ducking.level.move(move, curve: state.fadeCurve, at: time, isLevel: false)
    case .duckAttack(let move):
      state.ducking.attack.move(move, curve: state.fadeCurve, at: time, isLevel: false)
    case .duckRelease(let move):
      state.ducking.release.move(move, curve: state.fadeCurve, at: time, isLevel: false)
    case .duckScope(let scope): state.ducking.scope = scope
    case .interruptionScope(let scope): state.interruptionScope = scope
    case .silent(let isSilent): state.isSilent = isSilent
    case .deactivation(let conduct): state.deactivation = conduct
    case .bypassEffects(let isBypassed): state.isBypassingEffects = isBypassed
    case .retryEffects: state.effectRetries += 1
    case .resetWorst: state.loop.resetWorst()
    case .preset, .strips, .silence: preconditionFailure("another rule decides this")
    }
  }
}
