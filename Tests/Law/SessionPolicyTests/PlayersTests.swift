import LawWorld
import Queues
import SessionModel
import SessionPolicy
import Testing

@Suite("Players")
struct PlayersTests {
  // MARK: Playing

  @Test("play activates an inactive session first, and then tells what plays")
  func activates() throws {
    var rig = try MediaRig()
    let told = try rig.order(.play())
    #expect(
      told.filter { !$0.isRoute } == [
        .active("music", true, by: .app), .player("walkin", .state(.playing)),
        .nowPlaying("walkin", 0, media: "m1", title: "One"),
      ])
    #expect(rig.music.isOutputRunning && rig.music.isPlaying)
  }

  @Test("What the law says against the activation is the answer to play, and nothing changes")
  func refused() throws {
    var rig = try MediaRig()
    try rig.handle(.session("music", .foreground(false)))
    #expect(rig.refusal(.order(.play())) == .cannotInterruptOthers)
    try rig.handle(.server(ServerState()))
    #expect(rig.refusal(.order(.play())) == .mediaServicesFailed)
  }

  @Test("An empty queue has nothing to play, and the answer says what to do")
  func empty() throws {
    var rig = try MediaRig(items: 0)
    #expect(
      rig.sentence(.order(.play()))
        == "walkin has nothing to play; add something first (/player/walkin/queue/add)")
    for order: PlayerOrder in [.prepare, .next, .previous, .beginning, .toggle, .seek(1)] {
      #expect(rig.refusal(.order(order)) == .notFound, "\(order)")
    }
    #expect(!rig.music.isActive)
  }

  @Test("A player needs a stream, an id of its own, and a category that has an output")
  func creation() throws {
    var rig = try MediaRig()
    #expect(rig.refusal(.create("music", "main", seed: 1)) == .exists)
    #expect(rig.refusal(.create("music", "absent", seed: 1), of: "two") == .notFound)
    #expect(rig.refusal(.create("absent", "main", seed: 1), of: "two") == .notFound)
    try rig.rig.make("notes", .record)
    #expect(
      rig.sentence(.create("notes", "main", seed: 1), of: "two")
        == "notes is record, which has no output to play into")
    #expect(rig.refusal(.order(.play()), of: "two") == .notFound)
    #expect(rig.refusal(.set(.muted(true)), of: "two") == .notFound)
  }

  @Test("A player in the background of a category that stops there is refused")
  func background() throws {
    var rig = try MediaRig(.ambient)
    try rig.handle(.activate("music"))
    try rig.handle(.session("music", .foreground(false)))
    #expect(rig.refusal(.order(.play())) == .cannotStartPlaying)
  }

  @Test("stop keeps the place, and a second one goes to the beginning; pause and toggle")
  func stops() throws {
    var rig = try MediaRig()
    try rig.order(.play())
    try rig.facts(seconds: 40, speed: 1)
    rig.rig.world.time += 2
    #expect(rig.player.position(at: rig.rig.world.time) == 42)
    #expect(try rig.order(.pause) == [.player("walkin", .state(.paused))])
    try rig.facts(seconds: 42, speed: 0)
    #expect(try rig.order(.toggle).last == .player("walkin", .state(.playing)))
    #expect(try rig.order(.stop) == [.player("walkin", .state(.stopped))])
    #expect(rig.player.position(at: 100) == 42)
    try rig.order(.stop)
    #expect(rig.player.position(at: 100) == 0)
    #expect(try rig.order(.prepare) == [.player("walkin", .state(.prepared))])
  }

  @Test(
    "A scheduled start waits for its time, counts as running output only from then on, and pause cancels it")
  func scheduled() throws {
    var rig = try MediaRig()
    #expect(try rig.order(.play(after: 5)).contains(.player("walkin", .state(.prepared))))
    #expect(rig.player.startTime == 5 && rig.music.isActive && !rig.music.isOutputRunning)
    #expect(rig.state.remotePlayer == nil)
    let told = try rig.handle(.player("walkin", .report(.started)))
    #expect(
      told == [.player("walkin", .state(.playing)), .nowPlaying("walkin", 0, media: "m1", title: "One")])
    #expect(rig.music.isOutputRunning)
    try rig.order(.play(after: 5))
    try rig.order(.pause)
    #expect(rig.player.state == .paused && rig.player.startTime == nil)
    #expect(try rig.handle(.player("walkin", .report(.started))).isEmpty)
  }

  @Test("A scheduled start of a player that plays already changes nothing")
  func scheduledTwice() throws {
    var rig = try MediaRig()
    try rig.order(.play())
    #expect(try rig.order(.play(after: 5)).isEmpty)
    #expect(rig.player.state == .playing && rig.player.startTime == nil && rig.music.isOutputRunning)
  }

  @Test("A seek ends at the end of the item, and a place as a part needs its length")
  func seeks() throws {
    var rig = try MediaRig()
    #expect(rig.refusal(.order(.seekPart(0.5))) == .notYet)
    try rig.facts(seconds: 0, speed: 0)
    try rig.order(.seek(1_000))
    #expect(rig.player.position(at: 0) == 100)
    try rig.order(.seekPart(0.25))
    #expect(rig.player.position(at: 0) == 25 && rig.player.progress(at: 0) == 0.25)
  }

  @Test("Winding is for a player that plays, and ends with the release, and with pause")
  func winding() throws {
    var rig = try MediaRig()
    #expect(
      rig.sentence(.order(.wind(.forward, true)))
        == "walkin is stopped, so it cannot be wound; play it first")
    try rig.order(.wind(.forward, false))
    try rig.order(.play())
    #expect(try rig.order(.wind(.back, true)) == [.player("walkin", .state(.seekingBackward))])
    #expect(try rig.order(.wind(.forward, true)) == [.player("walkin", .state(.seekingForward))])
    #expect(try rig.order(.wind(.back, false)).isEmpty)
    #expect(try rig.order(.wind(.forward, false)) == [.player("walkin", .state(.playing))])
    try rig.order(.wind(.back, true))
    try rig.order(.pause)
    #expect(rig.player.winding == .none)
  }

  @Test("Balance is for 1 and 2 channels")
  func pan() throws {
    var rig = try MediaRig()
    try rig.handle(.player("walkin", .set(.pan(.set(0.5)))))
    try rig.handle(.createStream("music", "wide", channels: 6, placed: true))
    try rig.handle(.player("wide", .create("music", "wide", seed: 1)))
    #expect(rig.refusal(.set(.pan(.set(0.5))), of: "wide") == .badParam)
    try rig.handle(.player("wide", .set(.pan(.store(0)))))
  }

  @Test("With more than 16 channels the only speed is 1, and there is no fast forward")
  func widePlayers() throws {
    var rig = try MediaRig()
    for (id, channels) in [("full", 16), ("wide", 17)] as [(PlayerID, Int)] {
      let stream = StreamID(stringLiteral: id.name)
      try rig.handle(.createStream("music", stream, channels: channels, placed: true))
      try rig.handle(.player(id, .create("music", stream, seed: 1)))
      try rig.handle(.player(id, .queue(.add(MediaRig.items(1)))))
      try rig.handle(.player(id, .set(.rate(1))))
      try rig.handle(.player(id, .order(.play())))
    }
    try rig.handle(.player("full", .set(.rate(2))))
    try rig.handle(.player("full", .order(.wind(.forward, true))))
    #expect(rig.refusal(.set(.rate(2)), of: "wide") == .badParam)
    #expect(
      rig.sentence(.set(.rate(2)), of: "wide")
        == "wide has 17 channels; other speeds than 1 are for 1 to 16 channels")
    #expect(rig.refusal(.order(.wind(.forward, true)), of: "wide") == .badParam)
    try rig.handle(.player("wide", .order(.wind(.back, true))))
  }

  // MARK: Queues

  @Test("Items follow each other, each pass has a number, and reports about an earlier item change nothing")
  func advances() throws {
    var rig = try MediaRig()
    try rig.order(.play())
    let first = rig.player.passes
    let told = try rig.report(.advanced(pass: first))
    #expect(told == [.nowPlaying("walkin", 1, media: "m2", title: "Two")])
    #expect(rig.player.passes == first + 1)
    #expect(try rig.report(.advanced(pass: first)).isEmpty)
    #expect(try rig.report(.failed(pass: first, SessionError(.io, "gone"))).isEmpty)
    #expect(rig.player.queue.value.index == 1)
  }

  @Test("next, previous and index keep what the player does; next at the end stops")
  func moves() throws {
    var rig = try MediaRig()
    try rig.order(.next)
    #expect(rig.player.state == .stopped && rig.player.title == "Two")
    try rig.order(.play())
    #expect(try rig.order(.next) == [.nowPlaying("walkin", 2, media: "m3", title: "Three")])
    #expect(try rig.order(.previous) == [.nowPlaying("walkin", 1, media: "m2", title: "Two")])
    #expect(try rig.order(.go(2)) == [.nowPlaying("walkin", 2, media: "m3", title: "Three")])
    #expect(
      rig.sentence(.order(.go(7)))
        == "walkin: there is no item 7; the queue has 3, counted from 0 to 2")
    #expect(try rig.order(.next) == [.player("walkin", .state(.stopped))])
    #expect(rig.player.title == "One")
  }

  @Test(
    "previous goes on backwards past an item that cannot be played, also while the item before it is still heard"
  )
  func previousPastBroken() throws {
    var rig = try MediaRig()
    try rig.order(.go(2))
    try rig.order(.play())
    try rig.facts(seconds: 5, speed: 1)
    try rig.order(.previous)
    // The player was looked at before the seek.
    var facts = PlayerFacts()
    facts.mark = PlayerFacts.Mark(seconds: 0, time: rig.rig.world.time, speed: 1)
    try rig.report(.facts(pass: rig.player.passes, facts))
    try rig.report(.failed(pass: rig.player.passes, SessionError(.io, "it is damaged")))
    #expect(rig.player.title == "One")
    // Once an item is heard after its seek, the way back is over.
    try rig.order(.go(2))
    try rig.order(.previous)
    try rig.report(.facts(pass: rig.player.passes, facts))
    try rig.facts(seconds: 0, speed: 1)
    try rig.report(.failed(pass: rig.player.passes, SessionError(.io, "it is damaged")))
    #expect(rig.player.title == "Three")
  }

  @Test("The removal of the item that plays goes on with the next; without one, and with clear, it stops")
  func removals() throws {
    var rig = try MediaRig()
    try rig.order(.play())
    #expect(try rig.edit(.remove(0)) == [.nowPlaying("walkin", 0, media: "m2", title: "Two")])
    let passes = rig.player.passes
    try rig.edit(.remove(1))
    #expect(rig.player.passes == passes && rig.player.isPlaying)
    #expect(try rig.edit(.remove(0)) == [.player("walkin", .state(.stopped))])
    try rig.edit(.add(MediaRig.items(2)))
    try rig.order(.play())
    #expect(try rig.edit(.clear) == [.player("walkin", .state(.stopped))])
    #expect(rig.music.runningPlayers == 0)
    #expect(rig.refusal(.queue(.move(from: 0, to: 1))) == .outOfRange)
  }

  @Test("The end of the queue stops the player and tells so; the session stays active")
  func finishes() throws {
    var rig = try MediaRig(items: 1)
    try rig.order(.play())
    let told = try rig.report(.finished(pass: rig.player.passes))
    #expect(told == [.player("walkin", .state(.stopped)), .player("walkin", .finished)])
    #expect(rig.music.isActive && !rig.music.isOutputRunning)
    #expect(rig.player.position(at: 0) == 0)
  }

  @Test("With repeat the end goes on: all with the first item, one with the same")
  func repeats() throws {
    var rig = try MediaRig(items: 2)
    try rig.handle(.player("walkin", .set(.repeats(.one))))
    try rig.order(.play())
    #expect(try rig.report(.advanced(pass: rig.player.passes)).count == 1)
    #expect(rig.player.title == "One")
    try rig.handle(.player("walkin", .set(.repeats(.all))))
    try rig.order(.next)
    #expect(try rig.report(.finished(pass: rig.player.passes)).count == 1)
    #expect(rig.player.title == "One" && rig.player.isPlaying)
  }

  @Test("A bad item is told and skipped, three in a row stop, and one that is heard in between begins anew")
  func failures() throws {
    var rig = try MediaRig()
    try rig.handle(.player("walkin", .set(.repeats(.all))))
    try rig.order(.play())
    let error = SessionError(.io, "it is no sound file")
    func fail() throws -> [Notification] { try rig.report(.failed(pass: rig.player.passes, error)) }
    #expect(
      try fail() == [
        .player("walkin", .failed),
        .error(
          client: 0, address: "/player/walkin",
          SessionError(.io, "walkin cannot play 1.flac: it is no sound file")),
        .nowPlaying("walkin", 1, media: "m2", title: "Two"),
      ])
    _ = try fail()
    try rig.facts(seconds: 1, speed: 1)
    _ = try fail()
    _ = try fail()
    let told = try fail()
    #expect(told.contains(.player("walkin", .finished)) && !rig.player.isPlaying)
    #expect(
      told.last
        == .error(
          client: 0, address: "/player/walkin",
          SessionError(
            .io, "walkin stops, because 3 items in a row could not be played; remove them from its queue")))
  }

  // MARK: Remote control

  @Test("The remote reaches the player that began to play last, of those that it may reach")
  func remote() throws {
    var rig = try MediaRig()
    for id: PlayerID in ["two", "three"] {
      try rig.handle(.player(id, .create("music", "main", seed: 2)))
      try rig.handle(.player(id, .queue(.add(MediaRig.items(1)))))
    }
    #expect(rig.state.remotePlayer == nil)
    for id: PlayerID in ["walkin", "two", "three"] { try rig.handle(.player(id, .order(.play()))) }
    #expect(rig.state.remotePlayer == "three")
    try rig.handle(.player("three", .set(.remote(false))))
    #expect(rig.state.remotePlayer == "two")
    try rig.handle(.player("two", .remove))
    #expect(rig.state.remotePlayer == "walkin")
    try rig.handle(.player("three", .set(.remote(true))))
    #expect(rig.state.remotePlayer == "three")
  }
}
