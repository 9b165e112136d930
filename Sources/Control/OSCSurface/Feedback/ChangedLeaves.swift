import Parameters

/// The leaves that have changed since a client was told, each once, in the order of their first change.
struct ChangedLeaves: Sendable {
  private(set) var matches: [Match] = []
  private var addresses: Set<String> = []

  var isEmpty: Bool { matches.isEmpty }

  mutating func note(_ match: Match) {
    if addresses.insert(match.address).inserted { matches.append(match) }
  }

  /// Takes the first ones.
  mutating func take(most count: Int) -> [Match] {
    guard matches.count > count else { return take() }
    let first = Array(matches.prefix(count))
    matches.removeFirst(count)
    for match in first { addresses.remove(match.address) }
    return first
  }

  /// Takes all of them.
  mutating func take() -> [Match] {
    defer {
      matches = []
      addresses.removeAll(keepingCapacity: addresses.count <= Self.usualCount)
    }
    return matches
  }

  /// The number of leaves for which memory is kept.
  private static let usualCount = 512
}
