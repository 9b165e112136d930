import JSON5
import Parameters
import Presets
import SessionModel
import Testing

@testable import Scenes

@Suite("A recall")
struct RecallTests {
  @Test("moves a level over its fade, and the level ends where the preset says")
  func fades() throws {
    var evening = try Evening()
    try evening.recall(Evening.text(#"music: { category: "playback", active: true, gain: -10 }"#))
    try evening.recall(Evening.text(#"music: { category: "playback", active: true, gain: -30 }"#), fade: 4)
    #expect(evening.level("music") == -10)
    evening.pass(2)
    let middle = try #require(evening.level("music"))
    #expect(middle < -10.1 && middle > -29.9)
    evening.pass(2)
    #expect(evening.level("music") == -30)
    #expect(evening.state.sessions["music"]?.gain.stored == -30)
  }

  @Test("sets the level of a session that is not heard at once, so that only its switch makes it rise")
  func rises() throws {
    var evening = try Evening()
    try evening.recall(Evening.text(#"music: { category: "playback", mute: true, active: true, gain: 10 }"#))
    try evening.recall(
      Evening.text(#"music: { category: "playback", mute: false, active: true, gain: -20 }"#), fade: 4)
    #expect(evening.level("music") == -20)
    #expect(evening.state.sessions["music"]?.isMuted == false)
  }

  @Test("leaves the level of a session that falls silent alone until the session has fallen")
  func falls() throws {
    var evening = try Evening()
    try evening.recall(Evening.text(#"music: { category: "playback", active: true, gain: -20 }"#))
    try evening.recall(
      Evening.text(#"music: { category: "playback", active: true, mute: true, gain: 10 }"#), fade: 4)
    evening.pass(3.9)
    #expect(evening.level("music") == -20)
    evening.pass(0.1)
    #expect(evening.level("music") == 10)
  }

  private static let bridged = """
    { multiroute: 1, ports: { hall: { type: "avb", bridge: { tool: "zita-j2n", address: "192.0.2.20", port: 30042 } } }, \
    sessions: { music: { category: "playback", active: true } } }
    """

  /// An evening in which a bridge is there.
  private static func hall() throws -> Evening {
    var evening = try Evening()
    try evening.recall(bridged)
    try evening.operate(
      .portsPresent([PortPresence(.output, "hall", members: ["j2n-hall:in_1", "j2n-hall:in_2"])]))
    return evening
  }

  @Test("takes a bridge out of use at once, and ends its program when its sound has fallen")
  func bridge() throws {
    var evening = try Self.hall()
    #expect(evening.state.sessions["music"]?.route.outputs == ["hall"])
    try evening.recall(Evening.text(#"music: { category: "playback", active: true }"#), fade: 4)
    #expect(evening.state.sessions["music"]?.route.outputs != ["hall"])
    #expect(evening.state.outputs["hall"]?.bridge != nil)
    evening.pass(3.9)
    #expect(evening.state.outputs["hall"]?.bridge != nil)
    evening.pass(0.1)
    #expect(evening.state.outputs["hall"] == nil)
    var other = try Self.hall()
    try other.recall(Evening.text(#"music: { category: "playback", active: true }"#))
    #expect(other.state.outputs["hall"] == nil)
  }

  @Test("leaves no session without a route while a bridge falls that was the only port of its preset")
  func onlyBridge() throws {
    var evening = try Self.hall()
    for id in ["usb", "phones"] as [PortID] { evening.state.outputs[id]?.isNamedByPreset = false }
    try evening.recall(
      #"{ multiroute: 1, sessions: { music: { category: "playback", active: true } } }"#, fade: 4)
    #expect(evening.state.sessions["music"]?.route.outputs == ["phones"])
  }

  @Test("keeps a bridge that the recall before it has dropped and that still falls")
  func bridgeAgain() throws {
    var evening = try Self.hall()
    try evening.recall(Evening.text(#"music: { category: "playback", active: true }"#), fade: 4)
    evening.pass(1)
    try evening.recall(Self.bridged, fade: 4)
    evening.pass(4)
    #expect(evening.state.outputs["hall"]?.bridge != nil && evening.state.outputs["hall"]?.isPlugged == true)
  }

  @Test("takes the place of a level that the recall before it has left for the end of its fade")
  func pending() throws {
    func text(_ gain: Int) -> String {
      Evening.text(#"music: { category: "playback", active: true, mute: true, gain: \#(gain) }"#)
    }
    for last in [-20, -30] {
      var evening = try Evening()
      try evening.recall(
        Evening.text(#"music: { category: "playback", active: true, gain: -20 }"#))
      try evening.recall(text(10), fade: 4)
      evening.pass(1)
      try evening.recall(text(last), fade: 4)
      evening.pass(4)
      #expect(evening.level("music") == Double(last))
    }
  }

  @Test("ends a session that it does not name, and removes the session at the end of the fade")
  func removes() throws {
    var evening = try Evening()
    try evening.recall(Evening.text(#"music: { category: "playback", active: true, activate: "start" }"#))
    try evening.recall(Evening.text(#"news: { category: "ambient" }"#), fade: 4)
    #expect(evening.state.sessions["music"]?.isActive == false)
    evening.pass(4)
    #expect(evening.state.sessions.keys == ["news"])
  }

  @Test(
    "leaves a level alone that the operator moves during the fade, and a session that the operator activates")
  func operatorMoves() throws {
    var evening = try Evening()
    try evening.recall(
      Evening.text(
        #"music: { category: "playback", active: true }, bed: { category: "playback", active: true }"#))
    try evening.recall(
      Evening.text(#"music: { category: "playback", active: true, gain: -30 }"#), fade: 4)
    evening.pass(1)
    try evening.operate(.session("music", .gain(.set(-3))), .activate("bed"))
    evening.pass(3)
    #expect(evening.level("music") == -3)
    #expect(evening.state.sessions["bed"]?.isActive == true)
  }

  @Test("stops where its levels are, and does not touch a level that the operator has moved")
  func halts() throws {
    var evening = try Evening()
    let before = #"a: { category: "playback", active: true }, b: { category: "playback", active: true }"#
    let after =
      #"a: { category: "playback", active: true, gain: -40 }, b: { category: "playback", active: true, gain: -40 }"#
    try evening.recall(Evening.text(before))
    try evening.recall(Evening.text(after), fade: 4)
    let moving = try #require(evening.outcome?.moving)
    #expect(moving.map(\.address) == ["/session/a/gain", "/session/b/gain"])
    evening.pass(2)
    try evening.operate(.session("b", .gain(.set(-60, over: 10))))
    for event in moving.compactMap({ $0.halt(in: evening.state, at: evening.time) }) {
      try evening.operate(event)
    }
    let level = evening.level("a")
    evening.pass(10)
    #expect(evening.level("a") == level && level != 0 && level != -40)
    #expect(evening.level("b") == -60)
  }

  @Test("gives a stream more than two channels, although a preset or the operator has set its balance")
  func wider() throws {
    func text(_ channels: Int, _ pan: String) -> String {
      """
      { multiroute: 1, ports: { usb: { type: "usbAudio", outputs: ["usb:out_*"], channels: 8 } }, \
      sessions: { show: { category: "multiRoute", active: true, streams: { \
      band: { channels: \(channels)\(pan), to: { usb: { gain: -6\(pan) } } } } } }, \
      players: { walkin: { session: "show"\(pan) } } }
      """
    }
    for pan in ["", ", pan: 0", ", pan: 0.5"] {
      var evening = try Evening(devices: [])
      try evening.recall(text(2, pan))
      try evening.operate(
        .stream("show", "band", .pan(.set(-0.3))), .destination("show", "band", "usb", .pan(.set(-0.3))),
        .player("walkin", .set(.pan(.set(-0.3)))))
      try evening.recall(text(6, ""))
      let band = evening.state.sessions["show"]?.streams["band"]
      #expect(band?.channels == 6 && band?.pan.target == 0)
      #expect(band?.destinations["usb"]?.pan.target == 0 && evening.state.players["walkin"]?.pan.target == 0)
      // What is stored with such a stream is a preset.
      let stored = Preset.json(of: evening.state, title: nil, scope: Set(Scope.allCases)).text
      #expect(Evening.preset(stored) != nil, "\(stored)")
      try evening.recall(text(2, pan))
      #expect(evening.state.sessions["show"]?.streams["band"]?.channels == 2)
    }
  }

  @Test(
    "brings back what was stored of a device that was found, also if its input has another type than its output",
    arguments: [
      (PortType.lineOut, PortType.lineIn), (.headphones, .headsetMic), (.builtInSpeaker, .builtInMic),
      (.builtInReceiver, .builtInMic), (.bluetoothA2DP, .bluetoothHFP), (.usbAudio, .usbAudio),
    ])
  func found(output: PortType, input: PortType) throws {
    var evening = try Evening()
    for (direction, type) in [(Direction.output, output), (.input, input)] {
      let names = (1...2).map { "system:\(direction)_\($0)" }
      var port = Port(
        id: "system", name: "system", type: type, globs: names.compactMap { PortGlob($0) }, channels: 2)
      port.isNamedByPreset = false
      try evening.operate(
        .declarePort(direction, port), .portsPresent([PortPresence(direction, "system", members: names)]),
        .port(direction, "system", .gain(.set(direction == .output ? -3 : -9))))
    }
    try evening.operate(
      .createSession("call", SessionConfiguration(category: .playAndRecord, options: .allowBluetoothHFP)),
      .createStream("call", "main", channels: 1, placed: true),
      .stream("call", "main", .sources(["input:system:1"].compactMap(StreamSource.init))),
      .session("call", .preferredInput("system")), .session("call", .captureChannels(1)),
      .captureInput("call", "system", .on(true)), .recorder("tape", .create(.input("system"))))
    let text = Preset.json(of: evening.state, title: nil, scope: Set(Scope.allCases)).text
    var others = [evening, try Evening(devices: [])]
    for index in others.indices {
      try others[index].recall(text)
      for direction in [Direction.output, .input] {
        let (wanted, port) = (evening.state[direction]["system"], others[index].state[direction]["system"])
        #expect(port?.type == wanted?.type && port?.globs == wanted?.globs)
        #expect(port?.gain.target == wanted?.gain.target)
      }
      let again = Preset.json(of: others[index].state, title: nil, scope: Set(Scope.allCases)).text
      #expect(again == text)
    }
  }

  @Test("does not lower a level for good because both ends of a fade together exceed a total maximum")
  func totalMaximum() throws {
    func text(_ session: Int, _ send: Int) -> String {
      """
      { multiroute: 1, ports: { usb: { type: "usbAudio", outputs: ["usb:out_1", "usb:out_2"], channels: 2, maxTotal: -6 } }, \
      sessions: { show: { category: "multiRoute", active: true, gain: \(session), streams: { band: { to: { usb: \(send) } } } } } }
      """
    }
    var evening = try Evening()
    try evening.recall(text(0, -6))
    try evening.recall(text(-6, 0), fade: 4)
    evening.pass(4)
    #expect(evening.level("show") == -6)
    #expect(evening.state.sessions["show"]?.streams["band"]?.destinations["usb"]?.gain.target == 0)
  }

  @Test("does not touch a safe, nor remove a session of which a leaf is safe")
  func safes() throws {
    var evening = try Evening()
    try evening.recall(
      Evening.text(
        #"music: { category: "playback", gain: -10, mute: true }, bed: { category: "playback", gain: -9 }"#))
    let isSafe = try #require(SafePatterns.matcher(of: ["/session/*/gain"]))
    try evening.recall(
      Evening.text(#"music: { category: "playback", gain: 0, mute: false }"#), isSafe: isSafe)
    #expect(evening.level("music") == -10 && evening.state.sessions["music"]?.isMuted == false)
    #expect(evening.level("bed") == -9)
    try evening.recall(
      Evening.text(#"music: { category: "playback", gain: 0 }"#),
      isSafe: SafePatterns.matcher(of: ["/session/music/fader"]))
    #expect(evening.level("music") == -10)
  }

  @Test("removes sessions that were made over OSC if the preset says so")
  func others() throws {
    var evening = try Evening()
    try evening.operate(.createSession("guest", SessionConfiguration(category: .playback)))
    try evening.recall(Evening.text(#"music: { category: "playback" }"#))
    #expect(evening.state.sessions.contains("guest"))
    try evening.recall(Evening.text(#"music: { category: "playback" }"#, root: #"others: "remove","#))
    #expect(!evening.state.sessions.contains("guest"))
  }

  @Test("changes a guard or a maximum only if the preset names it")
  func limits() throws {
    var evening = try Evening()
    try evening.recall(
      Evening.text(
        #"show: { category: "multiRoute", max: -6, streams: { click: { to: { phones: 0 }, never: ["usb"] } } }"#
      ))
    try evening.recall(
      Evening.text(#"show: { category: "multiRoute", gain: 0, streams: { click: { to: { phones: 0 } } } }"#),
      fade: 1)
    evening.pass(1)
    let show = try #require(evening.state.sessions["show"])
    #expect(show.maximum == -6 && show.gain.target == -6 && show.streams["click"]?.never == ["usb"])
    try evening.recall(
      Evening.text(
        #"show: { category: "multiRoute", max: 10, streams: { click: { to: { usb: 0 }, never: [] } } }"#))
    #expect(evening.state.sessions["show"]?.maximum == 10)
    #expect(evening.state.sessions["show"]?.streams["click"]?.destinations.keys == ["usb"])
  }

  @Test("leaves a found device out of the way, also after a scene that was stored and therefore names it")
  func found() throws {
    var evening = try Evening(devices: [])
    let show =
      #"{ multiroute: 1, ports: { main: { type: "usbAudio", outputs: ["main:out_*"], channels: 2 } }, "#
      + #"sessions: { music: { category: "playback", active: true } } }"#
    try evening.recall(show)
    var card = Port(id: "card", name: "Card", type: .usbAudio, globs: [PortGlob("card:out_*")!], channels: 2)
    card.isNamedByPreset = false
    try evening.operate(.declarePort(.output, card))
    try evening.plug()
    #expect(evening.state.sessions["music"]?.route.outputs == ["main"])
    try evening.recall(Preset.json(of: evening.state, title: nil, scope: Set(Scope.allCases)).text)
    try evening.recall(show)
    #expect(evening.state.outputs["card"].map { evening.state.isAutomatic($0, .output) } == false)
    #expect(evening.state.sessions["music"]?.route.outputs == ["main"])
  }

  @Test("changes nothing that was not stored, when the scope of the store left it out")
  func storedScope() throws {
    var evening = try Evening()
    try evening.recall(
      Evening.text(
        #"show: { category: "multiRoute", protected: true, gain: -6, streams: { click: { to: { phones: -3 } } } }"#
      ))
    let stored = Preset.json(of: evening.state, title: nil, scope: [.gain]).text
    try evening.recall(stored, scope: #require(Evening.preset(stored)).scope)
    let show = try #require(evening.state.sessions["show"])
    #expect(show.isProtected && show.streams["click"]?.destinations["phones"]?.isOn == true)
    #expect(evening.level("show") == -6)
  }

  @Test(
    "sees a session that a call interrupts as active: so it is stored, brought back, and left to the call")
  func calls() throws {
    var evening = try Evening()
    let music = #"music: { category: "soloAmbient", activate: "start", resume: "always""#
    try evening.recall(Evening.text("\(music), active: true }"))
    let before = evening.state
    try evening.operate(.beginInterruption("phone"))
    let interrupted = evening.state
    #expect(interrupted.sessions["music"]?.isActive == false)
    try evening.recall(Evening.text("\(music), active: true, gain: -3 }"))
    #expect(evening.state.sessions["music"]?.displacement != nil)
    try evening.undo(to: before)
    #expect(evening.state.sessions["music"]?.displacement != nil)
    let stored = Preset.json(of: evening.state, title: nil, scope: Set(Scope.allCases)).text
    try evening.operate(.endInterruption("phone"))
    for text in [stored, stored] { try evening.recall(text) }
    #expect(evening.state.sessions["music"]?.isActive == true)
    try evening.undo(to: interrupted)
    #expect(evening.state.sessions["music"]?.isActive == true)
  }

  @Test("starts a session again that only the preset before it had ended")
  func startsAgain() throws {
    var evening = try Evening()
    let music = #"music: { category: "playback", activate: "start""#
    try evening.recall(Evening.text("\(music) }"))
    try evening.recall(Evening.text("\(music), active: false }"))
    #expect(evening.state.sessions["music"]?.isActive == false)
    try evening.recall(Evening.text("\(music) }"))
    #expect(evening.state.sessions["music"]?.isActive == true)
  }
}
