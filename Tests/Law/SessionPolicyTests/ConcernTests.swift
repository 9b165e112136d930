import RandomEvents
import SessionModel
import SessionPolicy
import Testing

/// The policy looks at the other sessions only after events that may concern them. These tests look at all of them after every event.
@Suite("What an event means to other sessions")
struct ConcernTests {
  @Test(
    "After an event the policy has nothing left to decide about other sessions", arguments: 0..<4)
  func equalsFull(_ seed: UInt64) throws {
    var (source, state) = (RandomEvents(seed: seed), try LawEvents.start())
    var (accepted, social) = (0, 0)
    for step in 0..<2_500 {
      let time = Double(step) / 10
      let event = source.next(state)
      let before = state.activity
      guard (try? Policy.reduce(&state, event, at: time)) != nil else { continue }
      accepted += 1
      if state.activity != before { social += 1 }
      #expect(state.activity == Activity(state), "seed \(seed), step \(step): \(event)")
      // A setting that is set to its present value makes the policy decide about all sessions.
      var again = state
      let told = try Policy.reduce(&again, .router(.duckScope(state.ducking.scope)), at: time)
      #expect(again == state && told.isEmpty, "seed \(seed), step \(step): \(event) leaves \(told)")
    }
    // The positive control: many events were accepted, and many changed what sessions are to each other.
    #expect(accepted > 1_000 && social > 50, "\(accepted) \(social)")
  }
}
