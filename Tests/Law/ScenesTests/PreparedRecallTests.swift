import Chance
import Parameters
import Presets
import SessionModel
import Testing

@testable import Scenes

@Suite("Recalls that are decided ahead")
struct PreparedRecallTests {
  /// A random evening at rest, and a recall of another random scene.
  private static func evening(_ seed: UInt64, fade: Double) throws -> (Evening, Recall) {
    var (random, evening) = (RandomScene(seed: seed), try Evening())
    try evening.recall(random.text(), fade: 2)
    evening.pass(3)
    try evening.disturb(seed)
    // The ducks of the disturbance come to rest.
    evening.pass(2.125)
    return (evening, try evening.planned(random.text(), fade: fade))
  }

  @Test("have the outcome that they would have at the time of GO", arguments: 0..<Soak.count(20, of: 60))
  func outcome(_ seed: UInt64) throws {
    for fade in [0.0, 2] {
      var (evening, recall) = try Self.evening(seed, fade: fade)
      let prepared = try PreparedRecall(recall, of: evening.state, at: evening.time, law: Evening.law)
      evening.pass(4.5)
      // What was measured meanwhile does not matter.
      evening.state.loop.freeBytes = 1_000
      let fresh = try recall.outcome(of: evening.state, at: evening.time, law: Evening.law)
      let ahead = try #require(prepared.outcome(of: recall, on: evening.state, at: evening.time))
      #expect(ahead.state == fresh.state)
      #expect(ahead.notifications == fresh.notifications && ahead.waiting == fresh.waiting)
      #expect(ahead.moving.map(\.address) == fresh.moving.map(\.address))
      let late = evening.time + fade
      let ends = [ahead, fresh].map {
        Ending.conclude($0.endings, on: $0.state, at: late, law: Evening.law).state
      }
      #expect(ends[0] == ends[1])
    }
  }

  @Test("are of no use after a change, for another fade, or for another reading of the preset")
  func differences() throws {
    let text = Evening.text(#"music: { category: "playback", activate: "manual", active: true, gain: -20 }"#)
    var evening = try Evening()
    try evening.recall(
      Evening.text(#"music: { category: "playback", activate: "manual", active: true, gain: -5 }"#))
    evening.pass(1)
    let recall = try evening.planned(text, fade: 1)
    let prepared = try PreparedRecall(recall, of: evening.state, at: evening.time, law: Evening.law)
    #expect(prepared.outcome(of: recall, on: evening.state, at: evening.time) != nil)
    let again = try evening.planned(text, fade: 1)
    #expect(prepared.outcome(of: again, on: evening.state, at: evening.time) == nil)
    var longer = recall
    longer.fade = 2
    #expect(prepared.outcome(of: longer, on: evening.state, at: evening.time) == nil)
    var narrower = recall
    narrower.scope = [.mute]
    #expect(prepared.outcome(of: narrower, on: evening.state, at: evening.time) == nil)
    try evening.operate(.session("music", .gain(.set(-6))))
    #expect(prepared.outcome(of: recall, on: evening.state, at: evening.time) == nil)
  }

  @Test("are of no use once a scheduled start is due")
  func scheduledStart() throws {
    let text = Evening.text(
      #"show: { category: "multiRoute", activate: "manual", active: true, streams: { band: { to: { usb: 0 } } } }"#,
      root: #"players: { band: { session: "show", stream: "band", file: "a.flac" } },"#)
    var evening = try Evening()
    try evening.recall(text)
    evening.pass(1)
    evening.state.players.update("band") { $0.startTime = 5 }
    let recall = try evening.planned(text, fade: 1)
    let prepared = try PreparedRecall(recall, of: evening.state, at: evening.time, law: Evening.law)
    #expect(prepared.outcome(of: recall, on: evening.state, at: 4) != nil)
    #expect(prepared.outcome(of: recall, on: evening.state, at: 5) == nil)
  }

  @Test("are not decided while anything fades, and tell when that ends")
  func fades() throws {
    var evening = try Evening()
    let text = Evening.text(#"music: { category: "playback", activate: "manual", active: true, gain: -20 }"#)
    try evening.recall(text)
    evening.pass(1)
    try evening.operate(.port(.output, "usb", .gain(.set(-9, over: 3))))
    let recall = try evening.planned(text, fade: 1)
    #expect(throws: PreparedRecall.Obstacle.fade(end: 4)) {
      try PreparedRecall(recall, of: evening.state, at: evening.time, law: Evening.law)
    }
    evening.pass(3)
    _ = try PreparedRecall(recall, of: evening.state, at: evening.time, law: Evening.law)
  }
}
