import Presets
import SessionModel
import Testing

@Suite("Ports and programs in presets") struct ProgramKeyTests {
  private func text(from: String, channels: Int = 2, to: String = "[\"Phone:*\"]") -> String {
    """
    { multiroute: 1, ports: { usb: { type: "usbAudio", outputs: ["USB:*"], channels: 2 } }, sessions: { show: {
      category: "multiRoute", streams: { band: { channels: \(channels), from: \(from), to: { usb: 0 } } },
      capture: { to: \(to), channels: 2 } } } }
    """
  }

  private func sources(_ preset: Preset?) throws -> [String] {
    let preset = try #require(preset)
    let state = try Show.state(Show.emptyState, after: preset.events(for: Show.emptyState))
    return state.sessions["show"]?.streams["band"]?.sources.map(\.text) ?? []
  }

  @Test("A program is named by its application, media and node; a map gives channels by hand")
  func programs() throws {
    let (named, problems) = Show.read(
      text(from: #"[{ application: "Fire*", media: "a, b" }, "mpv:*", { node: "x", ports: "X:out" }]"#))
    #expect(problems == [])
    #expect(try sources(named) == ["{application=Fire*,media=a\\, b}", "mpv:*", "{node=x}X:out"])
    #expect(try #require(named).programs.map(\.text).last == "Phone:*")
    let (mapped, others) = Show.read(text(from: #"{ "1": ["a:*", { application: "B" }], "2": ["c:*"] }"#))
    #expect(others == [])
    #expect(try sources(mapped) == ["1=a:*", "1={application=B}", "2=c:*"])
  }

  @Test(
    "A mistake is named with the key and a correction",
    arguments: [
      (#"[{}]"#, "the entry names no program"), (#"[{ app: "x" }]"#, "unknown key \"app\""),
      (#"{ "0": ["a:*"] }"#, "\"0\" is no channel"), (#"{ one: ["a:*"] }"#, "\"one\" is no channel"),
      (#"{ "3": ["a:*"] }"#, "so there is no channel 3"),
      (#"{ "1": ["input:mic"] }"#, "has channels of its own"),
      (#"{ "1": "a:*" }"#, "write a list"), (#""a:*""#, "write a list"),
      (#"[{ media: "" }]"#, "the text is empty"),
    ])
  func mistakes(_ from: String, _ expected: String) {
    let problems = Show.read(text(from: from)).problems.map(\.description)
    #expect(problems.contains { $0.contains("streams.band.from") && $0.contains(expected) }, "\(problems)")
  }

  @Test(
    "check warns of channels that exact names and maps leave over, and of ports that no channel takes",
    arguments: [
      (#"["a:1", "a:2", "a:3"]"#, ["no channel of band takes a:3"]), (#"["a:1", "a:2"]"#, []),
      (#"["a:1"]"#, []),
      (#"["a:1", "b:1"]"#, []), (#"["a:*", "b:1"]"#, []),
      (#"{ "2": ["a:*"] }"#, ["nothing feeds channel 1 of band"]),
    ])
  func gaps(_ from: String, _ expected: [String]) {
    let (preset, problems) = Show.read(text(from: from))
    #expect(preset != nil)
    #expect(problems.count == expected.count)
    for sentence in expected {
      #expect(problems.contains { $0.description.contains(sentence) }, "\(problems)")
    }
  }

  @Test("check warns of a capture's channels that feed nothing")
  func captureGaps() {
    let problems = Show.read(text(from: "[\"a:*\"]", to: "[\"Phone:in_1\"]")).problems
    #expect(problems.map(\.description).contains { $0.contains("channel 2 of the capture feeds nothing") })
  }

  @Test("A stream that becomes narrower drops the sources of the channels that it loses")
  func narrower() throws {
    let wide = try #require(Show.read(text(from: #"{ "1": ["a:*"], "2": ["b:*"] }"#)).preset)
    let state = try Show.state(Show.emptyState, after: wide.events(for: Show.emptyState))
    let narrow = try #require(
      Show.read(
        text(from: "[]", channels: 1).replacing("from: [], ", with: "")
      ).preset)
    let after = try Show.state(state, after: narrow.events(for: state))
    #expect(after.sessions["show"]?.streams["band"]?.sources.map(\.text) == ["1=a:*"])
  }
}
