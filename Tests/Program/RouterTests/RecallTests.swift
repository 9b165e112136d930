import ControlInterface
import JSON5
import OSC
import Presets
import Scenes
import ServerInterface
import SessionModel
import SessionPolicy
import Testing

@testable import OSCSurface
@testable import Router

@Suite("The router recalls presets")
struct RecallTests {
  private static let ports =
    #"usb: { type: "usbAudio", outputs: ["USB:playback_*"], channels: 2 }, headphones: { type: "headphones", outputs: ["Headphones:playback_*"], channels: 2 }"#

  private static func preset(_ id: PresetID, _ sessions: String, root: String = "") throws -> Preset {
    try read(id, "{ multiroute: 1, \(root) ports: { \(ports) }, sessions: { \(sessions) } }")
  }

  private static func read(_ id: PresetID, _ text: String) throws -> Preset {
    let reader = PresetReader { state, event, time throws(SessionError) in
      try Policy.reduce(&state, event, at: time)
    }
    let source = PresetSource(id: id, file: "\(id).json", bytes: Array(text.utf8))
    let (preset, problems) = reader.read(source) { id throws(PresetLibraryError) in
      throw .unknown(id: id.name, folders: [], nearest: nil)
    }
    return try #require(preset, "\(problems)")
  }

  private static func music(_ id: PresetID, gain: Int, more: String = "") throws -> Preset {
    try preset(id, #"music: { category: "playback", activate: "start", gain: \#(gain), \#(more) }"#)
  }

  private static func router(_ log: EventCollector) async -> Router {
    let router = Router(
      Router.Settings(), server: MemoryServer(Show.devices), listeners: [log], isInline: true)
    await router.perform { $0.join() }
    var library = Registry<PresetID, PresetEntry>()
    for id in ["one", "two", "three"] as [PresetID] { library[id] = PresetEntry(title: id.name) }
    await router.note(library, order: ["one", "two", "three"])
    return router
  }

  private static func phases(_ log: EventCollector) -> [String] {
    log.take().filter { $0.address == "/event/preset" }.map { message in
      message.arguments.dropFirst().dropLast().map { argument in
        if case .string(let text) = argument { text } else { "?" }
      }.joined(separator: " ")
    }
  }

  @Test("A recall is told as started and done, moves standby on, and is silent the second time")
  func told() async throws {
    let log = EventCollector()
    let router = await Self.router(log)
    await router.recall(try Self.music("one", gain: -10), fade: 0)
    #expect(Self.phases(log) == ["one started", "one done"])
    var presets = await router.snapshot.presets
    #expect(presets.current == "one" && presets.standby == "two" && !presets.isModified)
    await router.recall(try Self.music("one", gain: -10), fade: 0)
    #expect(log.take().isEmpty)
    await router.perform { _ = $0.happen(.session("music", .gain(.set(-3)))) }
    #expect(await router.snapshot.presets.isModified)
    await router.recall(try Self.music("three", gain: -10), fade: 0)
    presets = await router.snapshot.presets
    #expect(presets.current == "three" && presets.standby == nil && !presets.isModified)
    await router.stop()
    router.executor.stop()
  }

  @Test(
    "A recall that was decided ahead fades from the moment of its order, and after a change it is decided anew",
    arguments: [false, true])
  func prepared(isDisturbed: Bool) async throws {
    let router = await Self.router(EventCollector())
    await router.recall(try Self.music("one", gain: -10), fade: 0)
    let two = try Self.music("two", gain: -30)
    let (recall, state, time) = await router.plan(two)
    await router.keep(try PreparedRecall(recall, of: state, at: time, law: Policy.reduce))
    if isDisturbed { await router.perform { _ = $0.happen(.session("music", .gain(.set(-3)))) } }
    let before = await router.now
    await router.recall(two)
    let after = await router.snapshot
    let fade = try #require(after.sessions["music"]?.gain.fade)
    #expect(fade.start >= before && before > time && fade.start == after.presets.fading?.start)
    #expect(fade.from == (isDisturbed ? -3 : -10) && after.sessions["music"]?.gain.target == -30)
    #expect(await router.perform { $0.presets.prepared == nil })
    await router.stop()
    router.executor.stop()
  }

  @Test("A session that a call keeps from playing waits, and the recall ends partial")
  func partial() async throws {
    let log = EventCollector()
    let router = await Self.router(log)
    await router.perform { _ = $0.happen(.beginInterruption("phone")) }
    let preset = try Self.preset(
      "one",
      #"voice: { category: "playAndRecord", options: [], activate: "manual", active: true, resume: "recommended" }, bed: { category: "playback", gain: -9 }"#
    )
    #expect(await router.recall(preset, fade: 0) == nil)
    #expect(Self.phases(log) == ["one started", "one partial"])
    let state = await router.snapshot
    #expect(state.sessions["voice"]?.isActive == false && state.sessions["bed"]?.gain.target == -9)
    await router.stop()
    router.executor.stop()
  }

  @Test(
    "A reload of a preset that only adds takes nothing back of the preset below it, and fades what differs")
  func reloadOfAddition() async throws {
    let log = EventCollector()
    let router = await Self.router(log)
    await router.recall(try Self.music("one", gain: -10), fade: 0)
    func addition(_ gain: Int) throws -> Preset {
      try Self.preset("two", #"news: { category: "ambient", gain: \#(gain) }"#, root: #"others: "keep","#)
    }
    await router.recall(try addition(-5), fade: 0)
    _ = log.take()
    await router.reload(try addition(-5))
    #expect(log.take().isEmpty, "nothing differs")
    await router.reload(try addition(-6))
    #expect(Self.phases(log) == ["two started"])
    let state = await router.snapshot
    #expect(state.sessions["music"]?.gain.target == -10 && state.sessions["news"]?.gain.target == -6)
    #expect(state.presets.fading?.seconds == 1 && state.presets.current == "two")
    #expect(await router.reload(try Self.music("one", gain: -20)) == nil)
    #expect(await router.snapshot.sessions["music"]?.gain.target == -10, "it is not the one in force")
    // The next preset takes back the settings of both.
    await router.recall(try Self.preset("three", #"music: { category: "playback" }"#), fade: 0)
    #expect(await router.snapshot.sessions["music"]?.gain.target == 0)
    #expect(await router.snapshot.sessions["news"] == nil)
    await router.stop()
    router.executor.stop()
  }

  @Test("An undo brings back what the operator had set, also sessions, and there is one undo for each recall")
  func undo() async throws {
    let router = await Self.router(EventCollector())
    #expect(await router.undoRecall()?.code == .notFound)
    await router.recall(try Self.music("one", gain: -10), fade: 0)
    await router.perform { router in
      _ = router.happen(.session("music", .gain(.set(-3))))
      _ = router.happen(.createSession("guest", SessionConfiguration(category: .playback)))
      _ = router.happen(.router(.preset(.fade(0))))
    }
    let before = await router.snapshot
    let second = try Self.preset("two", #"news: { category: "ambient" }"#, root: #"others: "remove","#)
    await router.recall(second, fade: 0)
    #expect(await router.snapshot.sessions.keys == ["news"])
    #expect(await router.undoRecall() == nil)
    let after = await router.snapshot
    #expect(after.sessions.keys == before.sessions.keys)
    #expect(after.sessions["music"]?.gain.target == -3 && after.sessions["music"]?.isActive == true)
    #expect(after.presets.current == "one" && after.presets.isModified)
    #expect(await router.undoRecall()?.code == .notFound)
    await router.stop()
    router.executor.stop()
  }

  @Test("After an undo, reset returns to the value of the preset that is in force again")
  func resetAfterUndo() async throws {
    let router = await Self.router(EventCollector())
    await router.recall(try Self.music("one", gain: -10), fade: 0)
    await router.perform { router in
      _ = router.happen(.router(.preset(.fade(0))))
      _ = router.happen(.session("music", .gain(.set(-3))))
    }
    await router.recall(try Self.music("two", gain: -20), fade: 0)
    #expect(await router.snapshot.sessions["music"]?.gain.stored == -20)
    #expect(await router.undoRecall() == nil)
    let gain = try #require(await router.snapshot.sessions["music"]?.gain)
    #expect(gain.target == -3 && gain.stored == -10)
    await router.stop()
    router.executor.stop()
  }

  @Test("An abort stops levels where they are, and the next recall starts there")
  func abort() async throws {
    let log = EventCollector()
    let router = await Self.router(log)
    #expect(await router.abortRecall()?.code == .notFound)
    await router.recall(try Self.music("one", gain: 0), fade: 0)
    await router.recall(try Self.music("two", gain: -60), fade: 100)
    #expect(await router.snapshot.presets.fading != nil)
    #expect(await router.abortRecall() == nil)
    let stopped = try #require(await router.snapshot.sessions["music"]?.gain)
    #expect(stopped.target > -10 && stopped.fade == nil)
    #expect(await router.snapshot.presets.fading == nil)
    #expect(Self.phases(log) == ["one started", "one done", "two started", "two aborted"])
    await router.recall(try Self.music("three", gain: -20), fade: 0)
    #expect(await router.snapshot.sessions["music"]?.gain.target == -20)
    await router.stop()
    router.executor.stop()
  }

  /// How a fade is cut short.
  enum Cut: CaseIterable { case abort, recall, undo }

  @Test(
    "What a recall takes back is taken back by the next one, however its fade was cut short",
    arguments: Cut.allCases)
  func cutShort(_ cut: Cut) async throws {
    let router = await Self.router(EventCollector())
    let plain = try Self.preset("one", #"music: { category: "playback", activate: "start" }"#)
    await router.recall(plain, fade: 0)
    await router.recall(try Self.music("two", gain: -30), fade: 0)
    if cut == .undo {
      await router.perform { _ = $0.happen(.router(.preset(.fade(100)))) }
      #expect(await router.undoRecall() == nil)
    } else {
      await router.recall(plain, fade: 100)
    }
    #expect(await router.snapshot.sessions["music"]?.gain.fade != nil)
    if cut != .recall {
      #expect(await router.abortRecall() == nil)
      #expect((await router.snapshot.sessions["music"]?.gain.target).map { $0 < -20 } == true)
    }
    await router.recall(
      try Self.preset("three", #"music: { category: "playback", activate: "start", mute: true }"#), fade: 0)
    let gain = try #require(await router.snapshot.sessions["music"]?.gain)
    #expect(gain.target == 0 && gain.fade == nil)
    await router.stop()
    router.executor.stop()
  }

  @Test("A level that the operator moves while it is taken back stays where he has put it")
  func movedMeanwhile() async throws {
    let router = await Self.router(EventCollector())
    let plain = try Self.preset("one", #"music: { category: "playback", activate: "start" }"#)
    await router.recall(try Self.music("two", gain: -30), fade: 0)
    await router.recall(plain, fade: 100)
    await router.perform { _ = $0.happen(.session("music", .gain(.set(-7)))) }
    await router.recall(plain, fade: 0)
    #expect(await router.snapshot.sessions["music"]?.gain.target == -7)
    await router.stop()
    router.executor.stop()
  }

  @Test("What is stored while a fade runs is in force, and the fade goes on", arguments: [false, true])
  func storedMeanwhile(isAborted: Bool) async throws {
    let router = await Self.router(EventCollector())
    await router.recall(try Self.music("one", gain: 0), fade: 0)
    await router.recall(try Self.music("two", gain: -30), fade: 100)
    if isAborted { #expect(await router.abortRecall() == nil) }
    await router.perform { _ = $0.happen(.session("music", .muted(true))) }
    let stored = try Self.music("three", gain: -30, more: "mute: true")
    _ = await router.readToStore()
    await router.noteStored(stored)
    let state = await router.snapshot
    #expect(state.presets.current == "three" && !state.presets.isModified)
    #expect((state.sessions["music"]?.gain.fade != nil) == !isAborted)
    #expect(await router.presetInForce?.isSame(as: stored) == true)
    await router.stop()
    router.executor.stop()
  }

  @Test("What is moved while a preset is written stays, and marks it as modified")
  func movedWhileStored() async throws {
    let router = await Self.router(EventCollector())
    let one = try Self.music("one", gain: -10)
    await router.recall(one, fade: 0)
    await router.perform { _ = $0.happen(.session("music", .gain(.set(-5)))) }
    _ = await router.readToStore()
    let stored = try Self.music("two", gain: -5)
    await router.noteStored(stored)
    #expect(await router.snapshot.presets.current == "two")
    #expect(await router.snapshot.presets.isModified == false)
    _ = await router.readToStore()
    await router.perform { _ = $0.happen(.session("music", .muted(true))) }
    await router.noteStored(stored)
    #expect(await router.snapshot.sessions["music"]?.isMuted == true)
    #expect(await router.snapshot.presets.isModified)
    await router.stop()
    router.executor.stop()
  }

  @Test("A preset that only adds leaves a level alone that an earlier fade has not brought to its end")
  func additionAfterAbort() async throws {
    let router = await Self.router(EventCollector())
    await router.recall(try Self.music("one", gain: -40), fade: 0)
    await router.recall(try Self.music("two", gain: 0), fade: 100)
    #expect(await router.abortRecall() == nil)
    let stopped = await router.snapshot.sessions["music"]?.gain
    let addition = try Self.preset("three", #"news: { category: "ambient" }"#, root: #"others: "keep","#)
    await router.recall(addition, fade: 0)
    #expect(await router.snapshot.sessions["music"]?.gain == stopped)
    await router.stop()
    router.executor.stop()
  }

  @Test("What a scene has set is taken back after a scene that a scope bounds, too")
  func afterBounded() async throws {
    let router = await Self.router(EventCollector())
    let plain = try Self.preset("one", #"music: { category: "playback", activate: "start" }"#)
    await router.recall(try Self.music("two", gain: -6, more: #"}, wind: { category: "ambient""#), fade: 0)
    let muted = try Self.preset(
      "three", #"music: { category: "playback", activate: "start", mute: true }"#, root: #"scope: "mute","#)
    await router.recall(muted, fade: 0)
    #expect(await router.snapshot.sessions["music"]?.gain.target == -6)
    await router.recall(plain, fade: 0)
    let state = await router.snapshot
    #expect(state.sessions["music"]?.gain.target == 0 && state.sessions["wind"] == nil)
    #expect(state.sessions["music"]?.isMuted == false)
    await router.stop()
    router.executor.stop()
  }

  @Test("A fade that a scoped recall leaves alone goes on, is told so, and an abort stops it")
  func abortOfWhatGoesOn() async throws {
    let log = EventCollector()
    let router = await Self.router(log)
    await router.recall(try Self.music("one", gain: -40), fade: 0)
    await router.recall(try Self.music("two", gain: 0), fade: 100)
    let muted = try Self.preset(
      "three", #"music: { category: "playback", activate: "start", mute: false }"#, root: #"scope: "mute","#)
    await router.recall(muted, fade: 0)
    #expect((await router.snapshot.presets.fading?.seconds).map { $0 > 90 } == true)
    #expect(Self.phases(log) == ["one started", "one done", "two started", "three started"])
    #expect(await router.abortRecall() == nil)
    #expect(await router.snapshot.sessions["music"]?.gain.fade == nil)
    #expect(await router.snapshot.presets.fading == nil)
    await router.stop()
    router.executor.stop()
  }

  @Test(
    "An undo during a call leaves music silent that the call has interrupted, and lets sound what it has not")
  func undoInCall() async throws {
    let router = await Self.router(EventCollector())
    func show(isProtected: Bool) -> String {
      #"show: { category: "multiRoute", options: [], activate: "start", protected: \#(isProtected) }"#
    }
    let music = #", music: { category: "playback", options: ["mixWithOthers"], activate: "start" }"#
    await router.recall(try Self.preset("one", show(isProtected: true) + music), fade: 0)
    await router.perform { router in
      _ = router.happen(.router(.preset(.fade(0))))
      _ = router.happen(.beginInterruption("phone"))
    }
    let before = await router.snapshot
    #expect(before.sessions["music"]?.displacement != nil && before.sessions["show"]?.isActive == true)
    await router.recall(try Self.preset("two", show(isProtected: false)), fade: 0)
    #expect(await router.snapshot.sessions["show"]?.displacement != nil)
    #expect(await router.undoRecall() == nil)
    let after = await router.snapshot
    #expect(after.sessions["music"]?.displacement == before.sessions["music"]?.displacement)
    #expect(after.sessions["music"]?.isActive == false && after.sessions["show"]?.isActive == true)
    await router.stop()
    router.executor.stop()
  }

  @Test(
    "A recall without an audio server is carried out at once, and what it starts is heard when there is one")
  func withoutServer() async throws {
    let server = MemoryServer(Show.devices)
    let router = Router(Router.Settings(), server: server, listeners: [EventCollector()], isInline: true)
    await router.perform { $0.join() }
    await router.recall(try Self.music("one", gain: -10), fade: 0)
    await router.perform { router in
      _ = router.happen(.router(.preset(.safes(["/session/music/mute"]))))
      server.die()
      router.observe(server.takeNotices())
    }
    let stored = Preset.json(of: await router.snapshot, title: nil, scope: [.active], replacing: nil).text
    #expect(stored.contains(#""active": true"#))
    let two = try Self.music(
      "two", gain: -20, more: #"mute: true }, news: { category: "ambient", activate: "manual", active: true"#)
    #expect(await router.recall(two, fade: 0) == nil)
    var state = await router.snapshot
    #expect(state.presets.current == "two" && state.sessions["music"]?.gain.target == -20)
    #expect(state.sessions["music"]?.isMuted == false)
    await router.perform { router in
      _ = router.happen(.session("music", .gain(.set(-3))))
      server.others = Show.devices
      server.refuse(with: nil)
      router.followSearch()
    }
    state = await router.snapshot
    #expect(state.server.isRunning && state.sessions["music"]?.gain.target == -3)
    #expect(state.sessions["music"]?.isActive == true && state.sessions["news"]?.isActive == true)
    await router.stop()
    router.executor.stop()
  }

  @Test("Settings of an input's channels wait for the device, and are in force from its first sound on")
  func inputChannels() async throws {
    let server = MemoryServer(Show.device("USB", playback: 2))
    let log = EventCollector()
    let router = Router(Router.Settings(), server: server, listeners: [log], isInline: true)
    let text = """
      { multiroute: 1, ports: { usb: { type: "usbAudio", outputs: ["USB:playback_*"], inputs: ["USB:capture_*"] } },
        settings: { "/input/usb/1/gain": -12, "/input/usb/2/mute": true } }
      """
    let preset = try Self.read("one", text)
    await router.perform { router in
      router.join()
      _ = router.apply(preset)
    }
    #expect(!log.take().contains { $0.address == "/event/error" })
    await router.perform { router in
      server.plug(Show.device("USB", capture: 2))
      router.tick()
      router.connection?.settling = PortSettling()
      router.wire()
    }
    let strips = try #require(await router.snapshot.inputs["usb"]?.channelStrips)
    #expect(strips.first?.gain.target == -12 && strips.last?.isMuted == true)
    #expect(await !router.snapshot.presets.isModified)
    await router.stop()
    router.executor.stop()
  }

  @Test("No recall moves a fader that a client touches; the next one does")
  func touched() async throws {
    let surface = SurfaceService { _ in }
    let router = Router(
      Router.Settings(), server: MemoryServer(Show.devices), listeners: [surface], isInline: true)
    await router.perform { router in
      router.join()
    }
    await router.recall(try Self.music("one", gain: -10), fade: 0)
    await router.perform { router in
      router.receive(.message(OSCMessage("/session/music/fader/touch", .int32(1))), from: .local(9_000))
    }
    await router.recall(try Self.music("two", gain: -20), fade: 0)
    #expect(await router.snapshot.sessions["music"]?.gain.target == -10)
    await router.perform { router in
      router.receive(.message(OSCMessage("/session/music/fader/touch", .int32(0))), from: .local(9_000))
    }
    await router.recall(try Self.preset("three", #"music: { category: "playback" }"#), fade: 0)
    #expect(await router.snapshot.sessions["music"]?.gain.target == 0)
    await router.stop()
    router.executor.stop()
  }

  @Test("The scope and the safes of the router and of the preset bound a recall")
  func bounds() async throws {
    let router = await Self.router(EventCollector())
    await router.recall(try Self.music("one", gain: -10), fade: 0)
    await router.perform { _ = $0.happen(.router(.preset(.scope([.mute])))) }
    await router.recall(try Self.music("two", gain: -20, more: "mute: true"), fade: 0)
    var music = try #require(await router.snapshot.sessions["music"])
    #expect(music.gain.target == -10 && music.isMuted)
    await router.perform { router in
      _ = router.happen(.router(.preset(.scope(Set(Scope.allCases)))))
      _ = router.happen(.router(.preset(.safes(["/session/*/mute"]))))
    }
    let third = try Self.preset(
      "three", #"music: { category: "playback", activate: "start", gain: -5, mute: false }"#,
      root: #"safe: ["/session/music/gain"],"#)
    await router.recall(third, fade: 0)
    music = try #require(await router.snapshot.sessions["music"])
    #expect(music.gain.target == -10 && music.isMuted)
    await router.stop()
    router.executor.stop()
  }
}
