public import Effects
public import SessionModel

extension Table {
  private static let chain = Holder<Insert, InsertSetting>(
    find: { state, target in state.insert(target) },
    event: { (target, setting) throws(SessionError) in .insert(try target.id(of: \.insert), setting) })

  fileprivate static let effect = Holder<ChainedEffect, EffectSetting>(
    find: { state, target in
      guard let number = target.effect else { return nil }
      return state.insert(target)?.effect(number)
    },
    event: { (target, setting) throws(SessionError) in
      .insert(try target.id(of: \.insert), .effect(try target.id(of: \.effect), setting))
    })

  /// The addresses of what has effects.
  private static let places = [
    "/session/<s>/stream/<t>", "/session/<s>/capture", "/output/<o>", "/input/<i>",
  ]

  /// The plugins that sound goes through. All but the whole chain are parts of it, so neither kept states nor an undo has them beside it.
  @_optimize(none)
  static var effects: [Parameter] {
    places.map { address in
      Parameter(
        "\(address)/effects", .effects, scope: .process, key: "effects",
        chain.value(\.effects) { .effects($0) },
        "LV2 plugins that its sound goes through, in this order."
      )
    } + [
      Parameter(
        "/output/<o>/effects/fallback", .choice(of: EffectFallback.self), scope: .process, key: "fallback",
        chain.value(\.fallback) { .fallback($0) },
        "While an effect does not work: dry, the sound without it; mute, nothing, and no `/effects/bypass`."
      )
    ] + places.flatMap { effects(of: $0) } + [
      Parameter(
        "/effects/bypass", .toggle, scope: .process,
        router.value(\.isBypassingEffects) { .bypassEffects($0) },
        "Whether all sound passes the effects by, with the same latency."),
      Parameter(
        "/effects/retry", .trigger, .action { _ in .router(.retryEffects) },
        "Tries all faulty effects again, as a recall does."),
      Parameter(
        "/effects/list", .command("[i from [i count]]"), right: .view, .surface(.listEffects),
        "Lists installed plugins: index, total, URI, name, our short name or none, kind, inputs, outputs, inputs of side chains, why it cannot be used."
      ),
    ]
  }

  /// The parts of a chain.
  @_optimize(none)
  private static func effects(of address: String) -> [Parameter] {
    [
      Parameter(
        "\(address)/effect/<e>/plugin", .text, scope: .process,
        effect.transport({ _, effect in effect.effect.plugin }) { target, plugin throws(SessionError) in
          try effect.event(target, .plugin(try Effect.checked(plugin: plugin)))
        }, "The plugin; another one begins with its own values."),
      Parameter(
        "\(address)/effect/<e>/preset", .text, scope: .process,
        effect.transport({ _, effect in effect.effect.preset ?? "none" }) {
          target, name throws(SessionError) in
          try effect.event(target, .preset(name == "none" ? nil : try Effect.checked(preset: name)))
        }, "A preset of the plugin, or none; its values replace those of the chain."),
      Parameter(
        "\(address)/effect/<e>/presets", .texts, effect.readOnly(\.facts.presets),
        "The names of the plugin's presets."),
      Parameter(
        "\(address)/effect/<e>/sidechain", .text, scope: .process,
        effect.transport({ _, effect in effect.effect.sideChain ?? "none" }) {
          target, source throws(SessionError) in
          try effect.event(target, .sideChain(source == "none" ? nil : try Effect.checked(sideChain: source)))
        }, "What its side chain hears: stream:<s>.<t>, output:<o>, or none for its own sound."),
      Parameter(
        "\(address)/effect/<e>/meter/<meter>", .meter(channels: false), right: .view,
        .surface(.meter), "A meter of the plugin, in its unit, such as a gain reduction."),
      Parameter(
        "\(address)/effect/<e>/on", .toggle, scope: .process,
        effect.transport({ _, effect in effect.effect.isOn }) { target, isOn throws(SessionError) in
          try effect.event(target, .on(isOn))
        }, "Whether the sound goes through it; otherwise it passes by, with the same latency."),
      Parameter(
        "\(address)/effect/<e>/state", .choice(of: EffectState.self),
        effect.readOnly(\.facts.state), "loading; working; faulty: left out until `/effects/retry`."),
      Parameter(
        "\(address)/effect/<e>/why", .text, effect.readOnly { $0.facts.why ?? "" },
        "Why the effect is left out, or what of it is not as asked; else empty."),
      Parameter(
        "\(address)/effect/<e>/controls", .texts,
        effect.readOnly { $0.facts.controls.map(\.line) },
        "The controls: symbol, range, unit, name."),
      Parameter(
        "\(address)/effect/<e>/control/<control>", .number(-1_000_000...1_000_000),
        scope: .process,
        .control(
          Parameter.Moved(
            { state, target in
              guard let symbol = target.control else { return nil }
              return effect.read(state, target) { $0.reading(of: symbol) } ?? nil
            }, isPart: true,
            move: { target, move throws(SessionError) in
              try effect.event(target, .control(try target.id(of: \.control), move))
            })), "A control of the plugin, by its symbol; clamped to its range. `reset` sets its default."),
      Parameter(
        "\(address)/effect/<e>/control/<control>/range", .text,
        plugin { _, control in .text(control.rangeText) }, "Its range, or its choices with their numbers."),
      Parameter(
        "\(address)/effect/<e>/control/<control>/unit", .text,
        plugin { _, control in .text(control.unit) }, "Its unit, as the plugin writes it."),
      Parameter(
        "\(address)/effect/<e>/control/<control>/default", .number(-1_000_000...1_000_000),
        plugin { reading, _ in .number(reading.control.stored) },
        "Its value without one of the chain's own."),
      Parameter(
        "\(address)/effect/<e>/control/<control>/text", .text,
        .observed(
          Parameter.Observed(
            { moment, target in
              control(moment.state, target) { reading, control in
                .text(control.text(of: Float(reading.value(at: moment.time, isLevel: false))))
              }
            },
            isMoving: { moment, target in
              control(moment.state, target) { reading, _ in
                .flag(reading.control.isFading(at: moment.time))
              } == .flag(true)
            })), "Its value as the plugin names it, or with its unit."),
    ]
  }
}

extension RouterState {
  /// What is told of the effect that an address names; nil if there is no such effect.
  func effectFacts(at target: Target) -> EffectFacts? { Table.effect.read(self, target, \.facts) }

  /// Why the effect that an address names has neither controls nor meters, as a sentence without its point; nil if its plugin is loaded.
  public func lackOfPlugin(at target: Target) -> String? {
    guard let facts = effectFacts(at: target), facts.controls.isEmpty, facts.meters.isEmpty else {
      return nil
    }
    return facts.state == .loading ? "the plugin is being loaded" : facts.why
  }

  /// The meter of a plugin that an address names; nil if the plugin has none of the symbol, or is not loaded.
  public func meter(at target: Target) -> EffectControl? {
    guard let symbol = target.meter else { return nil }
    return effectFacts(at: target)?.meters.first { $0.symbol == symbol }
  }
}

extension Parameter {
  /// The control of a plugin that the parameter moves, perhaps by a strip; nil for any other parameter, and while the plugin is not loaded.
  public func plugin(_ state: RouterState, _ target: Target) -> EffectControl? {
    switch binding {
    case .control(let moved) where target.control != nil: moved.reading(state, target)?.plugin
    case .alias(let alias): alias.plugin(state, target)
    default: nil
    }
  }
}

extension ChainedEffect {
  /// A control as faders read it; nil for one that the plugin does not have.
  func reading(of symbol: String) -> Parameter.Moved.Reading? {
    effect.control(symbol, facts).map { .init(control: $0, plugin: facts.control(symbol)) }
  }
}

extension Table {
  /// Reads a control of a plugin that is known.
  private static func control(
    _ state: RouterState, _ target: Target, _ read: (Parameter.Moved.Reading, EffectControl) -> Value
  ) -> Value? {
    guard let symbol = target.control,
      let reading = effect.read(state, target, { $0.reading(of: symbol) }) ?? nil,
      let control = reading.plugin
    else { return nil }
    return read(reading, control)
  }

  private static func plugin(
    _ read: @escaping @Sendable (Parameter.Moved.Reading, EffectControl) -> Value
  ) -> Parameter.Binding {
    .readOnly { state, target in control(state, target, read) }
  }
}

extension EffectControl {
  /// The control as a line of text.
  fileprivate var line: String {
    let unit = unit.isEmpty ? "" : " \(unit)"
    return "\(symbol) \(range.lowerBound) to \(range.upperBound)\(unit), \(name)"
  }
}

extension Effect: ParameterText {
  init(parameterText text: String) throws(SessionError) {
    do throws(EffectTextError) { try self.init(text: text) } catch { throw SessionError(error) }
  }

  fileprivate static func checked(plugin: String) throws(SessionError) -> String {
    do throws(EffectTextError) { return try Self.plugin(plugin) } catch { throw SessionError(error) }
  }
}

extension Effect {
  fileprivate static func checked(preset: String) throws(SessionError) -> String {
    do throws(EffectTextError) { return try Self.preset(preset) } catch { throw SessionError(error) }
  }

  fileprivate static func checked(sideChain: String) throws(SessionError) -> String {
    do throws(EffectTextError) { return try Self.sideChain(sideChain) } catch { throw SessionError(error) }
  }
}

extension EffectState: ParameterValue {}
extension EffectFallback: ParameterValue {}

extension SessionError {
  fileprivate init(_ error: EffectTextError) { self.init(.badValue, "\(error.what); \(error.advice)") }
}
