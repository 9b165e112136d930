import OSC
import SessionModel
import Testing

@Suite("The leaves below a value")
struct SubLeafTests {
  @Test("The three scales of a level are one value")
  func scales() throws {
    var desk = try Desk.stage()
    for (level, position, label) in [
      (0.0, 0.75, "0.0 dB"), (10, 1, "+10.0 dB"), (-10, 0.5, "-10.0 dB"), (-30, 0.25, "-30.0 dB"),
      (-60, 0.0625, "-60.0 dB"), (-90, 0, "off"), (-12.5, 0.46875, "-12.5 dB"),
    ] {
      desk.send("/session/show/gain", .float(Float(level)))
      #expect(desk.get("/session/show/fader") == [.float(Float(position))])
      #expect(desk.get("/session/show/gain/text") == [.string(label)])
      desk.send("/session/show/gain", 3)
      desk.send("/session/show/fader", .float(Float(position)))
      #expect(desk.get("/session/show/gain") == [.float(Float(level))])
    }
  }

  @Test(
    "A relative move adds: a decrease ends at off and answers that, an increase beyond the maximum is refused"
  )
  func increment() throws {
    var desk = try Desk.stage()
    #expect(desk.send("/session/show/gain/inc", -2.5).isEmpty)
    #expect(desk.get("/session/show/gain") == [-2.5])
    let refused = desk.send("/session/show/gain/inc", 30)
    #expect(refused.errorCode == .outOfRange)
    #expect(refused["/session/show/gain"] == [-2.5])
    #expect(desk.send("/session/show/gain/inc", -300) == [OSCMessage("/session/show/gain", -90.0)])
    desk.send("/session/show/fader", 0.5)
    #expect(desk.send("/session/show/fader/inc", 0.25).isEmpty)
    #expect(desk.get("/session/show/gain") == [0.0])
    #expect(desk.send("/session/show/fader/inc", 0.26).errorCode == .outOfRange)
    #expect(desk.send("/session/show/fader/inc", -1) == [OSCMessage("/session/show/fader", 0.0)])
    #expect(desk.send("/output/usb/delay/inc", 5) == [OSCMessage("/output/usb/delay", 2.0)])
    #expect(desk.send("/session/show/gain/inc").errorCode == .badValue)
    #expect(desk.send("/session/show/gain/inc", "x").errorCode == .badValue)
  }

  @Test("A level in an error has one decimal, although a float of OSC has more")
  func levelInError() throws {
    var desk = try Desk.stage()
    let sentence = try #require(desk.send("/session/show/gain", 12.3).errors.first?.arguments.last)
    #expect(sentence == .string("12.3 dB is above the maximum of 10.0 dB; nothing changed"))
  }

  @Test("A lowered maximum lowers the level, and subscribers see both")
  func loweredMaximum() throws {
    var desk = try Desk.stage()
    desk.send("/subscribe", "/output/usb/{gain,max}")
    _ = desk.wait(1)
    let answers = desk.send("/output/usb/max", -20) + desk.wait(1)
    #expect(answers["/output/usb/gain"] == [-20.0])
    #expect(desk.send("/output/usb/gain/inc", -1).errorCode == nil)
    #expect(desk.get("/output/usb/gain") == [-21.0])
  }

  @Test("A total maximum is a number or off, takes admin, and bounds the sum of the gains on the way")
  func totalMaximum() throws {
    var desk = try Desk.stage()
    #expect(desk.get("/output/usb/maxTotal") == ["off"])
    desk.send("/output/usb/maxTotal", 60)
    #expect(desk.get("/output/usb/maxTotal") == [40.0])
    desk.send("/output/usb/maxTotal", -3)
    desk.send("/session/show/stream/main/route", "usb")
    #expect(desk.get("/session/show/stream/main/to/usb/gain") == [-3.0])
    #expect(desk.send("/session/show/gain/inc", 2).errorCode == .outOfRange)
    #expect(desk.send("/session/show/gain", -2).errorCode == nil)
    desk.send("/output/usb/maxTotal", "off")
    #expect(desk.send("/session/show/gain", 10).errorCode == nil)
    #expect(desk.send("/output/usb/maxTotal", "loud").errorCode == .badValue)
  }

  @Test("Reset returns to the value of the preset in force; its release does nothing")
  func reset() throws {
    var desk = try Desk.stage()
    try desk.happen(.session("show", .gain(.store(-4))))
    desk.send("/session/show/gain", -20)
    #expect(desk.send("/session/show/gain/reset", 0).isEmpty)
    #expect(desk.get("/session/show/gain") == [-20.0])
    #expect(desk.send("/session/show/gain/reset").isEmpty)
    #expect(desk.get("/session/show/gain") == [-4.0])
    #expect(desk.send("/session/show/gain/reset", "now").errorCode == .badType)
  }

  @Test("A fade runs along the fader's travel and ends exactly at its value")
  func fade() throws {
    var desk = try Desk.stage()
    #expect(desk.send("/session/show/gain/fade", -10, 2).isEmpty)
    #expect(desk.get("/session/show/gain") == [0.0])
    desk.time += 1
    #expect(desk.get("/session/show/fader") == [0.625])
    #expect(desk.get("/session/show/gain") == [-5.0])
    desk.time += 1
    #expect(desk.get("/session/show/gain") == [-10.0])
  }

  @Test("The newest fade or set wins, and a stop keeps the value where it is")
  func fadeEnds() throws {
    var desk = try Desk.stage()
    desk.send("/session/show/fader/fade", 0.5, 2)
    desk.time += 1
    desk.send("/session/show/gain/fade/stop")
    desk.time += 5
    #expect(desk.get("/session/show/gain") == [-5.0])
    desk.send("/session/show/gain/fade", -30, 10)
    desk.time += 1
    desk.send("/session/show/gain/fade", 0, 1)
    desk.time += 1
    #expect(desk.get("/session/show/gain") == [0.0])
    desk.send("/session/show/gain/fade", -30, 10)
    desk.send("/session/show/gain", -1)
    desk.time += 20
    #expect(desk.get("/session/show/gain") == [-1.0])
  }

  @Test("A fade beyond 600 s or below the range answers the applied values; one above the maximum is refused")
  func fadeLimits() throws {
    var desk = try Desk.stage()
    #expect(
      desk.send("/session/show/gain/fade", -100, 601) == [OSCMessage("/session/show/gain/fade", -90.0, 600.0)]
    )
    let refused = desk.send("/session/show/gain/fade", 11, 1)
    #expect(refused.errorCode == .outOfRange)
    #expect(refused["/session/show/gain"] == [0.0])
    #expect(desk.send("/session/show/gain/fade", -3, .float(.nan)).errorCode == .badValue)
    #expect(desk.send("/session/show/gain/fade").errorCode == .badValue)
    #expect(desk.send("/session/show/gain/fade", -3, 0).isEmpty)
    #expect(desk.get("/session/show/gain") == [-3.0])
  }

  @Test("A toggle turns a switch over at each press, never at a release")
  func toggle() throws {
    var desk = try Desk.stage()
    desk.send("/session/show/mute/toggle", 1)
    desk.send("/session/show/mute/toggle", 0)
    #expect(desk.get("/session/show/mute") == [1])
    desk.send("/session/show/mute/toggle")
    #expect(desk.get("/session/show/mute") == [0])
    #expect(desk.send("/get", "/session/show/mute/toggle").errorCode == .badValue)
  }

  @Test("A choice has a number, a lamp per value, and steps around its values")
  func choice() throws {
    var desk = try Desk.stage()
    #expect(desk.get("/fade/curve/fader") == [1])
    desk.send("/fade/curve/linear")
    #expect(desk.get("/fade/curve") == ["linear"])
    #expect(desk.get("/fade/curve/fader") == [0])
    #expect(desk.get("/fade/curve/index") == [1])
    desk.send("/fade/curve/next", 1)
    desk.send("/fade/curve/next", 0)
    #expect(desk.get("/fade/curve") == ["sCurve"])
    desk.send("/fade/curve/next")
    #expect(desk.get("/fade/curve") == ["fader"])
    desk.send("/fade/curve/prev")
    #expect(desk.get("/fade/curve") == ["sCurve"])
  }

  @Test("A refused lamp reads the true value")
  func refusedLamp() throws {
    var desk = try Desk.stage()
    let answers = desk.send("/session/show/mode/voiceChat")
    #expect(answers.errorCode == .badParam)
    #expect(answers["/session/show/mode/voiceChat"] == [0])
  }

  @Test("An option that a category always has is accepted, and its lamp shows that it is not remembered")
  func implicitOption() throws {
    var desk = try Desk.stage()
    #expect(
      desk.send("/session/music/option/allowAirPlay", 1) == [
        OSCMessage("/session/music/option/allowAirPlay", 0)
      ])
  }
}

@Suite("Touched faders")
struct TouchTests {
  @Test("A snapshot leaves out a fader with the client's finger on it, also at its strip")
  func touchedSnapshot() throws {
    var desk = try FeedbackTests.followed("/session/show/gain")
    desk.send("/strip/1/assign", "/session/show")
    desk.send("/session/show/gain/touch", 1, from: Desk.other)
    desk.send("/session/show/gain", -3)
    desk.send("/subscribe", "/{session,strip}", from: Desk.other)
    let heard = desk.wait(2, as: Desk.other)
    #expect(heard.contains { $0.address == "/snapshot/end" })
    #expect(heard["/session/music/gain"] == [0.0])
    for leaf in ["gain", "fader", "gain/text"] {
      #expect(heard["/session/show/\(leaf)"] == nil && heard["/strip/1/\(leaf)"] == nil)
    }
    // Another client has no finger there.
    #expect(desk.snapshot("/session/show/gain").messages["/session/show/gain"] == [-3.0])
    desk.send("/session/show/gain/touch", 0, from: Desk.other)
    let told = desk.wait(0.1, as: Desk.other)
    #expect(told["/session/show/gain"] == [-3.0] && told["/strip/1/gain"] == [-3.0])
  }

  @Test(
    "A client that touches a fader gets no feedback of it until the touch ends, and then its present value")
  func feedback() throws {
    var desk = try Desk.stage()
    desk.send("/subscribe", "/session/show/gain")
    desk.wait(0.1)
    desk.send("/session/show/gain/touch", 1)
    desk.send("/session/show/gain", -7, from: Desk.other)
    #expect(desk.wait(0.5).isEmpty)
    desk.send("/session/show/fader/touch", 0)
    #expect(desk.wait(0.1)["/session/show/gain"] == [-7.0])
    desk.send("/session/show/gain", -8, from: Desk.other)
    #expect(desk.wait(0.1)["/session/show/gain"] == [-8.0])
  }

  @Test("A touch stops a running fade, and no client's fade moves the fader during the touch")
  func fades() throws {
    var desk = try Desk.stage()
    desk.send("/session/show/gain/fade", -10, 2)
    desk.time += 1
    desk.send("/session/show/fader/touch", 1)
    desk.time += 1
    #expect(desk.get("/session/show/gain") == [-5.0])
    #expect(desk.send("/session/show/gain/fade", -30, 0, from: Desk.other).isEmpty)
    #expect(desk.get("/session/show/gain") == [-5.0])
    // The rest of a cue goes on.
    desk.bundle(OSCMessage("/session/show/gain/fade", -30, 0), OSCMessage("/session/music/gain/fade", -3, 0))
    #expect(desk.get("/session/show/gain") == [-5.0])
    #expect(desk.get("/session/music/gain") == [-3.0])
    desk.send("/session/show/gain/touch", 0)
    desk.send("/session/show/gain/fade", -30, 0)
    #expect(desk.get("/session/show/gain") == [-30.0])
  }

  @Test("A touch ends by itself 10 s after the last set, not 10 s after its beginning")
  func renewal() throws {
    var desk = try Desk.stage()
    desk.send("/session/show/gain/touch", 1)
    desk.time += 9
    desk.send("/session/show/gain", -1)
    desk.time += 9
    desk.send("/session/show/gain/fade", -30, 0, from: Desk.other)
    #expect(desk.get("/session/show/gain") == [-1.0])
    desk.time += 1.1
    desk.send("/session/show/gain/fade", -30, 0, from: Desk.other)
    #expect(desk.get("/session/show/gain") == [-30.0])
  }

  @Test("The end of one client's touch does not end another client's")
  func twoFingers() throws {
    var desk = try Desk.stage()
    desk.send("/session/show/gain/touch", 1)
    desk.send("/session/show/gain/touch", 1, from: Desk.other)
    desk.send("/session/show/gain/touch", 0, from: Desk.other)
    desk.send("/session/show/gain/fade", -30, 0)
    #expect(desk.get("/session/show/gain") == [0.0])
    desk.send("/bye")
    desk.send("/session/show/gain/fade", -30, 0)
    #expect(desk.get("/session/show/gain") == [-30.0])
  }
}
