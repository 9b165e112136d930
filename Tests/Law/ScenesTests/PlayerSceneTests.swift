import Queues
import SessionModel
import Testing

@testable import Scenes

@Suite("Scenes with players")
struct PlayerSceneTests {
  private static let show = #"show: { category: "playback", activate: "manual", streams: { bed: {} } }"#

  private static func scene(_ players: String, show: String = show) -> String {
    Evening.text(show, root: "players: { \(players) },")
  }

  private static let walkIn = #"walkin: { session: "show", queue: ["a.flac"], gain: -6, playing: true }"#

  /// An evening on which the walk-in music plays.
  private func evening(_ text: String = Self.walkIn) throws -> Evening {
    var evening = try Evening()
    try evening.recall(Self.scene(text))
    let items = [QueueItem(name: "a.flac", title: "a"), QueueItem(name: "b.flac", title: "b")]
    try evening.operate(.player("walkin", .queue(.found(items, for: ["a.flac"]))))
    return evening
  }

  private func player(_ evening: Evening) throws -> MediaPlayer {
    try #require(evening.state.players["walkin"])
  }

  @Test("A player that plays in both scenes goes on at its place, and its level moves over the fade")
  func goesOn() throws {
    var evening = try evening()
    try evening.operate(.player("walkin", .order(.go(1))))
    let before = try player(evening)
    try evening.recall(
      Self.scene(
        #"walkin: { session: "show", queue: ["a.flac"], index: 0, position: 3, gain: -20, playing: true }"#),
      fade: 4)
    evening.pass(2)
    let during = try player(evening)
    #expect(during.passes == before.passes && during.jump == before.jump && during.orders == before.orders)
    #expect(during.gain.isFading(at: evening.time) && during.gain.target == -20)
  }

  @Test(
    "A player that gets another queue begins at the scene's place in it, also where it was at that place in the one before"
  )
  func otherQueue() throws {
    var evening = try evening(#"walkin: { session: "show", queue: ["a.flac"], position: 12 }"#)
    try evening.recall(Self.scene(#"walkin: { session: "show", queue: ["b.flac"], position: 12 }"#))
    #expect(try player(evening).position(at: evening.time) == 12)
    let orders = try player(evening).orders
    try evening.recall(Self.scene(#"walkin: { session: "show", queue: ["b.flac"], position: 12 }"#))
    #expect(try player(evening).orders == orders)
  }

  @Test("A scene stops a player that it stops, and removes one that it does not name")
  func stops() throws {
    var evening = try evening()
    try evening.recall(Self.scene(#"walkin: { session: "show", queue: ["a.flac"], playing: false }"#))
    #expect(try player(evening).transport == .stopped)
    try evening.recall(Self.scene(""))
    #expect(evening.state.players.isEmpty)
  }

  @Test(
    "Another queue takes the place of the old one, and a player goes to the place that the scene names once its files are found"
  )
  func place() throws {
    var evening = try evening()
    try evening.recall(
      Self.scene(#"walkin: { session: "show", queue: ["b.flac"], index: 1, position: 3, playing: true }"#))
    let searching = try player(evening)
    #expect(searching.queue.value.isEmpty && searching.isPlaying && searching.search?.index == 1)
    let items = [QueueItem(name: "b.flac", title: "b"), QueueItem(name: "c.flac", title: "c")]
    try evening.operate(.player("walkin", .queue(.found(items, for: ["a.flac"]))))
    #expect(try player(evening).queue.value.isEmpty, "files of other words are ignored")
    try evening.operate(.player("walkin", .queue(.found(items, for: ["b.flac"]))))
    let found = try player(evening)
    #expect(found.queue.value.index == 1 && found.jump.seconds == 3 && found.search == nil)
  }

  @Test("The preview says that a player begins to play, or stops")
  func preview() throws {
    let evening = try evening()
    let listed = try evening.preview(Self.scene(#"walkin: { session: "show", playing: false }"#))
    let playing = try #require(listed.first { $0.address == "/player/walkin/playing" })
    #expect(playing.now == "1" && playing.then == "0" && playing.effect == "stops")
    #expect(listed.contains { $0.address == "/player/walkin/file" && $0.then == "none" })
  }

  @Test("A new class of a session leaves its player playing")
  func dip() throws {
    var evening = try evening()
    let alert =
      #"show: { category: "playback", priority: "alert", activate: "manual", streams: { bed: {} } }"#
    try evening.recall(Self.scene(Self.walkIn, show: alert))
    #expect(evening.state.sessions["show"]?.priority == .alert)
    #expect(try player(evening).isPlaying)
  }

  @Test("A call does not stop a scene whose player may not play now")
  func call() throws {
    var evening = try Evening()
    try evening.operate(.beginInterruption("phone"))
    let solo = #"show: { category: "soloAmbient", activate: "manual", options: [], streams: { bed: {} } }"#
    try evening.recall(Self.scene(Self.walkIn, show: solo))
    #expect(evening.outcome?.waiting == ["show"])
    #expect(evening.state.players["walkin"]?.gain.target == -6)
  }

  @Test("An undo brings a player back, and it plays again")
  func undo() throws {
    var evening = try evening()
    let origin = evening.state
    try evening.recall(Self.scene(""))
    try evening.undo(to: origin)
    let player = try player(evening)
    #expect(player.isPlaying && player.gain.target == -6 && player.contents == ["a.flac"])
  }
}
