import LawWorld
import RandomEvents
import SessionModel
import SessionPolicy
import Testing

@Suite("Random events")
struct RandomEventTests {
  static let length = 1_500

  @Test(
    "A refused event changes nothing, guards hold, and each affected session gets one route change",
    arguments: 0..<8)
  func invariants(_ seed: UInt64) throws {
    var (source, world) = (RandomEvents(seed: seed), World())
    world.state = try LawEvents.start()
    var (accepted, refused) = (0, 0)
    for step in 0..<Self.length {
      world.time = Double(step) / 10
      let event = source.next(world.state)
      let before = world.state
      let gains = Self.gains(before)
      do throws(SessionError) {
        let told = try Policy.reduce(&world.state, event, at: world.time)
        accepted += 1
        _ = told.routeReasons
        for case .route(let id, _, let previous, let current) in told {
          #expect(before.sessions[id]?.route == previous && world.state.sessions[id]?.route == current)
        }
      } catch {
        refused += 1
        #expect(world.state == before, "\(event)")
      }
      Self.checkGuards(world.state, after: event)
      if !Self.movesGain(event) { Self.checkGains(gains, world.state, after: event) }
      if !world.state.server.isRunning { #expect(world.state.sessions.values.allSatisfy { !$0.isActive }) }
    }
    // The positive control: many events were accepted and many were refused.
    #expect(accepted > Self.length / 4 && refused > Self.length / 20)
  }

  @Test("A replayed log of events gives the same state and the same notifications", arguments: 0..<4)
  func replay(_ seed: UInt64) throws {
    let start = try LawEvents.start()
    func run() -> (RouterState, [Notification]) {
      var (source, state) = (RandomEvents(seed: seed), start)
      var told: [Notification] = []
      for step in 0..<Self.length {
        told += (try? Policy.reduce(&state, source.next(state), at: Double(step) / 10)) ?? []
      }
      return (state, told)
    }
    let (first, second) = (run(), run())
    #expect(first.0 == second.0)
    #expect(first.1 == second.1)
    #expect(!first.1.isEmpty)
  }

  /// No stream is sent to an output that its guard forbids, and no session with one output uses it.
  private static func checkGuards(_ state: RouterState, after event: Event) {
    for session in state.sessions.values {
      for stream in session.streams.values {
        for port in stream.never {
          #expect(stream.destinations[port] == nil, "\(event)")
          if session.category != .multiRoute { #expect(!session.route.outputs.contains(port), "\(event)") }
        }
      }
    }
  }

  private static func gains(_ state: RouterState) -> [SessionID: Control] {
    Dictionary(uniqueKeysWithValues: state.sessions.map { ($0.key, $0.value.gain) })
  }

  /// The policy never changes the operator's level.
  private static func checkGains(_ before: [SessionID: Control], _ state: RouterState, after event: Event) {
    for session in state.sessions.values {
      guard let old = before[session.id] else { continue }
      #expect(session.gain == old, "\(event)")
    }
  }

  private static func movesGain(_ event: Event) -> Bool {
    switch event {
    case .session(_, .gain), .session(_, .maximum): true
    default: false
    }
  }
}
