import SessionModel
import Testing

@Suite("The order of ports as channels")
struct ChannelOrderTests {
  private func sorted(_ names: String...) -> [String] { ChannelOrder.sorted(names) { $0 } }

  @Test(
    "Names of loudspeakers give the standard order, whatever the order and the spelling",
    arguments: [
      "FL FR", "FL FR FC LFE RL RR", "FL FR FC LFE RL RR SL SR", "FL FR FC LFE SL SR", "FL FR RL RR",
      "FL FR FC RC", "L R C LFE Ls Rs", "front-left front-right front-center lfe rear-left rear-right",
      "left right",
    ])
  func loudspeakers(layout: String) {
    let names = layout.split(separator: " ").map { "AV Receiver:playback_\($0)" }
    var rest = names
    for _ in names {
      rest = Array(rest.dropFirst() + rest.prefix(1))
      #expect(ChannelOrder.sorted(rest) { $0 } == names)
      #expect(ChannelOrder.sorted(rest.sorted()) { $0 } == names)
    }
  }

  @Test("A number that PipeWire adds to a name does not count")
  func addedNumbers() {
    #expect(
      sorted("Twin:playback_FR-67", "Twin:playback_FL-65") == ["Twin:playback_FL-65", "Twin:playback_FR-67"])
  }

  @Test("Ports whose names differ in numbers are in the order of the numbers, others in that of the server")
  func numbers() {
    #expect(sorted("a:out_10", "a:out_9", "a:out_1") == ["a:out_1", "a:out_9", "a:out_10"])
    #expect(sorted("a:AUX10", "a:AUX2", "a:AUX0") == ["a:AUX0", "a:AUX2", "a:AUX10"])
    #expect(sorted("a:main_2", "a:send_1", "a:main_1") == ["a:main_1", "a:main_2", "a:send_1"])
    #expect(sorted("a:zulu", "a:alpha", "a:mike") == ["a:zulu", "a:alpha", "a:mike"])
    // Two of one kind are no layout.
    #expect(sorted("a:x_L", "a:y_L") == ["a:x_L", "a:y_L"])
  }
}
