import Foundation
import TestKit
import Testing

/// All attacks in one run of twenty minutes, at one router. `.ci/attacks.sh` runs it in a network of its own.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["MULTIROUTE_ATTACKS"] != nil))
struct AttackSoakTests {
  /// Seconds of the whole run, without the pauses in which memory must come back: `MULTIROUTE_ATTACK_SECONDS`.
  private static var seconds: Double { number("MULTIROUTE_ATTACK_SECONDS") ?? 1_200 }

  /// The attacks, with their shares of the time, and the seconds that another client may wait.
  private static let attacks: [(attack: any Attack, share: Double, limit: Double)] =
    [
      (FuzzAttack(), 0.25, 1), (ServerKillAttack(), 0.1, 1), (HangAttack(isSource: false), 0.08, 1),
      (HangAttack(isSource: true), 0.07, 1),
    ] + StormAttack.Kind.allCases.map { (StormAttack(kind: $0), 0.04, 1) }
    + [(PlugAttack(), 0.1, 1), (WeatherAttack(), 0.1, 1), (RouterKillAttack(), 0.1, 10)]

  private static func number(_ variable: String) -> Double? {
    ProcessInfo.processInfo.environment[variable].flatMap { Double($0) }
  }

  @Test("The router survives twenty minutes of attacks, answers other clients in time, and keeps no memory")
  func attacks() async throws {
    // Nothing of the attacks may reach another machine.
    let interfaces = try String(contentsOfFile: "/proc/self/net/dev", encoding: .utf8)
      .split(separator: "\n").dropFirst(2).map { $0.prefix { $0 != ":" }.filter { $0 != " " } }
    try #require(interfaces == ["lo"], "run this with make soak, which makes a network of its own")
    let seed = Self.number("MULTIROUTE_ATTACK_SEED").map { UInt64($0) } ?? .random(in: 0..<1_000_000)
    print("attacks: seed \(seed), \(Self.seconds) s (MULTIROUTE_ATTACK_SEED, MULTIROUTE_ATTACK_SECONDS)")
    let arena = try await AttackArena(seed: seed)
    // A router that has just started has not yet filled its caches, nor touched the memory that it locks and so never gives back.
    _ = try FuzzAttack().strike(arena, until: .now + .seconds(2))
    defer { print("attacks with the seed \(seed):\n\(arena.table)") }
    for (attack, share, limit) in Self.attacks {
      try arena.suffer(attack, seconds: share * Self.seconds, limit: limit)
    }
    #expect(arena.router.terminate().code == 0)
  }
}
