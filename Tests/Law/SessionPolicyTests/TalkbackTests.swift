import LawWorld
import SessionModel
import Testing

@Suite("Talkbacks")
struct TalkbackTests {
  /// The session `talk`, whose microphone speaks to the headphones.
  private static func stage(to outputs: [PortID] = ["headphones"]) throws -> World {
    var world = try World.stage()
    try world.create("talk")
    try world.route("talk", "none")
    try world.handle(.stream("talk", "main", .sources([.input("mic", channels: nil)])))
    try world.handle(.session("talk", .talkback(.outputs(outputs))))
    try world.handle(.connected("talk", true))
    return world
  }

  private func isOpen(_ world: World) -> Bool { world.state.monitoring.isOpen("talk") }

  @Test(
    "A long press is momentary, and a short one latches until the end of the next press",
    arguments: [(2.0, false), (0.3, false), (0.29, true), (0, true)])
  func latch(seconds: Double, latches: Bool) throws {
    var world = try Self.stage()
    world.time = 10
    try world.handle(.talkback("talk", true))
    #expect(isOpen(world))
    world.time += seconds
    try world.handle(.talkback("talk", false))
    #expect(isOpen(world) == latches)
    guard latches else { return }
    world.time += 60
    try world.handle(.talkback("talk", true))
    #expect(isOpen(world))
    try world.handle(.talkback("talk", false))
    #expect(!isOpen(world))
  }

  @Test(
    "Without latch every press is momentary, a repeated press is none, and a release of a closed one nothing")
  func momentary() throws {
    var world = try Self.stage()
    try world.handle(.session("talk", .talkback(.latch(0))))
    try world.handle(.talkback("talk", false))
    #expect(!isOpen(world))
    try world.handle(.talkback("talk", true))
    try world.handle(.talkback("talk", true))
    #expect(world.state.monitoring.talkbacks.count == 1)
    try world.handle(.talkback("talk", false))
    #expect(!isOpen(world))
  }

  @Test("A latched talkback closes at a switch-off, and at the end of its client")
  func closes() throws {
    var world = try Self.stage()
    for close in [Event.talkback("talk", false), .closeTalkback("talk")] {
      try world.handle(.talkback("talk", true))
      try world.handle(.talkback("talk", false))
      #expect(isOpen(world))
      try world.handle(close)
      #expect(!isOpen(world))
    }
  }

  @Test("It dims only the outputs that hear it, and a muted one dims none")
  func dims() throws {
    var world = try Self.stage()
    #expect(world.state.talkbackDim(at: "headphones") == 0)
    try world.handle(.talkback("talk", true))
    #expect(world.state.talkbackDim(at: "headphones") == -20)
    #expect(world.state.talkbackDim(at: "usb") == 0)
    try world.handle(.session("talk", .talkback(.dim(-30))))
    #expect(world.state.talkbackDim(at: "headphones") == -30)
    for (silent, back) in [
      (Event.session("talk", .muted(true)), Event.session("talk", .muted(false))),
      (.stream("talk", "main", .gain(.set(-90))), .stream("talk", "main", .gain(.set(0)))),
      (.port(.input, "mic", .muted(true)), .port(.input, "mic", .muted(false))),
      (.port(.input, "mic", .hardwareMuted(true)), .port(.input, "mic", .hardwareMuted(false))),
    ] {
      try world.handle(silent)
      #expect(world.state.talkbackDim(at: "headphones") == 0, "\(silent)")
      try world.handle(back)
      #expect(world.state.talkbackDim(at: "headphones") == -30, "\(back)")
    }
    try world.handle(.group("voices", .create))
    try world.handle(.group("voices", .set(.members([GroupPattern("session:talk")!]))))
    try world.handle(.group("voices", .set(.muted(true))))
    #expect(world.state.talkbackDim(at: "headphones") == 0)
  }

  @Test("It is refused against a guard, at outputs that are unknown or away, and without a server")
  func refusals() throws {
    var world = try Self.stage()
    #expect(world.refusal(.session("talk", .talkback(.outputs(["x"])))) == .badParam)
    #expect(world.refusal(.talkback("absent", true)) == .notFound)
    try world.create("show")
    #expect(world.refusal(.talkback("show", true)) == .badParam)
    try world.unplug("headphones")
    #expect(world.refusal(.talkback("talk", true)) == .resourceNotAvailable)
    try world.present(["headphones"])
    try world.handle(.stream("talk", "main", .never(["headphones"])))
    #expect(world.refusal(.talkback("talk", true)) == .denied)
    #expect(world.refusal(.session("talk", .talkback(.outputs(["headphones"])))) == .denied)
    try world.handle(.stream("talk", "main", .never([])))
    try world.lose()
    #expect(world.refusal(.talkback("talk", true)) == .mediaServicesFailed)
  }

  @Test("A microphone that belongs to its own destination, or hears it, would howl, and is refused")
  func howl() throws {
    var world = try Self.stage()
    try world.plug("mic", .builtInSpeaker)
    #expect(world.refusal(.session("talk", .talkback(.outputs(["mic"])))) == .denied)
    try world.handle(.port(.input, "mic", .echo(["usb"])))
    #expect(world.refusal(.session("talk", .talkback(.outputs(["usb"])))) == .denied)
    // An open one closes if its microphone begins to hear its output.
    try world.handle(.talkback("talk", true))
    try world.handle(.port(.input, "mic", .echo(["headphones"])))
    #expect(!isOpen(world))
  }

  @Test(
    "A talkback to a group speaks to the outputs that are members now, and to none that a guard keeps away")
  func group() throws {
    var world = try Self.stage(to: [])
    #expect(world.refusal(.session("talk", .talkback(.outputs([], groups: ["ears"])))) == .notFound)
    try world.handle(.group("ears", .create))
    try world.handle(.session("talk", .talkback(.outputs([], groups: ["ears"]))))
    #expect(world.refusal(.talkback("talk", true)) == .badParam)
    func members(_ names: String...) -> Event {
      .group("ears", .set(.members(names.map { GroupPattern($0)! })))
    }
    func dims() -> [Double] { ["headphones", "usb"].map { world.state.talkbackDim(at: $0) } }
    try world.handle(members("output:headphones", "session:talk"))
    try world.handle(.talkback("talk", true))
    #expect(dims() == [-20, 0])
    try world.handle(members("output:*"))
    #expect(dims() == [-20, -20])
    try world.handle(.stream("talk", "main", .never(["usb"])))
    #expect(dims() == [-20, 0] && isOpen(world))
    // Of a group of which nothing is left, nobody would hear it.
    try world.handle(.closeTalkback("talk"))
    try world.handle(members("output:usb"))
    #expect(world.refusal(.talkback("talk", true)) == .denied)
    try world.handle(.stream("talk", "main", .never([])))
    try world.handle(.talkback("talk", true))
    #expect(dims() == [0, -20])
    try world.handle(members())
    #expect(!isOpen(world), "its last output has left the group")
  }

  @Test("A removed group is taken out of talkbacks, and one that speaks to nobody else closes")
  func removedGroup() throws {
    var world = try Self.stage(to: [])
    try world.handle(.group("ears", .create))
    try world.handle(.group("ears", .set(.members([GroupPattern("output:usb")!]))))
    try world.handle(.session("talk", .talkback(.outputs(["headphones"], groups: ["ears"]))))
    try world.handle(.talkback("talk", true))
    #expect(world.state.talkbackDim(at: "usb") == -20)
    try world.handle(.group("ears", .remove))
    #expect(isOpen(world) && world.state.talkbackDim(at: "usb") == 0)
    #expect(world.state.sessions["talk"]?.talkback.groups == [])
  }

  @Test("No talkback outlives its session, its outputs or the audio server")
  func ends() throws {
    for end in [
      Event.session("talk", .talkback(.outputs([]))), .server(ServerState()), .removeSession("talk"),
    ] {
      var world = try Self.stage()
      try world.handle(.talkback("talk", true))
      try world.handle(end)
      #expect(!isOpen(world), "\(end)")
    }
  }

  @Test("The sentence tells who hears it, and why nobody does")
  func why() throws {
    var world = try Self.stage(to: ["headphones", "usb"])
    func why() throws -> String { world.state.whyOfTalkback(try #require(world.state.sessions["talk"])) }
    #expect(try why() == "closed; speaks to headphones, usb")
    try world.unplug("usb")
    try world.handle(.talkback("talk", true))
    #expect(
      try why()
        == "open while its button is held: heard at headphones, where it dims everything else by -20.0 dB; usb is away"
    )
    try world.handle(.talkback("talk", false))
    try world.handle(.session("talk", .muted(true)))
    #expect(try why() == "open, latched, but heard nowhere: talk is muted")
    try world.handle(.session("talk", .muted(false)))
    try world.handle(.port(.output, "headphones", .muted(true)))
    #expect(try why() == "open, latched, but heard nowhere: headphones is muted")
    try world.present(["usb"])
    #expect(
      try why()
        == "open, latched: heard at usb, where it dims everything else by -20.0 dB; headphones is muted")
    try world.handle(.port(.input, "mic", .muted(true)))
    #expect(try why() == "open, latched, but heard nowhere: its input mic is muted")
  }
}
