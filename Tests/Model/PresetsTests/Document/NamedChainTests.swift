import Effects
import Presets
import SessionModel
import Testing

@Suite("Named chains of effects")
struct NamedChainTests {
  private static func text(_ band: String, _ usb: String, chains: String) -> String {
    """
    { multiroute: 1, chains: { \(chains) },
      ports: { usb: { type: "usbAudio", outputs: ["USB:*"], channels: 2, effects: \(usb) } },
      sessions: { show: { category: "multiRoute", streams: { band: { effects: \(band) } } } } }
    """
  }

  private static let voice = #"voice: ["high-pass HPfreq=90", { plugin: "compressor", on: false }]"#

  @Test("Several places name one chain, which another preset may replace")
  func chains() throws {
    let text = Self.text("\"voice\"", "\"voice\"", chains: Self.voice)
    let (read, problems) = Show.read(text)
    #expect(problems == [])
    let state = try Show.state(Show.emptyState, after: try #require(read).events(for: Show.emptyState))
    let effects = ["high-pass HPfreq=90", "compressor off"]
    #expect(state.sessions["show"]?.streams["band"]?.insert.effects.map(\.text) == effects)
    #expect(state.outputs["usb"]?.insert.effects.map(\.text) == effects)
    let other = #"{ multiroute: 1, extends: "base", chains: { voice: ["eq"] } }"#
    let (extended, more) = Show.read(other, others: ["base": text])
    #expect(more == [])
    let next = try Show.state(Show.emptyState, after: try #require(extended).events(for: Show.emptyState))
    #expect(next.outputs["usb"]?.insert.effects.map(\.text) == ["eq"])
  }

  @Test("A name that no chain has is a problem with the nearest name")
  func unknown() {
    let (preset, problems) = Show.read(Self.text("\"vioce\"", "\"reverb\"", chains: Self.voice))
    #expect(preset == nil)
    #expect(
      problems == [
        "show.json:2:79: ports.usb.effects: there is no chain \"reverb\" in \"chains\"; write a list such as [\"eq\"], or one of \"voice\"",
        "show.json:3:75: sessions.show.streams.band.effects: there is no chain \"vioce\" in \"chains\"; did you mean \"voice\"?",
      ])
  }

  @Test(
    "A side chain names a stream or an output of the preset; another one is a problem with the nearest name")
  func sideChains() throws {
    func problems(_ usb: String) -> [String] {
      Show.read(Self.text("[\"eq\"]", "[\(usb)]", chains: "")).1
    }
    let key = #"{ plugin: "keyed-compressor", sidechain: "stream:show.band" }"#
    #expect(problems(key) == [] && problems(#""gate sidechain=output:usb""#) == [])
    let (place, needs) = ("show.json:2:79: ports.usb.effects", "needs the sound of a side chain")
    for (text, words) in [
      (#""keyed-compressor""#, "keyed-compressor \(needs)"), (#"{ plugin: "keyed-compressor" }"#, needs),
      (#""gate sidechain=stream:show.bnad""#, "there is no stream \"show.bnad\""),
      (
        #""gate sidechain=stream:shop.band""#,
        "there is no session \"shop\" in \"sessions\"; did you mean \"show\"?"
      ),
      (#""gate sidechain=output:usd""#, "there is no output \"usd\" in \"ports\"; did you mean \"usb\"?"),
      (#""gate sidechain=input:mic""#, "write stream:<session>.<stream> or output:<output>"),
      (#"{ plugin: "gate", sidechain: "a b" }"#, "'a b' is no source of a side chain"),
    ] {
      let found = problems(text)
      #expect(
        found.count == 1 && found[0].hasPrefix("show.json:2:") && found[0].contains(words),
        "\(place): \(found)")
    }
  }

  @Test("A chain in the settings of an input may be a name, too")
  func settings() throws {
    let (read, problems) = Show.read(
      """
      { multiroute: 1, chains: { \(Self.voice) },
        ports: { mic: { type: "builtInMic", inputs: ["Mic:*"], channels: 1 } },
        settings: { "/input/mic/effects": "voice" } }
      """)
    #expect(problems == [])
    let state = try Show.state(Show.emptyState, after: try #require(read).events(for: Show.emptyState))
    #expect(state.inputs["mic"]?.insert.effects.count == 2)
  }
}
