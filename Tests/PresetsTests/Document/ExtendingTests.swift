import Presets
import SessionModel
import Testing

@Suite("A preset may start from another one")
struct ExtendingTests {
  @Test("What stands in the extending preset is said instead or besides")
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
      session: #"gain: 0, options: ["mixWithOthers"], activate: "start","#, root: #"title: "Loud", fade: 3,"#)
    let (read, problems) = Show.read(quiet, others: ["loud": loud])
    #expect(problems == [])
    let preset = try #require(read)
    #expect((preset.title, preset.fade) == ("Quiet", 3))
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

  @Test("A problem is named in the file that has it, and what the other file has is not missing")
  func files() {
    let base = Show.text(root: "colour: 1,")
    let (preset, problems) = Show.read(
      #"{ multiroute: 1, extends: "base", sessions: { show: { streams: { band: { to: { usb: 0, pa: 0 } } } } } }"#,
      others: ["base": base])
    #expect(preset == nil)
    #expect(
      problems == [
        "base.json:14:3: colour: \"colour\" is not known here; known here: $schema, multiroute, title, extends, fade, ports, sessions, ducking, interruptions, ramp",
        "show.json:1:88: sessions.show.streams.band.to.pa: there is no output \"pa\" in \"ports\"; add it to \"ports\", or write one that is there: \"usb\", \"headphones\"",
      ])
  }

  @Test("A circle of presets is named, at whatever length")
  func circle() {
    let others = [
      "second": #"{ multiroute: 1, extends: "third" }"#, "third": #"{ multiroute: 1, extends: "show" }"#,
    ]
    let (preset, problems) = Show.read(#"{ multiroute: 1, extends: "second" }"#, others: others)
    #expect(preset == nil)
    #expect(
      problems == [
        "third.json:1:27: extends: show extends second extends third extends show, and so on for ever; break the circle"
      ])
  }

  @Test("When the other preset cannot be read, only that is said, and nothing seems to be missing")
  func unreadable() {
    let text = #"{ multiroute: 1, extends: "base", sessions: { show: { gain: "loud" } } }"#
    let unclosed = Show.read(text, others: ["base": "{"])
    #expect(
      unclosed.problems == [
        "base.json:1:1: this { is never closed; add the missing }",
        "show.json:1:61: sessions.show.gain: \"loud\" is text; write a number up to 10 dB",
      ])
    let nobody = Show.read(#"{ multiroute: 1, extends: "base" }"#)
    #expect(
      nobody.problems == [
        "show.json:1:27: extends: there is no preset \"base\" (looked in here); multiroute presets lists those there are"
      ])
  }
}
