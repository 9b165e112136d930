import OSC
import Testing

@testable import Router

@Suite struct KeptStateTests {
  @Test("A number that no whole number of OSC can be is left out instead of ending the program")
  func outOfRange() throws {
    let text = #"{ "multiroute": 1, "preset": "show", "settings": [["/ramp", 1e12, 3, { "f": 0.5 }]] }"#
    let kept = try #require(KeptState(text: Array(text.utf8)))
    #expect(kept.settings.first?.arguments.count == 2)
  }

  @Test("What is kept reads as it was written, and a file without cables is read, too")
  func roundTrip() throws {
    let messages = [
      OSCMessage("/session/show/gain", [.float(-3.5)]),
      OSCMessage("/session/show/stream/band/from", [.string("Band:out_1"), .int32(2)]),
    ]
    var kept = KeptState(preset: "show", settings: messages)
    let text = #"{ "multiroute": 1, "preset": "show", "settings": [] }"#
    #expect(KeptState(text: Array(text.utf8)) == KeptState(preset: "show", settings: []))
    kept.taken = TakenCables(
      server: "12 34 a-b",
      links: [Link(source: "Band \"A\":out_1", sink: "Speaker:playback_1"), Link(source: "b", sink: "c")])
    #expect(KeptState(text: Array(kept.text.utf8)) == kept)
  }
}
