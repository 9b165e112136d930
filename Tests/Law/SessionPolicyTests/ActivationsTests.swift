import LawWorld
import SessionModel
import Testing

@Suite("Activations: becoming active and inactive")
struct ActivationsTests {
  @Test("A mixable session is admitted and interrupts none; activating it again notifies of nothing")
  func mixing() throws {
    var world = try World.stage()
    for (id, category) in [
      ("a", Category.playback), ("b", .multiRoute), ("c", .playAndRecord), ("d", .ambient),
    ] {
      let id = try #require(SessionID(id))
      try world.create(id, category, options: .mixWithOthers, isActive: false)
      #expect(try world.handle(.activate(id)) == [.active(id, true, by: .app)])
    }
    #expect(world.state.sessions.values.allSatisfy { $0.isActive })
    #expect(try world.handle(.activate("a")).isEmpty)
    #expect(try world.handle(.deactivate("a", notifyingOthers: true)) == [.active("a", false, by: .app)])
    #expect(try world.handle(.deactivate("a", notifyingOthers: true)).isEmpty)
    #expect(world.refusal(.activate("absent")) == .notFound)
  }

  @Test(
    "Without a server no session can be active; when it returns, sessions that start by themselves are active again"
  )
  func server() throws {
    var world = try World.stage()
    try world.create("show", options: .mixWithOthers)
    try world.create("bed")
    try world.handle(.session("bed", .activation(.start)))
    try world.lose()
    #expect(world.state.sessions.values.allSatisfy { !$0.isActive })
    #expect(world.refusal(.activate("show")) == .mediaServicesFailed)
    try world.start()
    #expect(world.state.sessions["bed"]?.isActive == true)
    #expect(world.state.sessions["show"]?.isActive == false)
  }

  @Test(
    "A session with activate start that the operator deactivated stays inactive when the server stops and returns"
  )
  func startStaysDown() throws {
    var world = try World.stage()
    try world.create("bed", isActive: false)
    #expect(try world.handle(.session("bed", .activation(.start))) == [.active("bed", true, by: .system)])
    try world.handle(.deactivate("bed", notifyingOthers: false))
    var server = world.state.server
    server.period = 512
    #expect(try world.handle(.server(server)).isEmpty)
    try world.lose()
    try world.start()
    #expect(world.state.sessions["bed"]?.isActive == false)
    try world.handle(.activate("bed"))
    try world.lose()
    try world.handle(.deactivate("bed", notifyingOthers: false))
    try world.start()
    #expect(world.state.sessions["bed"]?.isActive == false)
  }

  @Test(
    "A session with activate start that is created before the server starts becomes active with the server")
  func startBeforeServer() throws {
    var world = World()
    try world.create("bed", isActive: false)
    #expect(try world.handle(.session("bed", .activation(.start))).isEmpty)
    try world.start()
    #expect(world.state.sessions["bed"]?.isActive == true)
  }

  @Test(
    "A session with activate connected becomes active only when a program connects, not because one is connected"
  )
  func connected() throws {
    var world = try World.stage()
    try world.create("music", .playback, isActive: false)
    try world.handle(.session("music", .activation(.connected)))
    #expect(try world.handle(.connected("music", true)) == [.active("music", true, by: .system)])
    try world.handle(.deactivate("music", notifyingOthers: false))
    #expect(try world.handle(.connected("music", true)).isEmpty)
    #expect(try world.handle(.connected("music", false)).isEmpty)
    #expect(try world.handle(.connected("music", true)) == [.active("music", true, by: .system)])
    // When the server has gone, the session no longer counts as connected.
    try world.lose()
    try world.start()
    #expect(try world.handle(.connected("music", true)) == [.active("music", true, by: .system)])
    #expect(try world.handle(.connected("absent", true)).isEmpty)
  }

  @Test(
    "A session whose programs disconnect becomes inactive and keeps its configuration",
    arguments: Activation.allCases)
  func vanishing(_ activation: Activation) throws {
    var world = try World.stage()
    try world.create("show")
    try world.handle(.session("show", .gain(.set(-3))))
    try world.handle(.session("show", .activation(activation)))
    try world.handle(.connected("show", true))
    #expect(
      try world.handle(.connected("show", false)) == [
        .session("show", .vanished), .active("show", false, by: .system),
      ])
    #expect(world.state.sessions["show"]?.gain.target == -3)
    try world.handle(.connected("show", true))
    #expect(world.state.sessions["show"]?.isActive == [.start, .connected].contains(activation))
  }

  @Test("A connected session that gets activate connected becomes active at once")
  func lateConnected() throws {
    var world = try World.stage()
    try world.create("music", .playback, isActive: false)
    try world.handle(.connected("music", true))
    #expect(
      try world.handle(.session("music", .activation(.connected))) == [.active("music", true, by: .system)])
  }

  @Test("An alert does not take the place of the session that plays now")
  func playingNow() throws {
    var world = try World.stage()
    try world.create("bed", .playback)
    #expect(world.state.nowPlaying == "bed")
    try world.create("gong", .playback, isActive: false)
    try world.handle(.session("gong", .priority(.alert)))
    try world.handle(.activate("gong"))
    #expect(world.state.sessions["gong"]?.isActive == true && world.state.nowPlaying == "bed")
  }

  @Test("So many sources of interruptions are remembered, and one more is refused")
  func interruptions() throws {
    var world = try World.stage()
    for number in 0..<RouterState.maximumInterruptions {
      try world.handle(.beginInterruption(#require(InterruptionID("phone\(number)"))))
    }
    #expect(world.refusal(.beginInterruption("door")) == .full)
    #expect(world.state.interruptions.count == RouterState.maximumInterruptions)
    try world.handle(.beginInterruption("phone0"))
  }
}
