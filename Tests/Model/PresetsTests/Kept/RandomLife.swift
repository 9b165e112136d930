import Chance
import Presets
import SessionModel
import SessionPolicy

/// Random commands and facts about a few objects, so that many of them concern the same object.
struct RandomLife {
  private var generator: SeededGenerator
  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  static let outputs: [PortID] = ["usb", "headphones", "hall", "tv"]
  static let inputs: [PortID] = ["usb", "mic"]
  private static let sessions: [SessionID] = ["show", "music", "talk", "phone"]
  private static let streams: [StreamID] = ["band", "click", "main"]

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements.randomElement(using: &generator)!
  }
  private mutating func chance(of one: Int = 2) -> Bool { Int.random(in: 0..<one, using: &generator) == 0 }
  private mutating func number(_ range: ClosedRange<Double>) -> Double {
    (Double.random(in: range, using: &generator) * 100).rounded() / 100
  }
  private mutating func move(_ range: ClosedRange<Double>) -> ControlMove {
    chance(of: 4) ? .set(number(range), over: 100) : .set(number(range))
  }
  private mutating func level() -> ControlMove { move(-90...10) }
  private mutating func choice<Choice: CaseIterable>(_: Choice.Type) -> Choice {
    pick(Array(Choice.allCases))
  }

  mutating func next() -> Event {
    let session = pick(Self.sessions)
    return switch Int.random(in: 0..<16, using: &generator) {
    case 0: chance(of: 6) ? .removeSession(session) : .createSession(session, configuration())
    case 1: .configure(session, configuration())
    case 2, 3: chance(of: 3) ? .deactivate(session, notifyingOthers: chance()) : .activate(session)
    case 4, 5, 6: .session(session, sessionSetting())
    case 7: streamLife(session)
    case 8, 9: .stream(session, pick(Self.streams), streamSetting())
    case 10: .destination(session, pick(Self.streams), pick(Self.outputs), destinationSetting())
    case 11: capture(session)
    case 12: portSetting()
    case 13: .router(routerSetting())
    case 14: interruption()
    default: news(session)
    }
  }

  private mutating func configuration() -> SessionConfiguration {
    SessionConfiguration(
      category: pick(Category.allCases + [.multiRoute, .playback, .playAndRecord]),
      mode: pick([.default, .default, .default, .voiceChat, .spokenAudio, .dualRoute]),
      options: pick([
        [], [], .mixWithOthers, .duckOthers, .allowAirPlay, .interruptSpokenAudioAndMixWithOthers,
        .allowBluetoothHFP,
      ]))
  }

  private mutating func sessionSetting() -> SessionSetting {
    pick([
      .name(pick(["Show", "", "a \"quoted\"\nname", "Ünï"])), .gain(level()), .maximum(number(-90...10)),
      .muted(chance()), .policy(choice(SharingPolicy.self)), .priority(choice(Priority.self)),
      .foreground(chance()), .protected(chance()), .notifiesOthers(chance()),
      .outputIO(choice(IOState.self)), .inputIO(choice(IOState.self)),
      .permission(choice(RecordPermission.self)), .captureExclusive(chance()), .ignoresAlerts(chance()),
      .outputMuted(chance()), .duckExempt(chance()), .duckLevel(chance() ? nil : move(-60...0)),
      .duckAttack(chance() ? nil : move(0.1...9)), .duckRelease(chance() ? nil : move(0.1...9)),
      .activation(choice(Activation.self)), .signalThreshold(move(-80...0)), .signalHold(move(0...60)),
      .resumption(choice(Resumption.self)), .unplug(choice(UnplugConduct.self)), .lease(move(100...900)),
      .preferredOutput(chance() ? nil : pick(Self.outputs)),
      .preferredInput(chance() ? nil : pick(Self.inputs)), .portOverride(choice(PortOverride.self)),
      .preferredRate(pick([0, 44_100])), .preferredPeriod(pick([0, 0.01])),
      .preferredChannels(chance() ? .input : .output, 1), .inputLevel(move(0...1)),
      .captureChannels(Int.random(in: 0...2, using: &generator)),
      .captureDestinations(chance() ? [] : [ProgramPorts("Recorder:in_*")!]),
      .voice(choice(VoicePart.self), pick([nil, false, true, true])),
      .voiceFallback(choice(VoiceFallback.self)),
    ])
  }

  private mutating func streamLife(_ session: SessionID) -> Event {
    let stream = pick(Self.streams)
    if chance(of: 3) { return .removeStream(session, stream) }
    return .createStream(
      session, stream, channels: Int.random(in: 1...3, using: &generator), placed: chance())
  }

  private mutating func streamSetting() -> StreamSetting {
    let routes = ["none", "usb", "usb:1-2=-3.25,headphones", "hall=-6", "tv", "usb:1:2+2:1"]
    return pick([
      .sources(pick([[], [StreamSource("Band:*")!], [StreamSource("input:mic:1")!]])), .gain(level()),
      .muted(chance()), .pan(move(-1...1)), .exclusive(chance()), .duckExempt(chance()),
      .never(pick([[], [], ["hall"], ["usb", "tv"]])), .inverted(inverted()), .width(move(0...2)),
      .route(try! StreamRoute(pick(routes))),
    ])
  }

  private mutating func destinationSetting() -> DestinationSetting {
    pick([
      .on(chance()), .gain(level()), .pan(move(-1...1)), .channels(.range(1...2)), .channels(.default),
      .tap(choice(Tap.self)),
    ])
  }

  private mutating func capture(_ session: SessionID) -> Event {
    let setting: CaptureSetting = chance() ? .on(chance()) : .gain(level())
    return chance()
      ? .captureSession(session, pick(Self.sessions), setting)
      : .captureInput(session, pick(Self.inputs), setting)
  }

  private mutating func inverted() -> [ChannelNumber] {
    pick([[], [1], [2], [1, 2]]).compactMap { ChannelNumber($0) }
  }

  private mutating func portSetting() -> Event {
    let common: PortSetting = pick([
      .name(pick(["Desk", ""])), .gain(level()), .maximum(number(-90...10)), .muted(chance()),
      .automatic(chance()), .plugged(!chance(of: 4)),
    ])
    if chance() {
      let own: PortSetting = pick([
        .delay(move(0...2)), .alignmentGroup(pick([nil, "hall"])), .ceiling(move(-30...0)),
        .duckLimit(move(-60...0)), .section(.dim(chance())), .section(.dimLevel(number(-60...0))),
        .section(.mono(chance())), .section(.swap(chance())), .section(.balance(move(-1...1))),
        .inverted(inverted()), .meters(OutputMeter.allCases.filter { _ in chance() }),
      ])
      return .port(.output, pick(Self.outputs), chance() ? common : own)
    }
    if chance(of: 3) {
      return .channel(pick(Self.inputs), 1, chance() ? .gain(level()) : .muted(chance()))
    }
    let own: PortSetting = pick([
      .hardwareMuted(chance()), .source(pick([nil, "front", "back"])),
      .echo(pick([nil, [], ["hall"], ["usb", "tv"]])), .trim(move(-18...18)), .width(move(0...2)),
      .inverted(inverted()),
    ])
    return .port(.input, pick(Self.inputs), chance() ? common : own)
  }

  private mutating func routerSetting() -> RouterSetting {
    pick([
      .ramp(move(0.01...0.9)), .fadeCurve(choice(FadeCurve.self)), .panic(chance()), .lock(chance()),
      .meterRate(move(1...50)), .duckLevel(move(-60...0)), .duckAttack(move(0.1...9)),
      .duckRelease(move(0.1...9)), .duckScope(choice(DuckScope.self)),
      .interruptionScope(choice(InterruptionScope.self)), .silent(chance()),
      .deactivation(choice(DeactivationConduct.self)),
    ])
  }

  private mutating func interruption() -> Event {
    let source: InterruptionID = pick(["cell", "door"])
    return switch Int.random(in: 0..<4, using: &generator) {
    case 0: .beginInterruption(source, choice(InterruptionReason.self))
    case 1: .ring(source, chance())
    default: .endInterruption(source, shouldResume: chance())
    }
  }

  private mutating func news(_ session: SessionID) -> Event {
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: .connected(session, !chance(of: 4))
    case 1: .sounding(session, chance())
    case 2: .signal(session, chance())
    case 3: .portsPresent([Self.presence(.output, pick(Self.outputs), isThere: !chance(of: 3))])
    default: .portsPresent([Self.presence(.input, pick(Self.inputs), isThere: !chance(of: 4))])
    }
  }

  static func presence(_ direction: Direction, _ port: PortID, isThere: Bool) -> PortPresence {
    let members = ["\(port):1", "\(port):2"]
    return PortPresence(direction, port, members: isThere ? members : [nil, nil])
  }
}

extension RandomLife {
  /// A preset of two sessions and two devices.
  static let preset = """
    {
      multiroute: 1,
      ports: {
        usb: {
          type: "usbAudio", outputs: ["USB:playback_1", "USB:playback_2"], inputs: ["USB:capture_1", "USB:capture_2"],
          sources: { front: ["USB:front_*"], back: ["USB:back_*"] },
        },
        headphones: { type: "headphones", outputs: ["Headphones:playback_*"], channels: 2, gain: -6, max: 0 },
      },
      sessions: {
        show: {
          category: "multiRoute", options: ["mixWithOthers"], activate: "start", gain: -1.5,
          streams: { band: { to: { usb: -3, headphones: -10 } }, click: { channels: 1, to: { headphones: 0 }, never: ["usb"] } },
          capture: { to: ["Recorder:*"], mix: { music: -4, "input:usb": -2 } },
        },
        music: { category: "playback", streams: { main: { from: ["Player:*"] } } },
      },
      ducking: { level: -20 },
      ramp: 0.05,
    }
    """

  /// A router with the preset in force. Its devices have two outputs and an input for which the preset has no entry.
  static func router(withFoundDevices hasFound: Bool = true) throws -> RouterState {
    guard let preset = Show.read(preset).preset else { throw SessionError(.badValue, "the preset is wrong") }
    var server = ServerState()
    (server.isRunning, server.rate, server.period) = (true, 48_000, 256)
    var state = try Show.state(RouterState(), after: [.server(server)])
    state = try Show.state(state, after: preset.events(for: state))
    guard hasFound else { return state }
    return try Show.state(state, after: found.map { .declarePort($0, $1) } + [.portsPresent(everything)])
  }

  private static let found: [(Direction, Port)] = [
    (.output, port("hall", .builtInSpeaker)), (.output, port("tv", .hdmi)),
    (.input, port("mic", .builtInMic)),
  ]

  private static let everything =
    outputs.map { presence(.output, $0, isThere: true) } + inputs.map { presence(.input, $0, isThere: true) }

  private static func port(_ id: PortID, _ type: PortType) -> Port {
    let globs = (1...2).map { PortGlob("\(id):\($0)")! }
    var port = Port(id: id, name: id.name, type: type, globs: globs, channels: 2)
    port.isNamedByPreset = false
    return port
  }
}
