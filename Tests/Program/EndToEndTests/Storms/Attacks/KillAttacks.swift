import Chance
import Foundation
import PacketFuzz
import TestKit

/// The server is killed or ends. Sound must return with the next one.
struct ServerKillAttack: Attack {
  let name = "killed servers"
  private static let most = 320

  func strike(_ arena: AttackArena, until end: ContinuousClock.Instant) throws -> AttackCount {
    var count = AttackCount()
    while .now < end, count.tried < Self.most {
      try arena.restartServer(isKilled: !count.tried.isMultiple(of: 3))
      count.add(arena.isWell(within: 10))
    }
    return count
  }
}

/// The router is killed. The next run must restore its settings and play.
struct RouterKillAttack: Attack {
  let name = "killed routers"
  private static let most = 100

  func strike(_ arena: AttackArena, until end: ContinuousClock.Instant) throws -> AttackCount {
    var count = AttackCount()
    while .now < end, count.tried < Self.most {
      try arena.restartRouter()
      count.add(arena.isWell(within: 10))
    }
    return count
  }
}

/// A program at the server is stopped for a while: one that is not connected with the router, or one that feeds it.
struct HangAttack: Attack {
  /// Whether the program feeds a session.
  let isSource: Bool
  var name: String { isSource ? "hung sources" : "hung bystanders" }
  private static let most = 100

  func strike(_ arena: AttackArena, until end: ContinuousClock.Instant) throws -> AttackCount {
    var count = AttackCount()
    let program = try arena.server.stage()
    try program.do("source Sleeper 1 sine 400 -60")
    if isSource {
      try arena.surface.send("/session/s0/stream/main/from", "Sleeper:out_1")
      try program.do("await-connection Sleeper:out_1 multiroute:s0.main_1")
    }
    while .now < end, count.tried < Self.most {
      program.send(signal: SIGSTOP)
      let stop = ContinuousClock.now + .seconds(Double.random(in: 0.2...4, using: &arena.mutator.chance))
      while .now < min(stop, end) {
        try arena.surface.send("/session/s1/gain", -3.0)
        try arena.surface.send("/session/s1/stream/main/gain", -6.0)
      }
      program.send(signal: SIGCONT)
      count.add(arena.isWell(within: 10))
    }
    if isSource { try arena.surface.send("/session/s0/stream/main/from", "none") }
    return count
  }
}

/// Devices and programs are unplugged and plugged in again.
struct PlugAttack: Attack {
  let name = "plugs"
  private static let most = 2_000

  func strike(_ arena: AttackArena, until end: ContinuousClock.Instant) throws -> AttackCount {
    var count = AttackCount()
    let names = ["Headphones", "Speaker", "Microphone", "Metronome", "Band", "\"USB Interface\""]
    while .now < end, count.tried < Self.most {
      let chosen = names.filter { _ in arena.mutator.chance.next() & 1 == 0 }
      for name in chosen { try arena.stage.do("unplug \(name)") }
      try arena.surface.send("/session/s1/gain", -3.0)
      for name in chosen.shuffled(using: &arena.mutator.chance) { try arena.stage.do("replug \(name)") }
      // Whether the right routes return is looked at after every fifth round; before, the router is in the midst of it.
      count.add(!count.tried.isMultiple(of: 5) || arena.isWell(within: 10))
    }
    return count
  }
}
