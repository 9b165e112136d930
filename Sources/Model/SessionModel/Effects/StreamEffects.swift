public import Effects

/// The chain of effects of a stream: what the operator wants, and what the router tells of it.
@usableFromInline struct StreamEffects: Equatable, Sendable {
  @usableFromInline var wanted: [Effect] = []
  @usableFromInline var report = EffectsReport()
}

/// What the router tells of a stream's chain.
public struct EffectsReport: Equatable, Sendable {
  /// Of each effect of the chain.
  public var effects: [EffectFacts] = []
  /// Seconds by which the chain delays the stream.
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

/// An operator's setting of one effect.
public enum EffectSetting: Equatable, Sendable {
  case on(Bool)
  /// Another plugin, with its own values, in the place of this one.
  case plugin(String)
  /// The value of a control, by its symbol.
  case control(String, Double)
}

extension SessionStream {
  /// The effects that the stream's sound goes through, behind its sources and before its mutes and gains; at most
  /// `mostEffects`. Plugins have the short names or URIs with which they were set.
  public var effects: [Effect] {
    get { chain?.value.wanted ?? [] }
    set { if newValue != effects { change { $0.wanted = newValue } } }
  }

  public var effectsReport: EffectsReport {
    get { chain?.value.report ?? EffectsReport() }
    set { if newValue != effectsReport { change { $0.report = newValue } } }
  }

  /// Whether the stream has effects; faster than to ask for them.
  public var hasEffects: Bool { chain.map { !$0.value.wanted.isEmpty } ?? false }

  /// The effects that are left out, as clauses.
  var effectFaults: [String] {
    effectsReport.effects.enumerated().filter { $0.element.state == .faulty }.map { index, facts in
      "\(id) passes by effect \(index + 1): \(facts.why ?? "it is faulty")"
    }
  }

  private mutating func change(_ body: (inout StreamEffects) -> Void) {
    var next = chain?.value ?? StreamEffects()
    body(&next)
    chain = next == StreamEffects() ? nil : Shared(next)
  }

  /// Greatest number of effects of a stream, and of channels of a stream with effects.
  public static let (mostEffects, mostEffectChannels) = (8, 8)
}

extension RouterState {
  /// Greatest number of streams with effects.
  public static let mostEffectChains = 64
}
