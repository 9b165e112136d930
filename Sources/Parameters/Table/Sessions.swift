public import SessionModel

extension Table {
  static let sessions: [Parameter] =
    [
      Parameter(
        "/session/create", .command("s id [s category [s mode [s options]]]"), .surface(.createSession),
        "Makes a session, inactive, with the stream main (2 channels) where its category has output."),
      Parameter(
        "/session/remove", .command("s id"), .surface(.removeSession),
        "Deactivates a session, then removes it."),
      Parameter(
        "/session/list", .command(""), .surface(.listSessions),
        "Answers one message per session: index, total, id, name, category, mode, active."),
      Parameter(
        "/session/<s>/name", .text, key: "name",
        .session({ .text($0.name) }) { .name($0.string) }, "Display name."),
      Parameter(
        "/session/<s>/category", .choice(Category.allCases.map(\.rawValue)), scope: .category,
        .configuration(
          read: { .text($0.category.rawValue) },
          change: { session, value in
            SessionConfiguration(category: Category(rawValue: value.string)!, leftOver: session.mode)
          }), "What the session is for; options are cleared, the mode is kept if it is legal."),
      Parameter(
        "/session/<s>/mode", .choice(Mode.allCases.map(\.rawValue)), scope: .category,
        .configuration(
          read: { .text($0.mode.rawValue) },
          change: { session, value in
            SessionConfiguration(
              category: session.category, mode: Mode(rawValue: value.string)!,
              options: session.requestedOptions)
          }), "The session's specialisation; category and options are kept."),
      Parameter(
        "/session/<s>/options", .text, scope: .category,
        .configuration(
          read: { .text($0.options.text) },
          change: { session, value throws(SessionError) in
            SessionConfiguration(
              category: session.category, mode: session.mode, options: try SessionOptions(text: value.string))
          }), "The whole set of options, joined by +; none clears."),
      Parameter(
        "/session/<s>/options/mask", .integer(0...0xF_FFFF), scope: .category,
        .configuration(
          read: { .integer($0.options.rawValue) },
          change: { session, value throws(SessionError) in
            let options = SessionOptions(rawValue: value.int)
            guard SessionOptions.known.isSuperset(of: options) else {
              throw SessionError(
                .badParam,
                "\(value.int) has bits that are no option; all of them are \(SessionOptions.known.rawValue)")
            }
            return SessionConfiguration(category: session.category, mode: session.mode, options: options)
          }), "The options as AVAudioSession's bit mask."),
    ] + optionSwitches + [
      Parameter(
        "/session/<s>/policy", .choice(SharingPolicy.allCases.map(\.rawValue)), scope: .category,
        key: "policy",
        .session({ .text($0.sharingPolicy.rawValue) }) {
          .policy(SharingPolicy(rawValue: $0.string)!)
        }, "How it shares one destination with others of its policy; independent is set by the system only."),
      Parameter(
        "/session/<s>/set", .command("s category s mode s options"), .surface(.configureSession),
        "Category, mode and options at once, or nothing."),
      Parameter(
        "/session/<s>/active", .toggle, scope: .active,
        .value(
          read: { state, target in state.session(target).map { .flag($0.isActive) } },
          write: { request throws(SessionError) in
            let session = try request.state.existingSession(request.target)
            let notifies = request.extra.first.map { $0 == .flag(true) }
            return request.value.bool
              ? .activate(session.id, notifyingOthers: notifies ?? false)
              : .deactivate(session.id, notifyingOthers: notifies ?? session.notifiesOthers)
          }), "Whether the session is active; a second switch says whether a deactivation notifies others."),
      Parameter(
        "/session/<s>/gain", .level, unit: "dB", scope: .gain, key: "gain",
        .control(
          Parameter.Moved(
            { $0.session($1)?.gain }, maximum: { $0.session($1)?.maximum ?? 10 },
            move: { .session($0.session!, .gain($1)) })),
        "The operator's level; policy never writes it."),
      Parameter(
        "/session/<s>/max", .number(-90...10), unit: "dB", right: .admin, key: "max",
        .session({ .number($0.maximum) }) { .maximum($0.double) },
        "No surface sets the session's level above it."),
      Parameter(
        "/session/<s>/mute", .toggle, scope: .mute, key: "mute",
        .session({ .flag($0.isMuted) }) { .muted($0.bool) },
        "The operator's mute: changed only by a person or a recall."),
    ]

  /// One switch per option.
  private static let optionSwitches = SessionOptions.named.map { name, option in
    Parameter(
      "/session/<s>/option/\(name)", .toggle, scope: .category,
      .configuration(
        read: { .flag($0.options.isSuperset(of: option)) },
        change: { session, value throws(SessionError) in
          let asked = session.requestedOptions
          let configuration = SessionConfiguration(
            category: session.category, mode: session.mode,
            options: value.bool ? asked.union(option) : asked.subtracting(option))
          let isKept = configuration.effectiveOptions.isSuperset(of: option)
          let breaksSpoken = configuration.options.contains(.interruptSpokenAudio) && option == .mixWithOthers
          if !value.bool, isKept || breaksSpoken {
            throw SessionError(
              .badParam,
              "\(session.options.text) in mode \(session.mode.rawValue) implies \(name); clear that first")
          }
          return configuration
        }), "One option; the others are kept.")
  }
}

extension SessionOptions {
  /// Reads `mixWithOthers+duckOthers` or `none`.
  /// - Throws: `SessionError` badValue that names the unknown option and the nearest known ones.
  public init(text: String) throws(SessionError) {
    self = []
    guard text.lowercased() != "none" else { return }
    for name in text.split(separator: "+") {
      guard let option = Self.option(named: String(name)) else {
        let known = Self.named.map(\.name).joined(separator: ", ")
        throw SessionError(.badValue, "there is no option \(name); there are \(known)")
      }
      formUnion(option)
    }
  }
}
