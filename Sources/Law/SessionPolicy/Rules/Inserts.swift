import Effects
import SessionModel

/// Decides on the effects of streams (docs/develop/law/streams.md#7-effects).
enum Inserts {
  static func set(
    _ state: inout RouterState, _ session: SessionID, _ id: StreamID, _ effects: [Effect]
  ) throws(SessionError) {
    guard let stream = state.sessions[session]?.streams[id] else {
      return try state.withStream(session, id) { _ in }
    }
    guard effects.count <= SessionStream.mostEffects else {
      throw SessionError(
        .full,
        "a stream has at most \(SessionStream.mostEffects) effects, and these are \(effects.count)")
    }
    if !effects.isEmpty {
      guard stream.channels <= SessionStream.mostEffectChannels else {
        throw SessionError(
          .badParam,
          "\(session).\(id) has \(stream.channels) channels; effects are for 1 to \(SessionStream.mostEffectChannels)"
        )
      }
      if !stream.hasEffects, state.effectChains >= RouterState.mostEffectChains {
        throw SessionError(
          .full,
          "\(RouterState.mostEffectChains) streams have effects already; take those of another stream away")
      }
    }
    try state.withStream(session, id) { stream in
      let keeps = stream.effects.map(\.plugin) == effects.map(\.plugin)
      stream.effects = effects
      if !keeps { stream.effectsReport = EffectsReport() }
    }
  }

  static func set(
    _ state: inout RouterState, _ session: SessionID, _ id: StreamID, _ number: Int, _ setting: EffectSetting
  ) throws(SessionError) {
    let stream = state.sessions[session]?.streams[id]
    guard var effects = stream?.effects, effects.indices.contains(number - 1) else {
      try state.withStream(session, id) { _ in }
      let count = stream?.effects.count ?? 0
      throw SessionError(
        .notFound,
        "\(session).\(id) has \(count) effect\(count == 1 ? "" : "s"), so there is no effect \(number)")
    }
    switch setting {
    case .on(let isOn): effects[number - 1].isOn = isOn
    case .plugin(let plugin): effects[number - 1] = Effect(plugin, isOn: effects[number - 1].isOn)
    case .control(let symbol, let value):
      effects[number - 1].values[symbol] = try accepted(
        Float(value), of: symbol, stream?.effectsReport.effects, number)
    }
    try set(&state, session, id, effects)
  }

  /// The value that a control takes. While the plugin is not loaded its controls are not known.
  private static func accepted(
    _ value: Float, of symbol: String, _ facts: [EffectFacts]?, _ number: Int
  ) throws(SessionError) -> Float {
    guard let facts, facts.indices.contains(number - 1), !facts[number - 1].controls.isEmpty else {
      return value
    }
    let controls = facts[number - 1].controls
    guard let control = controls.first(where: { $0.symbol == symbol }) else {
      let near = NearestName.suggestion(for: symbol, among: controls.map(\.symbol))
      throw SessionError(
        .notFound, "the plugin has no control \(symbol)" + (near.map { "; it has \($0)" } ?? ""))
    }
    return control.accepted(value)
  }

  static func report(
    _ state: inout RouterState, _ session: SessionID, _ id: StreamID, _ report: EffectsReport
  ) {
    guard state.sessions[session]?.streams[id]?.hasEffects == true else { return }
    state.sessions[session]?.streams[id]?.effectsReport = report
    state.reportingEffects.removeAll { $0 == session || !state.sessions.contains($0) }
    state.reportingEffects.append(session)
  }
}

extension RouterState {
  /// The number of streams with effects.
  fileprivate var effectChains: Int {
    sessions.values.reduce(0) { $0 + $1.streams.values.count(where: \.hasEffects) }
  }
}
