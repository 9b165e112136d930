import LawWorld
import RandomEvents
import SessionModel
import SessionPolicy
import Testing

@Suite("The causes of silence")
struct CausesTests {
  @Test("A session that is heard has no silencing cause; otherwise the first one is that of why")
  func agreement() throws {
    var counts = Counts()
    for run: UInt64 in 0..<6 {
      let seed = UInt64.random(in: 0...UInt64.max / 8) &* 6 &+ run
      try compareCausesWithVerdicts(seed: seed, counting: &counts)
    }
    // The positive control counts all runs: in one run of about 300 no session is ever heard.
    #expect(counts.heard > 500 && counts.silent > 500 && counts.silentForSeveralReasons > 100, "\(counts)")
  }

  private struct Counts {
    var heard = 0
    var silent = 0
    var silentForSeveralReasons = 0
  }

  private func compareCausesWithVerdicts(seed: UInt64, counting counts: inout Counts) throws {
    var (source, state) = (RandomEvents(seed: seed), try LawEvents.start())
    for step in 0..<1_500 {
      let time = Double(step) / 10
      guard (try? Policy.reduce(&state, source.next(state), at: time)) != nil else { continue }
      if step.isMultiple(of: 20) {
        for event in LawEvents.livening(state) { _ = try? Policy.reduce(&state, event, at: time) }
      }
      for session in state.sessions.values {
        let verdict = state.verdict(of: session, state.activity)
        let causes = state.causes(of: session, state.activity)
        let silencing = causes.filter { $0.verdict != nil }
        #expect(causes.allSatisfy { !$0.sentence.isEmpty && !$0.text.contains("; ") }, "seed \(seed)")
        switch verdict {
        case .heard, .ducked:
          counts.heard += 1
          #expect(silencing.isEmpty, "seed \(seed), step \(step): \(silencing)")
          if case .ducked(_, let ducker) = verdict {
            #expect(causes.contains { $0.sentence.hasSuffix("by \(ducker)") }, "seed \(seed), step \(step)")
          }
        case .interrupted, .silent:
          counts.silent += 1
          if silencing.count > 1 { counts.silentForSeveralReasons += 1 }
          #expect(silencing.first?.verdict == verdict, "seed \(seed), step \(step): \(causes.map(\.text))")
        }
      }
    }
  }

  @Test("An interruption is told with the time of day at which it began")
  func interruptionTime() throws {
    var world = try World.stage()
    try world.create("music", .playback)
    world.state.timeOfDayAtStart = 20 * 3_600 + 59 * 60
    world.time = 65.9
    try world.handle(.beginInterruption("phone"))
    world.time = 500
    try world.handle(.session("music", .gain(.set(-3))))
    let session = try #require(world.state.sessions["music"])
    #expect(
      world.state.causes(of: session, world.state.activity).first?.text
        == "session: interrupted at 21:00:05 by a call (phone)")
  }
}
