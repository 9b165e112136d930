import MediaKernel
import MixEngine
import OSC
import ServerInterface
import SessionModel
import SystemCalls
import Testing

@testable import Router

/// Which outputs are measured, and when.
@Suite struct MeterKeeperTests {
  private let keeper = MeterKeeper(rate: 48_000) { Issue.record("\($0): \($1)") }
  private var state: RouterState

  init() throws { state = try Show.state(Show.ports + Show.session + [Show.present]) }

  private mutating func happen(_ setting: PortSetting) throws {
    state = try Show.state([.port(.output, "headphones", setting)], from: state)
  }

  private var listens: Bool? {
    var orders = MediaOrders()
    keeper.add(to: &orders)
    return keeper.mix["headphones"].flatMap { orders[$0]?.listens }
  }

  @Test("A show without meters has no tap, no copy in the mix and no thread")
  mutating func none() throws {
    #expect(!keeper.follow(state, isWatched: true))
    #expect(keeper.mix.isEmpty && keeper.passes == nil && keeper.takeReadings().isEmpty)
    var media = MixMedia()
    media.meters = keeper.mix
    #expect(TopologyBuilder.topology(of: state, media).metered.isEmpty)
    #expect(TopologyBuilder.topology(of: state, media) == TopologyBuilder.topology(of: state))
  }

  @Test(
    "An output with meters is copied channel by channel, and listens only while a client subscribes to meters"
  )
  mutating func watched() throws {
    try happen(.meters([.ppm, .correlation]))
    #expect(!keeper.follow(state, isWatched: false))
    #expect(listens == false && keeper.mix["headphones"]?.channelCount == 2)
    var media = MixMedia()
    media.meters = keeper.mix
    let metered = TopologyBuilder.topology(of: state, media).metered
    #expect(metered.map(\.sink) == [.output("headphones", 1), .output("headphones", 2)])
    #expect(metered.map(\.tap.channel) == [0, 1])
    #expect(keeper.follow(state, isWatched: true) && listens == true)
    #expect(!keeper.follow(state, isWatched: true))
    #expect(keeper.follow(state, isWatched: false) && listens == false)
    // A whole programme is measured while nobody looks, too.
    try happen(.meters([.ppm, .loudness]))
    #expect(keeper.follow(state, isWatched: false) && listens == true)
  }

  @Test("Other meters, other channels and an output that is gone end the former tap when no plan has it")
  mutating func changes() throws {
    try happen(.meters([.loudness]))
    _ = keeper.follow(state, isWatched: false)
    let first = try #require(keeper.mix["headphones"])
    try happen(.gain(.set(-6)))
    _ = keeper.follow(state, isWatched: false)
    #expect(keeper.mix["headphones"] === first && !keeper.isReleasing)
    try happen(.meters([.loudness, .truePeak]))
    _ = keeper.follow(state, isWatched: false)
    #expect(keeper.mix["headphones"] !== first && keeper.isReleasing)
    keeper.release(adopted: .max)
    #expect(keeper.isReleasing, "no plan is without it yet")
    keeper.notePlan(7)
    keeper.release(adopted: 6)
    #expect(keeper.isReleasing)
    keeper.release(adopted: 7)
    #expect(!keeper.isReleasing)
    state.outputs["headphones"] = nil
    _ = keeper.follow(state, isWatched: false)
    #expect(keeper.mix.isEmpty && keeper.isReleasing)
  }

  @Test("A meter that cannot measure the present channels rests until it can")
  mutating func widths() throws {
    state.isRecalling = true
    state.outputs.update("headphones") { $0.declaredChannels = 0 }
    try happen(.meters([.correlation]))
    state.outputs.update("headphones") { $0.members = ["a:1"] }
    _ = keeper.follow(state, isWatched: true)
    #expect(keeper.mix.isEmpty)
    state.outputs.update("headphones") { $0.members = ["a:1", "a:2"] }
    _ = keeper.follow(state, isWatched: true)
    #expect(keeper.mix["headphones"] != nil)
  }

  @Test("An output is measured at each new server, too")
  func newServer() async {
    let server = MemoryServer(Show.devices)
    let router = Router(Router.Settings(), server: server, isInline: true)
    await router.perform { router in
      router.join()
      for event in Show.ports.dropFirst() { router.happen(event) }
      router.happen(.port(.output, "headphones", .meters([.loudness])))
      let first = router.connection?.metering.mix["headphones"]
      #expect(first != nil)
      server.die()
      router.tick()
      #expect(router.connection == nil)
      server.refuse(with: nil)
      router.followSearch()
      let second = router.connection?.metering.mix["headphones"]
      #expect(second != nil && second !== first)
    }
    router.executor.stop()
  }

  @Test("A library that is missing is told, with what to install")
  func missing() async {
    let log = EventCollector()
    let router = Router(Router.Settings(), server: MemoryServer(), listeners: [log], isInline: true)
    let library = DynamicLibrary.Missing("libebur128.so.1 is missing; install the package libebur128-1")
    router.miss(library, at: "usb")
    await router.perform { _ in }
    #expect(
      log.take().map(\.arguments.last) == [
        .string(
          "usb shows neither loudness nor true peaks: libebur128.so.1 is missing; install the package libebur128-1"
        )
      ])
    router.executor.stop()
  }
}
