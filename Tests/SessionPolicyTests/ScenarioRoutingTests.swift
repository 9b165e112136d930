import SessionModel
import Testing

@Suite("Scenarios A45, A50 to A68: routes")
struct ScenarioRoutingTests {
  /// A plays at the fixed ports.
  private func playing(_ category: Category = .playback, _ options: Int = 0) throws -> Rig {
    var rig = try Rig()
    try rig.play("a", category, options)
    return rig
  }

  @Test("A45: a duck reaches everybody, or only who shares an output", arguments: [DuckScope.all, .shared])
  func a45(_ scope: DuckScope) throws {
    var rig = try Rig()
    try rig.plug("usb")
    try rig.plug("phones")
    try rig.handle(.router(.duckScope(scope)))
    try rig.play("a", .multiRoute, 1)
    try rig.handle(.stream("a", "main", .route(StreamRoute("usb:1-2"))))
    try rig.play("b", .playback, 2)
    #expect(rig["b"].route.outputs == ["phones"])
    #expect(rig.level("a", at: "usb") == (scope == .all ? Rig.duck : 0))
  }

  @Test("A50: record without any input is refused")
  func a50() throws {
    var rig = try Rig()
    try rig.unplug("mic")
    try rig.make("a", .record)
    #expect(rig.world.refusal(.activate("a")) == .resourceNotAvailable)
  }

  @Test("A51, A52: the last one in has the session, and each change tells the route that is left")
  func a51() throws {
    var rig = try playing()
    func change(_ reason: Int, _ left: String, _ now: String) -> [String] {
      ["\(reason): in:none out:\(left) > in:none out:\(now)"]
    }
    #expect(try rig.plug("phones").routes("a") == change(1, "spk", "phones"))
    #expect(rig.level("a", at: "phones") == 0 && rig.level("a", at: "spk") == nil)
    #expect(try rig.plug("line").routes("a") == change(1, "phones", "line"))
    #expect(try rig.unplug("line").routes("a") == change(2, "line", "phones"))
    #expect(try rig.unplug("phones").routes("a") == change(2, "phones", "spk"))
  }

  @Test("A53: the input is the last one in, and the one before when it goes")
  func a53() throws {
    var rig = try playing(.playAndRecord)
    for (change, input) in [
      (try rig.plug("headset"), "hsmic"), (try rig.plug("usb"), "usb"), (try rig.unplug("usb"), "hsmic"),
    ] {
      #expect(change.told("a").sorted().map { $0.prefix(5) } == ["input", "route"])
      #expect(change.routes("a").first?.contains("> in:\(input) ") == true)
    }
  }

  @Test("A54, A55: the receiver, or the speaker by option; anything that is plugged in comes before both")
  func a54() throws {
    for (options, output) in [(0, "ear"), (8, "spk")] {
      var rig = try playing(.playAndRecord, options)
      #expect(rig.route("a") == "in:mic out:\(output)")
      #expect(try rig.plug("phones").routes("a") == ["1: in:mic out:\(output) > in:mic out:phones"])
      #expect(try rig.unplug("phones").routes("a") == ["2: in:mic out:phones > in:mic out:\(output)"])
      // An input alone moves the input alone.
      #expect(try rig.plug("usbin").routes("a") == ["1: in:mic out:\(output) > in:usbin out:\(output)"])
    }
  }

  // MARK: The speaker override

  @Test("A56: the override moves to the speaker and back, and setting it again is no news")
  func a56() throws {
    var rig = try playing(.playAndRecord)
    let (on, off) = (Event.session("a", .portOverride(.speaker)), Event.session("a", .portOverride(.none)))
    #expect(try rig.handle(on).told("a") == ["route(4)"])
    #expect(rig.route("a") == "in:mic out:spk")
    #expect(try rig.handle(on).isEmpty)
    #expect(try rig.handle(off).routes("a") == ["4: in:mic out:spk > in:mic out:ear"])
  }

  @Test("A57: it comes before a headset, and ends when that goes")
  func a57() throws {
    var rig = try playing(.playAndRecord)
    try rig.plug("headset")
    #expect(
      try rig.handle(.session("a", .portOverride(.speaker))).routes("a") == [
        "4: in:hsmic out:phones > in:mic out:spk"
      ])
    #expect(try rig.unplug("headset").routes("a") == ["2: in:mic out:spk > in:mic out:ear"])
    #expect(rig["a"].portOverride == .none)
  }

  @Test("A58: a port that takes the route ends it for good, one that does not leaves it")
  func a58() throws {
    var rig = try playing(.playAndRecord)
    try rig.handle(.session("a", .portOverride(.speaker)))
    #expect(try rig.plug("bt").told("a").isEmpty)
    #expect(rig["a"].portOverride == .speaker)
    #expect(try rig.plug("phones").routes("a") == ["1: in:mic out:spk > in:mic out:phones"])
    #expect(try rig.unplug("phones").routes("a") == ["2: in:mic out:phones > in:mic out:ear"])
  }

  @Test(
    "A change of category or options, and an interruption, end it",
    arguments: [
      Event.configure("a", SessionConfiguration(category: .playAndRecord, options: .mixWithOthers)),
      .beginInterruption("phone"), .createSession("b", SessionConfiguration(category: .playback)),
    ])
  func ended(_ event: Event) throws {
    var rig = try playing(.playAndRecord)
    try rig.handle(.session("a", .portOverride(.speaker)))
    try rig.handle(event)
    if case .createSession = event { try rig.activate("b") }
    #expect(rig["a"].portOverride == .none && rig.route("a") == "in:mic out:ear")
  }

  @Test("What neither touches the ports nor the session leaves it, and so does what was set already")
  func kept() throws {
    var rig = try playing(.playAndRecord)
    try rig.handle(.session("a", .portOverride(.speaker)))
    try rig.set("a", .playAndRecord)
    try rig.play("b", .ambient)
    try rig.handle(.session("a", .gain(.set(-6))))
    #expect(rig["a"].portOverride == .speaker)
  }

  @Test("Without a built-in speaker, or with a guard against it, an override changes nothing")
  func speakerless() throws {
    var rig = try playing(.playAndRecord)
    try rig.handle(.stream("a", "main", .never(["spk"])))
    #expect(try rig.handle(.session("a", .portOverride(.speaker))).isEmpty)
    #expect(rig.route("a") == "in:mic out:ear")
  }

  @Test("One that is set before the devices are found waits for them")
  func early() throws {
    var rig = try Rig()
    for device in ["mic", "ear", "spk"] { try rig.unplug(device) }
    try rig.play("a", .playAndRecord)
    try rig.handle(.session("a", .portOverride(.speaker)))
    try rig.handle(
      .portsPresent([
        PortPresence(.output, "spk", members: ["s:1", "s:2"]), PortPresence(.output, "ear", members: ["e:1"]),
        PortPresence(.input, "mic", members: ["m:1"]),
      ]))
    #expect(rig.route("a") == "in:mic out:spk")
  }

  @Test(
    "A59: no other category has one",
    arguments: Category.allCases.filter { $0 != .playAndRecord })
  func a59(_ category: Category) throws {
    var rig = try Rig()
    try rig.make("a", category)
    #expect(rig.world.refusal(.session("a", .portOverride(.speaker))) == .incompatibleCategory)
  }

  @Test("A60: another category takes effect at once")
  func a60() throws {
    var rig = try playing(.playAndRecord)
    let told = try rig.handle(.configure("a", SessionConfiguration(category: .playback)))
    #expect(told.told("a") == ["category", "route(3)"])
    #expect(told.routes("a") == ["3: in:mic out:ear > in:none out:spk"])
  }

  // MARK: The preferred input

  @Test("A61: a preferred input comes before the last one in, also when it has been away")
  func a61() throws {
    var rig = try playing(.playAndRecord)
    try rig.plug("usbin")
    try rig.plug("usb")
    #expect(
      try rig.handle(.session("a", .preferredInput("mic"))).routes("a") == [
        "4: in:usb out:usb > in:mic out:usb"
      ])
    #expect(
      try rig.handle(.session("a", .preferredInput(nil))).routes("a") == [
        "4: in:mic out:usb > in:usb out:usb"
      ])
    try rig.handle(.session("a", .preferredInput("usbin")))
    try rig.unplug("usbin")
    #expect(rig["a"].route.input == "usb" && rig["a"].preferredInput == "usbin")
    #expect(try rig.plug("usbin").routes("a") == ["1: in:usb out:usb > in:usbin out:usb"])
    #expect(try rig.handle(.session("a", .preferredInput("usbin"))).isEmpty, "it is there already")
  }

  @Test("A62: what it cannot capture from is refused")
  func a62() throws {
    var rig = try playing(.playAndRecord)
    for device in ["hfp", "usb"] { try rig.plug(device) }
    try rig.unplug("usb")
    for id: PortID in ["nowhere", "hfp", "usb", "spk"] {
      #expect(rig.world.refusal(.session("a", .preferredInput(id))) == .badParam, "\(id)")
    }
    // While it is inactive it may count on a port that is away, but not on one of the wrong kind.
    try rig.end("a")
    try rig.handle(.session("a", .preferredInput("usb")))
    #expect(rig.world.refusal(.session("a", .preferredInput("hfp"))) == .badParam)
    try rig.activate("a")
    #expect(try rig.plug("usb").routes("a") == ["1: in:mic out:ear > in:usb out:usb"])
  }

  @Test("A63: availableInputs are empty without input, all with it, and who may use a new one is told")
  func a63() throws {
    var rig = try playing(.playback, 1)
    try rig.play("b", .playAndRecord, 1)
    try rig.make("asleep", .playAndRecord, 1)
    #expect(rig.state.availableInputs(for: rig["a"]) == [])
    let told = try rig.plug("usb")
    #expect(told.told("a") == ["route(1)"] && told.told("b") == ["route(1)", "inputs"])
    #expect(told.told("asleep") == [])
    #expect(rig.state.availableInputs(for: rig["b"]) == ["mic", "usb"])
    #expect(try rig.plug("hfp").told("b") == [], "it may not use that one")
    #expect(try rig.unplug("usb").told("b") == ["route(2)", "inputs"])
  }

  @Test("A64: another data source of the input in use is no other route, and told with reason 8")
  func a64() throws {
    var rig = try playing(.playAndRecord)
    var port = Port(id: "usbin", name: "usbin", type: .usbAudio, globs: [], channels: 1)
    port.sources = ["front", "back"].map { Port.DataSource(id: $0, globs: [PortGlob("Array:\($0)")!]) }
    try rig.handle(.declarePort(.input, port))
    try rig.plug("usbin")
    #expect(
      try rig.handle(.port(.input, "usbin", .source("back"))).routes("a") == [
        "8: in:usbin out:ear > in:usbin out:ear"
      ])
  }

  // MARK: Bluetooth and AirPlay

  @Test("A65: HFP needs its option, and is one device for both directions")
  func a65() throws {
    var rig = try Rig()
    try rig.plug("hfp")
    try rig.play("a", .playAndRecord)
    #expect(rig.route("a") == "in:mic out:ear")
    #expect(rig.state.availableInputs(for: rig["a"]) == ["mic"])
    let told = try rig.handle(
      .configure("a", SessionConfiguration(category: .playAndRecord, options: .allowBluetoothHFP)))
    #expect(told.routes("a") == ["3: in:mic out:ear > in:hfp out:hfp"])
    #expect(rig.state.availableInputs(for: rig["a"]) == ["mic", "hfp"])
  }

  @Test("Whichever direction chooses HFP, or leaves it, moves both")
  func handsFree() throws {
    var rig = try playing(.playAndRecord, 4)
    try rig.plug("hfp")
    #expect(rig.route("a") == "in:hfp out:hfp")
    #expect(try rig.plug("phones").routes("a") == ["1: in:hfp out:hfp > in:mic out:phones"])
    try rig.handle(.session("a", .preferredInput("hfp")))
    #expect(rig.route("a") == "in:hfp out:hfp")
    try rig.handle(.session("a", .preferredInput("mic")))
    #expect(rig.route("a") == "in:mic out:phones")
    try rig.handle(.session("a", .preferredInput(nil)))
    try rig.handle(.session("a", .preferredOutput("hfp")))
    #expect(rig.route("a") == "in:hfp out:hfp")
    // Without a way back it is what it is.
    try rig.unplug("phones")
    try rig.handle(.portsPresent([PortPresence(.input, "hfp", members: [nil])]))
    #expect(rig.route("a") == "in:mic out:hfp")
    #expect(try rig.unplug("hfp").routes("a") == ["2: in:mic out:hfp > in:mic out:ear"])
  }

  @Test("Record captures from HFP by option; what only plays never uses it")
  func handsFreeCategories() throws {
    var rig = try Rig()
    try rig.plug("hfp")
    for (category, options, route) in [
      (Category.record, 0, "in:mic out:none"), (.record, 4, "in:hfp out:none"),
      (.playback, 0, "in:none out:spk"),
      (.ambient, 0, "in:none out:spk"),
    ] {
      let id = try #require(SessionID("\(category.rawValue.lowercased())\(options)"))
      try rig.make(id, category, options)
      #expect(rig.route(id) == route)
    }
  }

  @Test("A66: A2DP and AirPlay play music without being asked, and conversations by option")
  func a66() throws {
    for (device, option) in [("bt", 0x20), ("air", 0x40)] {
      var rig = try Rig()
      try rig.plug(device)
      for category in [Category.playback, .ambient, .soloAmbient] {
        let id = try #require(SessionID(category.rawValue.lowercased()))
        try rig.make(id, category)
        #expect(rig.route(id) == "in:none out:\(device)")
      }
      try rig.make("a", .playAndRecord)
      #expect(rig.route("a") == "in:mic out:ear")
      try rig.set("a", .playAndRecord, option)
      #expect(rig.route("a") == "in:mic out:\(device)")
      // A call has no use for what has no way back.
      try rig.set("a", .playAndRecord, option, .voiceChat)
      #expect(rig.route("a") == "in:mic out:ear")
    }
  }

  @Test("Of one device that has HFP and A2DP, HFP is used where it may be; of two, the last one in")
  func twoProfiles() throws {
    for isOneDevice in [true, false] {
      var rig = try playing(.playAndRecord, 0x24)
      try rig.plug("hfp")
      try rig.plug("bt")
      if isOneDevice {
        // One device has one name.
        for id: PortID in ["hfp", "bt"] { try rig.handle(.port(.output, id, .name("Headset"))) }
        try rig.plug("phones")
        try rig.unplug("phones")
      }
      #expect(rig.route("a") == (isOneDevice ? "in:hfp out:hfp" : "in:mic out:bt"))
      try rig.set("a", .playAndRecord, 0x20)
      #expect(rig.route("a") == "in:mic out:bt")
    }
  }

  // MARK: Ports that go

  @Test("A67: who asked for it is interrupted when its output goes, and never moves")
  func a67() throws {
    var rig = try playing()
    try rig.plug("phones")
    try rig.handle(.session("a", .unplug(.interrupt)))
    let told = try rig.unplug("phones")
    #expect(told.told("a") == ["route(2)", "inactive(system)", "began(4) by phones"])
    #expect(told.routes("a") == ["2: in:none out:phones > in:none out:none"])
    #expect(try rig.plug("line").told("a").isEmpty && rig.route("a") == "in:none out:none")
    #expect(try rig.plug("phones").told("a") == ["ended(1) by phones", "recommend(1)"])
    #expect(rig.route("a") == "in:none out:phones")
  }

  @Test("Who waits for its output is silent meanwhile, whatever else is plugged in")
  func waits() throws {
    var rig = try playing()
    try rig.plug("phones")
    try rig.handle(.session("a", .unplug(.wait)))
    #expect(try rig.unplug("phones").told("a") == ["route(2)"])
    #expect(try rig.plug("line").told("a").isEmpty && rig.route("a") == "in:none out:none")
    #expect(try rig.plug("phones").routes("a") == ["1: in:none out:none > in:none out:phones"])
  }

  @Test(
    "Who comes back by itself after the server was lost waits for its output, whatever is there first",
    arguments: [UnplugConduct.wait, .interrupt, .continue])
  func serverLost(_ conduct: UnplugConduct) throws {
    var rig = try playing()
    try rig.plug("phones")
    try rig.handle(.session("a", .unplug(conduct)))
    try rig.handle(.session("a", .activation(.start)))
    try rig.world.lose()
    for device in ["phones", "mic", "ear", "spk"] { try rig.unplug(device) }
    try rig.world.start()
    #expect(rig["a"].isActive)
    try rig.plug("spk")
    #expect(rig.route("a") == (conduct == .continue ? "in:none out:spk" : "in:none out:none"))
    try rig.plug("phones")
    #expect(rig.route("a") == "in:none out:phones")
  }

  @Test("Why says what is preferred, overridden, and there without being of use")
  func why() throws {
    var rig = try playing(.playAndRecord)
    for device in ["usb", "line"] { try rig.plug(device) }
    try rig.handle(.session("a", .preferredInput("usb")))
    try rig.handle(.session("a", .preferredOutput("line")))
    #expect(rig.why("a") == "heard at line")
    for device in ["usb", "line"] { try rig.unplug(device) }
    let preferences = "prefers the input usb, which is away; prefers the output line, which is away"
    #expect(rig.why("a") == "heard at ear; \(preferences)")
    try rig.handle(.session("a", .portOverride(.speaker)))
    #expect(rig.why("a") == "heard at spk; the speaker override is on; \(preferences)")
    try rig.handle(.session("a", .preferredOutput(nil)))
    try rig.handle(.session("a", .preferredInput(nil)))
    try rig.plug("bt")
    for device in ["ear", "spk"] { try rig.unplug(device) }
    #expect(
      rig.why("a")
        == "silent: no output is available that playAndRecord may use as it is, only bt (bluetoothA2DP)")
  }

  @Test("A68: without a suitable input the session stays active and heard, and gets the next one")
  func a68() throws {
    var rig = try playing(.playAndRecord)
    #expect(try rig.unplug("mic").told("a") == ["route(7)", "inputs"])
    #expect(rig["a"].isActive && rig.level("a", at: "ear") == 0)
    #expect(try rig.plug("mic").routes("a") == ["1: in:none out:ear > in:mic out:ear"])
    for device in ["ear", "spk"] { try rig.unplug(device) }
    #expect(rig.route("a") == "in:mic out:none" && rig["a"].isActive)
    #expect(try rig.plug("spk").told("a") == ["route(1)"])
  }
}
