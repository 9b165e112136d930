public import Effects
public import JSON5
import Parameters
import SessionModel
import SystemCalls

/// A chain of effects of a preset.
public struct PresetChain: Sendable {
  /// What goes through it, such as `show.band`.
  public let owner: String
  /// The address of the chain, such as `/output/usb/effects`.
  public let address: String
  /// The chain, with URIs.
  public let chain: EffectChain
  /// The place of each effect.
  let places: [Place]
}

extension Preset {
  /// Its chains of effects, in the order of the file.
  public var effectChains: [PresetChain] {
    func chain(_ leaves: [Leaf], of owner: String, at place: InsertPlace, channels: Int) -> [PresetChain] {
      leaves["effects"].flatMap { PresetChain($0, of: owner, at: place, channels: channels) }.map { [$0] }
        ?? []
    }
    let ports = document.ports.flatMap { id, entry in
      chain(
        entry.leaves, of: "\(entry.leading.rawValue) \(id)",
        at: entry.leading == .output ? .output(id) : .input(id),
        channels: entry.channels?.value ?? SessionDefaults.streamChannels)
    }
    let sessions = document.sessions.flatMap { session, entry in
      entry.streams.flatMap { stream, entry in
        chain(entry.leaves, of: "\(session).\(stream)", at: .stream(session, stream), channels: entry.width)
      }
        + (entry.capture.map {
          chain($0.leaves, of: "the capture of \(session)", at: .capture(session), channels: $0.width)
        } ?? [])
    }
    return ports + sessions
  }

  /// The URIs of the plugins of which it sets controls, a preset or a side chain.
  public var pluginsWithSettings: [String] {
    let effects = effectChains.flatMap(\.chain.effects).filter {
      !$0.values.isEmpty || $0.preset != nil || $0.sideChain != nil
    }
    return Set(effects.map(\.plugin)).sorted()
  }

  /// Problems with the plugins of its effects, as warnings: what is not installed, what cannot be used, and what a plugin does not have. Each
  /// with its chain.
  ///
  /// - Parameter described: the plugins of `pluginsWithSettings`.
  public func problems(
    with installed: EffectList, _ described: EffectDescriptions
  ) -> [(chain: PresetChain, problem: Problem)] {
    let plugins = Dictionary(installed.plugins.map { ($0.uri, $0) }, uniquingKeysWith: { first, _ in first })
    let descriptions = Dictionary(
      described.found.map { ($0.plugin.uri, $0) }, uniquingKeysWith: { first, _ in first })
    return effectChains.flatMap { chain in
      zip(chain.chain.effects, chain.places).flatMap {
        effect, place -> [(chain: PresetChain, problem: Problem)] in
        func warning(_ what: String, fix: String) -> (chain: PresetChain, problem: Problem) {
          (chain, place.problem("\(chain.owner): \(what)", fix: fix, severity: .warning))
        }
        guard let plugin = plugins[effect.plugin] else {
          return [
            warning(
              "the plugin \(effect.plugin) is not installed",
              fix: EffectName.advice(onMissing: effect.plugin, among: plugins.keys))
          ]
        }
        if let refusal = plugin.refusal {
          return [warning("\(plugin.name) cannot be used: \(refusal)", fix: "choose another plugin")]
        }
        return (descriptions[effect.plugin]?.lacks(of: effect) ?? []).map { warning($0.what, fix: $0.fix) }
      }
    }
  }
}

extension EffectDescription {
  /// What an effect asks of the plugin and does not get.
  fileprivate func lacks(of effect: Effect) -> [(what: String, fix: String)] {
    var lacks: [(what: String, fix: String)] = []
    if let preset = effect.preset, !preset.contains(":"), !presets.contains(preset) {
      lacks.append(
        ("\(plugin.name) has no preset \(preset)", NearestName.hint(for: preset, among: presets)))
    }
    if let sideChain = effect.sideChain, plugin.sideInputs == 0 {
      lacks.append(
        ("\(plugin.name) has no side chain to hear \(sideChain)", "choose a plugin that has one"))
    }
    for (symbol, value) in effect.values.sorted(by: { $0.key < $1.key }) {
      guard let control = controls.first(where: { $0.symbol == symbol }) else {
        lacks.append(
          (
            "\(plugin.name) has no control \(symbol)",
            NearestName.hint(for: symbol, among: controls.map(\.symbol))
          ))
        continue
      }
      let accepted = control.accepted(value)
      guard accepted != value else { continue }
      lacks.append(
        (
          "\(symbol) of \(plugin.name) will be \(control.text(of: accepted))",
          "write a value of \(control.rangeText)"
        ))
    }
    return lacks
  }
}

extension PresetChain {
  /// - Returns: nil for a leaf without effects.
  fileprivate init?(_ leaf: Leaf, of owner: String, at place: InsertPlace, channels: Int) {
    guard case .texts(let texts) = leaf.value, !texts.isEmpty else { return nil }
    // Each text was read before.
    let effects = texts.compactMap { try? Effect(text: $0).resolved(channels: channels) }
    (self.owner, address, places) = (owner, "\(place.address)/effects", leaf.elements)
    chain = EffectChain(channels: channels, effects: effects)
  }
}

extension EffectName {
  /// What to do about a plugin that is not installed, as a clause: install the package of a recommended one, or correct the name of another.
  fileprivate static func advice(onMissing uri: String, among known: some Sequence<String>) -> String {
    if all(of: uri).isEmpty, let near = NearestName.suggestion(for: uri, among: known.sorted()) {
      return "did you mean \(near)?"
    }
    return package(of: uri)?.advice() ?? "install the package that has it"
  }
}
