import JSON5
import Presets
import SessionModel
import Testing

@Suite("A preset may extend another one")
struct ExtendingTests {
  @Test("Keys of the extending preset replace keys of the other one or are added to them")
  func extending() throws {
    let quiet = """
      {
        multiroute: 1, extends: "loud", title: "Quiet",
        ports: { usb: { max: -6 }, speaker: { type: "builtInSpeaker", outputs: ["Speaker:*"] } },
        sessions: {
          show: { gain: -12, streams: { band: { to: { "usb:1-2": -3, headphones: -9 } } } },
          talk: { category: "playback", output: "speaker" },
        },
      }
      """
    let loud = Show.text(
      session: #"gain: 0, options: ["mixWithOthers"], activate: "start","#, root: #"title: "Loud","#)
    let (read, problems) = Show.read(quiet, others: ["loud": loud])
    #expect(problems == [])
    let preset = try #require(read)
    #expect(preset.title == "Quiet")
    #expect(preset.sessions == ["show", "talk"])
    let state = try Show.state(Show.emptyState, after: preset.events(for: Show.emptyState))
    let show = try #require(state.sessions["show"])
    #expect((show.gain.target, show.options, show.isActive) == (-12, .mixWithOthers, true))
    #expect(
      StreamRoute.text(of: show.streams["band"]!.destinations, order: state.outputs.keys)
        == "usb:1-2=-3,headphones=-9")
    #expect(show.streams["click"]?.never == ["usb"])
    #expect(state.outputs["usb"]?.maximum == -6)
    #expect(state.outputs["usb"]?.globs.count == 2)
  }

  @Test("A problem has the name of its file, and a key in the other file does not count as missing")
  func files() {
    let base = Show.text(root: "colour: 1,")
    let (preset, problems) = Show.read(
      #"{ multiroute: 1, extends: "base", sessions: { show: { streams: { band: { to: { usb: 0, pa: 0 } } } } } }"#,
      others: ["base": base])
    #expect(preset == nil)
    #expect(
      problems == [
        "base.json:14:3: colour: unknown key \"colour\"; allowed here: $schema, multiroute, title, extends, others, fade, scope, safe, ports, sessions, players, recorders, groups, chains, ducking, interruptions, settings, kept, ramp, strips",
        "show.json:1:88: sessions.show.streams.band.to.pa: there is no output \"pa\" in \"ports\"; add it to \"ports\", or use one that exists: \"usb\", \"headphones\"",
      ])
  }

  @Test("A circle of presets of any length is reported")
  func circle() {
    let others = [
      "second": #"{ multiroute: 1, extends: "third" }"#, "third": #"{ multiroute: 1, extends: "show" }"#,
    ]
    let (preset, problems) = Show.read(#"{ multiroute: 1, extends: "second" }"#, others: others)
    #expect(preset == nil)
    #expect(
      problems == [
        "third.json:1:27: extends: \"show\" extends itself in a loop: show extends second extends third extends show; remove one \"extends\""
      ])
  }

  @Test("When the other preset cannot be read, only that is reported, and no key counts as missing")
  func unreadable() {
    let text = #"{ multiroute: 1, extends: "base", sessions: { show: { gain: "loud" } } }"#
    let unclosed = Show.read(text, others: ["base": "{"])
    #expect(
      unclosed.problems == [
        "base.json:1:1: this { is never closed; add the missing }",
        "show.json:1:61: sessions.show.gain: \"loud\" is text; write a number up to 10 dB",
      ])
    let absent = Show.read(#"{ multiroute: 1, extends: "base" }"#)
    #expect(
      absent.problems == [
        "show.json:1:27: extends: there is no preset \"base\" (looked in here); multiroute presets lists all presets"
      ])
  }
}
