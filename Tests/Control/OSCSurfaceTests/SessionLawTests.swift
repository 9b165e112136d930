import OSC
import SessionModel
import Testing

@Suite("The law of sessions over OSC")
struct SessionLawTests {
  /// A desk whose events come to `me`, with the sessions `radio` (soloAmbient) and `talk` (playAndRecord) besides.
  private static func stage() throws -> Desk {
    var desk = try Desk.stage()
    desk.send("/session/create", "radio", "soloAmbient")
    desk.send("/session/create", "talk", "playAndRecord")
    desk.send("/subscribe", "/event/*")
    desk.wait(0.1)
    return desk
  }

  @Test("An interrupted session gets one event, before the answer to the session that interrupts it")
  func interruption() throws {
    var desk = try Self.stage()
    desk.send("/session/music/active", 1)
    #expect(
      Desk.told(desk.send("/request", 1, "/session/radio/active", 1)) == [
        "/event/active music 0 system", "/event/interruption music began 0 radio",
        "/event/active radio 1 app", "/response 1 0 /session/radio/active 1",
      ])
    #expect(desk.get("/session/music/interrupted") == [1])
    #expect(
      desk.get("/session/music/why") == [
        "interrupted by radio since it is active; stays silent until it is activated (resume is never)"
      ])
    #expect(
      Desk.told(desk.send("/session/radio/active", 0)) == [
        "/event/active radio 0 app", "/event/interruption music ended 1 radio", "/event/recommend music 1",
      ])
    #expect(desk.get("/session/music/interrupted") == [0])
  }

  @Test(
    "A second argument decides whether a deactivation notifies others; without one, the leaf notify decides")
  func notifying() throws {
    for (notify, arguments, expected) in [
      (1, [0], 1), (0, [0], 0), (1, [0, 0], 0), (0, [0, 1], 1),
    ] as [(Int32, [OSCArgument], Int32)] {
      var desk = try Self.stage()
      desk.send("/session/music/active", 1)
      desk.send("/session/radio/active", 1)
      desk.send("/session/radio/notify", .int32(notify))
      let told = Desk.told(desk.send(OSCMessage("/session/radio/active", arguments)))
      #expect(told.contains("/event/interruption music ended \(expected) radio"))
      #expect(told.contains("/event/recommend music \(expected)"))
    }
    var desk = try Self.stage()
    let refused = desk.send("/session/music/active", 1, 1)
    #expect(refused.errorCode == .badParam)
    #expect(refused["/session/music/active"] == [0])
  }

  @Test(
    "A phone interrupts the sessions that play; its end recommends that they resume, unless its argument is 0"
  )
  func phone() throws {
    var desk = try Self.stage()
    desk.send("/session/music/active", 1)
    desk.send("/session/show/options", "mixWithOthers")
    desk.send("/session/show/protected", 1)
    desk.send("/session/show/active", 1)
    #expect(
      Desk.told(desk.send("/request", 1, "/interruption/phone/on", 1)) == [
        "/event/active music 0 system", "/event/interruption music began 0 phone",
        "/response 1 0 /interruption/phone/on 1",
      ])
    #expect(desk.send("/interruption/list") == [OSCMessage("/interruption/list", 0, 1, "phone", "default")])
    #expect(desk.send("/interruption/phone/on", 1).isEmpty, "it is on already")
    #expect(
      Desk.told(desk.send("/interruption/end", "phone", 0)) == [
        "/event/interruption music ended 0 phone", "/event/recommend music 0",
      ])
    #expect(desk.send("/interruption/phone/on", 0).isEmpty, "a button's release")
    desk.send("/session/music/resume", "recommended")
    desk.send("/session/music/active", 1)
    #expect(
      Desk.told(desk.send("/interruption/begin", "door", "builtInMicMuted"))
        == ["/event/active music 0 system", "/event/interruption music began 2 door"])
    #expect(desk.send("/interruption/list").map(\.arguments) == [[0, 1, "door", "builtInMicMuted"]])
    #expect(desk.send("/interruption/clear", 0).isEmpty)
    #expect(
      Desk.told(desk.send("/interruption/clear", 1)) == [
        "/event/interruption music ended 1 door", "/event/recommend music 1", "/event/active music 1 system",
      ])
    #expect(desk.send("/interruption/list") == [OSCMessage("/interruption/list", 0, 0)])
  }

  @Test(
    "An interruption without a valid source or reason is refused",
    arguments: [
      (OSCMessage("/interruption/begin"), ErrorCode.badValue),
      (OSCMessage("/interruption/begin", "list"), .badValue),
      (OSCMessage("/interruption/begin", "a phone"), .badValue),
      (OSCMessage("/interruption/begin", "*"), .noWildcard),
      (OSCMessage("/interruption/begin", "phone", "ring"), .badValue),
      (OSCMessage("/interruption/end", "phone", "perhaps"), .badValue),
      (OSCMessage("/interruption/*/clear"), .unknownAddress), (OSCMessage("/interruption/c*"), .noWildcard),
      (OSCMessage("/interruption/Phone/on", 1), .unknownAddress),
      (OSCMessage("/session/absent/alive"), .unknownAddress),
      (OSCMessage("/session/show/interrupted", 1), .readOnly),
      (OSCMessage("/session/show/duck/now", -3), .readOnly),
      (OSCMessage("/session/show/duck/level", "inherited"), .badValue),
      (OSCMessage("/duck/level", "inherit"), .badValue),
    ])
  func refusals(_ message: OSCMessage, _ code: ErrorCode) throws {
    var desk = try Self.stage()
    let before = desk.state
    #expect(desk.send(message).errorCode == code, "\(message)")
    #expect(desk.state == before)
  }

  @Test(
    "A refused activation has AVAudioSession's number and symbol, and its recommendation comes when the call is over"
  )
  func refusedActivation() throws {
    var desk = try Self.stage()
    desk.send("/subscribe", "/session/talk/why")
    desk.wait(0.1)
    desk.send("/interruption/phone/on", 1)
    let refused = desk.send("/session/talk/active", 1)
    let error = try #require(refused.errors.first)
    #expect(error.arguments.prefix(3) == ["/session/talk/active", 561_017_449, "!pri"])
    #expect(refused["/session/talk/active"] == [0])
    // A refused call changes nothing that can be read.
    #expect((refused + desk.wait(0.1))["/session/talk/why"] == nil)
    desk.send("/session/talk/active", 1)
    let over = Desk.told(desk.send("/interruption/phone/on", 0))
    #expect(over.filter { $0.hasPrefix("/event/recommend") } == ["/event/recommend talk 1"])
    #expect(desk.send("/session/talk/active", 1).errors.isEmpty)
  }

  @Test("Of a bundle that is undone, only the refused activation stays: it waits for its recommendation")
  func refusedBundle() throws {
    var desk = try Self.stage()
    desk.send("/interruption/phone/on", 1)
    let answers = desk.bundle(
      OSCMessage("/session/music/active", 1), OSCMessage("/session/talk/gain", -6),
      OSCMessage("/session/talk/active", 1), OSCMessage("/session/talk/active", 1))
    #expect(answers.errors.count == 2)
    #expect(desk.get("/session/music/active") == [0])
    #expect(desk.get("/session/talk/gain") == [0.0])
    #expect(desk.state.sessions["talk"]?.refusal == .source("phone"))
    #expect(desk.state.sessions["music"]?.refusal == nil)
    let over = Desk.told(desk.send("/interruption/phone/on", 0))
    #expect(over == ["/event/recommend talk 1"])
  }

  @Test("Deactivating while I/O runs succeeds, succeeds and reports isBusy, or is refused")
  func deactivation() throws {
    var desk = try Self.stage()
    func begin() {
      desk.send("/session/music/active", 1)
      desk.send("/session/music/io/output", "running")
    }
    begin()
    #expect(Desk.told(desk.send("/session/music/active", 0)) == ["/event/active music 0 app"])
    desk.send("/system/deactivation", "reports")
    begin()
    let reported = desk.send("/session/music/active", 0)
    #expect(reported.map(\.address) == ["/event/active", "/event/error", "/error"])
    #expect(reported.errors[0].arguments.prefix(3) == ["/session/music/active", 560_030_580, "!act"])
    #expect(desk.get("/session/music/active") == [0])
    begin()
    let response = desk.send("/request", 1, "/session/music/active", 0)
    #expect(response.last?.arguments.prefix(4) == [1, 560_030_580, "/session/music/active", "!act"])
    #expect(desk.get("/session/music/active") == [0])
    desk.send("/system/deactivation", "refuses")
    begin()
    let refused = desk.send("/session/music/active", 0)
    #expect(refused.errorCode == .isBusy)
    #expect(refused["/session/music/active"] == [1])
    #expect(desk.get("/session/music/active") == [1])
  }

  @Test(
    "Category, mode and options change together or not at all, and the event has the configuration in force")
  func configuration() throws {
    var desk = try Self.stage()
    #expect(
      Desk.told(desk.send("/session/music/set", "playAndRecord", "videoChat", "duckOthers")).first
        == "/event/category music playAndRecord videoChat mixWithOthers+duckOthers+allowBluetoothHFP+defaultToSpeaker"
    )
    #expect(desk.get("/session/music/mode") == ["videoChat"])
    let refused = desk.send("/session/music/set", "playback", "videoChat", "none")
    #expect(refused.errorCode == .badParam)
    #expect(desk.get("/session/music/category") == ["playAndRecord"])
    #expect(desk.send("/session/music/option/defaultToSpeaker", 0).errorCode == .badParam)
    #expect(desk.send("/session/music/output/mute", 1).errorCode == .badParam)
    desk.send("/session/music/mode", "default")
    #expect(Desk.told(desk.send("/session/music/output/mute", 1)) == ["/event/mute music 1"])
    // A mode that does not allow an output mute unmutes.
    let told = Desk.told(desk.send("/session/music/mode", "voiceChat"))
    #expect(told.contains("/event/mute music 0"))
  }

  @Test("Other sessions get a hint when primary audio begins and ends")
  func hint() throws {
    var desk = try Self.stage()
    desk.send("/session/show/set", "ambient", "default", "none")
    desk.send("/session/show/active", 1)
    desk.send("/session/music/active", 1)
    #expect(Desk.told(desk.send("/session/music/io/output", "running")) == ["/event/hint show 1"])
    #expect(desk.get("/session/show/hint") == [1])
    #expect(desk.get("/session/show/others") == [1])
    #expect(desk.get("/session/music/others") == [0])
    #expect(Desk.told(desk.send("/session/music/io/output", "stopped")) == ["/event/hint show 0"])
    #expect(desk.get("/session/show/others") == [0])
  }

  @Test("A lease is renewed by a sign of life and by nothing else, and its end notifies")
  func lease() throws {
    var desk = try Self.stage()
    desk.send("/session/music/active", 1)
    desk.send("/session/music/lease", 10)
    desk.time += 6
    #expect(desk.send("/session/music/alive", 0).isEmpty)
    #expect(try #require(desk.state.nextDeadline) < desk.time + 5, "a button's release is no sign of life")
    #expect(desk.send("/session/music/alive").isEmpty)
    let deadline = try #require(desk.state.nextDeadline)
    #expect(deadline == desk.time + 10)
    desk.time = deadline
    try desk.happen(.elapsed)
    #expect(desk.get("/session/music/active") == [0])
  }
}
