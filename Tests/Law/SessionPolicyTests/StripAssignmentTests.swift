import Effects
import LawWorld
import SessionModel
import SessionPolicy
import Testing

@Suite("Strips")
struct StripAssignmentTests {
  private func targets(_ world: World, _ numbers: ClosedRange<Int>) -> [String?] {
    numbers.map { world.state.strips.target(of: $0)?.address }
  }

  @Test("A bank shows each session with its streams behind it, then the outputs")
  func order() throws {
    var world = World()
    try world.create("show", isActive: false)
    try world.create("music", isActive: false)
    try world.plug("usb", .usbAudio)
    try world.handle(.router(.strips(.size(1, 6))))
    #expect(
      targets(world, 1...6) == [
        "/session/show", "/session/show/stream/main", "/session/music", "/session/music/stream/main",
        "/output/usb", nil,
      ])
  }

  @Test("Sessions, streams and outputs that come or go move the targets of banks at once")
  func changes() throws {
    var world = World()
    try world.create("show", isActive: false)
    try world.handle(.router(.strips(.size(1, 4))))
    #expect(targets(world, 1...3) == ["/session/show", "/session/show/stream/main", nil])
    try world.handle(.createStream("show", "click", channels: 1, placed: false))
    try world.plug("usb", .usbAudio)
    #expect(targets(world, 3...4) == ["/session/show/stream/click", "/output/usb"])
    try world.handle(.removeStream("show", "main"))
    #expect(targets(world, 2...4) == ["/session/show/stream/click", "/output/usb", nil])
    // A device that is unplugged keeps its place.
    try world.unplug("usb")
    #expect(targets(world, 3...3) == ["/output/usb"])
    try world.handle(.removeSession("show"))
    #expect(targets(world, 1...2) == ["/output/usb", nil])
  }

  @Test("A bank whose targets have gone shows the last ones, and is where it was when they are back")
  func shrinks() throws {
    var world = World()
    for id: SessionID in ["a", "b", "c"] { try world.create(id, isActive: false) }
    try world.handle(.router(.strips(.size(1, 2))))
    try world.handle(.router(.strips(.place(1, 4))))
    #expect(targets(world, 1...2) == ["/session/c", "/session/c/stream/main"])
    try world.handle(.removeSession("c"))
    #expect(world.state.strips.place(of: 1) == 2)
    #expect(targets(world, 1...2) == ["/session/b", "/session/b/stream/main"])
    try world.create("c", isActive: false)
    #expect(targets(world, 1...2) == ["/session/c", "/session/c/stream/main"])
  }

  @Test("A bank does not take strips of another one, nor more than there are")
  func bounds() throws {
    var world = World()
    try world.handle(.router(.strips(.size(2, 4))))
    #expect(world.refusal(.router(.strips(.size(1, 9)))) == .isBusy)
    #expect(world.refusal(.router(.strips(.size(8, 9)))) == .outOfRange)
    try world.handle(.router(.strips(.size(1, 8))))
    try world.handle(.router(.strips(.size(2, 0))))
    try world.handle(.router(.strips(.size(1, 64))))
    #expect(world.state.strips.strips(of: 1) == 1..<65)
  }

  @Test("An assignment counts as a change of the preset, a move of a bank does not")
  func modified() throws {
    var world = World()
    try world.handle(.preset(.began("show", fade: 0)))
    try world.handle(.router(.strips(.size(1, 8))))
    try world.handle(.router(.strips(.step(1, 1))))
    #expect(!world.state.presets.isModified)
    try world.handle(.router(.strips(.one(1, .output("usb")))))
    #expect(world.state.presets.isModified)
  }

  @Test(
    "Addresses of targets are read and written",
    arguments: [
      "/session/show", "/session/show/stream/click", "/session/show/stream/click/to/usb", "/output/usb",
      "/input/mic", "/player/walkin", "/group/drums", "/output/usb/effect/1/control/HPfreq",
      "/session/show/stream/click/effect/8/control/gain", "/session/show/capture/effect/2/control/th",
    ])
  func addresses(_ address: String) {
    #expect(StripTarget(address)?.address == address)
    for wrong in [address + "/gain", address + "/", String(address.dropFirst()), address.uppercased()] {
      #expect(StripTarget(wrong) == nil, "\(wrong)")
    }
  }

  @Test(
    "What a bank moves over is read and written",
    arguments: [
      "show", "/session/show/stream/click", "/session/show/capture", "/output/usb", "/input/mic",
      "/output/usb/effect/2",
    ])
  func ranges(_ text: String) {
    #expect(BankRange(text)?.text == text)
    for wrong in [
      text + "/", text + "/effect", text + "/effect/0", text + "/effect/02", text + "/control/gain",
    ] {
      #expect(BankRange(wrong) == nil, "\(wrong)")
    }
  }

  // MARK: Controls of plugins

  private static let chain = InsertPlace.stream("show", "main")

  /// A bank of three strips over the chain of a stream, of which no plugin is loaded.
  private func worldWithEffects() throws -> World {
    var world = World()
    try world.create("show", isActive: false)
    try world.handle(.insert(Self.chain, .effects([Effect("eq"), Effect("gate")])))
    try world.handle(.router(.strips(.size(1, 3))))
    try world.handle(.router(.strips(.place(1, 1))))
    try world.handle(.router(.strips(.range(1, .chain(Self.chain)))))
    return world
  }

  /// Tells the symbols of the controls that the effects have; an effect without symbols is still being loaded.
  private func load(_ symbols: [[String]], _ world: inout World) throws {
    var report = EffectsReport()
    report.effects = symbols.map { symbols in
      var facts = EffectFacts()
      facts.state = symbols.isEmpty ? .loading : .working
      facts.controls = symbols.enumerated().map {
        EffectControl(port: $0.offset, symbol: $0.element, name: $0.element, range: 0...1, standard: 0)
      }
      return facts
    }
    try world.handle(.effectsReported(Self.chain, report))
  }

  @Test("A bank over a chain shows the controls of all its effects as they are loaded, from the first one on")
  func controls() throws {
    var world = try worldWithEffects()
    let effect = "/session/show/stream/main/effect"
    #expect(targets(world, 1...3) == [nil, nil, nil] && world.state.strips.place(of: 1) == 0)
    try load([["freq", "q"], []], &world)
    #expect(targets(world, 1...3) == ["\(effect)/1/control/freq", "\(effect)/1/control/q", nil])
    try load([["freq", "q"], ["th", "rt"]], &world)
    #expect(targets(world, 3...3) == ["\(effect)/2/control/th"])
    try world.handle(.router(.strips(.step(1, 1))))
    #expect(targets(world, 1...2) == ["\(effect)/2/control/rt", nil])
    try world.handle(.router(.strips(.step(1, 1))))
    #expect(world.state.strips.place(of: 1) == 3)
    // While another plugin is loaded there are fewer, and the bank keeps its place.
    try world.handle(.insert(Self.chain, .effect(1, .plugin("compressor"))))
    #expect(targets(world, 1...3) == [nil, nil, nil] && world.state.strips.place(of: 1) == 3)
    try load([["a", "b"], ["th", "rt"]], &world)
    #expect(targets(world, 1...2) == ["\(effect)/2/control/rt", nil])
    // Over one effect it begins at the first control.
    try world.handle(.router(.strips(.range(1, .effect(EffectSlot(Self.chain, 2))))))
    #expect(targets(world, 1...3) == ["\(effect)/2/control/th", "\(effect)/2/control/rt", nil])
    try world.handle(.router(.strips(.range(1, .show))))
    #expect(targets(world, 1...3) == ["/session/show", "/session/show/stream/main", nil])
  }

  @Test("A bank has no targets while what it moves over is gone, and cannot be set to what does not exist")
  func absent() throws {
    var world = try worldWithEffects()
    try load([["freq"], []], &world)
    try world.handle(.removeStream("show", "main"))
    #expect(targets(world, 1...1) == [nil])
    #expect(world.state.strips.range(of: 1) == .chain(Self.chain))
    for range in [
      BankRange.chain(Self.chain), .chain(.output("usb")), .effect(EffectSlot(.capture("show"), 1)),
    ] {
      #expect(world.refusal(.router(.strips(.range(1, range)))) == .notFound)
    }
    try world.handle(.createStream("show", "main", channels: 2, placed: true))
    try world.handle(.insert(Self.chain, .effects([Effect("eq")])))
    try load([["freq"]], &world)
    #expect(targets(world, 1...2) == ["/session/show/stream/main/effect/1/control/freq", nil])
  }

  @Test("Two banks move over one chain, each at its own place")
  func two() throws {
    var world = try worldWithEffects()
    try load([["a", "b", "c", "d"]], &world)
    try world.handle(.router(.strips(.size(2, 2))))
    try world.handle(.router(.strips(.range(2, .chain(Self.chain)))))
    try world.handle(.router(.strips(.step(2, 1))))
    let control = "/session/show/stream/main/effect/1/control"
    #expect(targets(world, 1...3) == ["\(control)/a", "\(control)/b", "\(control)/c"])
    #expect(targets(world, 9...10) == ["\(control)/c", "\(control)/d"])
  }

  @Test("The lamp of a control is that of its effect")
  func lamp() throws {
    var world = try worldWithEffects()
    func state() -> StripState? {
      world.state.stripState(of: .control(EffectSlot(Self.chain, 1), "freq"), world.state.activity)
    }
    #expect(state() == .inactive)
    try load([["freq"]], &world)
    #expect(state() == .heard)
    try world.handle(.router(.bypassEffects(true)))
    #expect(state() == .muted)
    try world.handle(.router(.bypassEffects(false)))
    try world.handle(.insert(Self.chain, .effect(1, .on(false))))
    #expect(state() == .muted)
    try world.handle(.insert(Self.chain, .effect(1, .on(true))))
    var report = EffectsReport()
    report.effects = [EffectFacts()]
    report.effects[0].state = .faulty
    try world.handle(.effectsReported(Self.chain, report))
    #expect(state() == .muted)
    try world.handle(.insert(Self.chain, .effects([])))
    #expect(state() == nil)
  }
}
