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
    #expect(Table.keys(of: .destination).map(\.key) == ["on", "gain", "map", "tap"])
  }

  @Test("No object has a key twice", arguments: PresetObject.all.map(\.name))
  func distinct(_ name: String) throws {
    let kind = try #require(PresetObject.all.first { $0.name == name })
    let all = kind.keys + kind.later
    #expect(Set(all).count == all.count)
    #expect(Set(kind.required).isSubset(of: kind.keys))
  }

  @Test("The problem of a later key says so, and a misspelled later key gets the right name as a suggestion")
  func later() {
    let (_, problems) = Show.read("{ multiroute: 1, strips: {}, stripes: {} }")
    #expect(
      problems == [
        "show.json:1:18: strips: \"strips\" is not supported yet (16, notYet); remove it for now",
        "show.json:1:30: stripes: unknown key \"stripes\"; did you mean \"strips\"?",
      ])
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
