import LawWorld
import SessionModel
import Testing

@Suite("Creation: creating and removing sessions and streams")
struct CreationTests {
  @Test("A new session is inactive and has the configuration that was asked for")
  func session() throws {
    var world = try World.stage()
    let told = try world.handle(
      .createSession("show", SessionConfiguration(category: .multiRoute, options: .mixWithOthers)))
    #expect(told == [.session("show", .created)])
    let session = try #require(world.state.sessions["show"])
    #expect(!session.isActive && session.category == .multiRoute && session.options == .mixWithOthers)
    #expect(session.name == "show" && session.gain.target == 0 && session.maximum == 10)
    #expect(world.refusal(.createSession("show", SessionConfiguration())) == .exists)
    let impossible = SessionConfiguration(category: .record, mode: .voiceChat)
    #expect(world.refusal(.createSession("calls", impossible)) == .badParam)
  }

  @Test("Removing a session deactivates it first and removes it from the captures of other sessions")
  func removal() throws {
    var world = try World.stage()
    try world.create("show")
    try world.create("monitor", options: .mixWithOthers)
    try world.handle(.captureSession("monitor", "show", .on(true)))
    #expect(
      try world.handle(.removeSession("show")) == [
        .active("show", false, by: .app), .session("show", .removed),
      ])
    #expect(world.state.sessions.keys == ["monitor"])
    #expect(world.state.sessions["monitor"]?.capture.sessions.isEmpty == true)
    #expect(world.refusal(.removeSession("show")) == .notFound)
  }

  @Test(
    "A placed stream of a multiRoute session is sent to the first output; other new streams are sent nowhere")
  func placed() throws {
    var world = try World.stage()
    try world.create("show")
    try world.create("music", .playback)
    #expect(world.stream("show")?.destinations.keys == ["usb"])
    #expect(world.stream("music")?.destinations.isEmpty == true)
    try world.handle(.createStream("show", "click", channels: 1, placed: false))
    #expect(world.state.sessions["show"]?.streams["click"]?.destinations.isEmpty == true)
  }

  @Test("A stream needs an unused id and 1 to 64 channels")
  func streams() throws {
    var world = try World.stage()
    try world.create("show")
    #expect(world.refusal(.createStream("show", "main", channels: 2, placed: false)) == .exists)
    #expect(world.refusal(.createStream("show", "capture", channels: 2, placed: false)) == .badValue)
    #expect(world.refusal(.createStream("show", "wide", channels: 65, placed: false)) == .outOfRange)
    #expect(world.refusal(.createStream("show", "thin", channels: 0, placed: false)) == .outOfRange)
    #expect(world.refusal(.createStream("absent", "x", channels: 2, placed: false)) == .notFound)
    try world.handle(.removeStream("show", "main"))
    #expect(world.refusal(.removeStream("show", "main")) == .notFound)
  }
}
