import Chance
import OSC
import Patterns
import SessionModel
import Testing

@testable import OSCSurface

@Suite("Searches for leaves")
struct LeafSearchTests {
  @Test(
    "A search that pauses at random places finds the same leaves in the same order as one that does not",
    arguments: [nil, "/session", "/session/*/gain", "/*/*/{gain,mute}", "/session/{show,music}/stream"])
  func pauses(_ text: String?) throws {
    let desk = try Desk.stage()
    let tree = desk.surface.tree
    let pattern = try text.map { try AddressPattern($0) }
    let all = tree.find(prefix: pattern, in: desk.state).map(\.address)
    #expect(all.count > 1)
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<20 {
      var search = LeafSearch(pattern, includesBelow: true)
      var found: [String] = []
      while !search.isDone {
        var left = Int.random(in: 0...20, using: &generator)
        search.run(tree, in: desk.state, mostLooks: .random(in: 1...30, using: &generator)) { match in
          guard left > 0 else { return false }
          left -= 1
          found.append(match.address)
          return true
        }
      }
      #expect(found == all)
    }
  }

  @Test(
    "A snapshot misses nothing that stays and repeats nothing, while sessions come and go between its packets"
  )
  func changes() throws {
    var desk = try Desk.stage()
    for number in 0..<30 { desk.send("/session/create", .string("s\(number)"), "playback") }
    var generator = SeededGenerator(seed: 11)
    var removed: Set<String> = []
    var heard = desk.send("/subscribe", "/session/*/gain")
    while !heard.contains(where: { $0.address == "/snapshot/end" }) {
      heard += desk.wait(0.005)
      let name = "s\(Int.random(in: 0..<30, using: &generator))"
      if removed.insert(name).inserted { desk.send("/session/remove", .string(name), from: Desk.other) }
    }
    let addresses = heard.filter { $0.address.hasSuffix("/gain") }.map(\.address)
    #expect(Set(addresses).count == addresses.count)
    for number in 0..<30 where !removed.contains("s\(number)") {
      #expect(addresses.contains("/session/s\(number)/gain"))
    }
  }
}
