public import Effects

/// One effect of a chain, by its number.
public struct EffectSlot: Hashable, Sendable {
  public let chain: InsertPlace
  /// Counts from 1.
  public let number: Int

  public init(_ chain: InsertPlace, _ number: Int) { (self.chain, self.number) = (chain, number) }

  /// Reads the parts of an address, such as `output`, `usb`, `effect` and `2`; nil if they are those of nothing that may be an effect.
  init?(_ parts: ArraySlice<Substring>) {
    let chain = parts.dropLast(2)
    guard let last = parts.last, let number = Int(last), number > 0, "\(number)" == last,
      parts.dropLast().last == "effect", let place = InsertPlace(chain)
    else { return nil }
    self.init(place, number)
  }

  /// The address of the effect.
  public var address: String { "\(chain.address)/effect/\(number)" }
}

/// An effect of a chain, with what the router tells of it.
public struct ChainedEffect: Sendable {
  public var effect: Effect
  public var facts: EffectFacts
}

extension Insert {
  /// An effect, counted from 1; nil if there is none of the number.
  public func effect(_ number: Int) -> ChainedEffect? {
    let (effects, facts) = (effects, report.effects)
    guard effects.indices.contains(number - 1) else { return nil }
    return ChainedEffect(
      effect: effects[number - 1],
      facts: facts.indices.contains(number - 1) ? facts[number - 1] : EffectFacts())
  }
}

extension RouterState {
  /// The effect at a place; nil if there is none.
  public func effect(at place: EffectSlot) -> ChainedEffect? {
    insert(at: place.chain)?.effect(place.number)
  }
}
