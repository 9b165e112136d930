import Chance
import JSON5
import Presets
import Scenes
import SessionModel
import SessionPolicy
import Testing

@Suite("A preset sets or takes back what the preset before it has set")
struct SuccessionTests {
  private static let law: PresetReader.Policy = { state, event, time throws(SessionError) in
    try Policy.reduce(&state, event, at: time)
  }

  /// A router on which presets are applied one after the other.
  private struct Evening {
    var state = Show.emptyState
    var inForce: Preset?

    mutating func apply(_ text: String, reloading isReload: Bool = false) throws {
      let (read, problems) = Show.read(text)
      try apply(try #require(read, "\(problems)"), reloading: isReload)
    }

    mutating func apply(_ preset: Preset, reloading isReload: Bool = false) throws {
      let predecessor = inForce.map { Predecessor($0, isEarlierVersion: isReload) }
      state = try Recall(preset, replacing: predecessor).outcome(of: state, at: 0, law: law).state
      inForce = preset.inForce(after: inForce)
    }

    mutating func operate(_ events: Event...) throws {
      for event in events { _ = try law(&state, event, 0) }
    }

    func level(_ session: SessionID) -> Double? { state.sessions[session]?.gain.target }
  }

  /// The settings with a preset key, without guards and maxima, without activity, and without the order of lists.
  private static func settings(_ state: RouterState) -> String {
    let head = KeptHead(preset: "", path: "", hash: "", time: "")
    guard case .object(let members) = KeptDocument.json(of: state, head: head) else { return "" }
    return JSONValue.object(members.filter { !["kept", "settings"].contains($0.key) }).sortedSettings.text
  }

  /// A tenth of what `make soak` tries.
  private static let evenings: UInt64 =
    Soak.count(5, of: 50)

  @Test(
    "After ten random presets each setting has the value of a fresh start with the last one",
    arguments: 0..<evenings)
  func property(_ seed: UInt64) throws {
    var (random, evening, fresh, text) = (RandomPreset(seed: seed), Evening(), Evening(), "")
    var presets: [Preset] = []
    while presets.count < 10 {
      text = random.text()
      if let preset = Show.read(text).preset { presets.append(preset) }
    }
    for preset in presets { try evening.apply(preset) }
    try fresh.apply(presets[9])
    #expect(Self.settings(evening.state) == Self.settings(fresh.state), "\(text)")
  }

  @Test("Effects of a capture that a preset drops stay away when a later preset has the capture again")
  func captureEffects() throws {
    func text(_ capture: String) -> String {
      "{ multiroute: 1, sessions: { phone: { category: \"playAndRecord\"\(capture) } } }"
    }
    var evening = Evening()
    try evening.apply(text(#", capture: { channels: 1, effects: [{ plugin: "gate" }] }"#))
    #expect(evening.state.sessions["phone"]?.capture.insert.isEmpty == false)
    try evening.apply(text(""))
    try evening.apply(text(", capture: { channels: 1 }"))
    #expect(evening.state.sessions["phone"]?.capture.insert.isEmpty == true)
  }

  @Test(
    "A port that a preset drops and a later one names again is automatic as at a start",
    arguments: [true, false])
  func automaticPort(isAutomatic: Bool) throws {
    func text(_ id: String, _ auto: String = "") -> String {
      "{ multiroute: 1, ports: { \(id): { type: \"lineOut\", outputs: [\"\(id):*\"]\(auto) } } }"
    }
    var evening = Evening()
    try evening.apply(text("hall", ", auto: \(isAutomatic)"))
    try evening.apply(text("foyer"))
    try evening.apply(text("hall"))
    let hall = try #require(evening.state.outputs["hall"])
    #expect(evening.state.isAutomatic(hall, .output))
  }

  @Test("A stream that moves to another output leaves the first one")
  func route() throws {
    var evening = Evening()
    try evening.apply(Show.text(band: #""to": { "usb": 0 }"#))
    try evening.apply(Show.text(band: #""to": { "headphones": 0 }"#))
    #expect(evening.state.sessions["show"]?.streams["band"]?.destinations.keys == ["headphones"])
  }

  @Test("A destination that is off stays off when its successor drops another one")
  func off() throws {
    var evening = Evening()
    try evening.apply(Show.text(band: #""to": { "usb": { on: false, gain: -9 }, "headphones": 0 }"#))
    try evening.apply(Show.text(band: #""to": { "usb": { on: false, gain: -9 } }"#))
    let usb = evening.state.sessions["show"]?.streams["band"]?.destinations["usb"]
    #expect(usb?.isOn == false && usb?.gain.target == -9)
  }

  @Test("A renamed session plays once, and a level that the successor does not name returns to its default")
  func renamed() throws {
    var evening = Evening()
    try evening.apply(
      #"{ multiroute: 1, ramp: 0.1, sessions: { band: { category: "playback", gain: -9 }, bed: { category: "playback", gain: -3 } } }"#
    )
    try evening.apply(
      #"{ multiroute: 1, sessions: { group: { category: "playback" }, bed: { category: "playback" } } }"#)
    #expect(Set(evening.state.sessions.keys) == ["bed", "group"])
    #expect(evening.level("bed") == 0 && evening.state.ramp.target == 0.02)
  }

  @Test("A recall lowers a send to the output's total maximum only when all of its settings are known")
  func totalMaximum() throws {
    func text(_ gain: Int, output: Int) -> String {
      """
      { multiroute: 1, ports: { usb: { type: "usbAudio", outputs: ["USB:*"], channels: 2, maxTotal: 3, gain: \(output) } }, sessions: {
        show: { category: "multiRoute", gain: \(gain), streams: { band: { from: ["Band:*"], to: { usb: 0 } } } } } }
      """
    }
    func send(_ evening: Evening) -> Double? {
      evening.state.sessions["show"]?.streams["band"]?.destinations["usb"]?.gain.target
    }
    var evening = Evening()
    try evening.apply(text(0, output: 2))
    #expect(send(evening) == 0)
    // In between both gains are 2 and 8 dB, which the send never has to answer for.
    try evening.apply(text(8, output: -6))
    #expect(send(evening) == 0)
    try evening.apply(text(8, output: 0))
    #expect(Show.read(text(8, output: 0)).problems.map { $0.contains("warning: ") } == [true])
    #expect(send(evening) == -5 && evening.level("show") == 8)
  }

  @Test("What only the operator has set stays, and so do sessions that were made over OSC")
  func operatorsSettings() throws {
    var evening = Evening()
    try evening.apply(#"{ multiroute: 1, sessions: { bed: { category: "playback" } } }"#)
    try evening.operate(
      .session("bed", .gain(.set(-12))), .createSession("page", SessionConfiguration(category: .playback)),
      .router(.ramp(.set(0.3))))
    try evening.apply(#"{ multiroute: 1, sessions: { bed: { category: "playback", mute: true } } }"#)
    #expect(evening.level("bed") == -12 && evening.state.sessions["page"] != nil)
    #expect(evening.state.ramp.target == 0.3 && evening.state.sessions["bed"]?.isMuted == true)
  }

  @Test("With others: keep a preset only adds, and the preset after it takes back the settings of both")
  func keep() throws {
    var evening = Evening()
    try evening.apply(#"{ multiroute: 1, sessions: { bed: { category: "playback", gain: -9 } } }"#)
    try evening.apply(#"{ multiroute: 1, others: "keep", sessions: { page: { category: "playback" } } }"#)
    #expect(evening.level("bed") == -9 && evening.level("page") == 0)
    try evening.apply(#"{ multiroute: 1, sessions: { door: { category: "playback" } } }"#)
    #expect(evening.state.sessions.keys == ["door"])
  }

  @Test("With others: remove sessions that were made over OSC are removed, too")
  func remove() throws {
    var evening = Evening()
    try evening.operate(.createSession("page", SessionConfiguration(category: .playback)))
    try evening.apply(#"{ multiroute: 1, sessions: { bed: { category: "playback" } } }"#)
    #expect(evening.state.sessions["page"] != nil)
    try evening.apply(#"{ multiroute: 1, others: "remove", sessions: { bed: { category: "playback" } } }"#)
    #expect(evening.state.sessions.keys == ["bed"])
  }

  @Test("Guards and maxima change only if the successor names them")
  func limits() throws {
    let limited =
      #"{ multiroute: 1, sessions: { bed: { category: "multiRoute", max: -6, streams: { a: { never: ["hall"] } } } }, ports: { hall: { type: "lineOut", outputs: ["H:1"] } } }"#
    let open =
      #"{ multiroute: 1, sessions: { bed: { category: "multiRoute"EXTRA } }, ports: { hall: { type: "lineOut", outputs: ["H:1"] } } }"#
    var evening = Evening()
    try evening.apply(limited)
    try evening.apply(open.replacing("EXTRA", with: ", streams: { a: {} }"))
    #expect(evening.state.sessions["bed"]?.maximum == -6)
    #expect(evening.state.sessions["bed"]?.streams["a"]?.never == ["hall"])
    try evening.apply(open.replacing("EXTRA", with: ", max: 0, streams: { a: { never: [] } }"))
    #expect(evening.state.sessions["bed"]?.maximum == 0)
    #expect(evening.state.sessions["bed"]?.streams["a"]?.never == [])
  }

  @Test("A port that the successor does not name stays for the operator's sessions, with default settings")
  func droppedPort() throws {
    var evening = Evening()
    let hall = #"ports: { hall: { type: "lineOut", outputs: ["H:1"], gain: -20, mute: true } }"#
    try evening.apply("{ multiroute: 1, \(hall) }")
    try evening.apply("{ multiroute: 1 }")
    let port = try #require(evening.state.outputs["hall"])
    #expect(!port.isNamedByPreset && port.gain.target == 0 && !port.isMuted)
    try evening.apply("{ multiroute: 1, \(hall) }")
    #expect(
      evening.state.outputs["hall"]?.isNamedByPreset == true
        && evening.state.outputs["hall"]?.gain.target == -20)
  }

  @Test("Another project takes nothing over from devices that were found, and keeps what it names itself")
  func leftProject() throws {
    for (project, isNamed) in [
      ("{ multiroute: 1 }", false),
      (
        #"{ multiroute: 1, ports: { hall: { type: "lineOut", outputs: ["H:1"], gain: -20 } }, settings: { "/input/hall/mute": true } }"#,
        true
      ),
    ] {
      var evening = Evening()
      for direction in [Direction.output, .input] {
        var port = Port(
          id: "hall", name: "hall", type: direction == .output ? .lineOut : .lineIn,
          globs: [PortGlob("H:1")].compactMap(\.self), channels: 1)
        port.isNamedByPreset = false
        try evening.operate(
          .declarePort(direction, port), .port(direction, "hall", .gain(.set(-20))),
          .port(direction, "hall", .muted(true)))
      }
      try evening.operate(
        .port(.output, "hall", .delay(.set(0.1))), .port(.output, "hall", .maximum(-10)),
        .port(.output, "hall", .monitor(.on(true))))
      let (preset, problems) = Show.read(project)
      let left = Predecessor(Preset(of: evening.state, id: "left"), isEarlierVersion: false, isLeft: true)
      let next = try Recall(try #require(preset, "\(problems)"), replacing: left)
        .outcome(of: evening.state, at: 0, law: Self.law).state
      let (output, input) = (next.outputs["hall"], next.inputs["hall"])
      #expect(output?.gain.target == (isNamed ? -20 : 0) && output?.isMuted == false)
      #expect(output?.delay.target == 0 && output?.maximum == 10)
      #expect(output?.monitor == Monitor())
      #expect(input?.gain.target == 0 && input?.isMuted == isNamed)
    }
  }

  @Test("A reload applies only what differs between the file as it was read and as it is now")
  func reload() throws {
    var evening = Evening()
    let text = Show.text(band: #""gain": -3, "to": { "usb": -6, "headphones": 0 }"#, session: "gain: -1")
    try evening.apply(text)
    try evening.operate(
      .session("show", .gain(.set(-20))), .stream("show", "band", .gain(.set(-21))),
      .destination("show", "band", "usb", .gain(.set(-22))))
    try evening.apply(text, reloading: true)
    let unchanged = evening.state
    #expect(evening.level("show") == -20)
    try evening.apply(
      Show.text(band: #""gain": -4, "to": { "usb": -6 }"#, session: "gain: -1, mute: true"), reloading: true)
    let session = try #require(evening.state.sessions["show"])
    #expect(session.gain.target == -20 && session.isMuted)
    #expect(session.streams["band"]?.gain.target == -4)
    #expect(session.streams["band"]?.destinations.keys == ["usb"])
    #expect(session.streams["band"]?.destinations["usb"]?.gain.target == -22)
    #expect(unchanged.sessions["show"]?.streams["band"]?.destinations["usb"]?.gain.target == -22)
  }

  @Test("A recall applies the whole preset, although it is in force already")
  func recall() throws {
    var evening = Evening()
    let text = Show.text(session: "gain: -1")
    try evening.apply(text)
    try evening.operate(.session("show", .gain(.set(-20))))
    try evening.apply(text)
    #expect(evening.level("show") == -1)
  }
}

extension JSONValue {
  fileprivate var sortedSettings: JSONValue {
    guard case .object(let members) = self else { return self }
    let rest = members.filter { !["never", "max", "active"].contains($0.key) }
    return .object(rest.map { .init($0.key, $0.value.sortedSettings) }.sorted { $0.key < $1.key })
  }
}

extension String {
  fileprivate func replacing(_ part: String, with other: String) -> String {
    split(separator: part, omittingEmptySubsequences: false).joined(separator: other)
  }
}
