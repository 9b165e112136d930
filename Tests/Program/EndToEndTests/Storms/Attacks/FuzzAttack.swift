import Chance
import OSC
import PacketFuzz

/// Random and damaged packets from several ports.
struct FuzzAttack: Attack {
  let name = "random packets"
  /// Packets before a client of its own asks whether the router still answers; the system's buffers are not under test.
  private static let burst = 50
  private static let most = 10_000_000
  /// Packets after which the sessions that random packets have made are removed: memory of sessions that exist is not lost.
  private static let harvest = 20_000

  func strike(_ arena: AttackArena, until end: ContinuousClock.Instant) throws -> AttackCount {
    var count = AttackCount()
    let clients = try (0..<4).map { _ in try OSCClient(port: arena.router.port) }
    while .now < end, count.tried < Self.most {
      for _ in 0..<Self.burst {
        try clients.randomElement(using: &arena.mutator.chance)!.send(bytes: arena.mutator.next())
      }
      try arena.surface.send("/get", "/media/state")
      count.tried += Self.burst
      count.survived += Self.burst
      if count.tried.isMultiple(of: Self.harvest) { try arena.tidyUp() }
    }
    for client in clients { try client.send(OSCMessage("/bye")) }
    return count
  }
}
