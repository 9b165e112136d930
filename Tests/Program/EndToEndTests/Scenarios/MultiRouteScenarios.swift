import Foundation
import OSC
import TestKit
import Testing

extension Scenarios {
  /// Sessions with several ports at once: which ports they have, and which streams are heard there.
  @Suite struct MultiRoute {
    let rig: Rig

    init() throws { rig = try Rig.fresh() }

    /// A session that plays programs A and B as streams `p1` and `p2` and is active, among these ports.
    private func players(_ options: Options = []) throws {
      try rig.session("a", .multiRoute, .default, options)
      try rig.surface.send("/session/a/stream/remove", "main")
      for (stream, program) in [("p1", "a"), ("p2", "b")] {
        try rig.surface.send("/session/a/stream/create", .string(stream), 1)
        try rig.surface.send("/session/a/stream/\(stream)/from", .string("App-\(program):out_1"))
      }
      try rig.activate("a")
    }

    /// A70: one at the headphones, one at the last channels of the interface.
    private func separate() throws {
      try rig.plug(.phones, .usb)
      try players()
      try rig.surface.send("/session/a/stream/p1/route", "phones:1-2")
      try rig.surface.send("/session/a/stream/p2/route", "usb:3-4")
      try rig.expectHeard([.phones: ["a": 0]], channels: Self.last)
    }

    private static let last: [OutputChannel: [String: Double]] = [
      OutputChannel(.usb, 3): ["b": 0], OutputChannel(.usb, 4): ["b": 0],
    ]

    @Test("A45: a ducker ducks all sessions, or only those that share a port with it")
    func a45() throws {
      try rig.plug(.usb, .phones)
      try rig.playing("a", .multiRoute, .default, .mix)
      try rig.surface.send("/session/a/stream/main/route", "usb")
      try rig.session("b", .playback, .default, .duck)
      #expect(try rig.text("/duck/scope") == "all")
      try rig.activate("b")
      try rig.expectHeard([.usb: ["a": rig.duck()], .phones: ["b": 0]])
      try rig.deactivate("b")
      try rig.change("/duck/scope", "shared")
      try rig.activate("b")
      try rig.expectHeard([.usb: ["a": 0], .phones: ["b": 0]])
    }

    @Test("A69: the route contains all eligible connected ports, but not the speaker")
    func a69() throws {
      try rig.plug(.phones, .usb)
      try rig.session("a", .multiRoute)
      try rig.activate("a")
      #expect(try rig.route(of: "a") == Rig.route(.usb, .phones, .usb))
      try rig.expectHeard([.phones: ["a": 0]])
    }

    @Test("A70: two streams are heard at once, each on its own channels alone")
    func a70() throws { try separate() }

    @Test("A71: a stream without assignment is heard on the first channels of the first port")
    func a71() throws {
      try rig.plug(.usb, .phones)
      try rig.playing("a", .multiRoute)
      try rig.expectHeard([.phones: ["a": 0]])
    }

    @Test("A72: an assignment of too few or too many channels is refused, and the earlier one stays")
    func a72() throws {
      try rig.plug(.phones, .usb)
      try pair(to: "usb:3-4")
      try rig.expectRefused(.badParam, "/session/a/stream/main/route", "usb:1")
      try rig.expectRefused(.badParam, "/session/a/stream/main/route", "usb:1-3")
      #expect(try rig.text("/session/a/stream/main/route") == "usb:3-4")
      try rig.expectHeard(channels: [
        OutputChannel(.usb, 3): ["left": 0], OutputChannel(.usb, 4): ["right": 0],
      ])
    }

    @Test(
      "A73: an assignment to a port that is unknown or ineligible, or to a channel that it lacks, is refused",
      arguments: ["nowhere", "bt", "air", "hfp", "ear", "usb:5"])
    func a73(route: String) throws {
      try rig.plug(.phones, .usb, .bt)
      try rig.playing("a", .multiRoute)
      try rig.expectRefused(.badParam, "/session/a/stream/main/route", .string(route))
      try rig.expectHeard([.phones: ["a": 0]])
    }

    @Test("A74: the speaker is used only while there is no other port")
    func a74() throws {
      try rig.playing("a", .multiRoute)
      #expect(try rig.route(of: "a") == Rig.route(.mic, .spk))
      try rig.expectHeard(spk: ["a": 0])
      let sound = try rig.listen { try rig.plug(.phones) }
      try rig.expectEvents(["a": [.route(1, previous: Rig.route(.mic, .spk))]])
      #expect(try rig.route(of: "a") == Rig.route(.mic, .phones))
      sound.expectMove("a", from: 0, to: nil, within: try rig.number("/ramp"))
      sound.expectNoClick()
      try rig.expectHeard([.phones: ["a": 0]])
    }

    @Test("A75: a session with several ports never uses Bluetooth, AirPlay or the receiver")
    func a75() throws {
      try rig.plug(.usb, .bt, .air, .hfp)
      try rig.playing("a", .multiRoute)
      #expect(try rig.route(of: "a") == Rig.route(.usb, .usb))
      try rig.expectHeard([.usb: ["a": 0]])
    }

    @Test("A76: only the input that was plugged in last is used")
    func a76() throws {
      try rig.plug(.headset, .usb)
      try rig.playing("a", .multiRoute)
      #expect(try rig.route(of: "a") == Rig.route(.usb, .phones, .usb))
      try rig.expectCaptured("a", "usb")
    }

    /// A stereo stream of a session with several ports that is active.
    private func pair(to route: String) throws {
      try rig.session("a", .multiRoute)
      try rig.surface.send("/session/a/stream/remove", "main")
      try rig.surface.send("/session/a/stream/create", "main", 2)
      try rig.surface.send("/session/a/stream/main/from", "App-pair:out_*")
      try rig.surface.send("/session/a/stream/main/route", .string(route))
      try rig.activate("a")
      for channel in 1...2 {
        try rig.stage.do(
          "await-connection App-pair:out_\(channel) \(rig.router.clientName):a.main_\(channel)")
      }
      try rig.awaitProgram(of: "a")
    }

    @Test("A77: a channel map crosses left and right over")
    func a77() throws {
      try rig.plug(.phones, .usb)
      try pair(to: "phones")
      try rig.expectHeard(channels: [
        OutputChannel(.phones, 1): ["left": 0], OutputChannel(.phones, 2): ["right": 0],
      ])
      try rig.surface.send("/session/a/stream/main/to/phones/map", "1:2,2:1")
      try rig.expectHeard(channels: [
        OutputChannel(.phones, 1): ["right": 0], OutputChannel(.phones, 2): ["left": 0],
      ])
    }

    @Test("A78: one channel of a source may be heard at two ports, equally loud")
    func a78() throws {
      try rig.plug(.phones, .usb)
      try pair(to: "phones,usb")
      try rig.surface.send("/session/a/stream/main/to/phones/map", "1:1")
      try rig.surface.send("/session/a/stream/main/to/usb/map", "1:4")
      try rig.expectHeard(channels: [
        OutputChannel(.phones, 1): ["left": 0], OutputChannel(.usb, 4): ["left": 0],
      ])
      let sound = try rig.listen {}
      let (near, far) = (sound.levels("left", at: .phones), sound.levels("left", at: .usb, channel: 3))
      #expect(zip(near, far).allSatisfy { abs($0 - $1) <= 0.1 } && !near.isEmpty)
    }

    @Test(
      "A79: a port that disappears silences only its streams; they do not move, and an event tells that they wait"
    )
    func a79() throws {
      try separate()
      try rig.forgetEvents()
      let sound = try rig.listen { try rig.unplug(.usb) }
      // Its input and its output have a plug of their own here; `HotplugScenarios` pulls both at once.
      try rig.expectEvents([
        "a": [
          .route(2, previous: Rig.route(.usb, .phones, .usb)), .inputs,
          .route(2, previous: Rig.route(.mic, .phones, .usb)),
        ]
      ])
      sound.expectSteady("a", at: .phones, 0)
      sound.expectSteady("b", at: .phones, nil)
      try rig.expectHeard([.phones: ["a": 0]])
      #expect(try rig.text("/session/a/stream/p2/route") == "usb:3-4")
      let why = try rig.text("/session/a/why")
      #expect(why.contains("usb"), "\(why)")
      try rig.plug(.usb)
      try rig.expectHeard([.phones: ["a": 0]], channels: Self.last)
    }

    @Test(
      "A80: a session with several ports interrupts, mixes or ducks like any other",
      arguments: [Options(), .mix, .duck])
    func a80(options: Options) throws {
      try rig.playing("b")
      try rig.session("a", .multiRoute, .default, options)
      try rig.activate("a")
      try rig.expectEvents(options.isEmpty ? ["b": [.began(0)]] : [:])
      let other: Double? = options.isEmpty ? nil : options == .duck ? try rig.duck() : 0
      try rig.expectHeard(spk: ["a": 0, "b": other].compactMapValues { $0 })
    }
  }
}
