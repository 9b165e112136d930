import OSC
import SessionModel
import Testing

@Suite("Leaves of a session that depend on other sessions are fed back exactly when they change")
struct NeighbourTests {
  private static let leaves = ["interrupted", "ducked", "hint", "others", "prompt", "why", "causes"]

  /// Events that change leaves of other sessions.
  private static let script = [
    OSCMessage("/session/music/active", 1), OSCMessage("/session/music/io/output", "running"),
    OSCMessage("/session/bed/active", 1), OSCMessage("/session/bed/io/output", "running"),
    OSCMessage("/session/more/active", 1), OSCMessage("/session/more/io/output", "running"),
    OSCMessage("/session/voice/active", 1), OSCMessage("/session/voice/duck/exempt", 1),
    OSCMessage("/duck/scope", "heard"), OSCMessage("/interruption/phone/ringing", 1),
    OSCMessage("/interruption/phone/on", 1), OSCMessage("/session/talk/active", 1),
    OSCMessage("/interruption/phone/on", 0), OSCMessage("/session/talk/active", 1),
    OSCMessage("/session/talk/capture/exclusive", 1), OSCMessage("/session/talk/io/input", "running"),
    OSCMessage("/input/usb/hardware", 1), OSCMessage("/input/usb/hardware", 0),
    OSCMessage("/session/music/active", 1), OSCMessage("/silent", 1), OSCMessage("/output/radio/mute", 1),
    OSCMessage("/session/voice/set", "record", "default", "none"), OSCMessage("/session/voice/active", 0),
    OSCMessage("/silent", 0), OSCMessage("/session/music/foreground", 0), OSCMessage("/system/panic", 1),
    OSCMessage("/system/panic", 0), OSCMessage("/session/remove", "music"),
  ]

  @Test("Each message is a change, each change gives a message, and the last one equals the answer to a get")
  func exactly() throws {
    var desk = try Desk.stage()
    for (id, category, options) in [
      ("bed", "ambient", "none"), ("more", "playback", "mixWithOthers"), ("voice", "playback", "duckOthers"),
      ("talk", "playAndRecord", "none"),
    ] {
      desk.send("/session/create", .string(id), .string(category), "default", .string(options))
    }
    for id in desk.state.sessions.keys { try desk.happen(.connected(id, true)) }
    func addresses() -> [String] {
      desk.state.sessions.keys.flatMap { id in Self.leaves.map { "/session/\(id)/\($0)" } }
    }
    desk.send(
      "/subscribe", .string("/session/*/{\(Self.leaves.joined(separator: ","))}"), 1_000, from: Desk.other)
    desk.wait(1, as: Desk.other)
    var changes: [String: Int] = [:]
    for message in Self.script {
      let before = desk.readAll(addresses())
      // A refused activation is a change of why, too.
      desk.send(message)
      let heard = desk.wait(0.1, as: Desk.other)
      let after = desk.readAll(addresses())
      #expect(Set(heard.map(\.address)).count == heard.count, "\(message): nothing is told twice")
      let changed = after.filter { before[$0.key] != $0.value }.map(\.key)
      #expect(Set(heard.map(\.address)) == Set(changed), "\(message)")
      for message in heard {
        #expect(message.arguments == after[message.address], "\(message)")
        changes[String(message.address.split(separator: "/").last!), default: 0] += 1
      }
    }
    for leaf in Self.leaves { #expect(changes[leaf, default: 0] >= 3, "\(leaf) changed \(changes)") }
  }

  @Test("Why a session is heard, and what its capture contains, follow the desktop's mixer")
  func desktopMixer() throws {
    var desk = try Desk.stage()
    try desk.happen(.connected("show", true))
    desk.send("/session/show/active", 1)
    desk.send("/session/show/capture/channels", 1)
    desk.send("/session/show/capture/input/mic/on", 1)
    for address in ["/session/show/why", "/session/show/capture/why"] {
      desk.send("/subscribe", .string(address), 1_000, from: Desk.other)
    }
    desk.wait(1, as: Desk.other)
    func heard(_ direction: Direction, _ port: PortID) throws -> String {
      try desk.happen(.desktopVolume(direction, port, DesktopVolume(percent: 30, isMuted: false)))
      return Desk.told(desk.wait(0.1, as: Desk.other)).joined(separator: "\n")
    }
    let output = try heard(.output, "usb")
    #expect(output.contains("usb is turned down to 30 % in the desktop's mixer"), "\(output)")
    let input = try heard(.input, "mic")
    #expect(input.contains("/session/show/capture/why"), "\(input)")
    #expect(input.contains("input mic is turned down to 30 % in the desktop's mixer"), "\(input)")
  }
}
