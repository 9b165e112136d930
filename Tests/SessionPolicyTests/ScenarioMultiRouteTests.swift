import SessionModel
import Testing

@Suite("Scenarios A69 to A81: multiRoute")
struct ScenarioMultiRouteTests {
  /// Phones and usb are there, and A is active with two players: p1 on the phones, p2 on usb 3 and 4.
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

  @Test("A69: all that is eligible at once, without the speaker")
  func a69() throws {
    let rig = try rig()
    #expect(rig.route("a") == "in:usb out:phones,usb")
  }

  @Test("A70: each player is at its own channels")
  func a70() throws {
    let rig = try rig()
    #expect(rig.crosspoints("p1") == ["phones: 1>1 2>2"])
    #expect(rig.crosspoints("p2") == ["usb: 1>3 2>4"])
  }

  @Test("A71: a player without assignments is on the first channels of the first port")
  func a71() throws {
    let rig = try rig()
    #expect(rig.crosspoints("main") == ["phones: 1>1 2>2"])
  }

  @Test("A72: as many channels as the player has, or nothing changes", arguments: ["usb:1", "usb:1-3"])
  func a72(_ route: String) throws {
    var rig = try rig()
    #expect(try rig.refusal("p2", route) == .badParam)
    #expect(rig.crosspoints("p2") == ["usb: 1>3 2>4"])
  }

  @Test(
    "A73: a port that is unknown, one that is never used, and a channel that it does not have",
    arguments: ["nowhere", "bt", "usb:4-5", "usb:1:5", "ear", "air"])
  func a73(_ route: String) throws {
    var rig = try rig()
    for device in ["bt", "air"] { try rig.plug(device) }
    #expect(try rig.refusal("p2", route) == .badParam)
    #expect(rig.crosspoints("p2") == ["usb: 1>3 2>4"])
  }

  @Test("A port that is known but away may be assigned")
  func away() throws {
    var rig = try rig()
    try rig.plug("hdmi")
    try rig.unplug("hdmi")
    try rig.assign("p1", "hdmi")
    #expect(rig.route("a") == "in:usb out:phones,usb")
    #expect(try rig.plug("hdmi").routes("a") == ["1: in:usb out:phones,usb > in:usb out:phones,usb,hdmi"])
  }

  @Test("A74: the speaker until something else is there, and with it who nobody has sent anywhere")
  func a74() throws {
    var rig = try Rig()
    try rig.play("a", .multiRoute)
    #expect(rig.route("a") == "in:mic out:spk" && rig.level("a", at: "spk") == 0)
    #expect(try rig.plug("phones").routes("a") == ["1: in:mic out:spk > in:mic out:phones"])
    #expect(rig.level("a", at: "phones") == 0)
    // It stays there as long as that is in the route, and does not follow what comes later.
    try rig.plug("usb")
    #expect(rig.crosspoints("main") == ["phones: 1>1 2>2"])
    try rig.unplug("phones")
    #expect(rig.crosspoints("main") == ["usb: 1>1 2>2"])
  }

  @Test("Whoever waits for its output, and whoever was sent somewhere, does not follow")
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

  @Test("A stream takes its place when its session becomes multiRoute, and beside its guard")
  func laterMultiRoute() throws {
    var rig = try Rig()
    try rig.plug("phones")
    try rig.play("a", .playback)
    try rig.set("a", .multiRoute)
    #expect(rig.level("a", at: "phones") == 0)
    try rig.handle(.stream("a", "main", .never(["phones"])))
    #expect(rig.crosspoints("main") == [])
  }

  @Test("A75, A76: what is eligible, and one input, the last one in")
  func a75() throws {
    var rig = try Rig()
    for device in ["bt", "air", "hfp", "headset", "usb"] { try rig.plug(device) }
    try rig.play("a", .multiRoute)
    #expect(rig.route("a") == "in:usb out:phones,usb")
    try rig.unplug("headset")
    #expect(rig.route("a") == "in:usb out:usb")
    #expect(rig.state.availableInputs(for: rig["a"]) == ["mic", "usb"])
  }

  @Test("A77, A78: a map swaps channels, and repeats one in two ports at the same level")
  func a77() throws {
    var rig = try rig()
    try rig.assign("p1", "phones:1:2+2:1")
    #expect(rig.crosspoints("p1") == ["phones: 1>2 2>1"])
    try rig.assign("p1", "phones:1:1,usb:1:3")
    #expect(rig.crosspoints("p1") == ["phones: 1>1", "usb: 1>3"])
  }

  @Test("A79: a port that goes takes its players with it, and brings them back")
  func a79() throws {
    var rig = try rig()
    #expect(try rig.unplug("usb").routes("a") == ["2: in:usb out:phones,usb > in:mic out:phones"])
    #expect(rig.crosspoints("p1") == ["phones: 1>1 2>2"])
    #expect(rig.crosspoints("p2") == ["usb: 1>3 2>4"], "kept, and not moved")
    #expect(rig.why("a").hasSuffix("waits for usb"))
    #expect(try rig.plug("usb").routes("a") == ["1: in:mic out:phones > in:usb out:phones,usb"])
  }

  @Test("A80: as any session, it interrupts, mixes or ducks", arguments: [0, 1, 2])
  func a80(_ options: Int) throws {
    var rig = try Rig()
    try rig.play("b")
    try rig.play("a", .multiRoute, options)
    #expect(rig.level("b") == [nil, 0, Rig.duck][options])
    #expect(rig.level("a") == 0)
  }

  @Test("A81: dualRoute is the built-in pair and the last device that has both directions")
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
    // Headphones without a microphone are no device with both directions.
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

  /// Which channels of a stream go where, output by output.
  fileprivate func crosspoints(_ stream: StreamID) -> [String] {
    guard let stream = self["a"].streams[stream] else { return [] }
    return stream.destinations.filter { $0.value.isOn }.map { port, destination in
      let points = try? destination.channels.crosspoints(
        width: stream.channels, channels: state.outputs[port]?.channels ?? 0, at: port)
      return "\(port): " + (points ?? []).map { "\($0.stream)>\($0.port)" }.joined(separator: " ")
    }
  }
}
