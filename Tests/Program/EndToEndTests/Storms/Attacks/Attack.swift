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
