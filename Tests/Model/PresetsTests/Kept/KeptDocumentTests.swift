import Chance
import Effects
import JSON5
import Parameters
import Presets
import SessionModel
import SessionPolicy
import Testing

@Suite("A state that is written and read again is the same state")
struct KeptDocumentTests {
  private static let head = KeptHead(
    preset: "show", path: "/shows/show.json", hash: "0123456789abcdef", time: "2026-11-22T20:00:00Z",
    taken: TakenConnections(
      server: "12 34 a-b",
      connections: [
        .init(source: "Band \"A\":out_1", sink: "Speaker:playback_1"), .init(source: "b:1", sink: "c:1"),
      ]))

  private static let law: PresetReader.Policy = { state, event, time throws(SessionError) in
    try Policy.reduce(&state, event, at: time)
  }

  private static func text(_ state: RouterState) -> String { KeptDocument.json(of: state, head: head).text }

  private static func read(_ text: String) throws -> KeptDocument {
    try #require(KeptDocument(Array(text.utf8), file: "state.json"))
  }

  /// A state after random events, and the number of events that the law accepted.
  private static func live(_ seed: UInt64, _ count: Int = 300) throws -> (state: RouterState, accepted: Int) {
    var (life, state, accepted) = (RandomLife(seed: seed), try RandomLife.router(), 0)
    for step in 0..<count {
      if (try? Policy.reduce(&state, life.next(), at: Double(step) / 100)) != nil { accepted += 1 }
    }
    return (state, accepted)
  }

  /// The members of a document, sorted: a restart may create objects in another order.
  private static func sorted(_ value: JSONValue) -> JSONValue {
    guard case .object(let members) = value else { return value }
    return .object(members.map { .init($0.key, sorted($0.value)) }.sorted { $0.key < $1.key })
  }

  /// A document without what it says about active, interrupted, waiting and present sessions.
  private static func settings(_ state: RouterState) -> JSONValue {
    guard case .object(var members) = KeptDocument.json(of: state, head: head),
      case .object(let kept)? = members.popLast()?.value
    else { return .null }
    let activity: Set = ["active", "interrupted", "waiting", "present"]
    for index in members.indices where members[index].key == "sessions" {
      guard case .object(let sessions) = members[index].value else { continue }
      members[index].value = .object(
        sessions.map { session in
          guard case .object(let keys) = session.value else { return session }
          return .init(session.key, .object(keys.filter { $0.key != "active" }))
        })
    }
    return sorted(.object(members + [.init("kept", .object(kept.filter { !activity.contains($0.key) }))]))
  }

  @Test(
    "Each setting of a random state is restored, and the sessions that were active are active again",
    arguments: 0..<Soak.count(20, of: 60))
  func roundTrip(_ seed: UInt64) throws {
    let (before, accepted) = try Self.live(seed)
    #expect(accepted > 60)
    let kept = try Self.read(Self.text(before))
    #expect(kept.problems.map(\.description) == [] && kept.head == Self.head)
    // After the restart the same devices and programs are present.
    var fresh = try RandomLife.router()
    let presences = [Direction.output, .input].flatMap { direction in
      before[direction].values.map { PortPresence(direction, $0.id, members: $0.members) }
    }
    fresh = try Show.state(fresh, after: [.portsPresent(presences)])
    let after = kept.restored(over: fresh, at: 100, .everything, law: Self.law)
    let lost = after.leftOut.filter { !$0.hasPrefix("kept.active") }
    #expect(lost == [])
    let (wanted, got) = (Self.settings(before), Self.settings(after.state))
    let isSame = wanted == got
    #expect(isSame, "\(Self.differences(wanted, got))")
    for session in before.sessions.values where session.awaitedOutput == nil && !session.waitsForProgram {
      let other = try #require(after.state.sessions[session.id])
      // A session that records may have lost its microphone while it was active.
      if session.category == .record, session.route.input == nil { continue }
      #expect(other.isActive == session.isActive, "\(session.id): \(after.leftOut)")
      #expect(other.displacement == nil || session.displacement != nil, "\(session.id)")
    }
    #expect(after.state.interruptions == before.interruptions)
  }

  @Test(
    "The check accepts a written state, and a restored state keeps the settings of found devices that are away"
  )
  func checked() throws {
    let (before, _) = try Self.live(7)
    let source = PresetSource(id: "kept", file: "kept.json", bytes: Array(Self.text(before).utf8))
    let (preset, problems) = PresetReader.withLaw.read(source) { id throws(PresetLibraryError) in
      throw .unknown(id: id.name, folders: [], nearest: nil)
    }
    #expect(preset != nil && problems.allSatisfy { $0.severity == .warning }, "\(problems)")
    let kept = try Self.read(Self.text(before))
    let alone = try RandomLife.router(withFoundDevices: false)
    let after = kept.restored(over: alone, at: 100, .everything, law: Self.law)
    #expect(after.state.outputs["hall"]?.isNamedByPreset == false)
    #expect(after.state.outputs["hall"]?.gain.target == before.outputs["hall"]?.gain.target)
    #expect(after.state.outputs.keys.sorted() == before.outputs.keys.sorted())
  }

  @Test("A capture keeps whether its ports belong to the router alone", arguments: [false, true])
  func sole(_ isSole: Bool) throws {
    let state = try Show.state(
      try RandomLife.router(),
      after: [.session("show", .captureChannels(1)), .session("show", .captureSole(isSole))])
    let kept = try Self.read(Self.text(state))
    let after = kept.restored(over: try RandomLife.router(), at: 0, .everything, law: Self.law).state
    #expect(after.sessions["show"]?.capture.isSole == isSole)
  }

  @Test("A fade is kept as the value at its end, and /reset still returns to the value of the preset")
  func fades() throws {
    var state = try RandomLife.router()
    state = try Show.state(state, after: [.session("show", .gain(.set(-30, over: 100)))])
    let kept = try Self.read(Self.text(state))
    let after = kept.restored(over: try RandomLife.router(), at: 0, .everything, law: Self.law).state
    #expect(after.sessions["show"]?.gain.target == -30 && after.sessions["show"]?.gain.stored == -1.5)
    #expect(after.sessions["show"]?.gain.isFading(at: 0) == false)
  }

  @Test("A bank over the controls of a chain has its place again when the plugins are loaded")
  func bank() throws {
    let chain = InsertPlace.stream("show", "band")
    var report = EffectsReport()
    report.effects = [EffectFacts()]
    report.effects[0].controls = (0..<20).map {
      EffectControl(port: $0, symbol: "c\($0)", name: "Control \($0)", range: 0...1, standard: 0)
    }
    let state = try Show.state(
      try RandomLife.router(),
      after: [
        .insert(chain, .effects([Effect("eq")])), .effectsReported(chain, report),
        .router(.strips(.size(2, 8))), .router(.strips(.range(2, .chain(chain)))),
        .router(.strips(.place(2, 12))),
      ])
    let kept = try Self.read(Self.text(state))
    let after = kept.restored(over: try RandomLife.router(), at: 0, .everything, law: Self.law)
    #expect(after.leftOut == [])
    // Nor is the place lost if the router crashes again before the plugins are loaded.
    let again = try Self.read(Self.text(after.state))
    for kept in [kept, again] {
      let state = kept.restored(over: try RandomLife.router(), at: 0, .everything, law: Self.law).state
      #expect(state.strips.range(of: 2) == .chain(chain) && state.strips.target(of: 9) == nil)
      let loaded = try Show.state(state, after: [.effectsReported(chain, report)])
      #expect(loaded.strips.target(of: 9) == .control(EffectSlot(chain, 1), "c12"))
    }
  }

  @Test("A bank over something that is gone moves over the show, and is listed")
  func goneBank() throws {
    let chain = InsertPlace.stream("show", "band")
    let state = try Show.state(
      try RandomLife.router(),
      after: [.router(.strips(.size(2, 8))), .router(.strips(.range(2, .chain(chain))))])
    let text = Self.text(state).replacing(#""\#(chain.address)""#, with: #""/session/show/stream/gone""#)
    let after = try Self.read(text).restored(over: try RandomLife.router(), at: 0, .everything, law: Self.law)
    #expect(after.leftOut == [#"kept.settings."/bank/2/over""#])
    #expect(after.state.strips.range(of: 2) == .show && after.state.strips.size(of: 2) == 8)
  }

  @Test(
    "After an edit of the preset its new sessions stay; without an edit, sessions that were removed are removed again"
  )
  func removed() throws {
    let state = try Show.state(try RandomLife.router(), after: [.removeSession("music")])
    let kept = try Self.read(Self.text(state))
    for scope in [RestorationScope.everything, .quieter, .levels] {
      let after = kept.restored(over: try RandomLife.router(), at: 0, scope, law: Self.law).state
      #expect(after.sessions.contains("music") == (scope != .everything))
    }
  }

  @Test(
    "Beside an edited or another preset, each level is the quieter of both, no maximum is higher, and the rest is listed"
  )
  func quieter() throws {
    // The operator has turned the session up and one device down, unmuted nothing, and opened a way to the hall.
    let louder: [Event] = [
      .session("show", .gain(.set(-3))), .session("show", .maximum(10)), .session("music", .gain(.set(-40))),
      .port(.output, "usb", .gain(.set(-30))), .destination("show", "band", "hall", .on(true)),
      .createSession("extra", SessionConfiguration(category: .playback)), .session("music", .muted(true)),
    ]
    let kept = try Self.read(Self.text(try Show.state(try RandomLife.router(), after: louder)))
    let quieter: [Event] = [
      .session("show", .gain(.set(-25))), .session("show", .maximum(-20)),
      .session("music", .gain(.set(-12))),
      .session("show", .muted(true)),
    ]
    let preset = try Show.state(try RandomLife.router(), after: quieter)
    let edited = kept.restored(over: preset, at: 0, .quieter, law: Self.law)
    let other = kept.restored(over: preset, at: 0, .levels, law: Self.law)
    for state in [edited.state, other.state] {
      #expect(state.sessions["show"]?.gain.target == -25)
      #expect(state.sessions["show"]?.maximum == -20)
      #expect(state.sessions["music"]?.gain.target == -40)
      #expect(state.sessions["music"]?.isMuted == true && state.sessions["show"]?.isMuted == true)
      #expect(state.outputs["usb"]?.gain.target == -30)
      #expect(state.sessions["show"]?.streams["band"]?.destinations["hall"]?.isOn != true)
      #expect(!state.sessions.contains("extra"))
    }
    for place in ["/session/show/gain", "/session/show/max", "sessions.extra"] {
      #expect(edited.leftOut.contains(place), "\(edited.leftOut)")
    }
    #expect(other.leftOut == ["everything but lower levels"])
    // Without an edit the operator's settings are in force again.
    let same = kept.restored(over: preset, at: 0, .everything, law: Self.law).state
    #expect(same.sessions["show"]?.gain.target == -3 && same.sessions.contains("extra"))
  }

  @Test(
    "Guards and maxima of ids that were removed survive a crash, also beside an edited or another preset",
    arguments: [RestorationScope.everything, .quieter, .levels])
  func limits(_ scope: RestorationScope) throws {
    let life: [Event] = [
      .stream("show", "band", .never(["usb"])), .removeStream("show", "band"),
      .createSession("click", SessionConfiguration(category: .multiRoute)), .session("click", .maximum(-12)),
      .createStream("click", "main", channels: 1, placed: false), .stream("click", "main", .never(["usb"])),
      .removeSession("click"), .createSession("left", SessionConfiguration(category: .multiRoute)),
      .createStream("left", "main", channels: 1, placed: false), .stream("left", "main", .never(["usb"])),
      .session("left", .maximum(-20)),
    ]
    let kept = try Self.read(Self.text(try Show.state(try RandomLife.router(), after: life)))
    #expect(kept.problems.map(\.description) == [])
    var state = kept.restored(over: try RandomLife.router(), at: 0, scope, law: Self.law).state
    if scope == .everything { state = try Show.state(state, after: [.removeSession("left")]) }
    let again: [Event] = ["click", "left"].flatMap { (id: SessionID) -> [Event] in
      [
        .createSession(id, SessionConfiguration(category: .multiRoute)),
        .createStream(id, "main", channels: 1, placed: false),
      ]
    }
    state = try Show.state(state, after: again)
    if !(state.sessions["show"]?.streams.contains("band") ?? false) {
      state = try Show.state(state, after: [.createStream("show", "band", channels: 2, placed: false)])
    }
    #expect(state.sessions["click"]?.maximum == -12 && state.sessions["left"]?.maximum == -20)
    for (session, stream) in [("click", "main"), ("left", "main"), ("show", "band")]
      as [(SessionID, StreamID)]
    {
      #expect(state.sessions[session]?.streams[stream]?.never == ["usb"], "\(session)")
    }
  }

  @Test(
    "After random events nothing is louder beside an edited preset than the preset says", arguments: 0..<20)
  func neverLouder(_ seed: UInt64) throws {
    let kept = try Self.read(Self.text(try Self.live(seed).state))
    let preset = try Self.live(seed + 1_000).state
    for scope in [RestorationScope.quieter, .levels] {
      let after = kept.restored(over: preset, at: 10_000, scope, law: Self.law).state
      for (id, session) in preset.sessions {
        let now = try #require(after.sessions[id])
        #expect(now.gain.target <= session.gain.target && now.maximum <= session.maximum)
        #expect(now.isMuted || !session.isMuted)
        for (name, stream) in session.streams {
          let stillThere = try #require(now.streams[name])
          #expect(stillThere.gain.target <= stream.gain.target)
          #expect(Set(stream.never).isSubset(of: stillThere.never))
        }
      }
      for (id, port) in preset.outputs {
        #expect(after.outputs[id].map { $0.gain.target <= port.gain.target } ?? true)
      }
    }
  }

  @Test("Settings that cannot be restored are listed, and all others are restored")
  func leftOut() throws {
    var state = try RandomLife.router()
    state = try Show.state(
      state,
      after: [.session("show", .gain(.set(-7))), .destination("show", "band", "hall", .on(true))])
    let text = Self.text(state).replacing("\"hall\"", with: "\"nowhere\"")
    let document = try Self.read(text)
    var fresh = try RandomLife.router(withFoundDevices: false)
    fresh.outputs["nowhere"] = nil
    let after = document.restored(over: fresh, at: 0, .everything) {
      state, event, time throws(SessionError) in
      if case .declarePort(_, let port) = event, port.id == "nowhere" { throw SessionError(.notFound, "no") }
      return try Policy.reduce(&state, event, at: time)
    }
    #expect(after.leftOut.contains("sessions.show.streams.band.to.nowhere"))
    #expect(after.state.sessions["show"]?.gain.target == -7)
  }

  /// The lines of two texts that only one of them has.
  private static func differences(_ first: JSONValue, _ second: JSONValue) -> String {
    let (first, second) = (first.text.split(separator: "\n"), second.text.split(separator: "\n"))
    let lines = first.difference(from: second)
    return lines.map { change in
      switch change {
      case .insert(_, let line, _): "wanted \(line)"
      case .remove(_, let line, _): "got \(line)"
      }
    }.joined(separator: "\n")
  }
}

extension Session {
  /// Whether the session is inactive only because its program is absent. After a restart the program may be present.
  fileprivate var waitsForProgram: Bool {
    !isActive && displacement == nil && !isConnected && (activation == .start || activation == .connected)
  }
}
