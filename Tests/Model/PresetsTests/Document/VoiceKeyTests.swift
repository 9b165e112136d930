import JSON5
import Presets
import Scenes
import SessionModel
import SessionPolicy
import Testing

@Suite("Keys of presets for voice processing and for the modes of data sources")
struct VoiceKeyTests {
  private static let law: PresetReader.Policy = { state, event, time throws(SessionError) in
    try Policy.reduce(&state, event, at: time)
  }

  /// A preset of a call beside a microphone and two outputs.
  private static func text(call: String, mic: String = "") -> String {
    """
    {
      multiroute: 1,
      ports: {
        mic: { type: "usbAudio", inputs: ["Mic:in"], \(mic) },
        pa: { type: "lineOut", outputs: ["PA:out_1", "PA:out_2"] },
        phones: { type: "headphones", outputs: ["Phones:out_1", "Phones:out_2"] },
      },
      sessions: { call: { category: "playAndRecord", output: "pa", capture: { channels: 1 }, \(call) } },
    }
    """
  }

  /// A router on which presets are recalled one after the other.
  private struct Router {
    var state = Show.emptyState
    var inForce: Preset?
    var told: [SessionModel.Notification] = []

    mutating func recall(_ text: String, isReload: Bool = false) throws {
      let (read, problems) = Show.read(text)
      let preset = try #require(read, "\(problems)")
      let predecessor = inForce.map { Predecessor($0, isEarlierVersion: isReload) }
      let outcome = try Recall(preset, replacing: predecessor).outcome(of: state, at: 0, law: law)
      (state, told, inForce) = (outcome.state, outcome.notifications, preset.inForce(after: inForce))
    }

    var call: Session? { state.sessions["call"] }
    var categories: Int { told.filter { if case .category = $0 { true } else { false } }.count }
  }

  private func problems(_ text: String) -> [String] { Show.read(text).problems }

  @Test("Every key sets the same as its address, and a setting in force gives no step")
  func keys() throws {
    var router = Router()
    let text = Self.text(
      call: #"mode: "voiceChat", voice: { echo: false, noise: true, level: "inherit", fallback: "gated" }"#,
      mic: #"echo: ["pa"]"#)
    try router.recall(text)
    let call = try #require(router.call)
    #expect(call.voice[.echo] == false && call.voice[.noise] == true)
    #expect(call.voice[.level] == nil && call.voice[.highpass] == nil && call.voice.fallback == .gated)
    #expect(router.state.inputs["mic"]?.echo == ["pa"])
    let preset = try #require(Show.read(text).preset)
    #expect(preset.events(for: router.state) == [], "a setting that is in force gave an event")
  }

  @Test("An empty list means no output, and the word default the loudspeakers of the route")
  func lists() throws {
    var router = Router()
    try router.recall(Self.text(call: "", mic: "echo: []"))
    #expect(router.state.inputs["mic"]?.echo == [])
    try router.recall(Self.text(call: "", mic: #"echo: ["default"]"#))
    #expect(router.state.inputs["mic"]?.echo == .some(nil))
    try router.recall(Self.text(call: "", mic: #"echo: ["pa"]"#))
    try router.recall(Self.text(call: ""))
    #expect(
      router.state.inputs["mic"]?.echo == .some(nil), "a key that the successor drops returns to its default")
  }

  @Test(
    "A preset that switches the echo canceller on without a mode is a voice chat, and recalled again it changes nothing"
  )
  func implicitMode() throws {
    var router = Router()
    for mode in ["", #"mode: "default", "#] {
      let text = Self.text(call: mode + "voice: { echo: true }")
      try router.recall(text)
      #expect(router.call?.mode == .voiceChat)
      #expect(router.call?.voice[.echo] == true)
      try router.recall(text)
      #expect(router.call?.mode == .voiceChat && router.categories == 0)
    }
    try router.recall(Self.text(call: ""))
    #expect(router.call?.mode == .default && router.call?.voice.isInherited == true)
  }

  @Test(
    "Switches follow a mode that comes and goes, in recalls and when the preset in force is edited",
    arguments: [false, true])
  func modes(isReload: Bool) throws {
    var router = Router()
    let switches = "voice: { noise: false }"
    try router.recall(Self.text(call: #"mode: "voiceChat", "# + switches))
    try router.recall(Self.text(call: #"mode: "default", "# + switches), isReload: isReload)
    #expect(router.call?.mode == .default && router.call?.voice.isInherited == true)
    try router.recall(Self.text(call: #"mode: "videoChat", "# + switches), isReload: isReload)
    #expect(router.call?.mode == .videoChat && router.call?.voice[.noise] == false)
  }

  @Test(
    "A part that the mode does not have, an unknown word and an unknown output are problems with a place and a fix"
  )
  func refused() throws {
    #expect(
      problems(Self.text(call: #"mode: "measurement", voice: { noise: true }"#)).contains {
        $0.contains("sessions.call.voice.noise") && $0.contains("set the mode voiceChat or videoChat")
      })
    #expect(
      problems(Self.text(call: #"mode: "voiceChat", voice: { nois: true }"#)).contains {
        $0.contains("unknown key \"nois\"; did you mean \"noise\"?")
      })
    #expect(
      problems(Self.text(call: #"mode: "voiceChat", voice: { noise: "on" }"#)).contains {
        $0.contains("sessions.call.voice.noise") && $0.contains("true, false or \"inherit\"")
      })
    #expect(
      problems(Self.text(call: #"mode: "voiceChat", voice: { fallback: "wet" }"#)).contains {
        $0.contains("unknown value \"wet\"") && $0.contains("dry")
      })
    for (list, word) in [(#"["pb"]"#, "did you mean \"pa\"?"), (#"["mic"]"#, "has no outputs")] {
      #expect(
        problems(Self.text(call: "", mic: "echo: \(list)")).contains {
          $0.contains("ports.mic.echo") && $0.contains(word)
        }, "\(list)")
    }
  }

  @Test("A kept state brings the switches and the list back, and never sets a mode")
  func kept() throws {
    var router = Router()
    try router.recall(
      Self.text(
        call: #"mode: "videoChat", voice: { echo: true, highpass: false, fallback: "gated" }"#,
        mic: #"echo: ["phones", "pa"]"#))
    let head = KeptHead(
      preset: "show", path: "/show.json", hash: "0123456789abcdef", time: "2026-11-22T20:00:00Z")
    let text = KeptDocument.json(of: router.state, head: head).text
    let document = try #require(KeptDocument(Array(text.utf8), file: "state.json"))
    #expect(document.problems.map(\.description) == [])
    let restored = document.restored(over: Show.emptyState, at: 0, .everything, law: Self.law).state
    #expect(restored.sessions["call"]?.voice == router.call?.voice)
    #expect(restored.sessions["call"]?.mode == .videoChat)
    #expect(restored.inputs["mic"]?.echo == ["phones", "pa"])
  }

  @Test("A preset that is stored with the scope process alone is valid, also on a router without the session")
  func stored() throws {
    var router = Router()
    try router.recall(Self.text(call: #"mode: "videoChat", voice: { noise: true }"#))
    let text = Preset.json(of: router.state, title: nil, scope: [.process]).text
    var other = Router()
    try other.recall(text)
    #expect(other.call?.mode == .videoChat && other.call?.voice[.noise] == true)
  }

  // MARK: Data sources

  @Test(
    "A preset's choice of a source is the operator's, also while a mode has chosen the same one; dropped, it ends"
  )
  func sourceOfMode() throws {
    var router = Router()
    let sources =
      #"sources: { front: { ports: ["Mic:front"], for: ["videoRecording"] }, back: ["Mic:back"] }"#
    let call = #"mode: "videoRecording", activate: "manual", active: true"#
    router.state = try Show.state(
      router.state,
      after: try #require(Show.read(Self.text(call: call, mic: sources)).preset).events(for: router.state))
    let member = PortPresence(.input, "mic", members: ["Mic:in"])
    router.state = try Show.state(router.state, after: [.portsPresent([member])])
    #expect(router.state.inputs["mic"]?.sourceOfMode == "front")
    #expect(router.state.inputs["mic"]?.currentSource?.id == "front")
    try router.recall(Self.text(call: call, mic: sources + #", source: "front""#))
    #expect(router.state.inputs["mic"]?.source == "front")
    try router.recall(Self.text(call: call, mic: sources))
    #expect(router.state.inputs["mic"]?.source == nil)
    #expect(router.state.inputs["mic"]?.currentSource?.id == "front")
  }

  @Test("A data source may be an object that says for which modes it is meant; a plain list is for none")
  func sources() throws {
    var router = Router()
    let mic =
      #"sources: { front: { ports: ["Mic:front"], for: ["videoRecording", "measurement"] }, back: ["Mic:back"] }"#
    try router.recall(Self.text(call: "", mic: mic))
    let sources = try #require(router.state.inputs["mic"]?.sources)
    #expect(sources.map(\.id) == ["front", "back"])
    #expect(sources.map(\.modes) == [[.videoRecording, .measurement], []])
    #expect(sources[0].globs.map(\.text) == ["Mic:front"])
    // A stored preset reads the same.
    let stored = Preset.json(of: router.state, title: nil, scope: Set(Scope.allCases)).text
    var again = Router()
    try again.recall(stored)
    #expect(again.state.inputs["mic"]?.sources == sources)
  }

  @Test(
    "Unknown modes, modes that capture nothing, modes of two sources and sources without ports are problems")
  func refusedSources() {
    for (source, word) in [
      (#"front: { ports: ["Mic:a"], for: ["videoRecordin"] }"#, "did you mean \"videoRecording\"?"),
      (#"front: { ports: ["Mic:a"], for: ["moviePlayback"] }"#, "unknown value \"moviePlayback\""),
      (#"front: { for: ["measurement"] }"#, "\"ports\" is missing"),
      (#"front: { ports: [] }"#, "the list is empty"), (#"front: "Mic:a""#, "a list of JACK ports"),
      (
        #"front: { ports: ["Mic:a"], for: ["measurement"] }, back: { ports: ["Mic:b"], for: ["measurement"] }"#,
        "the mode measurement would choose front and back"
      ),
    ] {
      #expect(
        problems(Self.text(call: "", mic: "sources: { \(source) }")).contains { $0.contains(word) },
        "\(source)")
    }
  }
}
