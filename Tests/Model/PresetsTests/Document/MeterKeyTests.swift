import JSON5
import Presets
import Scenes
import SessionModel
import SessionPolicy
import Testing

@Suite("The key of presets for the meters of outputs")
struct MeterKeyTests {
  private static func text(_ headphones: String, usb: String = "") -> String {
    """
    {
      multiroute: 1,
      ports: {
        usb: { type: "usbAudio", outputs: ["USB:playback_1"], inputs: ["USB:capture_1"], \(usb) },
        headphones: { type: "headphones", outputs: ["Headphones:playback_*"], channels: 2, \(headphones) },
      },
      sessions: { show: { category: "multiRoute", streams: { band: { to: { headphones: 0 } } } } },
    }
    """
  }

  private func problems(_ headphones: String, usb: String = "") -> [String] {
    Show.read(Self.text(headphones, usb: usb)).problems
  }

  @Test("A recall gives an output its meters, and the next one takes them away")
  func recalled() throws {
    var state = Show.emptyState
    var inForce: Preset?
    for (keys, meters) in [
      (#"meters: ["loudness", "ppm"]"#, [.loudness, .ppm]), (#"meters: ["correlation"]"#, [.correlation]),
      ("", []),
    ] as [(String, [OutputMeter])] {
      let preset = try #require(Show.read(Self.text(keys)).preset)
      let outcome = try Recall(preset, replacing: inForce.map { Predecessor($0, isEarlierVersion: false) })
        .outcome(of: state, at: 0) { state, event, time throws(SessionError) in
          try Policy.reduce(&state, event, at: time)
        }
      (state, inForce) = (outcome.state, preset.inForce(after: inForce))
      #expect(state.outputs["headphones"]?.meters == meters)
      #expect(preset.events(for: state) == [])
    }
  }

  @Test("A stored preset keeps them")
  func stored() throws {
    let preset = try #require(Show.read(Self.text(#"meters: ["ppm", "truePeak"]"#)).preset)
    let state = try Show.state(Show.emptyState, after: preset.events(for: Show.emptyState))
    #expect(state.outputs["headphones"]?.meters == [.ppm, .truePeak])
    let written = Preset.json(of: state, title: "Again", scope: Set(Scope.allCases)).text
    #expect(written.contains("\"meters\": [\"ppm\", \"truePeak\"]"), "\(written)")
    let again = try #require(Show.read(written).preset)
    #expect(again.events(for: state) == [])
  }

  @Test(
    "An unknown meter is told with the nearest name, and one that does not suit the channels at its place")
  func problems() {
    #expect(problems(#"meters: ["ppm", "rms", "loudness", "truePeak", "correlation"]"#) == [])
    let near = problems(#"meters: ["lowdness"]"#)
    #expect(
      near.count == 1 && near[0].contains(#"unknown value "lowdness"; did you mean "loudness"?"#), "\(near)")
    let mono = problems("", usb: #"meters: ["ppm", "correlation"]"#)
    #expect(mono.count == 1 && mono[0].contains("usb has 1 channel"), "\(mono)")
    #expect(problems(#"meters: "ppm""#).count == 1)
  }
}
