import Foundation
import OSC
import TestKit
import Testing

extension Scenarios {
  /// The port of a session: the last in, separately for inputs and outputs, and the events when that changes.
  @Suite struct Routing {
    let rig: Rig

    init() throws { rig = try Rig.fresh() }

    @Test("A51: headphones that are plugged in take over from the speaker")
    func a51() throws {
      try rig.playing("a")
      let sound = try rig.listen { try rig.plug(.phones) }
      try rig.expectEvents(["a": [.route(1, previous: Rig.route(nil, .spk))]])
      sound.expectMove("a", from: 0, to: nil, within: try rig.number("/ramp"))
      sound.expectNoClick()
      try rig.expectHeard([.phones: ["a": 0]])
    }

    @Test("A52: the last in wins, the port before it returns afterwards, and the event names the old route")
    func a52() throws {
      try rig.expectLastInWins(over: .phones)
    }

    @Test("A53: the input is the last in, independent of the output")
    func a53() throws {
      try rig.playing("a", .playAndRecord)
      try rig.plug(.headset)
      #expect(try rig.route(of: "a") == Rig.route(.hsmic, .phones))
      try rig.expectCaptured("a", "hsmic")
      try rig.plug(.usbin)
      #expect(try rig.route(of: "a") == Rig.route(.usbin, .phones))
      try rig.expectCaptured("a", "usbin")
      try rig.plug(.usb)
      #expect(try rig.route(of: "a") == Rig.route(.usb, .usb))
      try rig.expectCaptured("a", "usb")
      try rig.unplug(.usb)
      #expect(try rig.route(of: "a") == Rig.route(.usbin, .phones))
      try rig.unplug(.usbin)
      #expect(try rig.route(of: "a") == Rig.route(.hsmic, .phones))
      try rig.expectCaptured("a", "hsmic")
    }

    @Test(
      "A54: a session that plays and records is heard at the receiver, or at the speaker if that is the default"
    )
    func a54() throws {
      try rig.playing("a", .playAndRecord)
      try rig.expectHeard(ear: ["a": 0])
      try rig.deactivate("a")
      try rig.set("a", .playAndRecord, .default, .toSpeaker)
      try rig.activate("a")
      try rig.expectHeard(spk: ["a": 0])
    }

    @Test("A55: headphones precede the default speaker, which returns afterwards instead of the receiver")
    func a55() throws {
      try rig.playing("a", .playAndRecord, .default, .toSpeaker)
      try rig.plug(.phones)
      try rig.expectEvents(["a": [.route(1, previous: Rig.route(.mic, .spk))]])
      try rig.expectHeard([.phones: ["a": 0]])
      try rig.unplug(.phones)
      try rig.expectEvents(["a": [.route(2, previous: Rig.route(.mic, .phones))]])
      try rig.expectHeard(spk: ["a": 0])
    }

    @Test("A60: another category moves the sound from the receiver to the speaker, without a gap")
    func a60() throws {
      try rig.playing("a", .playAndRecord)
      try rig.forgetEvents()
      let sound = try rig.listen { try rig.set("a", .playback) }
      try rig.expectEvents(["a": [.route(3, previous: Rig.route(.mic, .ear))]])
      sound.expectMove("a", at: .ear, from: 0, to: nil, within: try rig.number("/ramp"))
      sound.expectMove("a", from: nil, to: 0, within: try rig.number("/ramp"))
      sound.expectHandOver("a", from: .ear, to: .spk, within: try rig.number("/ramp"))
      sound.expectNoClick()
      try rig.expectHeard(spk: ["a": 0])
    }

    @Test(
      "A67: a session that prefers an interruption to another port is interrupted, and the speaker stays silent"
    )
    func a67() throws {
      try rig.plug(.phones)
      try rig.playing("a")
      try rig.surface.send("/session/a/unplug", "interrupt")
      try rig.expectHeard([.phones: ["a": 0]])
      let sound = try rig.listen { try rig.unplug(.phones) }
      sound.expectSteady("a", nil)
      try rig.expectEvents([
        "a": [.route(2, previous: Rig.route(nil, .phones)), .began(4)]
      ])
      try rig.plug(.phones)
      try rig.expectEvents(["a": [.ended(1)]])
      try rig.expectHeard()
      try rig.activate("a")
      try rig.expectHeard([.phones: ["a": 0]])
    }

    @Test(
      "A67: a session that waits for its port is heard at no other port, and at its port when that returns")
    func a67Waiting() throws {
      try rig.plug(.phones)
      try rig.playing("a")
      try rig.surface.send("/session/a/unplug", "wait")
      let sound = try rig.listen {
        try rig.unplug(.phones)
        try rig.plug(.line)
      }
      sound.expectSteady("a", nil)
      try rig.expectEvents(["a": [.route(2, previous: Rig.route(nil, .phones))]])
      try rig.expectHeard()
      try rig.plug(.phones)
      try rig.expectEvents(["a": [.route(1, previous: Rig.route())]])
      try rig.expectHeard([.phones: ["a": 0]])
    }

    @Test(
      "A96: each port keeps its level, and a session that moves there fades in and never exceeds that level")
    func a96() throws {
      try rig.change("/output/phones/gain", -12.0)
      try rig.playing("a")
      for _ in 0..<2 {
        let coming = try rig.listen(at: [.spk, .phones]) { try rig.plug(.phones) }
        let rising = coming.levels("a", at: .phones)
        #expect(rising.allSatisfy { $0 <= -12 + Rig.tolerance })
        #expect(zip(rising, rising.dropFirst()).allSatisfy { $1 >= $0 - Rig.tolerance })
        coming.expectMove("a", at: .phones, from: nil, to: -12, within: try rig.number("/ramp"))
        coming.expectNoClick()
        try rig.expectHeard([.phones: ["a": -12]])
        let going = try rig.listen { try rig.unplug(.phones) }
        #expect(going.levels("a").allSatisfy { $0 <= Rig.tolerance })
        going.expectMove("a", from: nil, to: 0, within: try rig.number("/ramp"))
        try rig.expectHeard(spk: ["a": 0])
      }
      #expect(try rig.number("/output/phones/gain") == -12)
      #expect(try rig.number("/output/spk/gain") == 0)
    }
  }
}

extension Rig {
  /// A52, with a simulated plug or a real device. The session is heard at the line output while that is there, then at the headphones.
  func expectLastInWins(over headphones: Device) throws {
    try playing("a")
    try plug(headphones)
    try expectEvents(["a": [.route(1, previous: Rig.route(nil, .spk))]])
    try expectHeard([.phones: ["a": 0]])
    try plug(.line)
    try expectEvents(["a": [.route(1, previous: Rig.route(nil, .phones))]])
    try expectHeard([.line: ["a": 0]])
    try unplug(.line)
    try expectEvents(["a": [.route(2, previous: Rig.route(nil, .line))]])
    try expectHeard([.phones: ["a": 0]])
    try unplug(headphones)
    try expectEvents(["a": [.route(2, previous: Rig.route(nil, .phones))]])
    try expectHeard(spk: ["a": 0])
  }
}
