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
      "/input/mic", "/player/walkin",
    ])
  func addresses(_ address: String) {
    #expect(StripTarget(address)?.address == address)
    for wrong in [address + "/gain", address + "/", String(address.dropFirst()), address.uppercased()] {
      #expect(StripTarget(wrong) == nil, "\(wrong)")
    }
  }
}
