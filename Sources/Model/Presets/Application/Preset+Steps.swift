import Parameters
package import SessionModel

extension Preset {
  /// Whether the preset takes nothing back of the one before it.
  public var onlyAdds: Bool { document.others?.value == .keep }

  /// The preset as its successor must see it: if it leaves some of the preset before it alone, what both name.
  ///
  /// - Parameter isBounded: whether a scope or safes bounded its recall.
  public func inForce(after predecessor: Preset?, isBounded: Bool = false) -> Preset {
    guard onlyAdds || isBounded, let predecessor else { return self }
    var both = predecessor.document
    both.extend(by: document)
    return Preset(id: id, file: file, hash: hash, document: both)
  }

  /// The steps that bring a router from a state to the preset, as the successor of the preset in force.
  ///
  /// - Parameters:
  ///   - predecessor: the preset in force; nil at the start of a router.
  ///   - time: router time in seconds.
  package func steps(
    for state: RouterState, replacing predecessor: Predecessor?, at time: Double, law: PresetReader.Policy
  ) -> [Step] {
    guard let predecessor, !onlyAdds || predecessor.isEarlierVersion else {
      return document.steps(for: state, at: time)
    }
    let old = predecessor.preset.document
    let manner: Succession.Manner =
      predecessor.isEarlierVersion ? .reload : predecessor.isLeft ? .replacement : .recall
    let succession = Succession(
      old: old, new: document,
      fresh: freshState(beside: old, withFound: manner == .replacement, law), manner: manner)
    return succession.steps(for: state, at: time)
  }

  /// The state of a router that started with this preset, with the ports of another one.
  /// - Parameter withFound: whether also with those that the other one has only found.
  private func freshState(
    beside old: PresetDocument, withFound: Bool, _ law: PresetReader.Policy
  ) -> RouterState {
    var state = fresh ?? document.freshState(law)
    func add(_ id: PortID, _ entry: PortEntry) {
      for direction in entry.directions where !state[direction].contains(id) {
        var port = entry.port(id, direction, instead: nil)
        // As it is when the recall has ended: a found port, which no session moves to by itself if the preset names others.
        port.isNamedByPreset = false
        _ = try? law(&state, .declarePort(direction, port), 0)
      }
    }
    for (id, entry) in old.ports { add(id, entry) }
    for (id, entry) in withFound ? old.kept?.found.values.flatMap(Array.init) ?? [] : [] { add(id, entry) }
    return state
  }
}

extension PresetDocument {
  /// The state of a router that started with the document.
  func freshState(_ law: PresetReader.Policy) -> RouterState {
    var state = RouterState()
    state.server.isRunning = true
    state.isRecalling = true
    for row in steps(for: state, at: 0).rows {
      let events = row.compactMap { try? $0.outcome.get() }
      guard let first = events.first else { continue }
      _ = try? law(&state, events.count == 1 ? first : .row(events), 0)
    }
    return state
  }
}

/// The preset that a preset replaces.
public struct Predecessor: Sendable {
  public let preset: Preset
  /// Whether it is the same preset as it was read before. Then only the differences are applied.
  public let isEarlierVersion: Bool
  /// Whether it is of another project, from which nothing is taken over, no guard and no maximum either.
  public let isLeft: Bool

  public init(_ preset: Preset, isEarlierVersion: Bool, isLeft: Bool = false) {
    (self.preset, self.isEarlierVersion, self.isLeft) = (preset, isEarlierVersion, isLeft)
  }
}
