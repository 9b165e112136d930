import Presets
import SessionModel
import SessionPolicy
import Testing

@Suite("What a preset says of the law of sessions")
struct LawKeyTests {
  private func state(_ text: String) throws -> RouterState {
    let (preset, problems) = Show.read(text)
    #expect(problems == [])
    return try Show.state(Show.emptyState, after: try #require(preset).events(for: Show.emptyState))
  }

  @Test("Every key of the law sets what its address sets")
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
    #expect(preset.events(for: state) == [], "what is in force gives no event")
  }

  @Test("A new session resumes when that is recommended and waits for its output, unless it says otherwise")
  func usual() throws {
    let state = try state(
      #"{ multiroute: 1, sessions: { a: { category: "ambient" }, b: { category: "ambient", resume: "never", unplug: "continue" } } }"#
    )
    #expect(state.sessions["a"]?.resumption == .recommended && state.sessions["a"]?.unplug == .wait)
    #expect(state.sessions["a"]?.activation == .connected)
    #expect(state.sessions["b"]?.resumption == .never && state.sessions["b"]?.unplug == .continue)
    // A recall leaves alone what it does not name.
    let changed = try Show.state(state, after: [.session("a", .resumption(.always))])
    let preset = try #require(
      Show.read(#"{ multiroute: 1, sessions: { a: { category: "ambient" } } }"#).preset)
    #expect(preset.events(for: changed) == [])
  }

  @Test("A recall gives up what a session had of its own where the preset says inherit")
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
    #expect(preset != nil, "a warning refuses nothing")
    return problems
  }

  @Test("Each session that would interrupt another is warned of, where it says so")
  func interrupters() {
    #expect(
      warnings(
        """
        music: { category: "playback" },
        bed: { category: "ambient" },
        talk: { category: "playback", options: ["duckOthers"] },
        radio: { category: "soloAmbient", options: [] },
        """) == [
          "show.json:2:20: warning: sessions.music.category: \"music\" interrupts \"radio\" when it becomes active; add \"mixWithOthers\" to the options of one of them, unless that is meant",
          "show.json:5:44: warning: sessions.radio.options: \"radio\" interrupts \"music\" when it becomes active; add \"mixWithOthers\" to the options of one of them, unless that is meant",
        ])
  }

  @Test(
    "Calls interrupt who mixes, too, but neither the protected nor alerts; prompts interrupt spoken audio")
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
          "show.json:2:66: warning: sessions.phone.priority: \"phone\" interrupts \"bed\", \"book\", \"guide\" when it becomes active; set \"protected\" where something must go on, unless that is meant",
          "show.json:7:41: warning: sessions.guide.options: \"guide\" interrupts \"book\" when it becomes active; remove interruptSpokenAudioAndMixWithOthers, unless that is meant",
        ])
  }

  @Test("Of many only the first few are named, and one that may not become active interrupts nobody")
  func many() throws {
    let many = (1...10).map { #"s\#($0): { category: "playback" },"# }.joined(separator: "\n")
    let found = warnings(many + "\nback: { category: \"playback\", foreground: false },")
    #expect(found.count == 10)
    #expect(found[0].contains(#""s1" interrupts "s2", "s3", "s4", "s5" and 6 more when"#))
  }
}
