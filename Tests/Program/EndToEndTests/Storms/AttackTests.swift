import Foundation
import TestKit
import Testing

/// One router that suffers a short case of each attack that no other suite has. `make soak` runs all of them for longer (`AttackSoakTests`).
@Suite(.serialized) struct AttackTests {
  @Test(
    "Random packets, lost and repeated packets, plugs and storms let another client wait no second, cost no memory, and the show plays on"
  )
  func everything() async throws {
    let arena = try await AttackArena(seed: 15)
    for attack: any Attack in [FuzzAttack(), WeatherAttack(), PlugAttack()] {
      try arena.suffer(attack, seconds: 2, limit: 1)
    }
    for kind in StormAttack.Kind.allCases {
      try arena.suffer(StormAttack(kind: kind), seconds: 0.5, limit: 1)
    }
    #expect(arena.table.rows.count == 3 + StormAttack.Kind.allCases.count)
    #expect(arena.router.terminate().code == 0)
  }

  @Test("The table has a row for each attack, and shows what did not survive, what grew and who waited")
  func table() {
    var table = AttackTable()
    table.add(
      .init(
        attack: "plugs", count: AttackCount(tried: 12, survived: 11),
        memory: (20 << 20, (26 << 20) + 120_000),
        longestWait: 0.0274))
    #expect(
      table.description == """
        | attack | tried | survived | memory before | after    | longest wait of another |
        |--------|-------|----------|---------------|----------|-------------------------|
        | plugs  | 12    | 11       | 20.0 MiB      | 26.1 MiB | 27 ms                   |
        """)
    #expect(table.rows[0].growth > 5 << 20)
  }
}
