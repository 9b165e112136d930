import SessionModel
import SessionPolicy
import Testing

@Suite("Activating") struct ActivatingTests {
  @Test("Nothing becomes active without an audio server")
  func withoutServer() throws {
    var state = RouterState()
    _ = try Policy.reduce(&state, .createSession("show", SessionConfiguration()), at: 0)
    let before = state
    #expect(throws: SessionError.self) { try Policy.reduce(&state, .activate("show"), at: 0) }
    #expect(state == before)
  }
}
