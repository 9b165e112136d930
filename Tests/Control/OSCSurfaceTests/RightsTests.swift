import ControlInterface
import OSC
import OSCSurface
import Parameters
import SessionModel
import Testing

@Suite("Permissions of clients")
struct RightsTests {
  static let viewer = Desk.remote(HostAddress(0xC0A8_0105), 8_000)
  static let mixer = Desk.remote(HostAddress(0xC0A8_0106), 8_000)
  static let stranger = Desk.remote(HostAddress(0x0808_0808), 8_000)

  static func desk() throws -> Desk {
    var admission = Admission(passcodes: ["1234": .control, "4711": .admin])
    // The host's own line counts, though the line of its network comes first.
    admission.hosts = [HostRule("192.168.1.0/24", right: .view), HostRule("192.168.1.6", right: .control)]
      .compactMap(\.self)
    return try Desk.stage(admission: admission)
  }

  @Test("Loopback is admin, listed hosts have the permission of the list, and all others get no answer")
  func hosts() throws {
    var desk = try Self.desk()
    #expect(desk.send("/output/usb/max", 0).isEmpty)
    #expect(desk.send("/session/show/gain", -1, from: Self.mixer).isEmpty)
    #expect(desk.send("/output/usb/max", 1, from: Self.mixer).errorCode == .denied)
    #expect(desk.send("/session/show/stream/main/never", "usb", from: Self.mixer).errorCode == .denied)
    let refused = desk.send("/session/show/gain", -2, from: Self.viewer)
    #expect(refused.errorCode == .denied)
    #expect(refused["/session/show/gain"] == [-1.0])
    #expect(desk.send("/session/create", "late", from: Self.viewer).errorCode == .denied)
    #expect(desk.send("/session/show/gain", from: Self.viewer).count == 1)
    #expect(desk.send("/ping", 1, from: Self.viewer) == [OSCMessage("/pong", 1)])
    for message in [
      OSCMessage("/ping"), OSCMessage("/hello", "x", "4711"), OSCMessage("/session/show/gain", -9),
    ] {
      #expect(desk.send(message, from: Self.stranger).isEmpty)
    }
    #expect(desk.send("/session/show/gain", -2).isEmpty)
  }

  @Test("To raise a ceiling above the preset's takes admin; to lower it, or to bring it back, does not")
  func ceiling() throws {
    var desk = try Self.desk()
    #expect(desk.send("/output/usb/ceiling", -6, from: Self.mixer).isEmpty)
    #expect(desk.send("/output/usb/ceiling", -1, from: Self.mixer).isEmpty)
    let refused = desk.send("/output/usb/ceiling", -0.5, from: Self.mixer)
    #expect(refused.errorCode == .denied)
    #expect(refused["/output/usb/ceiling"] == [-1.0])
    #expect(desk.send("/output/usb/ceiling/fade", 0, 2, from: Self.mixer).errorCode == .denied)
    #expect(desk.send("/output/usb/ceiling/inc", 1, from: Self.mixer).errorCode == .denied)
    #expect(desk.get("/output/usb/ceiling") == [-1.0])
    #expect(desk.send("/output/usb/ceiling", 0).isEmpty)
    #expect(desk.send("/output/usb/ceiling", -0.5, from: Self.mixer).isEmpty)
    #expect(desk.send("/output/usb/ceiling", 0, from: Self.mixer).errorCode == .denied)
  }

  @Test("A reload of the hosts lets new ones in, and ends the feedback of those that it no longer lists")
  func reloadedHosts() throws {
    var desk = try Self.desk()
    desk.send("/subscribe", "/session/show/gain", from: Self.viewer)
    desk.wait(1, as: Self.viewer)
    desk.surface.admit(Admission(hosts: [try #require(HostRule("8.8.8.8", right: .control))]))
    #expect(desk.send("/session/show/gain", -9, from: Self.stranger).isEmpty)
    #expect(desk.get("/session/show/gain") == [-9.0])
    #expect(desk.wait(1, as: Self.viewer).isEmpty)
    #expect(desk.send("/ping", 1, from: Self.viewer).isEmpty)
    desk.send("/subscribe", "/session/show/gain", from: Self.stranger)
    desk.wait(1, as: Self.stranger)
    // A reload that still lists the host keeps its subscription.
    desk.surface.admit(Admission(hosts: [try #require(HostRule("8.8.8.0/24", right: .view))]))
    desk.send("/session/show/gain", -3)
    #expect(desk.wait(0.1, as: Self.stranger)["/session/show/gain"] == [-3.0])
    #expect(desk.send("/session/show/gain", -4, from: Self.stranger).errorCode == .denied)
  }

  @Test("A passcode raises the permission of the host for good, also for later messages of the same packet")
  func passcode() throws {
    var desk = try Self.desk()
    let answers = desk.bundle(
      OSCMessage("/hello", "tablet", "1234"), OSCMessage("/session/show/gain", -3), from: Self.viewer)
    #expect(answers.count == 1)
    #expect(answers[0].typeTags == "isssii")
    #expect(answers[0].arguments[1...4] == ["control", "multiroute", "1.2.3", 7])
    #expect(desk.get("/session/show/gain") == [-3.0])
    desk.send("/bye", from: Self.viewer)
    #expect(desk.send("/session/show/gain", -4, from: Self.viewer.withPort(9)).isEmpty)
    #expect(desk.send("/hello", "tablet", from: Self.mixer)[0].arguments[1] == "control")
    #expect(desk.send("/hello", "desk", "1234")[0].arguments[1] == "admin")
  }

  @Test(
    "After three wrong passcodes the host must wait 10 s before any further one, and keeps the permission that it has"
  )
  func wrongPasscodes() throws {
    var desk = try Self.desk()
    for port in 1...3 {
      #expect(
        desk.send("/hello", "tablet", "guess", from: Self.viewer.withPort(UInt16(port))).errorCode == .denied)
    }
    desk.time += 9.9
    #expect(desk.send("/hello", "tablet", "1234", from: Self.viewer).errorCode == .denied)
    #expect(desk.send("/ping", from: Self.viewer).count == 1)
    #expect(desk.send("/hello", "tablet", "1234", from: Self.mixer)[0].address == "/welcome")
    desk.time += 0.2
    #expect(desk.send("/hello", "tablet", "1234", from: Self.viewer)[0].address == "/welcome")
  }

  @Test(
    "A correct passcode of a lower permission gives no further tries for a higher one: 3 in 10 s, however they are mixed",
    arguments: [0, 1, 2])
  func mixedPasscodes(_ place: Int) throws {
    var desk = try Self.desk()
    var tries = 0
    for step in 0..<900 {
      desk.time += 0.01
      let passcode = step % 3 == place ? "1234" : "guess \(step)"
      if case .string(let text)? = desk.send("/hello", "x", .string(passcode), from: Self.viewer)["/error"]?
        .last,
        text == "the passcode is wrong"
      {
        tries += 1
      }
    }
    // The right code raised the permission; before and after that three wrong ones were heard.
    #expect(tries == 3)
    // The limit for errors is over, the wait is not.
    desk.time += 0.9
    #expect(desk.send("/hello", "x", "4711", from: Self.viewer).errorCode == .denied)
    desk.time += 10
    #expect(desk.send("/hello", "x", "4711", from: Self.viewer)["/welcome"]?[1] == "admin")
  }

  @Test("While the router is locked, only admin may change anything; every client may read")
  func lock() throws {
    var desk = try Self.desk()
    #expect(desk.send("/system/lock", 1, from: Self.mixer).errorCode == .denied)
    desk.send("/system/lock", 1)
    #expect(desk.send("/session/show/gain", -1, from: Self.mixer).errorCode == .locked)
    #expect(desk.send("/session/create", "x", from: Self.mixer).errorCode == .locked)
    #expect(desk.send("/session/show/gain", from: Self.mixer).count == 1)
    #expect(desk.send("/subscribe", "/ramp", from: Self.mixer).errors.isEmpty)
    #expect(desk.send("/session/show/gain", -1).isEmpty)
    desk.send("/system/lock", 0)
    #expect(desk.send("/session/show/gain", -2, from: Self.mixer).isEmpty)
  }

  @Test("While the router is locked, a session whose client still sends signs of life stays active")
  func lockedLease() throws {
    var desk = try Self.desk()
    desk.send("/session/show/lease", 3)
    desk.send("/session/show/active", 1)
    desk.send("/system/lock", 1)
    desk.time += 2
    #expect(desk.send("/session/show/alive", from: Self.mixer).isEmpty)
    #expect(desk.send("/session/show/alive", from: Self.viewer).errorCode == .denied)
    desk.time += 2
    try desk.happen(.elapsed)
    #expect(desk.get("/session/show/active") == [1])
  }

  @Test("A lock does not hold a finger on its fader: the release passes, also at a strip; a touch does not")
  func lockedTouch() throws {
    var desk = try Self.desk()
    desk.send("/strip/1/assign", "/session/show")
    for fader in ["/session/show/gain", "/strip/1/fader"] {
      desk.send(OSCMessage("\(fader)/touch", 1), from: Self.mixer)
      desk.send("/system/lock", 1)
      #expect(desk.send(OSCMessage("\(fader)/touch", 1), from: Self.mixer).errorCode == .locked)
      #expect(desk.send(OSCMessage("\(fader)/touch", 0), from: Self.mixer).isEmpty)
      #expect(desk.get("/system/touched") == ["none"])
      desk.send("/system/lock", 0)
    }
    #expect(desk.send("/session/show/gain/touch", 0, from: Self.viewer).errorCode == .denied)
  }

  @Test(
    "A host rule is an address or a network",
    arguments: [
      ("192.168.1.5", true), ("192.168.1.0/24", true), ("192.168.1.5/32", true), ("0.0.0.0/0", true),
      ("192.168.2.0/24", false), ("192.168.1.6", false),
    ])
  func rules(_ text: String, _ isFor: Bool) throws {
    let rule = try #require(HostRule(text, right: .view))
    #expect((Admission(hosts: [rule]).right(of: Self.viewer.host) == .view) == isFor)
  }

  @Test(
    "A text that is not a host rule is refused",
    arguments: ["", "192.168.1", "192.168.1.0/33", "192.168.1.0/-1", "tablet", "1.2.3.4/5/6"])
  func noRules(_ text: String) { #expect(HostRule(text, right: .view) == nil) }
}

@Suite("Permissions of clients over WebSocket")
struct WebSocketRightsTests {
  private static func client(of peer: Peer) -> Peer {
    Peer(transport: WebSocketTransport.transport, host: peer.host, endpoint: 1)
  }

  @Test("A WebSocket has the permission of its host, and a passcode raises that")
  func rights() throws {
    var desk = try RightsTests.desk()
    let (viewer, mixer) = (Self.client(of: RightsTests.viewer), Self.client(of: RightsTests.mixer))
    #expect(desk.send("/session/show/gain", -1, from: mixer).isEmpty)
    #expect(desk.send("/session/show/gain", -2, from: viewer).errorCode == .denied)
    #expect(desk.send("/ping", 1, from: viewer) == [OSCMessage("/pong", 1)])
    #expect(desk.send("/ping", 1, from: Self.client(of: RightsTests.stranger)).isEmpty)
    #expect(desk.send("/hello", "tablet", "1234", from: viewer).errorCode == nil)
    #expect(desk.send("/session/show/gain", -3, from: viewer).isEmpty)
    #expect(desk.send("/session/show/gain", -4, from: RightsTests.viewer).isEmpty)
    #expect(desk.get("/session/show/gain") == [-4.0])
  }
}
