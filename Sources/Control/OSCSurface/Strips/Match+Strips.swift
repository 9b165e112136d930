import Parameters
import SessionModel

extension Match {
  /// The leaf itself, or for a leaf of a strip that of the strip's target, at its own address.
  /// - Throws: `SessionError` notFound if the strip has no target, or a target without such a leaf.
  func original(in state: RouterState) throws(SessionError) -> Match {
    guard let original = try parameter.original(state, target) else { return self }
    // Behind `/strip/3/gain` the address is that of the target's leaf.
    let parts = address.split(separator: "/")
    let shown = parts[2] == "fader" ? original.fader : original.address
    return Match(
      address: parts.dropFirst(3).reduce(shown) { "\($0)/\($1)" },
      leaf: AddressTree.Leaf(parameter: original.parameter, aspect: aspect), target: original.target)
  }

  /// The control whose value the leaf shows, perhaps by a strip.
  func control(in state: RouterState) -> LeafKey { LeafKey((try? original(in: state)) ?? self) }

  /// Whether the leaf has a value of its own, or stands for one that exists.
  func isMeant(in state: RouterState) -> Bool {
    !parameter.isAlias || (try? parameter.original(state, target)) != nil
  }
}

extension Parameter.Original {
  /// The address of its position.
  fileprivate var fader: String {
    parameter.isPluginControl ? "\(address)/fader" : address.dropLast("gain".count) + "fader"
  }
}

extension [Match] {
  /// The leaves that a pattern may set: without strips that stand for nothing, and each value once, since a value that a pattern
  /// reaches by a strip, too, must not be moved twice.
  func distinct(in state: RouterState) -> [Match] {
    guard contains(where: \.parameter.isAlias) else { return self }
    var seen = Set(lazy.filter { !$0.parameter.isAlias }.map { Sink($0) })
    return filter { match in
      guard match.parameter.isAlias else { return true }
      guard let original = try? match.original(in: state) else { return false }
      return seen.insert(Sink(original)).inserted
    }
  }
}

/// What a set of a leaf acts on.
private struct Sink: Hashable {
  let key: LeafKey
  let aspect: Aspect
  init(_ match: Match) { (key, aspect) = (LeafKey(match), match.aspect) }
}
