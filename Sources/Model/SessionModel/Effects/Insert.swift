public import Effects

/// A chain of effects at its place: what the operator wants, and what the router tells of it. An empty one for most places.
public struct Insert: Equatable, Sendable {
  /// Behind one reference, which most places do not have, so that copying what has an insert is cheap.
  private var content: Shared<Content>?

  private struct Content: Equatable, Sendable {
    var effects: [Effect] = []
    var fallback = EffectFallback.dry
    var report = EffectsReport()
  }

  public init() {}

  /// At most `longest`. Plugins have the short names or URIs with which they were set.
  public var effects: [Effect] {
    get { content?.value.effects ?? [] }
    set { if newValue != effects { change { $0.effects = newValue } } }
  }

  /// What is heard where effects do not run.
  public var fallback: EffectFallback {
    get { content?.value.fallback ?? .dry }
    set { if newValue != fallback { change { $0.fallback = newValue } } }
  }

  public var report: EffectsReport {
    get { content?.value.report ?? EffectsReport() }
    set { if newValue != report { change { $0.report = newValue } } }
  }

  /// Whether there is no effect; faster than to ask for the effects.
  public var isEmpty: Bool { content.map { $0.value.effects.isEmpty } ?? true }

  /// Seconds by which the chain delays the sound.
  public var latency: Double { content?.value.report.latency ?? 0 }

  /// The fades of controls, also those that have ended.
  var fades: [EffectFade] { isEmpty ? [] : effects.flatMap(\.fades.values) }

  /// Moves the beginnings of fades.
  mutating func moveStarts(from old: Double, to new: Double) {
    guard fades.contains(where: { $0.start == old }) else { return }
    for index in effects.indices {
      for (symbol, fade) in effects[index].fades where fade.start == old {
        effects[index].fades[symbol]?.start = new
      }
    }
  }

  /// Whether nothing may be heard, because an effect does not work that must not be skipped.
  public var isSilencing: Bool {
    content.map { $0.value.fallback == .mute && $0.value.effects.indices.contains(where: isMissing) } ?? false
  }

  /// Whether an effect is switched on and does not work.
  private func isMissing(_ index: Int) -> Bool {
    effects[index].isOn
      && (!report.effects.indices.contains(index) || report.effects[index].state != .working)
  }

  /// The effects that are left out, as clauses.
  /// - Parameter name: the name of the place.
  public func faults(of name: String) -> [String] {
    guard !isEmpty else { return [] }
    let faults = report.effects.enumerated().filter { $0.element.state == .faulty }.map { index, facts in
      let isSilenced = isSilencing && isMissing(index)
      return
        "\(name) \(isSilenced ? "is muted, because it needs" : "passes by") effect \(index + 1): \(facts.why ?? "it is faulty")"
    }
    return faults.isEmpty && isSilencing ? ["\(name) is muted until its effects are loaded"] : faults
  }

  private mutating func change(_ body: (inout Content) -> Void) {
    var next = content?.value ?? Content()
    body(&next)
    content = next == Content() ? nil : Shared(next)
  }

  /// Greatest number of effects of a chain, and of channels of a place with effects.
  public static let (longest, mostChannels) = (8, 8)
}

/// What is heard where effects do not run.
public enum EffectFallback: String, CaseIterable, Sendable {
  /// The sound without the effect.
  case dry
  /// Nothing: the effect must not be skipped.
  case mute
}

/// What the router tells of a chain.
public struct EffectsReport: Equatable, Sendable {
  /// Of each effect of the chain.
  public var effects: [EffectFacts] = []
  /// Seconds by which the chain delays the sound.
  public var latency = 0.0

  public init() {}
}

/// What the router tells of an effect.
public struct EffectFacts: Equatable, Sendable {
  public var state = EffectState.loading
  /// Why it is left out, or what of it is not as asked, as a sentence without its point; nil if nothing is to be said.
  public var why: String?
  /// The plugin's controls; empty while it is not loaded.
  public var controls: [EffectControl] = []
  /// The value that each control has without one of the chain's own, by its symbol.
  public var base: [String: Float] = [:]
  /// What the plugin shows.
  public var meters: [EffectControl] = []
  /// The names of the plugin's presets.
  public var presets: [String] = []

  public init() {}
}

/// How an effect is.
public enum EffectState: String, CaseIterable, Sendable {
  /// Its plugin is being loaded; the sound passes by.
  case loading
  case working
  /// It is left out until somebody tries it again; the sound passes by.
  case faulty
}

/// An operator's setting of a chain of effects.
public enum InsertSetting: Equatable, Sendable {
  case effects([Effect])
  /// Changes one of the effects, counted from 1.
  case effect(Int, EffectSetting)
  case fallback(EffectFallback)
}

/// An operator's setting of one effect.
public enum EffectSetting: Equatable, Sendable {
  case on(Bool)
  /// Another plugin, with its own values, in the place of this one.
  case plugin(String)
  /// The value of a control, by its symbol.
  case control(String, ControlMove)
  /// A preset of the plugin, without values of the chain's own; nil for none.
  case preset(String?)
  /// What its side chain hears (`SideChainSource`); nil for its own sound.
  case sideChain(String?)
}
