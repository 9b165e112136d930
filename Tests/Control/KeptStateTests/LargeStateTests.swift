import JSON5
import Presets
import SessionModel
import SessionPolicy
import SystemCalls
import TemporaryFolders
import Testing
import Threads

@testable import KeptState

@Suite("A large kept state")
struct LargeStateTests {
  @discardableResult
  private static func law(
    _ state: inout RouterState, _ event: Event, _ time: Double
  ) throws(SessionError) -> [Notification] { try Policy.reduce(&state, event, at: time) }

  /// A thousand sessions with a stream each. Every one has a level of its own.
  private static func state() throws -> RouterState {
    var state = RouterState()
    for number in 0..<1_000 {
      let (session, level) = (try #require(SessionID("session-\(number)")), -Double(number) / 20)
      for event: Event in [
        .createSession(session, SessionConfiguration(category: .multiRoute)),
        .session(session, .name("Session number \(number) of a large show")),
        .session(session, .gain(.set(level))), .createStream(session, "main", channels: 2, placed: false),
        .stream(session, "main", .gain(.set(level - 1))),
      ] { try law(&state, event, 0) }
    }
    return state
  }

  @Test("A thousand sessions, more than 1 MiB, are kept and restored with all their levels")
  func roundTrip() throws {
    let folder = try TemporaryFolder()
    let file = StateFile(path: folder.file("state.json"))
    let head = KeptHead(preset: "show", path: "/show.json", hash: "0", time: "2026-11-22T20:00:00Z")
    let state = try Self.state()
    try file.write(KeptDocument.json(of: state, head: head).text)
    #expect(try System.stat(file.path).size > 1 << 20)
    guard case .state(let kept) = file.read() else {
      Issue.record("nothing was read")
      return
    }
    let start = OwnThread.processorSeconds
    let restored = kept.restored(over: RouterState(), at: 0, .everything, law: Self.law)
    let seconds = OwnThread.processorSeconds - start
    print("restoring 1,000 sessions takes \(seconds) s in a build that is not optimised")
    #expect(seconds < 30, "in proportion to the number of sessions, not to its square, which took 200 s")
    #expect(kept.problems.isEmpty && restored.leftOut.isEmpty)
    #expect(restored.state.sessions.count == 1_000)
    #expect(KeptDocument.json(of: restored.state, head: head) == KeptDocument.json(of: state, head: head))
  }

  @Test("Handing over a thousand sessions takes less than 5 ms of the policy thread")
  func handOver() throws {
    let folder = try TemporaryFolder()
    let keeper = StateKeeper(StateFile(path: folder.file("state.json")), start: "/show.json") { _ in }
    let preset = KeptPreset(id: "show", path: "/show.json", hash: "0")
    var state = try Self.state()
    keeper.keep(state, of: preset, taken: nil, at: 0)
    let ids = state.sessions.keys
    var times: [Double] = []
    for round in 1...20 {
      // A pattern that sets every session's gain is the largest change.
      for id in ids { try Self.law(&state, .session(id, .gain(.set(-Double(round)))), Double(round)) }
      keeper.noteChange()
      let start = OwnThread.processorSeconds
      keeper.keep(state, of: preset, taken: nil, at: Double(2 * round))
      times.append(OwnThread.processorSeconds - start)
      #expect(keeper.nextDue == nil, "the state was not handed over")
    }
    times.sort()
    print("handing over 1,000 sessions takes \(1_000 * times[0]) to \(1_000 * times[19]) ms")
    #expect(times[10] < 0.005)
    keeper.forget()
  }

  @Test("A state that would be too large to be read again is refused with both sizes, and the old one stays")
  func tooLarge() throws {
    let folder = try TemporaryFolder()
    let file = StateFile(path: folder.file("state.json"))
    try file.write("{}")
    let text = String(repeating: " ", count: KeptDocument.sizeLimit + 1)
    let error = #expect(throws: SystemError.self) { try file.write(text) }
    #expect(error?.reason == "it would have 67108865 bytes, and may have 67108864")
    #expect(try folder.text(of: "state.json") == "{}")
  }
}
