import Presets
import SessionModel
import SessionPolicy
import Testing

@testable import Drawings

@Suite("The drawing of a preset tells what is routed where")
struct RoutingPlanTests {
  private func plan(_ sessions: String) throws -> RoutingPlan {
    let text = """
      { multiroute: 1, title: "Two rooms", ports: {
        pa: { type: "usbAudio", outputs: ["USB:out_1", "USB:out_2"], inputs: ["USB:in_1", "USB:in_2"] },
        foyer: { type: "lineOut", outputs: ["Foyer:*"], channels: 2, max: 0, delay: 0.012 } },
        sessions: { \(sessions) } }
      """
    let reader = PresetReader { state, event, time throws(SessionError) in
      try Policy.reduce(&state, event, at: time)
    }
    let source = PresetSource(id: "rooms", file: "rooms.json", bytes: Array(text.utf8))
    let (preset, problems) = reader.read(source) { id throws(PresetLibraryError) in
      throw .unknown(id: id.name, folders: [], nearest: nil)
    }
    return RoutingPlan(of: try #require(preset, "\(problems)"), law: Policy.reduce)
  }

  @Test("in plain text, with levels, taps, guards, ducks, and sends that are off")
  func text() throws {
    let plan = try plan(
      """
      show: { category: "multiRoute", activate: "start", protected: true, streams: {
        band: { from: ["Band:out_1", "Band:out_2", "input:pa:2"], duckExempt: true,
          to: { "pa:1-2": 0, foyer: { gain: -6, tap: "pre" } } },
        click: { channels: 1, from: [{ application: "Click", media: "Song*" }], gain: -3, never: ["foyer"],
          to: { "pa": { gain: 0, on: false } } } } },
      music: { category: "playback", output: "foyer", gain: -12, streams: { main: { from: ["mpv:*"] } } },
      announce: { category: "multiRoute", options: ["duckOthers"], activate: "manual", ducking: { level: -20 },
        streams: { voice: { channels: 1, from: ["Voice:out_0"], to: { foyer: 0 } } } }
      """)
    #expect(
      plan.text == """
        Two rooms

        show  multiRoute
          from the start · protected
          Band out_1, out_2 ┬─▶ band  ┬───▶ pa:1-2 0 dB
          pa:2 USB:in_2     ┘         └───▶ foyer -6 dB pre fader
                                (2 channels · never ducked)
          Click media Song* ──▶ click ──    pa off
                                (1 channel · -3 dB · never foyer)

        music  playback
          with its program · -12 dB
          mpv *             ──▶ main  ────▶ foyer 0 dB
                                (2 channels)

        announce  multiRoute
          by command
          ducks show, music by 20 dB
          Voice out_0       ──▶ voice ────▶ foyer 0 dB
                                (1 channel)

        pa     usbAudio · 2 channels · USB:out_1, out_2
        foyer  lineOut · 2 channels · Foyer:* · at most 0 dB · delayed by 12 ms

        """)
  }

  @Test("with the captures: a mix-minus is marked, a microphone goes to the program that records it")
  func captures() throws {
    let plan = try plan(
      """
      host: { category: "multiRoute", activate: "start", streams: { mic: { channels: 1, from: ["input:pa:1"], to: { foyer: 0 } } } },
      guest: { category: "playAndRecord", output: "foyer", streams: { voice: { from: ["Guest:out_*"] } },
        capture: { to: ["Guest:in_*"], mix: { host: 0, "input:pa": -6 } } },
      tape: { category: "record", activate: "manual", capture: { to: ["Tape:in"], channels: 1 } }
      """)
    #expect(plan.sinks.map(\.name) == ["pa", "foyer", "guest receives", "tape receives"])
    #expect(plan.sinks[2].details == ["1 channel", "Guest:in_*", "mix-minus: not guest itself"])
    #expect(plan.sinks[3].details == ["1 channel", "Tape:in"])
    let sends = plan.sessions.map { $0.rows.map { $0.sends.map(\.label) } }
    #expect(sends[0] == [["foyer 0 dB"], ["guest receives 0 dB"]])
    #expect(sends[1] == [["foyer 0 dB"], ["guest receives -6 dB"]])
    #expect(sends[2] == [["tape receives 0 dB"]])
    #expect(plan.sources[plan.sessions[2].rows[0].sources[0]].name == "pa")
    #expect(plan.svg.contains("class=\"line c0 capture\""))
  }

  @Test("with monitor outputs and talkbacks, which have no lines of their own")
  func monitoring() throws {
    let plan = try Shipped.plan(of: "theatre")
    let calls = try #require(plan.sessions.first { $0.name == "calls" })
    #expect(calls.notes == ["by command · protected", "talkback to dressing"])
    #expect(plan.sinks.filter { $0.details.contains("hears solos") }.map(\.name) == ["phones"])
  }

  @Test("and equal presets have equal drawings")
  func deterministic() throws {
    for id in Shipped.ids {
      let (one, other) = (try Shipped.plan(of: id), try Shipped.plan(of: id))
      #expect(one.svg == other.svg && one.text == other.text)
    }
  }
}
