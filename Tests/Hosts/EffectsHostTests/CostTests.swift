import EffectBlocks
import Effects
import EffectsHost
import Foundation
import Synchronization
import Testing
import Threads

@Suite("What effects cost", .serialized)
struct CostTests {
  @Test("Sixteen stereo equalizers take little of a period of 64 frames, and their program little memory")
  func sixteen() throws {
    let rig = try Rig(frames: 64)
    let equalizer = try #require(EffectName.named("eq")).plugin(channels: 2)
    let chain = EffectChain(channels: 2, effects: [Effect(equalizer, values: ["HighPass": 1, "gain1": 3])])
    let places = Array(0..<16)
    rig.host.keep(Dictionary(uniqueKeysWithValues: places.map { ($0, chain) }))
    for place in places { _ = try rig.loaded(place) }
    let revisions = try places.map { try rig.loaded($0).revision }
    // Above the program, as the audio thread is, so that the program that wakes does not take its processor.
    let exchange = rig.exchange
    let asking = Mutex(Duration.zero)
    OwnThread("audio") {
      OwnThread.enterRealtime(priority: 11)
      for period in 1...1_000 {
        let begin = ContinuousClock.now
        for place in places { exchange.chain(place).give(period: period, begin: 0, frames: 64) }
        exchange.ask(period: period, frames: 64)
        let took = ContinuousClock.now - begin
        asking.withLock { $0 += took }
        for place in places {
          exchange.wait(
            for: exchange.chain(place), period: period, frames: 64, revision: revisions[place])
        }
      }
    }.join()
    let times = places.map { rig.exchange.chain($0).times(effect: 0) }
    let mean = times.reduce(0.0) { $0 + Double($1.nanoseconds) / Double(max(1, $1.runs)) } / 1_000
    let status = try String(contentsOfFile: "/proc/\(try rig.program())/status", encoding: .utf8)
    let kilobytes = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }?
      .split(separator: " ").dropFirst().first.flatMap { Int($0) }
    print(
      "sixteen stereo equalizers: \(mean) us of 1,333 us, \(kilobytes ?? 0) kB; giving and asking takes \(asking.withLock { $0 / 1_000 })"
    )
    #expect(times.allSatisfy { $0.runs == 1_000 })
    // Half a period, also on a machine that does much else.
    #expect(mean < 667)
    #expect(try #require(kilobytes) < 80_000)
  }
}
