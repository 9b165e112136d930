import LawWorld
import SessionModel
import Testing

@Suite("Scenarios A69 to A81: multiRoute")
struct ScenarioMultiRouteTests {
  /// The outputs `phones` and `usb` are available, and `a` is active with two players: `p1` at the phones, `p2` at usb 3 and 4.
  private func rig() throws -> Rig {
    var rig = try Rig()
    try rig.plug("phones")
    try rig.plug("usb")
    try rig.play("a", .multiRoute)
    for (stream, route) in [("p1" as StreamID, "phones:1-2"), ("p2", "usb:3-4")] {
      try rig.handle(.createStream("a", stream, channels: 2, placed: true))
      try rig.assign(stream, route)
    }
    return rig
  }

  @Test("A69: a multiRoute session uses all eligible outputs at once, without the speaker")
  func a69() throws {
    let rig = try rig()
    #expect(rig.route("a") == "in:usb out:phones,usb")
  }

  @Test("A70: each player is sent to its own channels")
  func a70() throws {
    let rig = try rig()
    #expect(rig.crosspoints("p1") == ["phones: 1>1 2>2"])
    #expect(rig.crosspoints("p2") == ["usb: 1>3 2>4"])
  }

  @Test("A71: a player without assignment is sent to the first channels of the first port")
  func a71() throws {
    let rig = try rig()
    #expect(rig.crosspoints("main") == ["phones: 1>1 2>2"])
  }

  @Test(
    "A72: an assignment with another number of channels than the player has is refused",
    arguments: ["usb:1", "usb:1-3"])
  func a72(_ route: String) throws {
    var rig = try rig()
    #expect(try rig.refusal("p2", route) == .badParam)
    #expect(rig.crosspoints("p2") == ["usb: 1>3 2>4"])
  }

  @Test(
    "A73: an unknown port, an ineligible port and a channel that the port does not have are refused",
    arguments: ["nowhere", "bt", "usb:4-5", "usb:1:5", "ear", "air"])
  func a73(_ route: String) throws {
    var rig = try rig()
    for device in ["bt", "air"] { try rig.plug(device) }
    #expect(try rig.refusal("p2", route) == .badParam)
    #expect(rig.crosspoints("p2") == ["usb: 1>3 2>4"])
  }

  @Test("A known port may be assigned while it is away")
  func away() throws {
    var rig = try rig()
    try rig.plug("hdmi")
    try rig.unplug("hdmi")
    try rig.assign("p1", "hdmi")
    #expect(rig.route("a") == "in:usb out:phones,usb")
    #expect(try rig.plug("hdmi").routes("a") == ["1: in:usb out:phones,usb > in:usb out:phones,usb,hdmi"])
  }

  @Test(
    "A74: the speaker is used until another output arrives; a stream without a destination of its own moves with it"
  )
  func a74() throws {
    var rig = try Rig()
    try rig.play("a", .multiRoute)
    #expect(rig.route("a") == "in:mic out:spk" && rig.level("a", at: "spk") == 0)
    #expect(try rig.plug("phones").routes("a") == ["1: in:mic out:spk > in:mic out:phones"])
    #expect(rig.level("a", at: "phones") == 0)
    // The stream stays there as long as the route has that output, and does not move to outputs that arrive later.
    try rig.plug("usb")
    #expect(rig.crosspoints("main") == ["phones: 1>1 2>2"])
    try rig.unplug("phones")
    #expect(rig.crosspoints("main") == ["usb: 1>1 2>2"])
  }

  @Test("A stream with a destination of its own, and one whose session waits for its output, do not move")
  func pinned() throws {
    for isAssigned in [true, false] {
      var rig = try Rig()
      try rig.plug("phones")
      try rig.plug("usb")
      try rig.play("a", .multiRoute)
      if isAssigned {
        try rig.handle(.destination("a", "main", "phones", .gain(.set(-6))))
      } else {
        try rig.handle(.session("a", .unplug(.wait)))
      }
      try rig.unplug("phones")
      #expect(rig.crosspoints("main") == ["phones: 1>1 2>2"])
    }
  }

  @Test(
    "A stream is sent to the first output when its session becomes multiRoute, unless its guard forbids that")
  func laterMultiRoute() throws {
    var rig = try Rig()
    try rig.plug("phones")
    try rig.play("a", .playback)
    try rig.set("a", .multiRoute)
    #expect(rig.level("a", at: "phones") == 0)
    try rig.handle(.stream("a", "main", .never(["phones"])))
    #expect(rig.crosspoints("main") == [])
  }

  @Test("A75, A76: eligible outputs, and one input: the one that arrived last")
  func a75() throws {
    var rig = try Rig()
    for device in ["bt", "air", "hfp", "headset", "usb"] { try rig.plug(device) }
    try rig.play("a", .multiRoute)
    #expect(rig.route("a") == "in:usb out:phones,usb")
    try rig.unplug("headset")
    #expect(rig.route("a") == "in:usb out:usb")
    #expect(rig.state.availableInputs(for: rig["a"]) == ["mic", "usb"])
  }

  @Test("A77, A78: a map can swap channels, and can send one channel to two ports at the same level")
  func a77() throws {
    var rig = try rig()
    try rig.assign("p1", "phones:1:2+2:1")
    #expect(rig.crosspoints("p1") == ["phones: 1>2 2>1"])
    try rig.assign("p1", "phones:1:1,usb:1:3")
    #expect(rig.crosspoints("p1") == ["phones: 1>1", "usb: 1>3"])
  }

  @Test("A79: the players of a port are silent while it is away, and are heard again when it returns")
  func a79() throws {
    var rig = try rig()
    #expect(try rig.unplug("usb").routes("a") == ["2: in:usb out:phones,usb > in:mic out:phones"])
    #expect(rig.crosspoints("p1") == ["phones: 1>1 2>2"])
    #expect(rig.crosspoints("p2") == ["usb: 1>3 2>4"], "kept, and not moved")
    #expect(rig.why("a").hasSuffix("waits for usb"))
    #expect(try rig.plug("usb").routes("a") == ["1: in:mic out:phones > in:usb out:phones,usb"])
  }

  @Test(
    "A80: a multiRoute session interrupts, mixes or ducks as any other session does", arguments: [0, 1, 2])
  func a80(_ options: Int) throws {
    var rig = try Rig()
    try rig.play("b")
    try rig.play("a", .multiRoute, options)
    #expect(rig.level("b") == [nil, 0, Rig.duck][options])
    #expect(rig.level("a") == 0)
  }

  @Test("A81: dualRoute uses the built-in speaker and microphone and the last device with both directions")
  func a81() throws {
    var rig = try Rig()
    try rig.plug("headset")
    try rig.make("a", .multiRoute)
    #expect(rig.refusal(setting: "a", .multiRoute, 0, .dualRoute) == .badParam)
    try rig.set("a", .multiRoute, 4, .dualRoute)
    try rig.activate("a")
    #expect(rig.route("a") == "in:mic,hsmic out:spk,phones")
    #expect(rig.state.availableInputs(for: rig["a"]) == ["mic", "hsmic"])
    #expect(try rig.plug("usb").told("a").isEmpty, "a device of no other mode")
    #expect(
      try rig.plug("hfp").routes("a") == ["1: in:mic,hsmic out:spk,phones > in:mic,hfp out:spk,hfp"])
    for device in ["hfp", "headset"] { try rig.unplug(device) }
    #expect(rig.route("a") == "in:mic out:spk")
    // Headphones without a microphone do not have both directions.
    #expect(try rig.plug("phones").told("a").isEmpty)
    #expect(try rig.refusal("main", "usb") == .badParam)
    try rig.assign("main", "spk,phones")
  }
}

extension Rig {
  fileprivate mutating func assign(_ stream: StreamID, _ route: String) throws {
    try handle(.stream("a", stream, .route(StreamRoute(route))))
  }

  fileprivate mutating func refusal(_ stream: StreamID, _ route: String) throws -> ErrorCode? {
    try world.refusal(.stream("a", stream, .route(StreamRoute(route))))
  }

  /// The crosspoints of a stream, output by output.
  fileprivate func crosspoints(_ stream: StreamID) -> [String] {
    guard let stream = self["a"].streams[stream] else { return [] }
    return stream.destinations.filter { $0.value.isOn }.map { port, destination in
      let points = try? destination.channels.crosspoints(
        width: stream.channels, channels: state.outputs[port]?.channels ?? 0, at: port)
      return "\(port): " + (points ?? []).map { "\($0.stream)>\($0.port)" }.joined(separator: " ")
    }
  }
}
