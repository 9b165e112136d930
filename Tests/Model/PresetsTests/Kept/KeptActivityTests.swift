import JSON5
import Presets
import SessionModel
import SessionPolicy
import Testing

@Suite("A session that was active, interrupted or silent before a crash is so after the restart")
struct KeptActivityTests {
  /// A router with a server, the outputs usb (4 channels), headphones (2), mono (1) and radio (A2DP, 2), the inputs usb (2) and mic
  /// (1), and sessions as a preset makes them at every start.
  /// - Parameter connected: whether the sessions' programs are connected.
  private static func start(connected: Bool = true) throws -> RouterState {
    var server = ServerState()
    (server.isRunning, server.clientName, server.rate, server.period) = (true, "multiroute", 48_000, 256)
    var state = try Show.state(RouterState(), after: [.server(server)])
    let devices: [(Direction, PortID, PortType, Int)] = [
      (.output, "usb", .usbAudio, 4), (.output, "headphones", .headphones, 2), (.output, "mono", .lineOut, 1),
      (.output, "radio", .bluetoothA2DP, 2), (.input, "usb", .usbAudio, 2), (.input, "mic", .builtInMic, 1),
    ]
    for (direction, id, type, channels) in devices {
      let port = Port(id: id, name: id.name, type: type, globs: [PortGlob("\(id):*")!], channels: channels)
      let members = (1...channels).map { "\(id):\($0)" }
      state = try Show.state(
        state,
        after: [
          .declarePort(direction, port), .portsPresent([PortPresence(direction, id, members: members)]),
        ])
    }
    let sessions: [(SessionID, SessionConfiguration)] = [
      ("show", SessionConfiguration(category: .multiRoute)),
      ("music", SessionConfiguration(category: .playback)),
      ("radio", SessionConfiguration(category: .soloAmbient)),
      ("voice", SessionConfiguration(category: .playback, options: .duckOthers)),
    ]
    for (id, configuration) in sessions {
      state = try Show.state(
        state,
        after: [
          .createSession(id, configuration), .createStream(id, "main", channels: 2, placed: true),
        ])
      if connected { state = try Show.state(state, after: [.connected(id, true)]) }
    }
    return try Show.state(
      state,
      after: [
        .session("music", .resumption(.always)), .session("show", .activation(.start)),
        .session("music", .activation(.start)), .session("radio", .activation(.start)),
      ])
  }

  /// The state at the crash.
  private static func crashed(_ events: [Event]) throws -> RouterState {
    try Show.state(start(), after: events)
  }

  private static func text(_ state: RouterState) -> String {
    let head = KeptHead(preset: "show", path: "/show.json", hash: "0", time: "")
    return KeptDocument.json(of: state, head: head).text
  }

  private static func restored(_ state: RouterState, connected: Bool = true) throws -> RouterState {
    let kept = try #require(KeptDocument(Array(text(state).utf8), file: "state.json"))
    return kept.restored(over: try start(connected: connected), at: 0, .everything) {
      state, event, time throws(SessionError) in
      try Policy.reduce(&state, event, at: time)
    }.state
  }

  static let lives: [[Event]] = [
    // A session that another one interrupted, which began later than the preset starts it.
    [.activate("music"), .activate("radio")],
    [.activate("radio"), .activate("music")],
    // Sessions that the operator turned off though the preset starts them; one of them would resume by itself.
    [
      .deactivate("radio", notifyingOthers: false), .deactivate("music", notifyingOthers: true),
      .deactivate("show", notifyingOthers: true),
    ],
    // A phone that is on, and a session that may play beside it.
    [.beginInterruption("phone"), .activate("voice")],
    [.beginInterruption("phone", .builtInMicMuted), .router(.silent(true))],
    [.ring("phone", true)],
    // Settings that depend on each other, and settings that are refused for active sessions.
    [
      .configure(
        "voice",
        SessionConfiguration(
          category: .multiRoute, mode: .dualRoute, options: [.allowBluetoothHFP, .farFieldInput])),
      .configure("radio", SessionConfiguration(category: .playback, mode: .moviePlayback)),
      .session("radio", .policy(.longFormVideo)), .deactivate("music", notifyingOthers: true),
      .session("music", .priority(.call)), .activate("music"),
    ],
    [
      .session("show", .outputIO(.running)), .session("show", .foreground(false)),
      .session("show", .duckLevel(.set(-20))), .session("show", .duckAttack(.set(1))),
      .session("music", .duckExempt(true)), .port(.output, "usb", .duckLimit(.set(-6))),
      .port(.input, "usb", .hardwareMuted(true)), .session("show", .lease(.set(100))),
      .session("show", .unplug(.interrupt)), .session("radio", .protected(true)),
      .session("show", .outputMuted(true)), .router(.deactivation(.refuses)),
      .router(.interruptionScope(.nonMixable)), .router(.duckScope(.shared)),
    ],
    // Preferred ports, and preferences of the hardware.
    [
      .configure("voice", SessionConfiguration(category: .playAndRecord, options: .mixWithOthers)),
      .activate("voice"), .session("voice", .portOverride(.speaker)),
      .session("voice", .preferredInput("mic")), .session("voice", .inputLevel(.set(0.25))),
      .session("voice", .preferredChannels(.input, 1)), .session("voice", .preferredPeriod(0.01)),
    ],
    // Sessions and streams that were removed though the preset creates them.
    [.removeSession("radio"), .removeStream("show", "main")],
  ]

  @Test("Every setting, interruption and deactivation is restored", arguments: lives)
  func same(_ life: [Event]) throws {
    let before = try Self.crashed(life)
    let after = try Self.restored(before)
    #expect(Self.text(after) == Self.text(before))
    #expect(after.sessions.keys == before.sessions.keys)
    for session in before.sessions.values {
      let other = try #require(after.sessions[session.id])
      #expect(other.isActive == session.isActive, "\(session.id)")
      #expect((other.displacement == nil) == (session.displacement == nil), "\(session.id)")
      #expect(other.options == session.options && other.mode == session.mode, "\(session.id)")
    }
    #expect(after.interruptions == before.interruptions)
  }

  @Test("A session that waited for its output is not heard at another output after the restart")
  func unplugged() throws {
    let before = try Self.crashed([
      .session("radio", .unplug(.wait)), .session("radio", .preferredOutput("headphones")),
      .activate("radio"),
      .portsPresent([PortPresence(.output, "headphones", members: [nil, nil])]),
    ])
    #expect(before.sessions["radio"]?.awaitedOutput == "headphones")
    #expect(try Self.restored(before).sessions["radio"]?.isActive == false)
  }

  @Test("A session that was interrupted stays silent, even if nothing would interrupt it now")
  func spared() throws {
    let before = try Self.crashed([.session("music", .protected(true))])
    #expect(before.sessions["music"]?.displacement != nil)
    #expect(try Self.restored(before).sessions["music"]?.isActive == false)
  }

  @Test("A recording goes on, a recorder that was stopped stays stopped, and a refused recording is listed")
  func recorders() throws {
    func life(recording: RecorderID, _ stopped: RecorderID) throws -> RouterState {
      try Self.crashed(
        [recording, stopped].map { .recorder($0, .create(.output("usb"))) } + [
          .recorder(recording, .order(.record())), .recorder(stopped, .order(.record())),
          .recorder(stopped, .order(.stop)),
        ])
    }
    let kept = try #require(
      KeptDocument(Array(Self.text(try life(recording: "tape", "house")).utf8), file: "state.json"))
    // The preset starts the other one.
    let preset = try life(recording: "house", "tape")
    let after = kept.restored(over: preset, at: 0, .everything) { state, event, time throws(SessionError) in
      try Policy.reduce(&state, event, at: time)
    }
    #expect(after.leftOut == [])
    #expect(after.state.recorders["tape"]?.state == .recording)
    #expect(after.state.recorders["house"]?.state == .stopped)
    let refused = kept.restored(over: preset, at: 0, .everything) { state, event, time throws(SessionError) in
      if case .recorder(_, .order(.record)) = event { throw SessionError(.badParam, "no") }
      return try Policy.reduce(&state, event, at: time)
    }
    #expect(refused.leftOut == ["recorders.tape.recording"])
  }

  @Test("A session that waited for its program stays active if the program is present now")
  func programs() throws {
    let before = try Self.crashed([.session("voice", .activation(.connected)), .connected("voice", false)])
    #expect(before.sessions["voice"]?.isActive == false)
    #expect(try Self.restored(before).sessions["voice"]?.isActive == true)
  }

  @Test(
    "A program or a signal that is still there after the restart does not appear: the call goes on, and a session stays off"
  )
  func stillThere() throws {
    let before = try Self.crashed([
      .session("voice", .activation(.connected)), .session("show", .activation(.signal)),
      .signal("show", true), .deactivate("radio", notifyingOthers: false), .activate("music"),
      .beginInterruption("phone"),
    ])
    var after = try Self.restored(before, connected: false)
    let sessions: [SessionID] = ["show", "music", "radio", "voice"]
    after = try Show.state(after, after: sessions.map { .connected($0, true) } + [.signal("show", true)])
    #expect(sessions.allSatisfy { after.sessions[$0]?.isActive == false })
    for id in sessions {
      #expect(after.sessions[id]?.displacement == before.sessions[id]?.displacement, "\(id)")
    }
    // The next program appears.
    after = try Show.state(after, after: [.connected("voice", false), .connected("voice", true)])
    #expect(after.sessions["voice"]?.isActive == true)
  }

  @Test("A session that its signal had made active ends if the signal is gone after the restart")
  func endedMeanwhile() throws {
    let before = try Self.crashed([.session("voice", .activation(.signal)), .signal("voice", true)])
    let after = try Self.restored(before, connected: false)
    #expect(after.sessions["voice"]?.isActive == true)
    #expect(try Show.state(after, after: [.signal("voice", false)]).sessions["voice"]?.isActive == false)
  }
}
