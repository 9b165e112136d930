import Presets
import SessionModel
import SessionPolicy
import Testing

@Suite("Keys of presets for the law of sessions")
struct LawKeyTests {
  private func state(_ text: String) throws -> RouterState {
    let (preset, problems) = Show.read(text)
    #expect(problems == [])
    return try Show.state(Show.emptyState, after: try #require(preset).events(for: Show.emptyState))
  }

  @Test("Every key of the law sets the same as its address")
  func keys() throws {
    let text = """
      {
        multiroute: 1,
        ports: {
          usb: { type: "usbAudio", outputs: ["USB:out"], inputs: ["USB:in"], duckLimit: -30, hardware: true },
          mic: { type: "builtInMic", inputs: ["Mic:in"], hardware: true },
        },
        sessions: {
          film: { category: "playback", mode: "moviePlayback", policy: "longFormVideo" },
          show: {
            category: "multiRoute", options: ["mixWithOthers"], protected: true, foreground: false, permission: "denied",
            captureExclusive: true, ignoreAlerts: true, outputMute: true, notify: false, activate: "signal", threshold: -60,
            hold: 3, resume: "always", unplug: "interrupt", lease: 30, duckExempt: true,
            streams: { click: { duckExempt: true } }, ducking: { level: -20, attack: 1, release: "inherit" },
          },
          bell: { category: "ambient", priority: "alert" },
        },
        ducking: { level: -10, attack: 0.1, release: 2, scope: "heard" },
        interruptions: { scope: "nonMixable" },
      }
      """
    let state = try state(text)
    let show = try #require(state.sessions["show"])
    #expect(state.outputs["usb"]?.duckLimit.target == -30)
    #expect(state.inputs["usb"]?.isHardwareMuted == true && state.inputs["mic"]?.isHardwareMuted == true)
    #expect(state.sessions["film"]?.sharingPolicy == .longFormVideo)
    #expect(state.sessions["film"]?.mode == .moviePlayback)
    #expect(show.isProtected && !show.isForeground && show.permission == .denied)
    #expect(show.isCaptureExclusive && show.ignoresAlerts && show.isOutputMuted && !show.notifiesOthers)
    #expect(show.activation == .signal && show.signalThreshold.target == -60 && show.signalHold.target == 3)
    #expect(show.resumption == .always && show.unplug == .interrupt && show.lease.target == 30)
    #expect(show.isDuckExempt && show.streams["click"]?.isDuckExempt == true)
    #expect(show.ducker.level?.target == -20 && show.ducker.attack?.stored == 1 && show.ducker.release == nil)
    #expect(state.sessions["bell"]?.priority == .alert)
    let ducking = state.ducking
    #expect((ducking.level.target, ducking.attack.target, ducking.release.target) == (-10, 0.1, 2))
    #expect(ducking.scope == .heard && state.interruptionScope == .nonMixable)
    let preset = try #require(Show.read(text).preset)
    #expect(preset.events(for: state) == [], "a setting that is in force gave an event")
  }

  @Test(
    "A new session resumes when that is recommended and waits for its output, unless the preset sets otherwise"
  )
  func usual() throws {
    let state = try state(
      #"{ multiroute: 1, sessions: { a: { category: "ambient" }, b: { category: "ambient", resume: "never", unplug: "continue" } } }"#
    )
    #expect(state.sessions["a"]?.resumption == .recommended && state.sessions["a"]?.unplug == .wait)
    #expect(state.sessions["a"]?.activation == .connected)
    #expect(state.sessions["b"]?.resumption == .never && state.sessions["b"]?.unplug == .continue)
    // A recall does not change settings that the preset does not name.
    let changed = try Show.state(state, after: [.session("a", .resumption(.always))])
    let preset = try #require(
      Show.read(#"{ multiroute: 1, sessions: { a: { category: "ambient" } } }"#).preset)
    #expect(preset.events(for: changed) == [])
  }

  @Test("A recall removes a session's own value if the preset has \"inherit\" there")
  func inherit() throws {
    func preset(_ level: String) throws -> Preset {
      try #require(
        Show.read(
          #"{ multiroute: 1, sessions: { a: { category: "ambient", ducking: { level: \#(level) } } } }"#
        ).preset)
    }
    let (own, inherited) = (try preset("-20"), try preset(#""inherit""#))
    let state = try Show.state(Show.emptyState, after: own.events(for: Show.emptyState))
    #expect(inherited.events(for: state) == [.session("a", .duckLevel(nil))])
    #expect(own.events(for: state) == [])
    let given = try Show.state(state, after: inherited.events(for: state))
    #expect(own.events(for: given) == [.session("a", .duckLevel(.store(-20)))])
  }

  // MARK: Warnings

  private func warnings(_ sessions: String) -> [String] {
    let (preset, problems) = Show.read("{ multiroute: 1, sessions: {\n\(sessions)\n} }")
    #expect(preset != nil, "a warning refused the preset")
    return problems
  }

  @Test("Each session that would interrupt another gives a warning at the key that causes it")
  func interrupters() {
    #expect(
      warnings(
        """
        music: { category: "playback", options: [] },
        bed: { category: "ambient" },
        podcast: { category: "playback" },
        talk: { category: "playback", options: ["duckOthers"] },
        radio: { category: "soloAmbient", options: [] },
        """) == [
          "show.json:2:41: warning: sessions.music.options: \"music\" interrupts \"radio\" when it becomes active; add \"mixWithOthers\" to the options of one of them, unless that is intended",
          "show.json:6:44: warning: sessions.radio.options: \"radio\" interrupts \"music\" when it becomes active; add \"mixWithOthers\" to the options of one of them, unless that is intended",
        ])
  }

  @Test("A way to a built-in speaker gives a warning if another output can be connected")
  func speakers() {
    func problems(_ ports: String) -> [String] {
      Show.read(
        """
        { multiroute: 1, ports: { foyer: { type: "builtInSpeaker", outputs: ["Foyer:*"] }, \(ports) },
          sessions: { show: { category: "multiRoute", streams: { band: { to: { foyer: 0 } } } } } }
        """
      ).problems
    }
    #expect(problems("") == [])
    #expect(
      problems(#"usb: { type: "usbAudio", outputs: ["USB:*"] }"#) == [
        "show.json:2:72: warning: sessions.show.streams.band.to.foyer: \"foyer\" is a built-in speaker, which multiRoute uses only when no other output is connected; give a loudspeaker of its own the type \"lineOut\""
      ])
  }

  @Test(
    "Calls interrupt sessions that mix, too, but no protected sessions and no alerts; prompts interrupt spoken audio"
  )
  func special() {
    #expect(
      warnings(
        """
        phone: { category: "playAndRecord", mode: "voiceChat", priority: "call" },
        bed: { category: "ambient" },
        show: { category: "multiRoute", protected: true },
        bell: { category: "ambient", priority: "alert" },
        book: { category: "playback", mode: "spokenAudio", options: ["mixWithOthers"] },
        guide: { category: "playback", options: ["interruptSpokenAudioAndMixWithOthers"] },
        """) == [
          "show.json:2:66: warning: sessions.phone.priority: \"phone\" interrupts \"bed\", \"book\", \"guide\" when it becomes active; set \"protected\" in sessions that must go on, unless that is intended",
          "show.json:7:41: warning: sessions.guide.options: \"guide\" interrupts \"book\" when it becomes active; remove interruptSpokenAudioAndMixWithOthers, unless that is intended",
        ])
  }

  @Test(
    "Of many interrupted sessions only the first few are named, and a session that may not become active interrupts none"
  )
  func many() throws {
    let many = (1...10).map { #"s\#($0): { category: "playback", options: [] },"# }.joined(separator: "\n")
    let found = warnings(many + "\nback: { category: \"playback\", options: [], foreground: false },")
    #expect(found.count == 10)
    #expect(found[0].contains(#""s1" interrupts "s2", "s3", "s4", "s5" and 6 more when"#))
  }
}
