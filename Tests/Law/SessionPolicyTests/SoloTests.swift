import LawWorld
import RandomEvents
import SessionModel
import SessionPolicy
import Testing

@Suite("Solos at monitor outputs")
struct SoloTests {
  /// The headphones as a monitor output, and the session `show` with the streams `main` and `click` at the interface.
  private static func stage(isMonitor: Bool = true) throws -> World {
    var world = try World.stage()
    if isMonitor { try world.handle(.port(.output, "headphones", .monitor(.on(true)))) }
    try world.create("show")
    try world.handle(.createStream("show", "click", channels: 1, placed: false))
    try world.route("show", "usb")
    return world
  }

  private static let targets: [SoloTarget] = [
    .session("show"), .stream("show", "click"), .input("mic"), .output("usb"),
  ]

  @Test("Everything can be soloed, several add in their order, and a second solo of the same is none")
  func adds() throws {
    var world = try Self.stage()
    for target in Self.targets + Self.targets { try world.handle(.solo(target, true)) }
    #expect(world.state.monitoring.solos == Self.targets)
    #expect(
      world.state.soloParts(at: "headphones") == [
        .stream("show", "main"), .stream("show", "click"), .input("mic"), .output("usb"),
      ])
    #expect(world.state.soloParts(at: "usb").isEmpty)
    try world.handle(.solo(.input("mic"), false))
    #expect(!world.state.isSoloed(.input("mic")) && world.state.isSoloed(.output("usb")))
    try world.handle(.clearSolos)
    #expect(world.state.monitoring == Monitoring())
  }

  @Test("An exclusive monitor output lets a solo replace the others")
  func exclusive() throws {
    var world = try Self.stage()
    try world.handle(.solo(.session("show"), true))
    try world.handle(.port(.output, "headphones", .monitor(.exclusive(true))))
    try world.handle(.solo(.input("mic"), true))
    #expect(world.state.monitoring.solos == [.input("mic")])
  }

  @Test("What does not exist cannot be soloed, and a monitor output itself cannot")
  func absent() throws {
    var world = try Self.stage()
    let absent: [SoloTarget] = [
      .session("x"), .stream("show", "x"), .stream("x", "main"), .input("x"), .output("x"), .player("x"),
    ]
    for target in absent { #expect(world.refusal(.solo(target, true)) == .notFound, "\(target)") }
    #expect(world.refusal(.solo(.output("headphones"), true)) == .badParam)
  }

  @Test("Without a monitor output, or with one that is away, a solo is refused with the reason")
  func away() throws {
    var world = try Self.stage(isMonitor: false)
    #expect(world.refusal(.solo(.session("show"), true)) == .notFound)
    try world.handle(.port(.output, "headphones", .monitor(.on(true))))
    try world.unplug("headphones")
    #expect(world.refusal(.solo(.session("show"), true)) == .resourceNotAvailable)
    try world.present(["headphones"])
    try world.handle(.solo(.session("show"), true))
    // A solo outlives the absence of its monitor output, but not the monitor output.
    try world.unplug("headphones")
    #expect(world.state.isSoloed(.session("show")))
    try world.handle(.port(.output, "headphones", .monitor(.on(false))))
    #expect(world.state.monitoring.solos.isEmpty)
  }

  @Test("A musician's solo leaves only that send at the output, and ends with the send")
  func sends() throws {
    var world = try Self.stage(isMonitor: false)
    let send = SoloedSend("show", "click", to: "headphones")
    #expect(world.refusal(.soloSend(send, true)) == .badParam)
    for stream: StreamID in ["main", "click"] {
      try world.handle(.destination("show", stream, "headphones", .on(true)))
    }
    try world.handle(.soloSend(send, true))
    #expect(world.state.isOutsoloed("show", "main", at: "headphones"))
    #expect(!world.state.isOutsoloed("show", "click", at: "headphones"))
    #expect(!world.state.isOutsoloed("show", "main", at: "usb"))
    // The engineer's button is about monitor outputs.
    try world.handle(.clearSolos)
    #expect(world.state.monitoring.sends == [send])
    try world.handle(.destination("show", "click", "headphones", .on(false)))
    #expect(world.state.monitoring.sends.isEmpty)
  }

  @Test("A guard keeps a stream, and the inputs that it takes, away from a monitor output")
  func guards() throws {
    var world = try Self.stage()
    try world.handle(.stream("show", "click", .sources([.input("mic", channels: nil)])))
    try world.handle(.stream("show", "click", .never(["headphones"])))
    #expect(world.refusal(.solo(.stream("show", "click"), true)) == .denied)
    #expect(world.refusal(.solo(.input("mic"), true)) == .denied)
    try world.handle(.group("clicks", .create))
    try world.handle(.group("clicks", .set(.members([#require(GroupPattern("stream:show.click"))]))))
    #expect(world.refusal(.solo(.group("clicks"), true)) == .denied)
    try world.handle(.solo(.session("show"), true))
    #expect(world.state.soloParts(at: "headphones") == [.stream("show", "main")])
    let why = world.state.whyOfMonitor(try #require(world.state.outputs["headphones"]))
    #expect(why.contains("hears session show (pfl)") && why.contains("show.click is guarded"), "\(why)")
    // A guard that is set later ends what is heard, and the monitor output's own content returns.
    try world.handle(.stream("show", "main", .never(["headphones"])))
    #expect(!world.state.isSoloing(at: "headphones"))
  }

  @Test(
    "The solo of an output is heard although the desktop's mixer mutes the output, which is behind the router"
  )
  func mutedOnDesktop() throws {
    var world = try Self.stage()
    try world.handle(.activate("show"))
    try world.handle(.connected("show", true))
    try world.handle(.solo(.output("usb"), true))
    let why = world.state.whyOfMonitor(try #require(world.state.outputs["headphones"]))
    #expect(why.contains("hears output usb") && !why.contains("which is silent"), "\(why)")
    try world.handle(.desktopVolume(.output, "usb", DesktopVolume(percent: 100, isMuted: true)))
    #expect(world.state.whyOfMonitor(try #require(world.state.outputs["headphones"])) == why)
  }

  @Test("Objects that go take their solos along")
  func removal() throws {
    var world = try Self.stage()
    for target in Self.targets { try world.handle(.solo(target, true)) }
    try world.handle(.removeStream("show", "click"))
    #expect(!world.state.isSoloed(.stream("show", "click")))
    try world.handle(.removeSession("show"))
    #expect(world.state.monitoring.solos == [.input("mic"), .output("usb")])
  }

  @Test("A solo is no setting of the show: it marks no preset as modified")
  func unstored() throws {
    var world = try Self.stage()
    world.state.presets.current = "evening"
    try world.handle(.solo(.session("show"), true))
    #expect(!world.state.presets.isModified)
    try world.handle(.port(.output, "headphones", .monitor(.point(.afl))))
    #expect(world.state.presets.isModified)
  }

  @Test("A group is soloed with all of its members that have a sound, and its solo goes with it")
  func group() throws {
    var world = try Self.stage()
    #expect(world.refusal(.solo(.group("drums"), true)) == .notFound)
    try world.handle(.group("drums", .create))
    #expect(world.refusal(.solo(.group("drums"), true)) == .badParam)
    let members = ["stream:show.click", "output:usb", "capture:show", "session:nobody"].compactMap {
      GroupPattern($0)
    }
    try world.handle(.group("drums", .set(.members(members))))
    try world.handle(.solo(.group("drums"), true))
    #expect(Set(world.state.soloParts(at: "headphones")) == [.stream("show", "click"), .output("usb")])
    try world.handle(.stream("show", "click", .never(["headphones"])))
    #expect(world.state.soloParts(at: "headphones") == [.output("usb")])
    try world.handle(.group("drums", .set(.gain(.set(6)))))
    try world.handle(.port(.output, "headphones", .maximumTotal(0)))
    let level = world.state.soloLevel(at: try #require(world.state.outputs["headphones"]), time: 0)
    #expect(level == -6)
    try world.handle(.group("drums", .remove))
    #expect(world.state.monitoring.solos.isEmpty)
  }

  @Test("No solo exceeds the total maximum of a monitor output")
  func maximum() throws {
    var world = try Self.stage()
    let settings: [PortSetting] = [.maximumTotal(-10), .gain(.set(-3)), .monitor(.point(.afl))]
    for setting in settings { try world.handle(.port(.output, "headphones", setting)) }
    func level() throws -> Double {
      world.state.soloLevel(at: try #require(world.state.outputs["headphones"]), time: 0)
    }
    try world.handle(.solo(.session("show"), true))
    #expect(try level() == -7)
    try world.handle(.session("show", .gain(.set(4))))
    #expect(try level() == -11)
    #expect(
      world.state.whyOfMonitor(try #require(world.state.outputs["headphones"])).contains("maxTotal"))
    // An output brings its own gain and those of its sends along.
    try world.handle(.clearSolos)
    try world.handle(.solo(.output("usb"), true))
    try world.handle(.port(.output, "usb", .gain(.set(5))))
    #expect(try level() == -16)
    // So do a trim and the width of an input.
    try world.handle(.clearSolos)
    try world.handle(.port(.output, "headphones", .monitor(.point(.pfl))))
    try world.handle(.solo(.input("mic"), true))
    #expect(try level() == -7)
    try world.handle(.port(.input, "mic", .trim(.set(6))))
    #expect(try level() == -13)
  }

  @Test("The sentence of a session tells that a solo replaces it, and where it is soloed")
  func why() throws {
    var world = try Self.stage()
    try world.route("show", "headphones")
    try world.handle(.connected("show", true))
    func why() -> String { world.state.why(world.state.sessions["show"]!, world.state.activity) }
    #expect(why().hasPrefix("heard at headphones") || why().hasPrefix("connected, silent"))
    try world.handle(.solo(.input("mic"), true))
    #expect(why().hasPrefix("silent: a solo replaces it"), "\(why())")
    try world.handle(.port(.output, "headphones", .monitor(.dim(-20))))
    #expect(why().contains("dimmed by -20.0 dB while input mic is soloed"), "\(why())")
    try world.handle(.session("show", .muted(true)))
    try world.handle(.solo(.session("show"), true))
    #expect(
      why().contains("muted by the operator") && why().contains("soloed at headphones (pfl)"), "\(why())")
  }

  @Test(
    "Random events: guards hold for solos and talkbacks, and nothing stays of what is gone", arguments: 0..<4)
  func randomEvents(_ seed: UInt64) throws {
    var (source, world) = (RandomEvents(seed: seed, monitoring: true), World())
    world.state = try LawEvents.start()
    var (solos, talkbacks) = (0, 0)
    for step in 0..<2_500 {
      world.time = Double(step) / 10
      _ = try? Policy.reduce(&world.state, source.next(world.state), at: world.time)
      if step % 100 == 0 {
        for event in LawEvents.livening(world.state) {
          _ = try? Policy.reduce(&world.state, event, at: world.time)
        }
      }
      let state = world.state
      (solos, talkbacks) = (
        solos + state.monitoring.solos.count, talkbacks + state.monitoring.talkbacks.count
      )
      #expect(state.monitoring.solos.isEmpty || !state.monitors.isEmpty)
      for monitor in state.monitors {
        for case .stream(let session, let stream) in state.soloParts(at: monitor.id) {
          #expect(state.sessions[session]?.streams[stream]?.isGuarded(against: monitor.id) == false)
        }
      }
      for open in state.monitoring.talkbacks {
        let session = try #require(state.sessions[open.session])
        #expect(session.isTalkback && state.server.isRunning)
        for output in state.talkbackOutputs(of: session) {
          #expect(
            state.talkbackStreams(of: session, at: output).allSatisfy { !$0.isGuarded(against: output) })
        }
      }
    }
    #expect(solos > 100 && talkbacks > 100)
  }
}
