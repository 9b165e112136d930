import SessionModel
import Testing

@Suite("Sessions as values")
struct SessionTests {
  @Test("A session that has lost what few sessions have equals one that never had it, and its copy keeps it")
  func rarities() {
    let plain = Session(id: "talk")
    var session = plain
    session.preferredHardware.rate = 44_100
    session.directSources = ["mic:1"]
    session.voiceReport.lateFrames = 3
    session.refusal = .source("phone")
    session.awaitedOutput = "usb"
    session.process = FileProcess(number: 1, input: "in.wav", output: "out.wav")
    let copy = session
    #expect(session != plain)
    session.preferredHardware.rate = 0
    session.directSources = []
    session.voiceReport.lateFrames = 0
    (session.refusal, session.awaitedOutput, session.process) = (nil, nil, nil)
    #expect(session == plain)
    #expect(copy.preferredHardware.rate == 44_100 && copy.directSources == ["mic:1"])
    #expect(copy.voiceReport.lateFrames == 3 && copy.refusal == .source("phone"))
    #expect(copy.awaitedOutput == "usb" && copy.process?.input == "in.wav")
  }

  @Test("Changing a route or a displacement does not change its copy")
  func sharedValues() {
    var route = Route(input: "mic", outputs: ["usb"])
    let former = route
    route.outputs.append("hall")
    #expect(former.outputs == ["usb"] && route.outputs == ["usb", "hall"] && route != former)
    route.outputs = ["usb"]
    #expect(route == former)
    var displacement = Displacement(by: .source("phone"))
    let call = displacement
    displacement.interrupter = .session("talk")
    #expect(call.interrupter == .source("phone") && displacement != call)
  }

  @Test(
    "A session is sent exactly to the outputs that it lists, in their order, and to no other list of outputs",
    arguments: [[], ["a"], ["a", "b"], ["b", "a"]] as [[PortID]])
  func sentExactly(route: [PortID]) {
    let lists: [[PortID]] = [
      [], ["a"], ["b"], ["c"], ["a", "b"], ["b", "a"], ["a", "c"], ["b", "c", "a"],
    ]
    var wrong: [String] = []
    for category in [Category.playback, .multiRoute] {
      for first in 0..<27 {
        for second in 0..<27 {
          var session = Session(id: "show")
          (session.category, session.route) = (category, Route(outputs: route))
          session.streams["one"] = Self.stream("one", first)
          session.streams["two"] = Self.stream("two", second)
          let sent = session.sentOutputs
          for list in lists + [sent] where session.isSentExactly(to: list) != (list == sent) {
            wrong.append("\(category) \(first) \(second) \(list)")
          }
        }
      }
    }
    #expect(wrong.isEmpty)
  }

  /// A stream with one of the 27 choices of destinations at three outputs: none, one that is off, one that is on.
  private static func stream(_ id: StreamID, _ choice: Int) -> SessionStream {
    var stream = SessionStream(id: id, channels: 2)
    for (output, place) in [("a", 1), ("b", 3), ("c", 9)] as [(PortID, Int)] {
      let state = choice / place % 3
      if state > 0 { stream.destinations[output] = Destination(isOn: state == 2) }
    }
    return stream
  }
}
