import Chance
import Checkout
import Parameters
import SessionModel
import Testing

@testable import Presets

@Suite("The keys of a preset are those of the table of parameters")
struct PresetKeyTests {
  @Test(
    "Every parameter that is a key can be set, and no object has a key twice",
    arguments: Table.Owner.allCases)
  func keys(of owner: Table.Owner) {
    let keys = Table.keys(of: owner)
    #expect(keys.filter { !$0.isWritable }.isEmpty)
    #expect(Set(keys.compactMap(\.key)).count == keys.count)
    #expect(PresetObject.all.contains { $0.owners.contains(owner) } == !keys.isEmpty)
  }

  @Test("A parameter belongs to the innermost object of its address")
  func owners() {
    let owner = { (address: String) in Table.parameters.first { $0.address == address }?.owner }
    #expect(owner("/ramp") == .router)
    #expect(owner("/session/<s>/output/preferred") == .session)
    #expect(owner("/session/<s>/capture/to") == .capture)
    #expect(owner("/session/<s>/capture/session/<x>/gain") == .captureSession)
    #expect(owner("/session/<s>/stream/<t>/to/<o>/tap") == .destination)
    #expect(Table.keys(of: .destination).map(\.key) == ["on", "gain", "pan", "map", "tap"])
  }

  @Test("No object has a key twice", arguments: PresetObject.all.map(\.name))
  func distinct(_ name: String) throws {
    let kind = try #require(PresetObject.all.first { $0.name == name })
    let all = kind.keys
    #expect(Set(all).count == all.count)
    #expect(Set(kind.required).isSubset(of: kind.keys))
  }

  @Test("A strip whose target the preset does not make is a warning with the nearest address")
  func strips() {
    let (preset, problems) = Show.read(
      "{ multiroute: 1, sessions: { show: { category: 'playback' } }, strips: ['/session/show', '8=/session/shaw'] }"
    )
    #expect(preset != nil)
    #expect(
      problems == [
        "show.json:1:90: warning: strips[1]: this preset makes no /session/shaw, so the strip shows nothing while it does not exist; did you mean '/session/show'?"
      ])
  }

  @Test(
    "A strip at a control is checked as far as the plugin is not needed",
    arguments: [
      ("/session/show/stream/voice/effect/1/control/HPfreq", nil), ("/output/pa/effect/2/control/gt", nil),
      ("/output/pa/effect/3/control/gt", "does not exist; /output/pa has 2 effects"),
      (
        "/session/show/stream/voice/effect/2/control/gt",
        "does not exist; /session/show/stream/voice has 1 effect"
      ),
      (
        "/session/show/stream/voise/effect/1/control/HPfreq",
        "does not exist; did you mean '/session/show/stream/voice'?"
      ),
      (
        "/session/show/capture/effect/1/control/HPfreq", "does not exist; /session/show/capture has 0 effects"
      ),
      ("/output/pa/effect/x/control/gt", "is no target of a strip"),
      ("/output/pa/effect/1/control/g-t", "is no target of a strip"),
    ])
  func stripAtControl(_ address: String, _ words: String?) {
    let (_, problems) = Show.read(
      """
      { multiroute: 1, ports: { pa: { type: 'usbAudio', outputs: ['PA:*'], effects: ['eq', 'gate'] } },
        sessions: { show: { category: 'playback', streams: { voice: { effects: ['eq'] } } } }, strips: ['\(address)'] }
      """)
    let ofStrip = problems.filter { $0.contains("strips[0]") }
    #expect(ofStrip.count == (words == nil ? 0 : 1), "\(problems)")
    if let words { #expect(ofStrip.first?.contains(words) == true, "\(problems)") }
  }

  @Test(
    "A strip that is none, that is assigned twice or that has no target is a problem",
    arguments: [
      ("'65=/output/usb'", "strips are 1 to 64"), ("'x=/output/usb'", "strips are 1 to 64"),
      ("'/preset/go'", "is no target of a strip"), ("'/output/a', '1=/output/b'", "has two targets"),
    ])
  func wrongStrips(_ list: String, _ words: String) {
    let (preset, problems) = Show.read("{ multiroute: 1, strips: [\(list)] }")
    #expect(preset == nil && problems.contains { $0.contains(words) }, "\(problems)")
  }

  @Test("A preset with a warning is usable")
  func warning() {
    let (preset, problems) = Show.read(
      Show.text(
        band: #"from: ["Phone:out_*"]"#, session: #"mute: true,"#
      ).replacing(
        "sessions: {",
        with:
          #"sessions: { call: { category: "multiRoute", options: ["mixWithOthers"], capture: { to: ["Phone:in_*"], mix: { show: 0 } } },"#
      ))
    #expect(preset != nil)
    #expect(
      problems == [
        "show.json:7:113: warning: sessions.call.capture.mix.show: \"show\" comes from the program that receives the capture, which may hear itself; leave it out unless that is intended"
      ])
  }

  @Test("Any damaged preset gives a preset or an error")
  func mutations() throws {
    let text = Array(try Checkout.text("presets/usb-and-headphones.json").utf8)
    var generator = SeededGenerator(seed: 7)
    let letters = Array(#"{}[]",:-0azZ*/ "#.utf8)
    for _ in 0..<400 {
      var bytes = text
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let index = Int.random(in: bytes.indices, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[index] = letters.randomElement(using: &generator)!
        case 1: bytes.remove(at: index)
        default: bytes.insert(letters.randomElement(using: &generator)!, at: index)
        }
      }
      let (preset, problems) = Show.read(String(decoding: bytes, as: UTF8.self))
      #expect((preset == nil) == !problems.isEmpty || problems.allSatisfy { $0.contains(": warning: ") })
    }
  }
}
