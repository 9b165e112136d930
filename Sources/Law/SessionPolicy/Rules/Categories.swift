import SessionModel

/// Decides which category, mode, options and sharing policy a session may have together (docs/develop/law/categories.md, docs/develop/law/modes.md,
/// docs/develop/law/options.md).
enum Categories {
  /// Gives a session a configuration. An active session changes at once, so the new configuration must pass the same admission as
  /// an activation.
  static func configure(
    _ state: inout RouterState, _ id: SessionID, _ configuration: SessionConfiguration
  ) throws(SessionError) -> [Notification] {
    guard let old = state.sessions[id] else { throw missing("session", id.name, among: state.sessions.keys) }
    try check(configuration)
    var new = old
    apply(configuration, to: &new)
    var notifications: [Notification] = []
    if new.isActive {
      if new.category != old.category || new.isMixable != old.isMixable {
        try Admission.check(new, in: state)
      }
      notifications += interrupt(&state, new, insteadOf: old)
      number(&new, insteadOf: old, &state)
    }
    let unmuted = OutputMute.apply(&new)
    state.sessions[id] = new
    guard (old.category, old.mode, old.options) != (new.category, new.mode, new.options) else {
      return notifications
    }
    let inForce = SessionConfiguration(category: new.category, mode: new.mode, options: new.options)
    return notifications + [.category(id, inForce)] + unmuted
  }

  /// Interrupts the sessions that an active session's new configuration does not play beside.
  private static func interrupt(
    _ state: inout RouterState, _ new: Session, insteadOf old: Session
  ) -> [Notification] {
    let beginsToInterrupt =
      (old.isMixable && !new.isMixable)
      || new.options.subtracting(old.options).contains(.interruptSpokenAudio)
    return beginsToInterrupt ? Interruptions.interruptOthers(&state, for: new) : []
  }

  /// Numbers an active session anew if it begins to duck or to interrupt others: this counts as begun now, not at its activation.
  private static func number(_ new: inout Session, insteadOf old: Session, _ state: inout RouterState) {
    if !new.isDucker { new.duckingNumber = nil }
    let beginsToDuck = new.isDucker && !old.isDucker
    let beginsToInterrupt = old.isMixable && !new.isMixable
    guard beginsToDuck || beginsToInterrupt else { return }
    state.activations += 1
    if beginsToDuck { new.duckingNumber = state.activations }
    guard beginsToInterrupt else { return }
    new.activationNumber = state.activations
    Activations.notePlaying(&state, new)
  }

  /// Writes a checked configuration into a session. A sharing policy that the new configuration does not allow becomes `default`
  /// (docs/develop/law/categories.md#4-sharing-policies).
  static func apply(_ configuration: SessionConfiguration, to session: inout Session) {
    if session.category != configuration.category { session.awaitedOutput = nil }
    if session.configuration != configuration { session.portOverride = .none }
    session.category = configuration.category
    session.mode = configuration.mode
    session.requestedOptions = configuration.options
    session.options = configuration.effectiveOptions
    if !session.sharingPolicy.isLegal(for: configuration) { session.sharingPolicy = .default }
    // A switch that outlived its mode would set that mode again when a kept state or a preset restores it.
    if !session.processesVoice, !session.voice.isInherited { session.voice.inherit() }
  }

  static func setPolicy(_ session: inout Session, _ policy: SharingPolicy) throws(SessionError) {
    guard policy.isLegal(for: session.configuration) else {
      throw SessionError(
        .badParam,
        policy == .independent
          ? "the policy independent is set by the system only; default, longFormAudio and longFormVideo may be asked for"
          : "\(policy.rawValue) goes with playback without options, in mode default, moviePlayback or spokenAudio; \(session.id) is \(session.category.rawValue), \(session.mode.rawValue), \(session.options.text)"
      )
    }
    session.sharingPolicy = policy
  }

  // MARK: Legal combinations

  /// Refuses a category, mode and options that are not legal together.
  /// - Throws: `SessionError` -50, whose sentence lists what the category or the mode accepts.
  static func check(_ configuration: SessionConfiguration) throws(SessionError) {
    let (category, mode, options) = (configuration.category, configuration.mode, configuration.options)
    guard mode.categories.contains(category) else { throw mismatch(category, mode) }
    let allowed = allowedOptions(category, mode)
    let illegal = options.subtracting(allowed)
    guard illegal.isEmpty else {
      // Names, not bits: mixWithOthers is a bit of its own and part of interruptSpokenAudioAndMixWithOthers.
      let names = SessionOptions.named.filter { allowed.isSuperset(of: $0.option) }.map(\.name)
      let accepted = names.isEmpty ? "it takes none" : "it takes \(names.joined(separator: ", "))"
      let inMode = mode == .default ? "" : " in mode \(mode.rawValue)"
      throw SessionError(
        .badParam, "\(category.rawValue)\(inMode) does not take \(name(illegal)); \(accepted)")
    }
    guard !options.contains(.interruptSpokenAudio) || options.contains(.mixWithOthers) else {
      throw SessionError(
        .badParam, "bit 16 alone is no option; interruptSpokenAudioAndMixWithOthers is 17")
    }
    if options.contains(.farFieldInput), !configuration.effectiveOptions.contains(.allowBluetoothHFP) {
      throw SessionError(.badParam, "farFieldInput needs allowBluetoothHFP; set both")
    }
    guard mode != .dualRoute || options.contains(.allowBluetoothHFP) else {
      throw SessionError(.badParam, "the mode dualRoute needs allowBluetoothHFP; set both at once")
    }
  }

  private static func mismatch(_ category: Category, _ mode: Mode) -> SessionError {
    guard mode != .gameChat else {
      return SessionError(
        .badParam, "the mode gameChat is set by the system only; voiceChat may be asked for")
    }
    let accepted = Mode.allCases.filter { $0.categories.contains(category) }.map(\.rawValue)
    return SessionError(
      .badParam,
      "\(category.rawValue) has no mode \(mode.rawValue); it has \(accepted.joined(separator: ", "))")
  }

  private static func name(_ options: SessionOptions) -> String {
    options.names.isEmpty ? "bit \(options.rawValue)" : options.text
  }

  private static func allowedOptions(_ category: Category, _ mode: Mode) -> SessionOptions {
    switch category {
    case .ambient: [.mixWithOthers, .duckOthers, .allowBluetoothA2DP, .allowAirPlay]
    // These are always on in this category: setting them is accepted and not remembered (docs/develop/law/options.md#3-refused-options).
    case .soloAmbient: [.allowBluetoothA2DP, .allowAirPlay]
    case .playback: mixing.union([.allowBluetoothA2DP, .allowAirPlay])
    case .record: [.allowBluetoothHFP, .overrideMutedMicrophoneInterruption, .farFieldInput]
    case .playAndRecord:
      mixing.union([
        .allowBluetoothHFP, .defaultToSpeaker, .allowBluetoothA2DP, .allowAirPlay,
        .overrideMutedMicrophoneInterruption, .farFieldInput,
      ]).union(mode == .default ? .bluetoothHighQualityRecording : [])
    case .multiRoute: multiRouteOptions(mode)
    case .audioProcessing: []
    }
  }

  private static func multiRouteOptions(_ mode: Mode) -> SessionOptions {
    let always = SessionOptions.overrideMutedMicrophoneInterruption
    return switch mode {
    case .default: mixing.union([always, .bluetoothHighQualityRecording])
    case .dualRoute: [always, .allowBluetoothHFP, .farFieldInput]
    default: always
    }
  }

  private static let mixing: SessionOptions = [.duckOthers, .interruptSpokenAudioAndMixWithOthers]
}
