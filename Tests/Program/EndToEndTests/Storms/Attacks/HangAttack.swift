import Chance
import Foundation
import PacketFuzz
import TestKit

/// A program at the server is stopped for a while: one that is not connected with the router, or one that feeds it.
struct HangAttack: Attack {
  /// Whether the program feeds a session.
  let isSource: Bool
  var name: String { isSource ? "hung sources" : "hung bystanders" }
  private static let most = 100

  func strike(_ arena: AttackArena, until end: ContinuousClock.Instant) throws -> AttackCount {
    let program = try arena.server.stage()
    try program.do("source Sleeper 1 sine 400 -60")
    if isSource {
      try arena.surface.send("/session/s0/stream/main/from", "Sleeper:out_1")
      try program.do("await-connection Sleeper:out_1 multiroute:s0.main_1")
    }
    let count = try strike(arena, atMost: Self.most, until: end) { _ in
      program.send(signal: SIGSTOP)
      let stop = ContinuousClock.now + .seconds(Double.random(in: 0.2...4, using: &arena.mutator.chance))
      while .now < min(stop, end) {
        try arena.surface.send("/session/s1/gain", -3.0)
        try arena.surface.send("/session/s1/stream/main/gain", -6.0)
      }
      program.send(signal: SIGCONT)
    }
    if isSource { try arena.surface.send("/session/s0/stream/main/from", "none") }
    return count
  }
}
