import Queues
import SessionModel
import SystemCalls
import TestKit
import Testing
import Threads

@testable import MediaBus

/// What the router tells listeners, and when its thread wakes.
@Suite("Announcements on the bus")
struct AnnouncementTests {
  /// The lines of the monitor up to the one that contains a text: those of signals of the player.
  private func signals(_ monitor: ChildProcess, upTo text: String) -> [String] {
    _ = monitor.output.line(containing: text)
    return monitor.output.text.split(separator: "\n").map(String.init).filter {
      $0.contains("\"type\":\"signal\"") && $0.contains("\"path\":\"\(BusRig.path)\"")
    }
  }

  @Test("only what has changed is told, and never the position")
  func differences() throws {
    let rig = try BusRig()
    let monitor = try rig.monitor()
    rig.player.change { $0.repeatMode = .one }
    _ = monitor.output.line(containing: "LoopStatus")
    // The same again, and a place that the clock has brought: nothing is new.
    rig.player.change { $0.place = .init(seconds: $0.place.seconds + 5, time: $0.place.time + 5) }
    rig.player.change { $0.isShuffled = true }
    let told = signals(monitor, upTo: "Shuffle")
    #expect(told.count == 2)
    #expect(told.first?.contains(#"{"LoopStatus":{"type":"s","data":"Track"}},[]]"#) == true)
    #expect(told.last?.contains(#"{"Shuffle":{"type":"b","data":true}},[]]"#) == true)
  }

  @Test("a jump is told as Seeked, the start of a track is not")
  func jumps() throws {
    let rig = try BusRig()
    let monitor = try rig.monitor()
    rig.player.change { $0.place = .init(seconds: 200, time: MonotonicTime.now) }
    let first = signals(monitor, upTo: "Seeked")
    #expect(first.count == 1)
    #expect(first.first?.contains("[200000000]") == true)
    rig.player.change {
      ($0.track, $0.place) = (
        .init(id: "19", title: "Flamenco Sketches"), .init(seconds: 0, time: MonotonicTime.now)
      )
    }
    _ = monitor.output.line(containing: "Flamenco")
    rig.player.change { $0.gain = .off }
    let told = signals(monitor, upTo: "\"Volume\"")
    #expect(told.count { $0.contains("Seeked") } == 1)
    #expect(told.count == 3)
  }

  @Test("small differences of the place add up until they are told")
  func creeps() {
    var now = NowPlaying.song()
    var announcer = Announcer(now)
    var jumps: [Double] = []
    for step in 1...30 {
      // The player loses 15 ms in a second.
      now.place = .init(seconds: now.place.seconds + 0.985, time: now.place.time + 1)
      now.gain = Decibels(Double(-step))
      let news = announcer.news(of: now)
      announcer.told(now, news, at: now.place.time)
      if let place = news.jump { jumps.append(place) }
    }
    #expect(jumps.count == 4)
    #expect(announcer.news(of: now).isEmpty)
  }

  @Test("what a program reads was told, so that a change back is told as well")
  func reads() throws {
    let rig = try BusRig()
    let follower = try rig.start("playerctl", ["--follow", "status"])
    #expect(follower.output.line() == "Playing")
    // The first change has an announcement of its own; the others come within 50 ms of it.
    rig.player.change { $0.isShuffled = true }
    #expect(try rig.playerctl("shuffle") == "On")
    let monitor = try rig.monitor()
    for status in [NowPlaying.Status.paused, .playing] {
      rig.player.change {
        $0.status = status
        $0.gain = .off
      }
      _ = try rig.call(
        "org.freedesktop.DBus.Properties.Get", ["string:\(BusRig.interface)", "string:PlaybackStatus"])
    }
    rig.player.change { $0.repeatMode = .one }
    let told = signals(monitor, upTo: "LoopStatus").filter { $0.contains("PlaybackStatus") }
    #expect(told.count == 2)
    #expect(follower.output.line() == "Paused")
    #expect(follower.output.line() == "Playing")
  }

  @Test("a thousand changes are few announcements, and the last one counts")
  func floods() throws {
    let rig = try BusRig()
    let monitor = try rig.monitor()
    let start = MonotonicTime.now
    for number in 1...1_000 { rig.player.change { $0.gain = Decibels(Double(number % 7) - 20) } }
    rig.player.change { $0.isShuffled = true }
    let told = signals(monitor, upTo: "Shuffle")
    // One at once, and one each 50 ms.
    #expect(Double(told.count) <= 2 + (MonotonicTime.now - start) / 0.05)
    #expect(try rig.playerctl("shuffle") == "On")
  }

  @Test("the thread sleeps while a player plays and nothing happens")
  func rests() throws {
    let rig = try BusRig()
    #expect(try rig.playerctl("status") == "Playing")
    let thread = try #require(rig.player.thread.place)
    // The answer has gone out; what follows in the loop is over long before.
    let before = try switches(of: thread)
    OwnThread.sleep(seconds: 0.3)
    #expect(try switches(of: thread) <= before + 1)
  }

  /// How often a thread of this process has gone to sleep.
  private func switches(of thread: String) throws -> Int {
    let text = String(decoding: try WholeFile.bytes("/proc/\(thread)/status", limit: 1 << 14), as: UTF8.self)
    let line = text.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
    return try #require(line.flatMap { Int($0.split(separator: "\t").last ?? "") })
  }
}
