import Effects

/// What a bank moves over.
public enum BankRange: Hashable, Sendable {
  /// The show: groups, sessions with their streams, and outputs.
  case show
  /// The controls of all effects of a chain.
  case chain(InsertPlace)
  /// The controls of one effect.
  case effect(EffectSlot)

  /// Reads `show`, or the address of what has effects, or of an effect; nil for all else.
  public init?(_ text: String) {
    if text == "show" {
      self = .show
      return
    }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count > 1, parts[0].isEmpty else { return nil }
    if let place = InsertPlace(parts[1...]) {
      self = .chain(place)
    } else if let place = EffectSlot(parts[1...]) {
      self = .effect(place)
    } else {
      return nil
    }
  }

  public var text: String {
    switch self {
    case .show: "show"
    case .chain(let place): place.address
    case .effect(let place): place.address
    }
  }
}

extension RouterState {
  /// Whether there is what a bank moves over.
  public func exists(_ range: BankRange) -> Bool {
    switch range {
    case .show: true
    case .chain(let place): insert(at: place) != nil
    case .effect(let place): effect(at: place) != nil
    }
  }

  /// The targets over which a bank moves. Those of plugins are known when they are loaded.
  public func targets(of range: BankRange) -> [StripTarget] {
    switch range {
    case .show: targetsOfShow
    case .chain(let place): insert(at: place).map { controls(of: $0, at: place) } ?? []
    case .effect(let place): effect(at: place).map { controls(of: $0, at: place) } ?? []
    }
  }

  private func controls(of insert: Insert, at place: InsertPlace) -> [StripTarget] {
    insert.effects.indices.flatMap { index in
      insert.effect(index + 1).map { controls(of: $0, at: EffectSlot(place, index + 1)) } ?? []
    }
  }

  private func controls(of effect: ChainedEffect, at place: EffectSlot) -> [StripTarget] {
    effect.facts.controls.map { .control(place, $0.symbol) }
  }

  /// The groups, then each session with its streams behind it, then the outputs, all in their own order. If the preset names outputs, others
  /// are left out.
  var targetsOfShow: [StripTarget] {
    var order = groups.keys.map { StripTarget.group($0) }
    sessions.forEachEntry { id, session in
      order.append(.session(id))
      order += session.streams.keys.map { .stream(id, $0) }
    }
    let named = outputs.keys(where: \.isNamedByPreset)
    return order + (named.isEmpty ? outputs.keys : named).map { .output($0) }
  }
}
