import LawWorld
import Queues
import RandomEvents
import SessionModel
import SessionPolicy
import Testing

@Suite("Properties of the law after random events")
struct LawPropertyTests {
  /// Number of sequences. Each one is an earlier sequence with one more event.
  static let sequences = 100_000
  static let seeds: [UInt64] = {
    let seed = UInt64.random(in: 0..<1_000_000)
    print("LawPropertyTests: seed \(seed)")
    return (0..<8).map { seed &+ $0 }
  }()

  /// The state after a sequence of events.
  private struct History {
    var state: RouterState
    var check = LawCheck()
    var events: [(event: Event, time: Double)] = []
    var time: Double { Double(events.count) / 2 }
  }

  @Test(
    "At most one non-mixable session plays, no missing session ducks or interrupts, the operator's settings stay, a refusal changes nothing"
  )
  func laws() async throws {
    let counts = try await withThrowingTaskGroup { group in
      for seed in Self.seeds { group.addTask { try Self.follow(seed) } }
      return try await group.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
    }
    // The positive control: every kind of notification occurred. One seed alone may lack the rarest.
    for kind in [
      "refused", "interruption", "recommended", "not recommended", "active", "hint", "outputMute", "route 1",
      "route 2", "route 3", "route 4", "route 7", "inputs", "vanished", "player interrupted",
      "player playing",
      "player finished", "player removed", "nowPlaying", "recorder interrupted", "recorder recording",
    ] {
      #expect(counts[kind, default: 0] > 0, "seeds from \(Self.seeds[0]): \(kind) of \(counts)")
    }
  }

  /// Checks the laws after each event of the sequences of one seed.
  /// - Returns: how often each kind of notification occurred.
  private static func follow(_ seed: UInt64) throws -> [String: Int] {
    var source = LawEvents(seed: seed)
    let start = try LawEvents.start()
    var histories = Array(repeating: History(state: start), count: 32)
    var counts: [String: Int] = [:]
    for _ in 0..<sequences / seeds.count {
      let index = source.number(below: histories.count)
      var history = histories[index]
      // Sequences stay short: a long one is replaced by a new one.
      if history.events.count >= 60 { history = History(state: start) }
      let before = history.state
      let (event, time) = (source.next(before), history.time)
      do throws(SessionError) {
        let told = try Policy.reduce(&history.state, event, at: time)
        let violations = history.check.violations(before, event, told, history.state)
        #expect(violations.isEmpty, "seed \(seed): \(history.events.map(\.event)) then \(event)")
        for notification in told { counts[kind(notification), default: 0] += 1 }
      } catch {
        counts["refused", default: 0] += 1
        #expect(history.state == before, "seed \(seed): \(event)")
      }
      history.events.append((event, time))
      histories[index] = history
    }
    for history in histories {
      var state = start
      for (event, time) in history.events { _ = try? Policy.reduce(&state, event, at: time) }
      #expect(state == history.state, "seed \(seed): a log replayed gives another state")
    }
    return counts
  }
}

extension LawPropertyTests {
  fileprivate static func kind(_ notification: Notification) -> String {
    switch notification {
    case .interruption: "interruption"
    case .recommendation(_, true): "recommended"
    case .recommendation(_, false): "not recommended"
    case .active: "active"
    case .hint: "hint"
    case .outputMute: "outputMute"
    case .route(_, let reason, _, _): "route \(reason.rawValue)"
    case .inputs: "inputs"
    case .session(_, .vanished): "vanished"
    case .player(_, let phase): "player \(phase.text)"
    case .recorder(_, let phase): "recorder \(phase.text)"
    case .nowPlaying: "nowPlaying"
    default: "other"
    }
  }
}

@Suite("The check of the law's properties can fail")
struct LawCheckTests {
  /// Session `a` plays, `b` ducks it, and `a` has interrupted `c`.
  private func rig() throws -> Rig {
    var rig = try Rig()
    try rig.play("c")
    try rig.play("a")
    try rig.play("b", .playback, 2)
    return rig
  }

  private func found(
    _ told: [Notification] = [], gathering: Bool = true, _ change: (inout RouterState) -> Void
  ) throws -> [String] {
    let before = try rig().state
    var (after, check) = (before, LawCheck())
    change(&after)
    if gathering { after.gatherActivity() }
    return check.violations(before, .elapsed, told, after)
  }

  @Test("A correct state has no violation")
  func right() throws { #expect(try found { _ in }.isEmpty) }

  @Test("An activity that does not match the sessions is found")
  func activity() throws {
    let words = try found(gathering: false) { $0.sessions["a"]?.outputIO = .stopped }
    #expect(words == ["the activity is not that of the sessions"])
  }

  @Test("Two non-mixable sessions that are active together are found", arguments: [Priority.normal, .call])
  func two(_ priority: Priority) throws {
    let words = try found { state in
      for id: SessionID in ["a", "c"] {
        state.sessions[id]?.priority = priority
        state.sessions[id]?.setActive(true)
        state.sessions[id]?.displacement = nil
        // Calls are not ducked.
        if priority == .call { state.sessions[id]?.ducks = [] }
      }
    }
    #expect(words.count == 1)
  }

  @Test("A duck without a ducker, a missing duck and a duck that is too deep are found")
  func ducks() throws {
    #expect(try found { $0.sessions["b"]?.setActive(false) }.count == 2)
    #expect(try found { $0.sessions["a"]?.ducks = [] }.first == "a is ducked to 0.0 in spk, not -14.0")
    #expect(try found { $0.outputs["spk"]?.duckLimit.set(-6) }.count == 2)
    #expect(try found { $0.sessions["a"]?.ducks[0].ducker = "c" } == ["a has a duck without a ducker in spk"])
  }

  @Test("A missing interrupter and a circle of interrupters are found")
  func interrupters() throws {
    let ghosts: [Interrupter] = [.session("absent"), .source("phone"), .input("mic"), .output("spk")]
    for ghost in ghosts {
      #expect(try found { $0.sessions["c"]?.displacement?.interrupter = ghost }.count == 1)
    }
    let circle = try found { state in
      state.sessions["a"]?.setActive(false)
      state.sessions["a"]?.displacement = Displacement(by: .session("c"))
    }
    #expect(circle.filter { $0.hasSuffix("circle") }.count == 2)
    #expect(try found { $0.sessions["a"]?.mayReturn = true }.count == 1)
    #expect(try !found { $0.server.isRunning = false }.isEmpty)
  }

  @Test("A policy that changes the operator's level or mute is found")
  func operatorSettings() throws {
    #expect(try found { $0.sessions["a"]?.gain.set(-6) }.count == 1)
    #expect(try found { $0.sessions["a"]?.isMuted = true }.count == 1)
  }

  @Test("A port that is away, a port that the session may not use, and too many ports are found")
  func ports() throws {
    #expect(try found { $0.outputs["spk"]?.isPlugged = false }.allSatisfy { $0.hasSuffix("not there") })
    let spare: [(PortID, PortType)] = [("ear", .builtInReceiver), ("hfp", .bluetoothHFP)]
    for (id, type) in spare {
      let words = try found { state in
        var port = Port(id: id, name: id.name, type: type, globs: [], channels: 1)
        port.members = ["x:1"]
        state.outputs[id] = port
        state.sessions["c"]?.route.outputs = [id]
      }
      #expect(words.contains("c may not be heard at \(type)"))
    }
    #expect(try found { $0.sessions["c"]?.route.outputs = ["spk", "ear"] }.contains("c has 2 outputs"))
    #expect(try found { $0.sessions["c"]?.route.input = "mic" }.contains("c needs no input"))
    #expect(try found { $0.sessions["c"]?.route.secondaryInput = "mic" }.contains("c has a second input"))
  }

  @Test("An illegal override, a broken guard and a route change without notification are found")
  func routes() throws {
    #expect(
      try found { $0.sessions["c"]?.portOverride = .speaker } == ["c overrides what has no override"])
    let interrupted = try found { state in
      state.sessions["b"]?.setActive(false)
      state.sessions["b"]?.portOverride = .speaker
      state.sessions["b"]?.displacement = Displacement(by: .session("a"))
    }
    #expect(interrupted.contains("b was interrupted and still overrides"))
    #expect(
      try found { $0.sessions["a"]?.streams["main"]?.never = ["spk"] }
        == ["a.main is at spk, where it never goes"])
    #expect(try found { $0.sessions["a"]?.awaitedOutput = "ear" } == ["a waits for an output and has one"])
    #expect(
      try found { $0.sessions["a"]?.route.outputs = ["ear"] }.contains("a was not told of its route"))
    let here = Route(outputs: ["spk"])
    let told = Notification.route("a", .newDeviceAvailable, previous: here, current: here)
    #expect(try found([told]) { _ in } == ["a was told of a route that is as it was"])
    #expect(try found([told, told]) { _ in } == ["a was told of 2 routes"])
  }

  @Test("A player or recorder that runs without its session, and a wrong count, are found")
  func media() throws {
    func found(_ change: (inout MediaPlayer, inout MediaRecorder) -> Void) throws -> [String] {
      var player = MediaPlayer(id: "walkin", session: "c", stream: "main", seed: 1)
      player.queue.value = try {
        var queue = PlayQueue(seed: 1)
        try queue.add([QueueItem(name: "one.flac", title: "One")])
        return queue
      }()
      var recorder = MediaRecorder(id: "tape", source: .input("mic"))
      change(&player, &recorder)
      return try self.found { state in
        state.players["walkin"] = player
        state.recorders["tape"] = recorder
      }
    }
    #expect(try found { _, _ in }.isEmpty)
    #expect(
      try found { player, _ in player.transport = .playing }
        == ["walkin plays in c, which is not active", "c counts 0 players, not 1"])
    #expect(try found { player, _ in player.transport = .interrupted }.isEmpty)
    #expect(try found { player, _ in player.startTime = 1 } == ["walkin will start by itself"])
    #expect(
      try found { player, _ in
        player.transport = .interrupted
        player.queue.value.clear()
      } == ["walkin plays nothing"])
    #expect(
      try found { _, recorder in recorder.transport = .recording } == ["tape records without permission"])
    #expect(try self.found { $0.nowPlayingPlayers = ["walkin"] }.count == 1)
    #expect(try self.found { $0.sessions["a"]?.runningRecorders = 1 }.count == 1)
  }

  @Test("A period that is not the newest preference, and an input gain that no session has set, are found")
  func hardware() throws {
    #expect(try found { $0.preferredPeriod = 64 } == ["the preferred period is 64"])
    #expect(try found { $0.sessions["a"]?.preferredHardware.period = 0.01 } == ["the preferred period is 0"])
    for frames in [100, 64] {
      let words = try found { state in
        state.sessions["a"]?.preferredHardware.period = 0.01
        state.preferredPeriod = frames
      }
      #expect(words == ["\(frames) frames are not the period that a prefers"])
    }
    #expect(try found { $0.inputs["mic"]?.level.set(0.5) } == ["the gain of mic was set by no session"])
    #expect(
      try found { $0.inputs["mic"]?.levelHolders = ["a"] } == [
        "a holds the gain of mic, which it does not use"
      ])
  }

  @Test("A switch and a report of voice processing that are left of another mode are found")
  func voice() throws {
    #expect(
      try found { $0.sessions["a"]?.voice[.noise] = false } == ["a has a switch of noise in the mode default"]
    )
    #expect(
      try found { $0.sessions["a"]?.voiceReport.state = .working }
        == ["a reports on its voice, which nothing processes"])
  }

  @Test("Notifications in the wrong order, twice, or without those that belong to them are found")
  func notices() throws {
    let began = Notification.interruption("a", .began(.default), by: .session("b"))
    let ended = Notification.interruption("a", .ended(shouldResume: true), by: .session("b"))
    let inactive = Notification.active("a", false, by: .system)
    let recommended = Notification.recommendation("a", shouldResume: true)
    #expect(try found([inactive, began, ended, recommended]) { _ in }.isEmpty)
    #expect(try found([began]) { _ in }.count == 1)
    #expect(try found([ended, recommended]) { _ in } == ["a ended what had not begun"])
    #expect(try found([inactive, began, ended, recommended, ended, recommended]) { _ in }.count == 1)
    #expect(try found([inactive, began, ended]) { _ in }.count == 1)
    #expect(try found([inactive, began]) { $0.sessions["a"]?.isProtected = true }.count == 1)
    #expect(try found([.active("a", true, by: .app), .active("a", true, by: .app)]) { _ in }.count == 1)
  }
}
