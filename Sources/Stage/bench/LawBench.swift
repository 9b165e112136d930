import CRealtime
import SessionModel
import SessionPolicy

/// Measures how long the law takes for one event among a thousand sessions that all play.
enum LawBench {
  static func run(_ plan: Plan, _ table: inout ResultTable) throws(BenchError) {
    for category in [Category.playback, .multiRoute] {
      let house = try house(of: category)
      var slowest = 0.0
      for (names, events) in stories {
        for (index, microseconds) in try median(of: events, in: house, trials: plan.trials).enumerated() {
          tell("\(category.rawValue.padded(to: 14)) \(names[index].padded(to: 26)) \(microseconds.text) us")
          slowest = max(slowest, microseconds)
        }
      }
      table.add(
        "1,000 \(category.rawValue) sessions, slowest event, median", slowest / 1_000, " ms", atMost: 1)
      let foreseen = try foresight(in: house, trials: plan.trials)
      for (name, microseconds, answers) in foreseen {
        tell(
          "\(category.rawValue.padded(to: 14)) \("what if: \(name)".padded(to: 26)) \(microseconds.text) us, \(answers) differences"
        )
      }
      // A call that interrupts everything has two rows for each session.
      for (text, limit, isMeant) in [
        ("slowest /what/if about one session", 5.0, { $0 < 100 }), ("/what/if about all", 30, { $0 >= 100 }),
      ] as [(String, Double, (Int) -> Bool)] {
        let times = foreseen.filter { isMeant($0.answers) }.map(\.microseconds)
        table.add(
          "1,000 \(category.rawValue) sessions, \(text), median", (times.max() ?? 0) / 1_000, " ms",
          atMost: limit)
      }
    }
  }

  /// The measured events, with their names. Each sequence begins with a new state.
  private static let stories: [(names: [String], events: [Event])] = [
    (
      ["gain", "sound begins"],
      [.session("session-5", .gain(.set(-3))), .sounding("session-7", false)]
    ),
    (
      ["announcement begins", "duck level", "announcement ends"],
      [
        .activate("announce"), .router(.duckLevel(.set(-20))),
        .deactivate("announce", notifyingOthers: true),
      ]
    ),
    (
      ["solo begins", "solo stops", "solo ends"],
      [
        .activate("solo"), .session("solo", .outputIO(.stopped)), .deactivate("solo", notifyingOthers: true),
      ]
    ),
    (["call begins", "call ends"], [.beginInterruption("phone"), .endInterruption("phone")]),
    (
      ["device goes", "device is back"],
      [.port(.output, "out-7", .plugged(false)), .port(.output, "out-7", .plugged(true))]
    ),
    (["silent switch", "server is lost"], [.router(.silent(true)), .server(ServerState())]),
  ]

  /// The median times in microseconds, one for each event of a sequence.
  private static func median(
    of events: [Event], in house: RouterState, trials: Int
  ) throws(BenchError) -> [Double] {
    var times = Array(repeating: [Double](), count: events.count)
    for _ in 0..<trials {
      var state = house
      for (index, event) in events.enumerated() {
        let begin = mr_monotonic_nanoseconds()
        let told = try reduce(&state, event, at: Double(index))
        times[index].append(Double(mr_monotonic_nanoseconds() - begin) / 1_000)
        withExtendedLifetime(told) {}
      }
    }
    return times.map(\.median)
  }

  /// A state with eight devices and a thousand sessions. All are active and play, except one ducker and one that does not mix.
  private static func house(of category: Category) throws(BenchError) -> RouterState {
    var state = RouterState()
    var server = ServerState()
    (server.isRunning, server.rate, server.period) = (true, 48_000, 64)
    _ = try reduce(&state, .server(server), at: 0)
    for index in 0..<8 {
      let id = PortID("out-\(index)")!
      let port = Port(id: id, name: id.name, type: .usbAudio, globs: [], channels: 2)
      _ = try reduce(&state, .declarePort(.output, port), at: 0)
      let presence = PortPresence(.output, id, members: ["\(id):1", "\(id):2"])
      _ = try reduce(&state, .portsPresent([presence]), at: 0)
    }
    for index in 0..<998 {
      let id = SessionID("session-\(index)")!
      try add(id, SessionConfiguration(category: category, options: .mixWithOthers), to: &state)
      _ = try reduce(&state, .activate(id), at: 0)
    }
    try add("announce", SessionConfiguration(category: .playback, options: .duckOthers), to: &state)
    try add("solo", SessionConfiguration(category: .playback), to: &state)
    return state
  }

  private static func add(
    _ id: SessionID, _ configuration: SessionConfiguration, to state: inout RouterState
  ) throws(BenchError) {
    let events: [Event] = [
      .createSession(id, configuration), .createStream(id, "main", channels: 2, placed: true),
      .connected(id, true), .session(id, .outputIO(.running)),
    ]
    for event in events { _ = try reduce(&state, event, at: 0) }
  }

  private static func reduce(
    _ state: inout RouterState, _ event: Event, at time: Double
  ) throws(BenchError) -> [Notification] {
    do throws(SessionError) { return try Policy.reduce(&state, event, at: time) } catch {
      throw BenchError("\(event) was refused: \(error.sentence)")
    }
  }
}
