import Effects
import OSC
import Parameters
import Queues
import SessionModel
import Testing

@testable import OSCSurface

/// An address of the table with real ids, and a value that it accepts and does not have.
struct Example: CustomTestStringConvertible {
  let parameter: Parameter
  let address: String
  let target: Target
  let value: [OSCArgument]

  var testDescription: String { address }

  /// One example for each address that can be set.
  static let ofWritable: [Example] = Table.parameters.filter(\.isWritable).map { Example($0) }
  /// One example for each address that has a value and can only be read.
  static let ofReadOnly: [Example] = Table.parameters.filter {
    !$0.isWritable && !$0.isCommand && !$0.isMeter
  }
  .map { Example($0) }

  private init(_ parameter: Parameter) {
    self.parameter = parameter
    let special = Self.special[parameter.address] ?? Self.effect(parameter)
    let needsStereo = ["/mono", "/swap", "/balance"].contains { parameter.address.hasSuffix($0) }
    let ids: [String: String] = [
      "<s>": special?.session ?? "show", "<t>": "main", "<i>": "usb", "<x>": "music", "<source>": "phone",
      // What plays cannot be scheduled.
      "<p>": parameter.address.hasSuffix("/schedule") ? "cue" : "walkin", "<r>": "tape", "<g>": "band",
      "<n>": "1",
      "<o>": needsStereo || parameter.address.hasPrefix("/session/") ? "headphones" : "usb", "<bank>": "2",
      "<talk>": "call", "<e>": "2", "<control>": "HPfreq",
      // Strip 1 is a session, strip 2 a send; strip 3 is free.
      "<strip>": parameter.address.hasSuffix("/on")
        ? "2" : parameter.address.hasSuffix("/assign") ? "3" : "1",
    ]
    var target = Target()
    let parts = parameter.parts.map { part in
      guard let placeholder = Placeholder(rawValue: String(part)), let id = ids[String(part)] else {
        return String(part)
      }
      target = placeholder.fill(id, into: target) ?? target
      return id
    }
    (address, self.target) = ("/" + parts.joined(separator: "/"), target)
    value = special?.value ?? Self.usual(parameter)
  }

  /// The stage of these examples: two sessions with output, one with input and output, and a stream at the headphones.
  static func desk() throws -> Desk { try stage.get() }

  /// Made once: hundreds of tests begin with it.
  private static let stage = Result { try makeStage() }

  private static func makeStage() throws -> Desk {
    var desk = try Desk.stage()
    desk.send("/session/create", "voice", "playAndRecord", "default", "mixWithOthers+allowBluetoothHFP")
    desk.send("/session/create", "call", "playAndRecord", "voiceChat", "mixWithOthers")
    desk.send("/session/show/stream/main/route", "headphones")
    try desk.plug(.output, "spk", .builtInSpeaker, channels: 2)
    desk.send("/session/voice/active", 1)
    try addMedia(to: &desk)
    try desk.happen(.port(.output, "headphones", .monitor(.on(true))))
    try desk.happen(.session("call", .talkback(.outputs(["usb"]))))
    try addEffects(to: &desk)
    desk.send("/strip/assign", "/session/show", "/session/show/stream/main/to/headphones")
    desk.state.loop.freeBytes = 1 << 40
    desk.state.loop.voices["call"] = 30
    desk.state.loop.rings = ["player:walkin", "recorder:tape"].map {
      LoopFacts.Ring(name: $0, fill: 1, least: 0.5, pulls: 100)
    }
    // Only bridged ports have a drift.
    for (direction, id) in [(Direction.output, PortID("usb")), (.input, PortID("usb"))] {
      desk.state[direction].update(id) {
        $0.bridge = Bridge(direction, channels: $0.channels, to: .card(Bridge.Card(device: "hw:USB")))
      }
    }
    return desk
  }

  /// Two effects at each place, of which the second is loaded.
  static func addEffects(to desk: inout Desk) throws {
    var facts = EffectFacts()
    facts.state = .working
    facts.controls = [
      EffectControl(
        port: 4, symbol: "HPfreq", name: "High-pass frequency", range: -1_000_000...1_000_000, standard: 20,
        unit: "Hz")
    ]
    facts.base = ["HPfreq": 20]
    facts.meters = [
      EffectControl(port: 9, symbol: "gain", name: "Gain", range: -60...0, standard: 0, unit: "dB")
    ]
    facts.presets = ["Warm hall", "Small room"]
    var report = EffectsReport()
    report.effects = [EffectFacts(), facts]
    let places: [InsertPlace] = [.stream("show", "main"), .output("usb"), .input("usb"), .capture("show")]
    for place in places {
      try desk.happen(.insert(place, .effects([Effect("gate"), Effect("eq")])))
      try desk.happen(.effectsReported(place, report))
    }
  }

  /// A player in the active session voice that plays the first of three long items, one that is stopped, and a recorder of an output.
  static func addMedia(to desk: inout Desk) throws {
    let items = ["one", "two", "three"].map { QueueItem(name: "\($0).flac", title: $0) }
    var facts = PlayerFacts()
    facts.duration = MediaPlayer.longestItem
    try desk.happen(.player("walkin", .create("voice", "main", seed: 1)))
    try desk.happen(.player("walkin", .queue(.add(items))))
    try desk.happen(.player("walkin", .order(.play())))
    let passes = try #require(desk.state.players["walkin"]).passes
    try desk.happen(.player("walkin", .report(.facts(pass: passes, facts))))
    try desk.happen(.player("cue", .create("voice", "main", seed: 1)))
    try desk.happen(.player("cue", .queue(.add(items))))
    try desk.happen(.recorder("tape", .create(.output("usb"))))
    try desk.happen(.group("band", .create))
    try desk.happen(.group("band", .set(.members([GroupPattern("session:show")!]))))
  }

  /// A value inside the range that is no default.
  private static func usual(_ parameter: Parameter) -> [OSCArgument] {
    switch parameter.kind {
    case .level: [.float(-12.5)]
    case .number(let range), .inheritable(let range), .limit(let range):
      [.float(Float(range.lowerBound + (range.upperBound - range.lowerBound) * 0.375))]
    case .integer(let range): [.int32(Int32(range.lowerBound + 1))]
    case .toggle: [.int32(1)]
    case .inheritableToggle: [.int32(0)]
    case .choice(let names): [.string(names[names.count - 1])]
    case .text: ["another"]
    case .texts, .programPorts: ["Band:out_*"]
    case .effects: ["high-pass HPfreq=100", "eq off"]
    case .names(let names): [.string(names[0])]
    case .trigger, .command, .meter: []
    }
  }

  /// The value of an effect's address, whatever has the effect.
  private static func effect(_ parameter: Parameter) -> (session: String, value: [OSCArgument]?)? {
    let values: [String: [OSCArgument]] = [
      "plugin": ["compressor"], "preset": ["Warm hall"], "on": [0], "sidechain": ["output:usb"],
      "control/<control>": [100.0],
    ]
    return values.first { parameter.address.hasSuffix("/effect/<e>/\($0.key)") }.map { ("show", $0.value) }
  }

  /// Addresses that take another session, or values of their own.
  private static let special: [String: (session: String, value: [OSCArgument]?)] = [
    "/group/<g>/members": ("show", ["session:show", "output:*"]),
    "/session/<s>/category": ("music", ["ambient"]),
    "/session/<s>/mode": ("music", ["spokenAudio"]),
    "/session/<s>/options": ("music", ["mixWithOthers+duckOthers"]),
    "/session/<s>/options/mask": ("music", [1]),
    "/session/<s>/option/mixWithOthers": ("music", [1]),
    "/session/<s>/option/duckOthers": ("music", [1]),
    "/session/<s>/option/allowBluetoothHFP": ("voice", [0]),
    "/session/<s>/option/farFieldInput": ("voice", [1]),
    "/session/<s>/option/defaultToSpeaker": ("voice", [1]),
    "/session/<s>/option/interruptSpokenAudio": ("music", [1]),
    "/session/<s>/option/allowBluetoothA2DP": ("voice", [1]),
    "/session/<s>/option/allowAirPlay": ("voice", [1]),
    "/session/<s>/option/overrideMutedMicrophoneInterruption": ("voice", [1]),
    "/session/<s>/policy": ("music", ["longFormAudio"]),
    "/session/<s>/max": ("show", [-6.0]),
    "/session/<s>/foreground": ("show", [0]),
    "/session/<s>/notify": ("show", [0]),
    "/session/<s>/permission": ("show", ["denied"]),
    "/session/<s>/activate": ("show", ["connected"]),
    "/session/<s>/io/input": ("voice", nil),
    "/session/<s>/override": ("voice", ["speaker"]),
    "/session/<s>/input/preferred": ("voice", ["mic"]),
    "/session/<s>/output/preferred": ("music", ["headphones"]),
    "/session/<s>/channels/in/preferred": ("voice", [1]),
    "/session/<s>/channels/out/preferred": ("voice", [1]),
    "/session/<s>/input/level": ("voice", nil),
    "/session/<s>/capture/channels": ("voice", [2]),
    "/session/<s>/capture/route": ("voice", [0]),
    "/session/<s>/capture/to": ("voice", nil),
    "/session/<s>/stream/<t>/route": ("show", ["usb:1-2=-6"]),
    "/session/<s>/stream/<t>/never": ("show", ["usb"]),
    "/session/<s>/stream/<t>/to/<o>/on": ("show", [0]),
    "/session/<s>/stream/<t>/to/<o>/map": ("show", ["1:2,2:1"]),
    "/session/<s>/voice/echo": ("call", nil),
    "/session/<s>/voice/noise": ("call", nil),
    "/session/<s>/voice/level": ("call", nil),
    "/session/<s>/voice/highpass": ("call", nil),
    "/session/<s>/voice/erle": ("call", nil),
    "/session/<s>/talkback/to": ("show", ["usb"]),
    "/input/<i>/echo": ("", ["headphones"]),
    "/output/<o>/polarity": ("", ["2"]),
    "/output/<o>/meters": ("", ["ppm", "truePeak"]),
    "/input/<i>/polarity": ("", ["1", "2"]),
    "/session/<s>/stream/<t>/polarity": ("show", ["2"]),
    "/strip/assign": ("", ["/output/usb", "8=/input/mic"]),
    "/strip/<strip>/assign": ("", ["/output/usb"]),
    "/strip/<strip>/on": ("", [0]),
    "/strip/<strip>/color": ("", ["#ff8800"]),
    "/bank/<bank>/over": ("", ["/output/usb"]),
    "/group/<g>/color": ("", ["#ff8800"]),
    "/session/<s>/color": ("show", ["#ff8800"]),
    "/session/<s>/stream/<t>/color": ("show", ["#00ff08"]),
    "/output/<o>/color": ("", ["#1234af"]),
    "/input/<i>/color": ("", ["#000000"]),
    "/output/<o>/max": ("", [-6.0]),
    "/input/<i>/max": ("", [-6.0]),
    "/output/<o>/plugged": ("", [0]),
    "/input/<i>/plugged": ("", [0]),
    "/output/<o>/auto": ("", [0]),
    "/input/<i>/auto": ("", [0]),
    "/input/<i>/source": ("", ["back"]),
    "/fade/curve": ("", ["linear"]),
    "/player/<p>/position": ("", [37.5]),
    "/player/<p>/playing": ("", [0]),
    "/player/<p>/loops": ("", [3]),
    "/player/<p>/remote": ("", [0]),
    "/recorder/<r>/bits": ("", [16]),
    "/recorder/<r>/rate": ("", [44_100]),
    "/preset/scope": ("", ["gain+mute"]),
    "/preset/safe": ("", ["/output/*/gain"]),
  ]
}

extension Parameter {
  /// Arguments that the kind refuses, with the code of the refusal.
  var refused: [(arguments: [OSCArgument], code: ErrorCode)] {
    switch kind {
    case .level: [(["loud"], .badValue), ([.null], .badType), ([10.5], .outOfRange)]
    case .number, .inheritable, .limit: [(["much"], .badValue), ([.null], .badType)]
    case .integer(let range):
      [(["many"], .badValue), ([.null], .badType), ([.int32(Int32(range.upperBound) + 1)], .outOfRange)]
    case .toggle, .inheritableToggle: [(["maybe"], .badValue), ([.null], .badType)]
    case .choice: [(["nothing of these"], .badValue), ([1], .badType)]
    case .programPorts: [([1], .badType), (["{colour=red}"], .badValue)]
    case .effects: [([1], .badType), (["nothing"], .badValue), (["eq loud"], .badValue)]
    case .names: [([1], .badType), (["nothing of these"], .badValue)]
    case .text, .texts: [([1], .badType), (["\u{7}"], .badValue)]
    case .trigger, .command, .meter: []
    }
  }
}
