import AwaitedEvents
import Foundation
import MediaBus
import Queues
import SessionModel
import TestKit
import Testing
import Threads

/// The router as a media player, seen by `playerctl`.
@Suite("A media player for the desktop")
struct DesktopTests {
  @Test("playerctl shows the state, the track and the settings")
  func shows() throws {
    let rig = try BusRig()
    #expect(try rig.playerctl("--list-all") == "multiroute")
    #expect(try rig.playerctl("status") == "Playing")
    let format = "{{title}}|{{artist}}|{{album}}|{{mpris:length}}|{{mpris:artUrl}}|{{mpris:trackid}}"
    #expect(
      try rig.playerctl("metadata", "--format", format)
        == "Blue in Green|Miles Davis, Bill Evans|Kind of Blue|240000000|"
        + "file:///music/Kind%20of%20Blue/cover%20%231.jpg|'/multiroute/track/walkin_2017'")
    #expect(try rig.playerctl("loop") == "None")
    #expect(try rig.playerctl("shuffle") == "Off")
    rig.player.change { ($0.gain, $0.repeatMode, $0.isShuffled) = (Decibels(-6.0206), .all, true) }
    #expect(try Double(rig.playerctl("volume")).map { abs($0 - 0.5) < 1e-4 } == true)
    #expect(try rig.playerctl("loop") == "Playlist")
    #expect(try rig.playerctl("shuffle") == "On")
  }

  @Test("the position moves with the clock and the rate, stands in a pause, and ends at the end")
  func position() throws {
    let rig = try BusRig()
    let first = try #require(Double(try rig.playerctl("position")))
    #expect((60..<70).contains(first))
    #expect(try Double(rig.playerctl("position")) ?? 0 > first)
    rig.player.change { ($0.rate, $0.place) = (2, .init(seconds: 10, time: MonotonicTime.now - 5)) }
    #expect(try (20..<40).contains(Double(rig.playerctl("position")) ?? 0))
    rig.player.change { ($0.status, $0.place.seconds) = (.paused, 12.5) }
    #expect(try rig.playerctl("position") == "12.500000")
    rig.player.change { ($0.status, $0.place) = (.playing, .init(seconds: 239, time: MonotonicTime.now - 9)) }
    // playerctl counts on by itself.
    let end = try rig.call(
      "org.freedesktop.DBus.Properties.Get", ["string:\(BusRig.interface)", "string:Position"])
    #expect(end.contains("int64 240000000"))
  }

  @Test(
    "each command arrives as a request",
    arguments: [
      (["play"], .verb(.play)), (["pause"], .verb(.pause)), (["play-pause"], .verb(.toggle)),
      (["stop"], .verb(.stop)), (["next"], .verb(.next)), (["previous"], .verb(.previous)),
      (["position", "30"], .position(30)), (["position", "15+"], .seek(by: 15)),
      (["loop", "Track"], .repeats(.one)), (["shuffle", "On"], .shuffle(true)),
      (["volume", "1"], .gain(.unity)), (["volume", "0"], .gain(.off)),
      (["volume", "0.5"], .gain(Decibels(amplitude: 0.5))),
      (["volume", "3"], .gain(.unity)),
    ] as [([String], RemoteRequest)])
  func commands(_ words: [String], _ request: RemoteRequest) throws {
    let rig = try BusRig(.song(status: words == ["play"] ? .paused : .playing))
    try rig.run("playerctl", words)
    #expect(rig.player.requests.wait { $0 == request })
    #expect(rig.player.requests.all.count == 1)
  }

  @Test("a seek beyond the end is the next track, one before the start is the start")
  func seeksBeyond() throws {
    let rig = try BusRig(.song(status: .paused))
    _ = try rig.call("\(BusRig.interface).Seek", ["int64:200000000"])
    _ = try rig.call("\(BusRig.interface).Seek", ["int64:-200000000"])
    _ = try rig.call(
      "\(BusRig.interface).SetPosition", ["objpath:/multiroute/track/another", "int64:5000000"])
    _ = try rig.call(
      "\(BusRig.interface).SetPosition", ["objpath:/multiroute/track/walkin_2017", "int64:250000000"])
    _ = try rig.call(
      "\(BusRig.interface).SetPosition", ["objpath:/multiroute/track/walkin_2017", "int64:5000000"])
    #expect(rig.player.requests.all == [.verb(.next), .seek(by: -60), .position(5)])
  }

  @Test("what the player cannot do has no effect")
  func cannot() throws {
    var song = NowPlaying.song()
    (song.canGoNext, song.canGoPrevious, song.canPlay, song.canPause, song.canSeek) = (
      false, false, false, false, false
    )
    let rig = try BusRig(song)
    for method in ["Next", "Previous", "Play", "Pause"] { _ = try rig.call("\(BusRig.interface).\(method)") }
    _ = try rig.call("\(BusRig.interface).Seek", ["int64:1000000"])
    #expect(try rig.call("\(BusRig.interface).PlayPause").contains("Failed: this player cannot pause"))
    #expect(rig.player.requests.all.isEmpty)
  }

  @Test("without a player the status is Stopped, and nothing can be done")
  func nothing() throws {
    let rig = try BusRig(nil)
    #expect(try rig.playerctl("status") == "Stopped")
    for name in ["CanGoNext", "CanPlay", "CanPause", "CanSeek"] {
      let value = try rig.call(
        "org.freedesktop.DBus.Properties.Get", ["string:\(BusRig.interface)", "string:\(name)"])
      #expect(value.contains("boolean false"))
    }
    let refusal = try rig.call(
      "org.freedesktop.DBus.Properties.Set",
      ["string:\(BusRig.interface)", "string:Volume", "variant:double:0.5"])
    #expect(refusal.contains("multiroute has no player that plays"))
    #expect(try rig.call("\(BusRig.interface).PlayPause").contains("multiroute has no player that plays"))
    #expect(rig.player.requests.all.isEmpty)
  }

  @Test("playerctl --follow hears each change")
  func follows() throws {
    let rig = try BusRig()
    let status = try rig.start("playerctl", ["--follow", "status"])
    let title = try rig.start("playerctl", ["--follow", "metadata", "title"])
    #expect(status.output.line() == "Playing")
    #expect(title.output.line() == "Blue in Green")
    rig.player.become(.paused)
    #expect(status.output.line() == "Paused")
    rig.player.change { $0.track = .init(id: "walkin 18", title: "Ærøskøbing \u{1F3B7}") }
    #expect(title.output.line() == "Ærøskøbing \u{1F3B7}")
    rig.player.become(.stopped)
    #expect(status.output.line() == "Stopped")
  }

  @Test("a second router of the desktop is an instance")
  func instances() throws {
    let rig = try BusRig()
    let second = try TestPlayer(rig.bus, "multiroute", .song("So What"))
    let third = try TestPlayer(rig.bus, "multiroute", .song("All Blues"))
    let names = try rig.playerctl("--list-all").split(separator: "\n").map(String.init).sorted()
    let own = "multiroute.instance\(getpid())"
    #expect(names == ["multiroute", own, own + "_2"])
    #expect(try rig.playerctl("--player", own, "metadata", "title") == "So What")
    withExtendedLifetime((second, third)) {}
  }
}
