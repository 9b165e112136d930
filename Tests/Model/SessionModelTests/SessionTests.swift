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

  @Test("A session of several outputs is sent to those of its streams, any other to its whole route")
  func isSent() {
    var session = Session(id: "talk")
    session.route = Route(outputs: ["usb", "hall"])
    session.category = .playback
    #expect(session.isSent(to: "usb") && !session.isSent(to: "headphones"))
    session.category = .multiRoute
    #expect(!session.isSent(to: "usb"))
    var stream = SessionStream(id: "main", channels: 2)
    stream.destinations["usb"] = Destination()
    stream.destinations["hall"] = Destination(isOn: false)
    session.streams["main"] = stream
    #expect(session.isSent(to: "usb") && !session.isSent(to: "hall"))
  }
}
