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

  // MARK: Sessions

  @Test("An interruption pauses a player, and its end lets it go on as the session resumes")
  func interruption() throws {
    var rig = try MediaRig()
    try rig.handle(.session("music", .resumption(.recommended)))
    try rig.order(.play())
    try rig.rig.play("call", .playback)
    #expect(rig.player.state == .interrupted && rig.music.runningPlayers == 0)
    #expect(rig.rig.world.told.contains(.player("walkin", .state(.interrupted))))
    let told = try rig.rig.end("call")
    #expect(told.last { $0 == .player("walkin", .state(.playing)) } != nil)
    #expect(rig.player.isRunning && rig.music.runningPlayers == 1)
    // The same item goes on, so nothing new plays.
    #expect(!told.contains { if case .nowPlaying = $0 { true } else { false } })
  }

  @Test("Without a resume the player stays interrupted, until play activates the session again")
  func staysInterrupted() throws {
    var rig = try MediaRig()
    try rig.order(.play())
    try rig.rig.play("call", .playback)
    try rig.rig.end("call")
    #expect(rig.player.state == .interrupted && !rig.music.isActive)
    try rig.order(.play())
    #expect(rig.player.state == .playing && rig.music.isActive)
  }

  @Test(
    "Deactivation pauses the players of a session, also interrupted ones, and a later activation starts none")
  func deactivation() throws {
    var rig = try MediaRig()
    try rig.order(.play())
    #expect(try rig.rig.end("music").contains(.player("walkin", .state(.paused))))
    try rig.handle(.activate("music"))
    #expect(rig.player.state == .paused)
    try rig.order(.play())
    try rig.rig.play("call", .playback)
    try rig.rig.end("music")
    #expect(rig.player.state == .paused)
  }

  @Test("A playing player is running output for deactivation, and the sentence names the player")
  func busy() throws {
    var rig = try MediaRig()
    try rig.handle(.router(.deactivation(.refuses)))
    try rig.order(.play())
    let error = #expect(throws: SessionError.self) { try rig.rig.end("music") }
    #expect(error?.code == .isBusy)
    #expect(error?.sentence == "the player walkin of music still plays; stop it first (/player/walkin/stop)")
    try rig.order(.stop)
    try rig.rig.end("music")
  }

  @Test("finish deactivate ends the session and notifies, unless another player of it still plays")
  func finishDeactivates() throws {
    var rig = try MediaRig(items: 1)
    try rig.rig.play("bed", .playback)
    try rig.handle(.session("bed", .resumption(.recommended)))
    try rig.handle(.player("walkin", .set(.finish(.deactivate))))
    try rig.order(.play())
    #expect(!rig.rig["bed"].isActive)
    try rig.handle(.player("other", .create("music", "main", seed: 2)))
    try rig.handle(.player("other", .queue(.add(MediaRig.items(1)))))
    try rig.handle(.player("other", .order(.play())))
    try rig.report(.finished(pass: rig.player.passes))
    #expect(rig.music.isActive)
    try rig.handle(.player("other", .order(.stop)))
    try rig.order(.play())
    try rig.report(.finished(pass: rig.player.passes))
    #expect(!rig.music.isActive && rig.rig["bed"].isActive)
  }

  @Test(
    "Pulled headphones pause the player where the session says unplug interrupt, and let it go on where it waits"
  )
  func unplug() throws {
    for conduct in [UnplugConduct.interrupt, .wait] {
      var rig = try MediaRig()
      try rig.rig.world.plug("phones", .headphones)
      try rig.handle(.session("music", .unplug(conduct)))
      try rig.handle(.session("music", .resumption(.recommended)))
      try rig.order(.play())
      #expect(rig.music.route.outputs == ["phones"])
      try rig.rig.world.unplug("phones")
      #expect(rig.player.state == (conduct == .interrupt ? .interrupted : .playing))
      try rig.rig.world.present(["phones"])
      #expect(rig.player.state == .playing)
    }
  }

  @Test("Players pause with the server, and go on with sessions that come back; others stay interrupted")
  func server() throws {
    for resumption in [Resumption.always, .recommended] {
      var rig = try MediaRig()
      try rig.handle(.session("music", .resumption(resumption)))
      try rig.order(.play())
      try rig.rig.world.lose()
      #expect(rig.player.state == .interrupted)
      #expect(rig.refusal(.order(.play())) == .mediaServicesFailed)
      try rig.rig.world.start()
      #expect(rig.player.state == (resumption == .always ? .playing : .interrupted))
      try rig.order(.play())
      #expect(rig.player.state == .playing)
    }
  }

  @Test("A player counts as a source: the session is heard, and does not end with its programs")
  func source() throws {
    var rig = try MediaRig()
    #expect(rig.rig.why("music").contains("not active"))
    try rig.order(.play())
    #expect(rig.rig.why("music") == "heard at spk; its player walkin plays One")
    try rig.order(.pause)
    #expect(
      rig.rig.why("music")
        == "silent: no program is connected to music, and no player of it plays; its player walkin is paused")
    try rig.order(.play())
    try rig.handle(.connected("music", true))
    try rig.handle(.connected("music", false))
    #expect(rig.music.isActive && rig.player.isPlaying)
    try rig.rig.play("call", .playback)
    #expect(rig.rig.why("music").hasSuffix("its player walkin is interrupted"))
  }

  @Test("A player that is muted, turned off or silenced by a group is no sound of its stream, and a cause")
  func silent() throws {
    var rig = try MediaRig()
    try rig.order(.play())
    func told() -> (why: String, arrival: String?, causes: String) {
      let (state, activity) = (rig.state, rig.state.activity)
      return (
        rig.rig.why("music"), state.arrivals(of: rig.music, activity).first?.hindrance,
        state.causesText(rig.music, activity)
      )
    }
    #expect(told() == ("heard at spk; its player walkin plays One", nil, "none"))
    try rig.handle(.player("walkin", .set(.muted(true))))
    #expect(
      told() == (
        "playing, silent; goes to spk; its player walkin plays One, muted", "walkin is muted",
        "player walkin: muted"
      ))
    try rig.handle(.player("walkin", .set(.muted(false))))
    try rig.handle(.player("walkin", .set(.gain(.set(-90)))))
    #expect(
      told() == (
        "playing, silent; goes to spk; its player walkin plays One, turned off", "walkin is turned off",
        "player walkin: its gain is off"
      ))
    // Another player is heard there, and then a program.
    try rig.handle(.player("two", .create("music", "main", seed: 1)))
    try rig.handle(.player("two", .queue(.add(MediaRig.items(1)))))
    try rig.handle(.player("two", .order(.play())))
    #expect(told().why.hasPrefix("heard at spk; ") && told().arrival == nil)
    #expect(told().causes == "player walkin: its gain is off")
    try rig.handle(.player("two", .order(.pause)))
    #expect(told().arrival == "walkin is turned off")
    try rig.handle(.connected("music", true))
    #expect(told().arrival == nil)
  }

  @Test("A category without output pauses the players")
  func category() throws {
    var rig = try MediaRig()
    try rig.order(.play())
    try rig.handle(.configure("music", SessionConfiguration(category: .record)))
    #expect(rig.player.state == .paused && rig.music.isActive)
    #expect(rig.refusal(.order(.play())) == .incompatibleCategory)
  }

  @Test("A removed session or stream takes its players with it, and tells so")
  func removedSession() throws {
    var rig = try MediaRig()
    try rig.order(.play())
    #expect(try rig.handle(.removeStream("music", "main")) == [.player("walkin", .removed)])
    #expect(rig.music.runningPlayers == 0 && rig.state.nowPlayingPlayers.isEmpty)
    rig = try MediaRig()
    try rig.order(.play())
    #expect(try rig.handle(.removeSession("music")).last == .player("walkin", .removed))
  }

  @Test("A player that begins to play spoken audio is interrupted by a prompt that interrupts it")
  func spokenAudio() throws {
    var rig = try MediaRig(.playback, 1, .spokenAudio)
    try rig.handle(.activate("music"))
    try rig.rig.play("prompt", .playback, 0x11)
    #expect(rig.music.isActive)
    try rig.order(.play())
    #expect(rig.player.state == .interrupted && !rig.music.isActive)
  }

  @Test("The gain of a player counts in the total maximum of an output")
  func totalMaximum() throws {
    var rig = try MediaRig()
    try rig.handle(.port(.output, "spk", .maximumTotal(3)))
    try rig.handle(.activate("music"))
    #expect(rig.refusal(.set(.gain(.set(4)))) == .outOfRange)
    try rig.handle(.player("walkin", .set(.gain(.set(2)))))
    #expect(rig.rig.world.refusal(.session("music", .gain(.set(2)))) == .outOfRange)
    try rig.handle(.player("walkin", .set(.gain(.set(-10)))))
    try rig.handle(.session("music", .gain(.set(10))))
    try rig.handle(.player("walkin", .set(.gain(.set(-20)))))
    #expect(rig.rig.world.refusal(.player("walkin", .set(.gain(.set(-5))))) == .outOfRange)
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
