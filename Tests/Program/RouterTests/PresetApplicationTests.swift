import AudioHost
import ControlInterface
import JSON5
import OSC
import Presets
import SessionModel
import SessionPolicy
import Testing

@testable import Router

@Suite("A preset is applied as a whole or not at all")
struct PresetApplicationTests {
  private static func preset(_ sessions: String) throws -> Preset {
    let reader = PresetReader { state, event, time throws(SessionError) in
      try Policy.reduce(&state, event, at: time)
    }
    let text = """
      { multiroute: 1,
        ports: { usb: { type: "usbAudio", outputs: ["USB:playback_*"], channels: 2, gain: -3 } },
        sessions: { \(sessions) } }
      """
    let source = PresetSource(id: "show", file: "show.json", bytes: Array(text.utf8))
    let (preset, problems) = reader.read(source) { id throws(PresetLibraryError) in
      throw .unknown(id: id.name, folders: [], nearest: nil)
    }
    #expect(problems.allSatisfy { $0.severity == .warning })
    return try #require(preset)
  }

  @Test(
    "A reload leaves a fader that the operator has moved, a recall resets it, and the next preset takes it back"
  )
  func reload() async throws {
    let router = Router(Router.Settings(), server: MemoryServer(Show.devices), isInline: true)
    await router.perform { $0.join() }
    let preset = try Self.preset(#"music: { category: "playback", gain: -9 }"#)
    await router.apply(preset)
    let gain = { await router.snapshot.sessions["music"]?.gain.target }
    await router.perform { _ = $0.happen(.session("music", .gain(.set(-20)))) }
    await router.apply(preset, reloading: true)
    #expect(await gain() == -20)
    await router.apply(preset)
    #expect(await gain() == -9)
    await router.apply(try Self.preset(#"music: { category: "playback" }"#))
    #expect(await gain() == 0)
    await router.apply(try Self.preset(#"news: { category: "playback" }"#))
    #expect(await gain() == nil)
    await router.stop()
    router.executor.stop()
  }

  @Test("If the law refuses one event of a preset, nothing changes, and the log names the key")
  func refused() async throws {
    let log = EventCollector()
    let router = Router(
      Router.Settings(), server: MemoryServer(Show.devices), listeners: [log], isInline: true)
    await router.perform { $0.join() }
    let first = try Self.preset(#"music: { category: "playback", activate: "start" }"#)
    let second = try Self.preset(
      #"music: { category: "playback", gain: -20, priority: "alert" }, news: { category: "ambient" }"#)
    await router.apply(first)
    let before = await router.snapshot
    #expect(before.sessions["music"]?.isActive == true)
    _ = log.take()
    // The class of a session cannot change while the session is active.
    await router.apply(second)
    #expect(await router.snapshot == before)
    let told = log.take()
    #expect(told.map(\.address) == ["/event/error"])
    #expect(told.first?.arguments.description.contains("sessions.music.priority") == true)
    await router.stop()
    router.executor.stop()
  }
}
