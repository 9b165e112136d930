import Chance
import Foundation
import PacketFuzz
import TestKit

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
