import OSC
import SessionModel
import Surface
import Testing

@Suite("What was set is kept, and set again after a crash")
struct KeptSettingsTests {
  /// What a preset makes at every start: sessions that differ from what was kept.
  private static func start() throws -> Desk {
    var desk = try Desk.stage()
    desk.send("/session/create", "radio", "soloAmbient")
    desk.send("/session/create", "voice", "playback", "default", "duckOthers")
    for id in desk.state.sessions.keys { try desk.happen(.connected(id, true)) }
    desk.send("/session/music/resume", "always")
    for id in ["show", "music", "radio"] { desk.send("/session/\(id)/activate", "start") }
    return desk
  }

  /// What was set until the crash.
  private static func crashed(_ messages: [OSCMessage]) throws -> Desk {
    var desk = try start()
    for message in messages { #expect(desk.send(message).errors.isEmpty, "\(message)") }
    return desk
  }

  private static func restored(_ kept: [OSCMessage]) throws -> Desk {
    var desk = try start()
    _ = desk.surface.restore(kept, &desk.state, at: desk.time)
    return desk
  }

  static let lives: [[OSCMessage]] = [
    // Interrupted by a session that began later than the preset has it.
    [OSCMessage("/session/music/active", 1), OSCMessage("/session/radio/active", 1)],
    [OSCMessage("/session/radio/active", 1), OSCMessage("/session/music/active", 1)],
    // Turned off, though the preset starts them, and one would come back by itself.
    [
      OSCMessage("/session/radio/active", 0, 0), OSCMessage("/session/music/active", 0),
      OSCMessage("/session/show/active", 0),
    ],
    // A phone that is on, and one who was admitted meanwhile.
    [OSCMessage("/interruption/phone/on", 1), OSCMessage("/session/voice/active", 1)],
    [OSCMessage("/interruption/begin", "phone", "builtInMicMuted"), OSCMessage("/silent", 1)],
    [OSCMessage("/interruption/phone/ringing", 1)],
    // What has to be set together, and what cannot be set while it is active.
    [
      OSCMessage("/session/voice/set", "multiRoute", "dualRoute", "allowBluetoothHFP+farFieldInput"),
      OSCMessage("/session/radio/set", "playback", "moviePlayback", "none"),
      OSCMessage("/session/radio/policy", "longFormVideo"), OSCMessage("/session/music/active", 0),
      OSCMessage("/session/music/priority", "call"), OSCMessage("/session/music/active", 1),
    ],
    [
      OSCMessage("/session/show/io/output", "running"), OSCMessage("/session/show/foreground", 0),
      OSCMessage("/session/show/duck/level", -20), OSCMessage("/session/show/duck/attack", 1),
      OSCMessage("/session/music/duck/exempt", 1), OSCMessage("/output/usb/duck/limit", -6),
      OSCMessage("/input/usb/hardware", 1), OSCMessage("/session/show/lease", 100),
      OSCMessage("/session/show/unplug", "interrupt"), OSCMessage("/session/radio/protected", 1),
      OSCMessage("/session/show/output/mute", 1), OSCMessage("/system/deactivation", "refuses"),
      OSCMessage("/interruption/scope", "nonMixable"), OSCMessage("/duck/scope", "shared"),
    ],
    // Where a session is by its own wish, and what it wishes of the hardware.
    [
      OSCMessage("/session/voice/set", "playAndRecord", "default", "mixWithOthers"),
      OSCMessage("/session/voice/active", 1), OSCMessage("/session/voice/override", "speaker"),
      OSCMessage("/session/voice/input/preferred", "mic"), OSCMessage("/session/voice/input/level", 0.25),
      OSCMessage("/session/voice/channels/in/preferred", 1),
      OSCMessage("/session/voice/period/preferred", 0.01),
    ],
  ]

  @Test("Whatever was set, interrupted or turned off is so again", arguments: lives)
  func same(_ life: [OSCMessage]) throws {
    let before = try Self.crashed(life)
    let kept = before.surface.settings(of: before.state, at: before.time)
    let after = try Self.restored(kept)
    #expect(after.surface.settings(of: after.state, at: after.time) == kept)
    for session in before.state.sessions.values {
      let other = try #require(after.state.sessions[session.id])
      #expect(other.isActive == session.isActive, "\(session.id)")
      #expect((other.displacement == nil) == (session.displacement == nil), "\(session.id)")
      #expect(other.options == session.options && other.mode == session.mode, "\(session.id)")
    }
    #expect(after.state.interruptions == before.state.interruptions)
  }

  @Test("Whoever was silent because its output had gone is not heard at another one")
  func unplugged() throws {
    var before = try Self.crashed([
      OSCMessage("/session/radio/unplug", "wait"),
      OSCMessage("/session/radio/output/preferred", "headphones"),
      OSCMessage("/session/radio/active", 1),
    ])
    try before.unplug(.output, "headphones")
    #expect(before.state.sessions["radio"]?.awaitedOutput == "headphones")
    let kept = before.surface.settings(of: before.state, at: before.time)
    let after = try Self.restored(kept)
    #expect(after.state.sessions["radio"]?.isActive == false)
  }

  @Test("Whoever was interrupted, and would not be any more, stays silent")
  func spared() throws {
    let before = try Self.crashed([OSCMessage("/session/music/protected", 1)])
    #expect(before.state.sessions["music"]?.displacement != nil)
    let kept = before.surface.settings(of: before.state, at: before.time)
    #expect(try Self.restored(kept).state.sessions["music"]?.isActive == false)
  }

  @Test("Whoever waited for a program that is there now is left alone")
  func programs() throws {
    var before = try Self.crashed([OSCMessage("/session/voice/activate", "connected")])
    try before.happen(.connected("voice", false))
    #expect(before.state.sessions["voice"]?.isActive == false)
    let kept = before.surface.settings(of: before.state, at: before.time)
    #expect(try Self.restored(kept).state.sessions["voice"]?.isActive == true)
  }
}
