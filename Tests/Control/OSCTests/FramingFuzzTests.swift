import Chance
import OSC
import PacketFuzz
import Testing

@Suite("Random streams")
struct FramingFuzzTests {
  @Test("A damaged stream means the same however it is split, and keeps within the limit", arguments: 0..<2)
  func streams(run: Int) {
    var mutator = PacketMutator(seed: FuzzBudget.seed(run))
    var (whole, failed) = (0, 0)
    for round in FuzzBudget(rounds: 4_000) {
      let framing: Framing = round & 1 == 0 ? .slip : .length
      var bytes = (0..<3).flatMap { _ in framing.frame(mutator.next()) }
      for _ in 0..<Int.random(in: 0...3, using: &mutator.chance) {
        let place = Int.random(in: 0..<bytes.count, using: &mutator.chance)
        bytes[place] = [0, 0xc0, 0xdb, 0xdc, 0xdd, .random(in: 0...255, using: &mutator.chance)]
          .randomElement(using: &mutator.chance)!
      }
      let once = FramedStream.of(bytes)
      var split = FramedStream()
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Int.random(in: 1...min(64, rest.count), using: &mutator.chance)
        split.read(rest.prefix(count))
        rest = rest.dropFirst(count)
      }
      if split.packets != once.packets || split.failure != once.failure
        || split.reader.spoiled != once.reader.spoiled
      {
        Issue.record("the pieces differ from the whole: \(bytes)")
      }
      if once.packets.contains(where: { $0.isEmpty || $0.count > Framing.limit }) {
        Issue.record("a packet beyond the limits: \(bytes)")
      }
      if once.failure == nil { whole += 1 } else { failed += 1 }
    }
    // The positive control: there were enough of both.
    #expect(whole > 0 && failed > 0)
  }
}
