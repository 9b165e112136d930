import Effects
import SessionModel

/// Decides on chains of effects (docs/develop/law/streams.md#7-effects).
enum Inserts {
  static func set(
    _ state: inout RouterState, _ place: InsertPlace, _ setting: InsertSetting, at time: Double
  ) throws(SessionError) {
    guard let insert = state.insert(at: place) else { throw try absence(&state, place) }
    switch setting {
    case .fallback(let fallback): state.update(place) { $0.fallback = fallback }
    case .effects(let effects): try set(&state, place, effects, instead: insert)
    case .effect(let number, let setting):
      guard insert.effects.indices.contains(number - 1) else {
        let count = insert.effects.count
        throw SessionError(
          .notFound,
          "\(place.name) has \(count) effect\(count == 1 ? "" : "s"), so there is no effect \(number)")
      }
      var effects = insert.effects
      if case .sideChain(let text?) = setting { try requireSource(text, in: &state) }
      try apply(setting, to: &effects[number - 1], of: insert, number, at: time)
      try set(&state, place, effects, instead: insert)
    }
  }

  /// Why a place does not exist.
  private static func absence(_ state: inout RouterState, _ place: InsertPlace) throws(SessionError)
    -> SessionError
  {
    switch place {
    case .stream(let session, let stream): try state.withStream(session, stream) { _ in }
    case .capture(let session): try state.withSession(session) { _ in }
    case .output(let id): return missing("output", id.name, among: state.outputs.keys)
    case .input(let id): return missing("input", id.name, among: state.inputs.keys)
    }
    preconditionFailure("\(place.name) exists")
  }

  private static func set(
    _ state: inout RouterState, _ place: InsertPlace, _ effects: [Effect], instead former: Insert
  ) throws(SessionError) {
    guard effects.count <= Insert.longest else {
      throw SessionError(
        .full, "a chain has at most \(Insert.longest) effects, and these are \(effects.count)")
    }
    try checkSideChains(of: effects)
    if !effects.isEmpty {
      let channels = state.channels(at: place)
      guard channels <= Insert.mostChannels else {
        throw SessionError(
          .badParam, "\(place.name) has \(channels) channels; effects are for 1 to \(Insert.mostChannels)")
      }
      if former.isEmpty, state.inserts().count >= RouterState.mostInserts {
        throw SessionError(
          .full, "\(RouterState.mostInserts) places have effects already; take those of another place away")
      }
    }
    state.update(place) { insert in
      let keeps = insert.effects.map(\.plugin) == effects.map(\.plugin)
      insert.effects = effects
      if !keeps { insert.report = EffectsReport() }
    }
  }

  private static func apply(
    _ setting: EffectSetting, to effect: inout Effect, of insert: Insert, _ number: Int, at time: Double
  ) throws(SessionError) {
    switch setting {
    case .on(let isOn): effect.isOn = isOn
    case .plugin(let plugin): effect = Effect(plugin, isOn: effect.isOn, sideChain: effect.sideChain)
    case .preset(let name):
      try check(name, insert.report.facts(of: number))
      effect = Effect(effect.plugin, preset: name, isOn: effect.isOn, sideChain: effect.sideChain)
    case .sideChain(let text): effect.sideChain = text
    case .control(let symbol, let move):
      try effect.move(symbol, move, insert.report.facts(of: number), at: time)
    }
  }

  /// Checks what the side chains of a chain hear. What is not there yet may come later, as devices do.
  private static func checkSideChains(of effects: [Effect]) throws(SessionError) {
    var first: (text: String, number: Int)?
    for (index, effect) in effects.enumerated() {
      do throws(EffectTextError) { try effect.requireSideChain() } catch {
        throw SessionError(.badValue, "\(error.what); \(error.fix)")
      }
      guard let text = effect.sideChain else { continue }
      guard SideChainSource(text) != nil else {
        throw SessionError(
          .badValue,
          "'\(text)' is no source of a side chain; write stream:<session>.<stream> or output:<output>")
      }
      if let first, first.text != text {
        throw SessionError(
          .badValue,
          "effect \(first.number) hears \(first.text), and effect \(index + 1) hears \(text); the side chains of a chain hear one sound"
        )
      }
      first = first ?? (text, index + 1)
    }
  }

  /// Refuses a source of a side chain that does not exist.
  private static func requireSource(_ text: String, in state: inout RouterState) throws(SessionError) {
    switch SideChainSource(text) {
    case .stream(let session, let stream)?: try state.withStream(session, stream) { _ in }
    case .output(let output)? where !state.outputs.contains(output):
      throw missing("output", output.name, among: state.outputs.keys)
    case .output?, nil: break
    }
  }

  /// Checks the name of a preset. A URI, and any name while the plugin is not loaded, is for the effects program to check.
  private static func check(_ preset: String?, _ facts: EffectFacts) throws(SessionError) {
    guard let preset, !facts.controls.isEmpty, !preset.contains(":"),
      !facts.presets.contains(preset)
    else { return }
    throw SessionError(
      .notFound, "the plugin has no preset \(preset); \(NearestName.hint(for: preset, among: facts.presets))")
  }

  static func report(_ state: inout RouterState, _ place: InsertPlace, _ report: EffectsReport) {
    guard state.insert(at: place)?.isEmpty == false else { return }
    state.update(place) { $0.report = report }
    state.reportingEffects =
      state.reportingEffects.filter { $0 != place && state.insert(at: $0)?.isEmpty == false } + [place]
  }
}

extension EffectsReport {
  fileprivate func facts(of number: Int) -> EffectFacts {
    effects.indices.contains(number - 1) ? effects[number - 1] : EffectFacts()
  }
}

extension Effect {
  /// Moves a control. While the plugin is not loaded its controls are not known, and any value is accepted.
  fileprivate mutating func move(
    _ symbol: String, _ move: ControlMove, _ facts: EffectFacts, at time: Double
  ) throws(SessionError) {
    let known = facts.control(symbol)
    guard known != nil || facts.controls.isEmpty else {
      let near = NearestName.suggestion(for: symbol, among: facts.controls.map(\.symbol))
      throw SessionError(
        .notFound, "the plugin has no control \(symbol)" + (near.map { "; it has \($0)" } ?? ""))
    }
    let present = control(symbol, facts).map {
      Float(known?.value(of: $0, at: time) ?? $0.value(at: time, isLevel: false))
    }
    switch move {
    case .set(let value, let seconds), .store(let value, let seconds):
      fades[symbol] = nil
      // All other kinds step.
      if seconds > 0, let present, known?.kind ?? .continuous == .continuous {
        fades[symbol] = EffectFade(from: present, start: time, seconds: seconds)
      }
      values[symbol] = known?.accepted(Float(value)) ?? Float(value)
    case .stop:
      guard fades.removeValue(forKey: symbol) != nil, let present else { return }
      values[symbol] = present
    // The default of a control is the plugin's.
    case .remember: break
    }
  }
}
