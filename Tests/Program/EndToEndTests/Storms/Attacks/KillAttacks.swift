import TestKit

/// The server is killed or ends. Sound must return with the next one.
struct ServerKillAttack: Attack {
  let name = "killed servers"
  private static let most = 320

  func strike(_ arena: AttackArena, until end: ContinuousClock.Instant) throws -> AttackCount {
    try strike(arena, atMost: Self.most, until: end) { round in
      try arena.restartServer(isKilled: !round.isMultiple(of: 3))
    }
  }
}

/// The router is killed. The next run must restore its settings and play.
struct RouterKillAttack: Attack {
  let name = "killed routers"
  private static let most = 100

  func strike(_ arena: AttackArena, until end: ContinuousClock.Instant) throws -> AttackCount {
    try strike(arena, atMost: Self.most, until: end) { _ in try arena.restartRouter() }
  }
}
