/// Something that another program, device or network does to a running router.
protocol Attack: Sendable {
  /// The name in the table.
  var name: String { get }

  /// Attacks until the time is over, or a limit of the attack itself is reached.
  ///
  /// - Returns: how often the attack was tried, and how often the router did what is promised. The attack records why it did not.
  func strike(_ arena: AttackArena, until end: ContinuousClock.Instant) throws -> AttackCount
}

/// How often something was tried, and how often the router survived it.
struct AttackCount: Equatable {
  var tried = 0
  var survived = 0

  /// Counts one try.
  mutating func add(_ hasSurvived: Bool) {
    tried += 1
    if hasSurvived { survived += 1 }
  }
}

extension Attack {
  /// Strikes again and again. After each blow the router must play within ten seconds.
  ///
  /// - Parameters:
  ///   - most: number of blows after which the attack ends, even if time is left.
  ///   - blow: strikes once; its argument counts from 0.
  func strike(
    _ arena: AttackArena, atMost most: Int, until end: ContinuousClock.Instant, _ blow: (Int) throws -> Void
  ) rethrows -> AttackCount {
    var count = AttackCount()
    while .now < end, count.tried < most {
      try blow(count.tried)
      count.add(arena.isWell(within: 10))
    }
    return count
  }
}
