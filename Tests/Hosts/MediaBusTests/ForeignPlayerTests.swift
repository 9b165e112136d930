import AwaitedEvents
import TestKit
import Testing

@testable import MediaBus

/// The media players of other programs: second objects of ours, under other names.
@Suite("Players of other programs")
struct ForeignPlayerTests {
  @Test("each verb reaches the player that played last", arguments: DesktopVerb.allCases)
  func verbs(_ verb: DesktopVerb) throws {
    let rig = try BusRig(nil)
    let (first, second) = (
      try TestPlayer(rig.bus, "jukebox", .song()), try TestPlayer(rig.bus, "browser", .song(status: .paused))
    )
    #expect(rig.player.hears("jukebox", .playing))
    first.become(.paused)
    #expect(rig.player.hears("jukebox", .paused))
    rig.player.media.control(verb)
    #expect(first.requests.wait { $0 == .verb(verb) })
    second.become(.playing)
    #expect(rig.player.hears("browser", .playing))
    rig.player.media.control(verb)
    #expect(second.requests.wait { $0 == .verb(verb) })
    #expect(first.requests.all.count == 1)
  }

  @Test("a player that goes gives way to the one that played before")
  func vanishes() throws {
    let rig = try BusRig(nil)
    let first = try TestPlayer(rig.bus, "jukebox", .song(status: .paused))
    #expect(rig.player.hears("jukebox", .paused))
    let second = try TestPlayer(rig.bus, "browser", .song())
    #expect(rig.player.hears("browser", .playing))
    second.media.stop()
    #expect(
      rig.player.events.wait(2) {
        $0 == .foreign(.init(busName: "org.mpris.MediaPlayer2.jukebox", identity: "jukebox", status: .paused))
      })
    first.media.stop()
    #expect(rig.player.events.wait { $0 == .foreign(nil) })
    rig.player.media.control(.play)
    rig.player.media.pauseForeign()
    rig.player.media.resumeForeign()
  }

  @Test("a player that was there before is found, one that never played is not")
  func earlier() throws {
    let bus = try PrivateBus()
    let idle = try TestPlayer(bus, "editor", .song(status: .stopped))
    let earlier = try TestPlayer(bus, "jukebox", .song())
    let player = try TestPlayer(bus, "multiroute")
    #expect(player.hears("jukebox", .playing))
    player.media.control(.next)
    #expect(earlier.requests.wait { $0 == .verb(.next) })
    earlier.media.stop()
    #expect(player.events.wait { $0 == .foreign(nil) })
    #expect(idle.requests.all.isEmpty)
  }

  @Test("an interruption pauses the player, and its end resumes it")
  func interruption() throws {
    let rig = try BusRig(nil)
    let other = try TestPlayer(rig.bus, "jukebox", .song())
    #expect(rig.player.hears("jukebox", .playing))
    rig.player.media.pauseForeign()
    #expect(other.requests.wait { $0 == .verb(.pause) })
    other.become(.paused)
    #expect(rig.player.hears("jukebox", .paused))
    rig.player.media.resumeForeign()
    #expect(other.requests.wait { $0 == .verb(.play) })
    // Once is enough.
    rig.player.media.resumeForeign()
    rig.player.media.control(.previous)
    #expect(other.requests.wait { $0 == .verb(.previous) })
    #expect(other.requests.all == [.verb(.pause), .verb(.play), .verb(.previous)])
  }

  @Test("what was paused already, or was resumed by hand meanwhile, is left alone")
  func notOurs() throws {
    let rig = try BusRig(nil)
    let other = try TestPlayer(rig.bus, "jukebox", .song(status: .paused))
    let isForeign = { (event: MediaBusEvent) in if case .foreign(.some) = event { true } else { false } }
    #expect(rig.player.hears("jukebox", .paused))
    rig.player.media.pauseForeign()
    rig.player.media.resumeForeign()
    other.become(.playing)
    #expect(rig.player.hears("jukebox", .playing))
    rig.player.media.pauseForeign()
    #expect(other.requests.wait { $0 == .verb(.pause) })
    for status in [NowPlaying.Status.paused, .playing, .paused] {
      let heard = rig.player.events.count(isForeign)
      other.become(status)
      #expect(rig.player.events.wait(heard + 1, isForeign))
    }
    rig.player.media.resumeForeign()
    rig.player.media.control(.next)
    #expect(other.requests.wait { $0 == .verb(.next) })
    #expect(other.requests.all == [.verb(.pause), .verb(.next)])
  }

  @Test(
    "an interruption right after the player has begun or paused knows that, though the news is still on its way"
  )
  func atOnce() throws {
    let rig = try BusRig(nil)
    let other = try TestPlayer(rig.bus, "jukebox", .song(status: .paused))
    #expect(rig.player.hears("jukebox", .paused))
    other.become(.playing)
    rig.player.media.pauseForeign()
    #expect(other.requests.wait { $0 == .verb(.pause) })
    other.become(.paused)
    rig.player.media.resumeForeign()
    #expect(other.requests.wait { $0 == .verb(.play) })
    other.become(.playing)
    #expect(rig.player.hears("jukebox", .playing))
    other.become(.paused)
    rig.player.media.pauseForeign()
    #expect(rig.player.hears("jukebox", .paused))
    rig.player.media.resumeForeign()
    rig.player.media.control(.next)
    #expect(other.requests.wait { $0 == .verb(.next) })
    #expect(other.requests.all == [.verb(.pause), .verb(.play), .verb(.next)])
  }

  @Test("what is asked right before the end still arrives")
  func lastWords() throws {
    let rig = try BusRig(nil)
    let other = try TestPlayer(rig.bus, "jukebox", .song())
    #expect(rig.player.hears("jukebox", .playing))
    rig.player.media.control(.next)
    rig.player.media.control(.pause)
    rig.player.media.stop()
    #expect(other.requests.wait { $0 == .verb(.pause) })
    #expect(other.requests.all == [.verb(.next), .verb(.pause)])
  }

  @Test("a refusal is told")
  func refusals() throws {
    let rig = try BusRig(nil)
    let other = try TestPlayer(rig.bus, "jukebox", .song())
    #expect(rig.player.hears("jukebox", .playing))
    other.media.publish(nil)
    #expect(rig.player.hears("jukebox", .stopped))
    rig.player.media.control(.toggle)
    let text = rig.player.events.first { if case .refused(let text) = $0 { text } else { nil } }
    #expect(text == "org.mpris.MediaPlayer2.jukebox refused PlayPause: jukebox has no player that plays")
  }

  @Test("the mirror of playerctl is no player, since it may show ours")
  func mirror() throws {
    let rig = try BusRig()
    let mirror = try rig.start("playerctld", [])
    while try !rig.names().contains("playerctld") { try #require(mirror.isRunning) }
    // The mirror shows the player under its own name.
    let mirrored = try rig.start("playerctl", ["--player", "playerctld", "--follow", "status"])
    for status in [NowPlaying.Status.paused, .playing] {
      rig.player.become(status)
      #expect(mirrored.output.line(containing: status.rawValue) != nil)
    }
    let other = try TestPlayer(rig.bus, "jukebox", .song())
    #expect(rig.player.hears("jukebox", .playing))
    #expect(
      !rig.player.events.all.contains {
        if case .foreign(let player?) = $0 { player.busName.contains("playerctld") } else { false }
      })
    rig.player.media.pauseForeign()
    #expect(other.requests.wait { $0 == .verb(.pause) })
    #expect(rig.player.requests.all.isEmpty)
  }

  @Test("names of players that people see have no control characters and an end")
  func names() {
    var players = ForeignPlayers()
    let name = PlayerInterface.namePrefix + "evil"
    players.appeared(name, owner: ":1.7")
    players.changed(name, to: .playing)
    #expect(players.last?.identity == "evil")
    players.identified(name, as: "a\u{1B}[31m\n" + String(repeating: "b", count: 1_000))
    #expect(players.last?.identity == "a[31m" + String(repeating: "b", count: 95))
    players.appeared(name, owner: ":1.8")
    #expect(players.last == nil)
  }
}
