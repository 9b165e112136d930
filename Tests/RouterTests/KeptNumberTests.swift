import OSC
import Testing

@testable import Router

@Suite struct KeptNumberTests {
  @Test("A number that no whole number of OSC can be is left out instead of ending the program")
  func outOfRange() throws {
    let text = #"{ "multiroute": 1, "preset": "show", "settings": [["/ramp", 1e12, 3, { "f": 0.5 }]] }"#
    let kept = try #require(KeptState(text: Array(text.utf8)))
    #expect(kept.settings.first?.arguments.count == 2)
  }
}
