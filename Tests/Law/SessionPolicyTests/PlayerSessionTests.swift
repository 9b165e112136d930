import LawWorld
import Queues
import SessionModel
import SessionPolicy
import Testing

/// What interruptions, servers and categories do to players, and what players do to their sessions.
@Suite("Players and their sessions")
struct PlayerSessionTests {
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
}
