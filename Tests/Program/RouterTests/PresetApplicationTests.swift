import ControlInterface
import JSON5
import OSC
import Presets
import ServerInterface
import SessionModel
import SessionPolicy
import Testing

@testable import Router

@Suite("A preset is applied as a whole or not at all")
struct PresetApplicationTests {
  private static let usb = #"usb: { type: "usbAudio", outputs: ["USB:playback_*"], channels: 2, gain: -3 }"#

  private static func preset(_ sessions: String, ports: String = usb) throws -> Preset {
    let reader = PresetReader { state, event, time throws(SessionError) in
      try Policy.reduce(&state, event, at: time)
    }
    let text = """
      { multiroute: 1,
        ports: { \(ports) },
        sessions: { \(sessions) } }
      """
    let source = PresetSource(id: "show", file: "show.json", bytes: Array(text.utf8))
    let (preset, problems) = reader.read(source) { id throws(PresetLibraryError) in
      throw .unknown(id: id.name, folders: [], nearest: nil)
    }
    #expect(problems.allSatisfy { $0.severity == .warning }, "\(problems)")
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
    await router.reload(preset)
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

  @Test(
    "A guard holds at a device that the next preset names differently, and a maximum is in force again with its id"
  )
  func otherNames() async throws {
    let router = Router(Router.Settings(), server: MemoryServer(Show.devices), isInline: true)
    await router.perform { $0.join() }
    let phones = #"phones: { type: "headphones", outputs: ["Headphones:playback_*"], channels: 2 }"#
    let first = try Self.preset(
      #"click: { category: "multiRoute", streams: { main: { to: { phones: {} }, never: ["usb"] } } }"#,
      ports: "\(phones), "
        + #"usb: { type: "usbAudio", outputs: ["USB:playback_*"], channels: 2, maxTotal: -6 }"#)
    let second = try Self.preset(
      #"click: { category: "multiRoute", streams: { main: { to: { pa: {} } } } }"#,
      ports: "\(phones), "
        + #"pa: { type: "lineOut", outputs: ["USB:playback_1", "USB:playback_2"], channels: 2 }"#)
    await router.apply(first)
    await router.apply(second)
    await router.perform { $0.wire() }
    let state = await router.snapshot
    #expect(state.outputs["pa"]?.isPresent == true)
    #expect(state.sessions["click"]?.streams["main"]?.never == ["usb"])
    #expect(state.sessions["click"]?.streams["main"]?.destinations.contains("pa") == false)
    #expect(throws: SessionError.self) {
      try Show.state([.destination("click", "main", "pa", .on(true))], from: state)
    }
    await router.apply(first)
    await router.perform { $0.wire() }
    #expect(await router.snapshot.outputs["usb"]?.maximumTotal == -6)
    // Now the router knows that both outputs have the same JACK ports.
    #expect(await router.apply(second)?.code == .denied)
    #expect(await router.reload(second)?.code == .denied)
    // A preset that names the guard of the stream changes it.
    await router.apply(
      try Self.preset(
        #"click: { category: "multiRoute", streams: { main: { to: { pa: {} }, never: [] } } }"#,
        ports: "\(phones), "
          + #"pa: { type: "lineOut", outputs: ["USB:playback_1", "USB:playback_2"], channels: 2 }"#))
    await router.perform { $0.wire() }
    #expect(await router.snapshot.sessions["click"]?.streams["main"]?.destinations.contains("pa") == true)
    await router.stop()
    router.executor.stop()
  }

  @Test("If the law refuses one event of a preset, nothing changes, and the log names the key")
  func refused() async throws {
    let log = EventCollector()
    let router = Router(
      Router.Settings(), server: MemoryServer(Show.devices), listeners: [log], isInline: true)
    await router.perform { $0.join() }
    let first = try Self.preset(
      #"music: { category: "playback", activate: "start" }, news: { category: "soloAmbient" }"#)
    let second = try Self.preset(
      #"music: { category: "playback", gain: -20 }, news: { category: "soloAmbient", active: true }"#)
    await router.apply(first)
    await router.perform { _ = $0.happen(.session("news", .foreground(false))) }
    let before = await router.snapshot
    #expect(before.sessions["music"]?.isActive == true)
    _ = log.take()
    // A session in the background may not start.
    await router.apply(second)
    #expect(await router.snapshot == before)
    let told = log.take()
    #expect(told.map(\.address) == ["/event/error"])
    #expect(told.first?.arguments.description.contains("sessions.news.active") == true)
    await router.stop()
    router.executor.stop()
  }
}
