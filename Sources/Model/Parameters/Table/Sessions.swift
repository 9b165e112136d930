public import SessionModel

extension Table {
  @_optimize(none)
  static var sessions: [Parameter] {
    [
      Parameter(
        "/session/create", .command("s id [s category [s mode [s options]]]"), .surface(.createSession),
        "Makes an inactive session with the stream \(SessionDefaults.stream) (\(SessionDefaults.streamChannels) channels) if its category has output."
      ),
      Parameter(
        "/session/remove", .command("s id"), .surface(.removeSession),
        "Deactivates a session, then removes it."),
      Parameter(
        "/session/list", .command(""), right: .view, .surface(.listSessions),
        "Lists sessions: index, total, id, name, category, mode, active."),
      Parameter(
        "/session/<s>/name", .text, scope: .category, key: "name",
        session.value(\.name) { .name($0) }, "Display name."),
      Parameter(
        "/session/<s>/color", .text, scope: .category, key: "color",
        session.value(\.color) { .color($0) },
        "The session's colour, as #rrggbb, or `none`."),
      Parameter(
        "/session/<s>/category", .choice(of: Category.self), scope: .category, restored: .creation,
        configuration(\.category) { session, category in
          SessionConfiguration(category: category, leftOver: session.mode)
        },
        "The session's category; a change clears the options, and keeps an allowed mode."
      ),
      Parameter(
        "/session/<s>/mode", .choice(of: Mode.self), scope: .category, restored: .creation,
        configuration(\.mode) { session, mode in
          SessionConfiguration(category: session.category, mode: mode, options: session.requestedOptions)
        }, "The session's mode; a change keeps category and options."),
      Parameter(
        "/session/<s>/options", .text, scope: .category, restored: .creation,
        configuration(\.options.text) { session, text throws(SessionError) in
          SessionConfiguration(
            category: session.category, mode: session.mode, options: try SessionOptions(text: text))
        }, "All options, joined by +; `none` clears them."),
      Parameter(
        "/session/<s>/options/mask", .integer(0...0xF_FFFF), scope: .category, restored: .creation,
        configuration(\.options.rawValue) { session, mask throws(SessionError) in
          let options = SessionOptions(rawValue: mask)
          guard SessionOptions.known.isSuperset(of: options) else {
            throw SessionError(
              .badParam,
              "\(mask) has bits that are not options; all options together are \(SessionOptions.known.rawValue)"
            )
          }
          return SessionConfiguration(category: session.category, mode: session.mode, options: options)
        }, "The options as AVAudioSession's bit mask."),
    ] + optionSwitches + [
      Parameter(
        "/session/<s>/policy", .choice(of: SharingPolicy.self), scope: .category,
        key: "policy",
        session.value(\.sharingPolicy) { .policy($0) },
        "How the session shares a destination; only the system sets independent."
      ),
      Parameter(
        "/session/<s>/set", .command("s category s mode s options"), .surface(.configureSession),
        "Sets category, mode and options, all or none."),
      Parameter(
        "/session/<s>/active", .toggle, scope: .active, restored: .activity,
        .value(
          read: { state, target in session.read(state, target) { .flag($0.isActive) } },
          write: { request throws(SessionError) in
            let session = try existing(request)
            let notifies = try request.extra.first.map { value throws(SessionError) in try Bool(value) }
            return try Bool(request.value)
              ? .activate(session.id, notifyingOthers: notifies ?? false)
              : .deactivate(session.id, notifyingOthers: notifies ?? session.notifiesOthers)
          }), "Whether the session is active; a second switch: whether a deactivation notifies others."),
      Parameter(
        "/session/<s>/max", .number(-90...10), unit: "dB", right: .admin, scope: .limit, key: "max",
        session.value(\.maximum) { .maximum($0) },
        "The highest level; a higher one comes down to it."),
      Parameter(
        "/session/<s>/gain", .level, unit: "dB", scope: .gain, key: "gain",
        session.control(\.gain, maximum: \.maximum) { .gain($0) },
        "The operator's level; the router never changes it by itself."),
      Parameter(
        "/session/<s>/mute", .toggle, scope: .mute, key: "mute",
        session.value(\.isMuted) { .muted($0) },
        "The operator's mute; only a person or a recall changes it."),
    ]
  }

  /// One switch per option.
  private static let optionSwitches = SessionOptions.named.map { name, option in
    Parameter(
      "/session/<s>/option/\(name)", .toggle, scope: .category,
      restored: .creation,
      configuration({ $0.options.isSuperset(of: option) }) { session, isOn throws(SessionError) in
        let asked = session.requestedOptions
        let configuration = SessionConfiguration(
          category: session.category, mode: session.mode,
          options: isOn ? asked.union(option) : asked.subtracting(option))
        let isKept = configuration.effectiveOptions.isSuperset(of: option)
        let breaksSpoken = configuration.options.contains(.interruptSpokenAudio) && option == .mixWithOthers
        if !isOn, isKept || breaksSpoken {
          throw SessionError(
            .badParam,
            "\(session.options.text) in mode \(session.mode.rawValue) implies \(name); change the mode or clear that option first"
          )
        }
        return configuration
      }, "The option \(name).")
  }

  /// Binds a part of a session's configuration. An event always sets the whole configuration.
  private static func configuration<Property: ParameterValue>(
    _ property: @escaping @Sendable (Session) -> Property,
    change: @escaping @Sendable (Session, Property) throws(SessionError) -> SessionConfiguration
  ) -> Parameter.Binding {
    .value(
      read: { state, target in session.read(state, target) { property($0).value } },
      write: { request throws(SessionError) in
        let session = try existing(request)
        return .configure(session.id, try change(session, try Property(request.value)))
      })
  }

  /// The session of a request.
  /// - Throws: `SessionError` notFound.
  private static func existing(_ request: Parameter.Request) throws(SessionError) -> Session {
    let id = try request.target.id(of: \.session)
    guard let session = request.state.sessions[id] else {
      throw SessionError(.notFound, "there is no session \(id)")
    }
    return session
  }
}

extension SessionOptions {
  /// Reads `mixWithOthers+duckOthers` or `none`.
  /// - Throws: `SessionError` badValue with the unknown option and all known ones.
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
