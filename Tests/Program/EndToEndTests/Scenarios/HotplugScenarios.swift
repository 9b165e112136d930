import OSC
import TestKit
import Testing

extension RealTimeScenarios {
  /// Ports that appear and disappear in JACK itself, as real devices do.
  @Suite struct Hotplug {
    let rig: Rig

    init() throws { rig = try Rig.fresh() }

    @Test("A52: the last in wins, the port before it returns afterwards, and the event names the old route")
    func a52() throws {
      try rig.expectLastInWins(over: .headset)
    }

    @Test(
      "A53: a headset and an interface with both directions change the route once when they appear or disappear"
    )
    func a53() throws {
      try rig.playing("a", .playAndRecord)
      try rig.plug(.headset)
      try rig.expectEvents(["a": [.route(1, previous: Rig.route(.mic, .ear)), .inputs]])
      try rig.expectCaptured("a", "hsmic")
      try rig.plug(.usb)
      try rig.expectEvents(["a": [.route(1, previous: Rig.route(.hsmic, .phones)), .inputs]])
      try rig.expectCaptured("a", "usb")
      try rig.expectHeard([.usb: ["a": 0]])
      try rig.unplug(.usb)
      try rig.expectEvents(["a": [.route(2, previous: Rig.route(.usb, .usb)), .inputs]])
      try rig.expectCaptured("a", "hsmic")
      try rig.expectHeard([.phones: ["a": 0]])
    }

    @Test(
      "A67: when headphones vanish the speaker stays silent",
      arguments: [("interrupt", [Told.began(4)]), ("wait", [])])
    func a67(unplug: String, told: [Told]) throws {
      try rig.plug(.headset)
      try rig.playing("a")
      try rig.surface.send("/session/a/unplug", .string(unplug))
      try rig.expectHeard([.phones: ["a": 0]])
      try rig.forgetEvents()
      let sound = try rig.listen(at: Output.fixed) { try rig.unplug(.headset) }
      sound.expectSteady("a", nil)
      sound.expectNoClick()
      try rig.expectEvents(["a": [.route(2, previous: Rig.route(nil, .phones))] + told])
    }

    @Test("A79: when an interface vanishes the headphones go on, and its stream is not moved to them")
    func a79() throws {
      try rig.plug(.headset, .usb)
      try rig.playing("a", .multiRoute, .default, .mix)
      try rig.playing("b", .multiRoute, .default, .mix)
      try rig.surface.send("/session/a/stream/main/route", "phones")
      try rig.surface.send("/session/b/stream/main/route", "usb:3-4")
      try rig.expectHeard([.phones: ["a": 0]], channels: Self.last)
      try rig.forgetEvents()
      let sound = try rig.listen(at: Output.fixed + [.phones]) { try rig.unplug(.usb) }
      sound.expectSteady("b", at: .phones, nil)
      sound.expectSteady("b", nil)
      let left = Told.route(2, previous: Rig.route(.usb, .phones, .usb))
      try rig.expectEvents(["a": [left, .inputs], "b": [left, .inputs]])
      try rig.expectHeard([.phones: ["a": 0]])
      try rig.plug(.usb)
      try rig.expectHeard([.phones: ["a": 0]], channels: Self.last)
    }

    private static let last: [OutputChannel: [String: Double]] = [
      OutputChannel(.usb, 3): ["b": 0], OutputChannel(.usb, 4): ["b": 0],
    ]

    @Test("A96: headphones that are plugged in twice are never louder than their level")
    func a96() throws {
      try rig.change("/output/phones/gain", -12.0)
      try rig.playing("a")
      for _ in 0..<2 {
        try rig.plug(.headset)
        try rig.expectHeard([.phones: ["a": -12]])
        let sound = try rig.listen(at: [.spk]) { try rig.unplug(.headset) }
        #expect(sound.levels("a").allSatisfy { $0 <= Rig.tolerance })
        try rig.expectHeard(spk: ["a": 0])
      }
    }
  }
}
