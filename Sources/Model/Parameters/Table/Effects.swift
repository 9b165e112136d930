import Effects
import SessionModel

/// An effect of a stream, with what the router tells of it.
struct StreamEffect: Sendable {
  var effect: Effect
  var facts: EffectFacts
}

extension Table {
  static let effect = Holder<StreamEffect, EffectSetting>(
    find: { state, target in
      guard let number = target.effect, let stream = state.stream(target) else { return nil }
      let (effects, facts) = (stream.effects, stream.effectsReport.effects)
      guard effects.indices.contains(number - 1) else { return nil }
      return StreamEffect(
        effect: effects[number - 1],
        facts: facts.indices.contains(number - 1) ? facts[number - 1] : EffectFacts())
    },
    event: { (target, setting) throws(SessionError) in
      .stream(
        try target.id(of: \.session), try target.id(of: \.stream),
        .effect(try target.id(of: \.effect), setting))
    })

  /// The plugins that the sound of streams goes through. All but the whole chain are parts of it, so neither kept states nor an undo has them
  /// beside it.
  @_optimize(none)
  static var effects: [Parameter] {
    [
      Parameter(
        "/session/<s>/stream/<t>/effects", .effects, scope: .process, key: "effects",
        stream.value(\.effects) { .effects($0) },
        "Plugins (LV2) that the sound goes through, before mutes and gains, a period late: a short name or URI each, then `off`, `preset=\"name\"`, values such as `HPfreq=100`."
      ),
      Parameter(
        "/session/<s>/stream/<t>/effect/<e>/plugin", .text, scope: .process,
        effect.transport({ _, effect in effect.effect.plugin }) { target, plugin throws(SessionError) in
          try effect.event(target, .plugin(try Effect.checked(plugin: plugin)))
        }, "The plugin; another one begins with its own values."),
      Parameter(
        "/session/<s>/stream/<t>/effect/<e>/on", .toggle, scope: .process,
        effect.transport({ _, effect in effect.effect.isOn }) { target, isOn throws(SessionError) in
          try effect.event(target, .on(isOn))
        }, "Whether the sound goes through it; otherwise it passes by, with the same latency."),
      Parameter(
        "/session/<s>/stream/<t>/effect/<e>/state", .choice(of: EffectState.self),
        effect.readOnly(\.facts.state), "loading; working; faulty: left out until `/effects/retry`."),
      Parameter(
        "/session/<s>/stream/<t>/effect/<e>/why", .text, effect.readOnly { $0.facts.why ?? "" },
        "Why the effect is left out, or what of it is not as asked; else empty."),
      Parameter(
        "/session/<s>/stream/<t>/effect/<e>/controls", .texts,
        effect.readOnly { $0.facts.controls.map(\.line) },
        "The controls: symbol, range, unit, name."),
      Parameter(
        "/session/<s>/stream/<t>/effect/<e>/control/<control>", .number(-1_000_000...1_000_000),
        scope: .process,
        .transport(
          Parameter.Observed { moment, target in
            guard let symbol = target.control else { return nil }
            return effect.read(moment.state, target) { $0.value(of: symbol) }?.map { .number(Double($0)) }
          },
          write: { request throws(SessionError) in
            try effect.event(
              request.target,
              .control(try request.target.id(of: \.control), try Double(request.value)))
          }), "A control of the plugin, by its symbol; clamped to its range."),
      Parameter(
        "/effects/bypass", .toggle, scope: .process,
        router.value(\.isBypassingEffects) { .bypassEffects($0) },
        "Whether all sound passes the effects by, with the same latency."),
      Parameter(
        "/effects/retry", .trigger, .action { _ in .router(.retryEffects) },
        "Tries all faulty effects again, as a recall does."),
    ]
  }
}

extension StreamEffect {
  /// The value of a control: the chain's, or the plugin's; nil for one that the plugin does not have.
  func value(of symbol: String) -> Float? {
    effect.resolved(channels: 2).values[symbol] ?? facts.base[symbol]
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

extension EffectState: ParameterValue {}

extension SessionError {
  fileprivate init(_ error: EffectTextError) { self.init(.badValue, "\(error.what); \(error.fix)") }
}
