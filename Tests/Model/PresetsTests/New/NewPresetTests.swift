import JSON5
import Presets
import SessionModel
import SessionPolicy
import Testing

@Suite("A new preset from what is connected")
struct NewPresetTests {
  private static func port(_ name: String, _ type: PortType = .lineOut, _ ports: [String]) -> Port {
    var port = Port(
      id: PortID(slugging: name), name: name, type: type, globs: ports.compactMap { PortGlob($0) },
      channels: ports.count)
    port.typeReason = "its name says \"so\"\nor so"
    return port
  }

  /// Names that a pattern, JSON, an address or a comment could misread.
  private static let odd = [
    "Card [HDMI 1]", #"Say "cheese""#, "a*b", "a?b", "a/b\\c", "音楽", "line\u{2028}break\ttab", "list",
    "input:mic",
    "1=x", "{application=y}", "-dash", "*", String(repeating: "é", count: 100),
  ]

  private static func read(_ text: String) -> (preset: Preset?, problems: [Problem]) {
    PresetReader.withLaw.read(PresetSource(id: "new", file: "new.json", bytes: Array(text.utf8))) {
      id throws(PresetLibraryError) in throw .unknown(id: id.name, folders: [], nearest: nil)
    }
  }

  /// The stages: whatever is connected, the preset is valid.
  private static let stages: [(name: String, equipment: Equipment)] = [
    ("nothing", Equipment()),
    ("inputs alone", Equipment(inputs: [port("Mic", .builtInMic, ["Mic:capture_1"])])),
    (
      "programs alone",
      Equipment(programs: [Equipment.Source("mpv", ports: ["mpv:out_0", "mpv:out_1"])])
    ),
    (
      "one mono output",
      Equipment(outputs: [port("Horn", .lineOut, ["Horn:in"])], programs: sources(["mpv"], 2))
    ),
    (
      "a receiver before the speaker",
      Equipment(
        outputs: [port("Ear", .builtInReceiver, ["Ear:in"]), port("PA", .lineOut, ["PA:1", "PA:2"])],
        programs: sources(["mpv"], 9))
    ),
    (
      "odd names",
      Equipment(
        outputs: odd.map { port($0, .usbAudio, ["\($0):playback_1", "\($0):playback_2"]) },
        inputs: odd.map { port($0, .lineIn, ["\($0):capture_1"]) }, programs: sources(odd, 2))
    ),
    (
      "wide",
      Equipment(
        outputs: [port("Desk", .usbAudio, (1...80).map { "Desk:playback_\($0)" })],
        programs: sources(["daw"], 100))
    ),
    ("a crowd", Equipment(programs: sources((1...1_001).map { "program \($0)" }, 1))),
  ]

  private static func sources(_ names: [String], _ channels: Int) -> [Equipment.Source] {
    names.map { name in Equipment.Source(name, ports: (1...channels).map { "\(name):out_\($0)" }) }
  }

  @Test("passes the check without a warning, whatever is connected", arguments: stages.indices)
  func valid(_ index: Int) throws {
    let stage = Self.stages[index]
    let text = NewPreset("new", title: "Title", stage.equipment).text
    let (preset, problems) = Self.read(text)
    #expect(problems.map(\.description) == [], "\(stage.name)")
    #expect(preset?.sessions.count == min(stage.equipment.programs.count, RouterState.maximumSessions))
  }

  @Test("feeds as many channels as the first output for music has")
  func channels() throws {
    for (name, channels) in [("one mono output", 2), ("a receiver before the speaker", 2), ("wide", 64)] {
      let equipment = try #require(Self.stages.first { $0.name == name }?.equipment)
      let preset = try #require(Self.read(NewPreset("new", title: "Title", equipment).text).preset)
      #expect(preset.programs.count == channels, "\(name)")
    }
  }

  @Test("has each odd name of a device or program as a pattern that matches it")
  func names() throws {
    let equipment = try #require(Self.stages.first { $0.name == "odd names" }?.equipment)
    let preset = try #require(Self.read(NewPreset("new", title: "Title", equipment).text).preset)
    let globs = preset.events(for: RouterState()).flatMap { event -> [PortGlob] in
      if case .declarePort(_, let port) = event { port.globs } else { [] }
    }
    for port in equipment.outputs.flatMap(\.globs) {
      #expect(globs.contains { $0.matches(port.text) }, "\(port)")
    }
    for source in equipment.programs.flatMap(\.ports) {
      #expect(preset.programs.contains { $0.ports?.matches(source) == true }, "\(source)")
    }
  }

  @Test("explains every line, and lists inputs only in comments")
  func comments() throws {
    let equipment = Equipment(
      outputs: [Self.port("USB", .usbAudio, ["USB:playback_1", "USB:playback_2"])],
      inputs: [
        Self.port("USB", .usbAudio, ["USB:capture_1"]), Self.port("Mic", .builtInMic, ["Mic:capture_1"]),
      ],
      programs: Self.sources(["mpv", "mpv 2"], 2))
    let text = NewPreset("new", title: "Title", schema: "/share/preset.json", equipment).text
    let lines = text.split(separator: "\n").map(String.init)
    for (before, line) in zip([""] + lines, lines) where line.contains("\":") && !line.contains("\"main\"") {
      let isExplained = line.contains(" // ") || before.contains("// ")
      #expect(isExplained || line.trimmingPrefix(while: { $0 == " " }).hasPrefix("//"), "\(line)")
    }
    for line in lines where line.contains("capture_") {
      #expect(line.trimmingPrefix(while: { $0 == " " }).hasPrefix("//"), "\(line)")
    }
    #expect(lines.count { $0.contains("capture_1") } == 2)
    #expect(try #require(Self.read(text).preset).sessions == ["mpv", "mpv-2"])
  }

  @Test(
    "waits for a command where a microphone reaches a program, and takes only connections to devices away")
  func microphones() throws {
    var amp = Equipment.Source("amp", ports: ["amp:out"])
    amp.microphones = ["USB:capture_1"]
    var player = Equipment.Source("player", ports: ["player:out"])
    player.devices = ["USB:playback_1"]
    var deck = player
    (deck.client, deck.ports, deck.programs) = ("deck", ["deck:out"], ["recorder:in"])
    let output = Self.port("USB", .usbAudio, ["USB:playback_1", "USB:playback_2"])
    let text = NewPreset("new", title: "Title", Equipment(outputs: [output], programs: [amp, player, deck]))
      .text
    let preset = try #require(Self.read(text).preset)
    let state = try preset.events(for: RouterState()).reduce(into: RouterState()) { state, event in
      _ = try Policy.reduce(&state, event, at: 0)
    }
    #expect(
      state.sessions["amp"]?.activation == .manual && state.sessions["player"]?.activation == .connected)
    #expect(state.sessions["player"]?.streams["main"]?.isExclusive == true)
    #expect(state.sessions["deck"]?.streams["main"]?.isExclusive == false)
    #expect(state.sessions.values.allSatisfy { $0.gain.target == -20 && $0.preferredOutput == "usb" })
  }
}
