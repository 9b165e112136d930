import JSON5
import Presets
import Scenes
import SessionModel
import SessionPolicy
import Testing

@Suite("A preset changes a state as a whole or not at all")
struct PresetChangeTests {
  private static func change(_ text: String, of state: RouterState) throws -> RecallOutcome {
    let (preset, problems) = Show.read(text)
    #expect(problems == [])
    return try Recall(try #require(preset)).outcome(of: state, at: 0) {
      state, event, time throws(SessionError) in try Policy.reduce(&state, event, at: time)
    }
  }

  private static func music(_ members: String) -> String {
    #"{ multiroute: 1, sessions: { music: { category: "soloAmbient", \#(members) } } }"#
  }

  @Test("The error of a refused setting names its key, and nothing of the preset is applied")
  func refused() throws {
    let state = try Self.change(Self.music("foreground: false"), of: Show.emptyState).state
    do {
      _ = try Self.change(Self.music("gain: -20, active: true"), of: state)
      Issue.record("a session in the background may not interrupt others")
    } catch let refusal as RecallRefusal {
      #expect(refusal.problem.path == "sessions.music.active")
      #expect(refusal.error.code == .cannotStartPlaying, "\(refusal.error)")
      #expect(refusal.sentence.hasPrefix("show.json:1:") && refusal.sentence.contains("music"))
    }
  }

  @Test("The class of an active session changes in a dip, after which the session is active again")
  func priority() throws {
    let state = try Self.change(Self.music("active: true"), of: Show.emptyState).state
    #expect(state.sessions["music"]?.isActive == true)
    let next = try Self.change(Self.music(#"gain: -20, priority: "alert""#), of: state).state
    let music = try #require(next.sessions["music"])
    #expect(music.isActive && music.priority == .alert && music.gain.target == -20)
  }

  @Test(
    "A session whose activation a call refuses waits for the end of the call, and the rest of the preset is in force"
  )
  func call() throws {
    let state = try Show.state(Show.emptyState, after: [.beginInterruption("phone")])
    let change = try Self.change(
      Self.music(#"gain: -20, active: true, resume: "recommended""#), of: state)
    let music = try #require(change.state.sessions["music"])
    #expect(!music.isActive && music.gain.target == -20 && music.refusal == .source("phone"))
    let told = change.notifications.contains { notification in
      guard case .error(client: 0, address: "/session/music/active", let error) = notification else {
        return false
      }
      return error.code == .insufficientPriority
    }
    #expect(told)
    let after = try Show.state(change.state, after: [.endInterruption("phone")])
    #expect(after.sessions["music"]?.isActive == true)
  }

  @Test("Neither a missing microphone nor a missing server undoes a preset", arguments: [true, false])
  func absent(_ hasServer: Bool) throws {
    var state = RouterState()
    state.server.isRunning = hasServer
    let text = #"{ multiroute: 1, sessions: { tape: { category: "record", gain: -3, active: true } } }"#
    let change = try Self.change(text, of: state)
    #expect(change.state.sessions["tape"]?.isActive == false)
    #expect(change.state.sessions["tape"]?.gain.target == -3)
    let codes = change.notifications.compactMap { notification -> ErrorCode? in
      if case .error(_, _, let error) = notification { error.code } else { nil }
    }
    #expect(codes == [hasServer ? .resourceNotAvailable : .mediaServicesFailed])
  }

  @Test("The refusal of a background session that may not interrupt is not temporary")
  func background() throws {
    let text = Self.music("foreground: false")
    let state = try Self.change(text, of: Show.emptyState).state
    #expect(throws: RecallRefusal.self) { try Self.change(Self.music("gain: -3, active: true"), of: state) }
  }

  @Test("The hash changes with the file and with the presets that it extends")
  func hash() throws {
    let text = #"{ multiroute: 1, extends: "base" }"#
    func hash(_ text: String, _ base: String) throws -> ContentHash {
      try #require(Show.read(text, others: ["base": base]).preset).hash
    }
    let base = "{ multiroute: 1 }"
    #expect(try hash(text, base) == hash(text, base))
    #expect(try hash(text, base) != hash(text + " ", base))
    #expect(try hash(text, base) != hash(text, base + " "))
    var empty = ContentHash()
    #expect(empty.description == "cbf29ce484222325")
    // From the draft's test vectors.
    empty.add("foobar".utf8)
    #expect(empty.description == "85944171f73967e8")
  }
}
