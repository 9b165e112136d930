import SessionModel

/// Category, mode and options: what may stand together (semantics, sections 1 to 3).
enum Configuring {
  static func configure(
    _ state: inout RouterState, _ id: SessionID, _ configuration: SessionConfiguration
  ) throws(SessionError) -> [Notification] {
    try state.withSession(id) { session throws(SessionError) in
      try check(configuration)
      let before = (session.category, session.mode, session.options)
      apply(configuration, to: &session)
      guard before != (session.category, session.mode, session.options) else { return [] }
      return [
        .category(
          id, SessionConfiguration(category: session.category, mode: session.mode, options: session.options))
      ]
    }
  }

  /// Whether the three may stand together.
  /// - Throws: -50 for what AVAudioSession refuses, notYet for what this version does not do.
  static func check(_ configuration: SessionConfiguration) throws(SessionError) {
    let (category, options) = (configuration.category, configuration.options)
    guard let allowed = allowedOptions[category] else {
      throw SessionError(
        .notYet,
        "the category \(category.rawValue) comes in a later version; multiRoute, playback, soloAmbient and ambient work"
      )
    }
    guard configuration.mode == .default else {
      throw SessionError(
        .notYet, "the mode \(configuration.mode.rawValue) comes in a later version; default works")
    }
    let illegal = options.subtracting(allowed)
    guard illegal.isEmpty else {
      let accepted = allowed.isEmpty ? "it takes none" : "it takes \(allowed.text)"
      throw SessionError(.badParam, "\(category.rawValue) does not take \(illegal.text); \(accepted)")
    }
    guard options.isDisjoint(with: Self.interfering) else {
      throw SessionError(
        .notYet,
        "\(options.intersection(interfering).text) comes in a later version: nobody ducks or interrupts yet")
    }
  }

  /// Takes a checked configuration; ambient is mixable whatever it says.
  static func apply(_ configuration: SessionConfiguration, to session: inout Session) {
    session.category = configuration.category
    session.mode = configuration.mode
    session.requestedOptions = configuration.options
    session.options = configuration.effectiveOptions
  }

  static func share(_ session: inout Session, _ policy: SharingPolicy) throws(SessionError) {
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

  /// Accepted where they are always on anyway, and not kept.
  private static let implicit: SessionOptions = [.allowBluetoothA2DP, .allowAirPlay]

  /// What one session does to others.
  private static let interfering = SessionOptions(rawValue: 0x12)

  private static let mixing: SessionOptions = [.duckOthers, .interruptSpokenAudioAndMixWithOthers]

  private static let allowedOptions: [Category: SessionOptions] = [
    .multiRoute: mixing,
    .playback: mixing.union(implicit),
    .ambient: [.mixWithOthers, .duckOthers, .allowBluetoothA2DP, .allowAirPlay],
    .soloAmbient: implicit,
  ]
}
