import LawWorld
import SessionModel
import Testing

@Suite("Scenarios A45, A50 to A68: routes")
struct ScenarioRoutingTests {
  /// Session `a` plays at the ports that are always there.
  private func playing(_ category: Category = .playback, _ options: Int = 0) throws -> Rig {
    var rig = try Rig()
    try rig.play("a", category, options)
    return rig
  }

  @Test(
    "A45: a ducker ducks all sessions, or only those that share an output with it",
    arguments: [DuckScope.all, .shared])
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

  @Test("A50: record is refused without an input")
  func a50() throws {
    var rig = try Rig()
    try rig.unplug("mic")
    try rig.make("a", .record)
    #expect(rig.world.refusal(.activate("a")) == .resourceNotAvailable)
  }

  @Test("A51, A52: a session uses the output that arrived last, and each change names the former route")
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

  @Test(
    "A53: a session captures from the input that arrived last, and from the former one when that disappears")
  func a53() throws {
    var rig = try playing(.playAndRecord)
    for (change, input) in [
      (try rig.plug("headset"), "hsmic"), (try rig.plug("usb"), "usb"), (try rig.unplug("usb"), "hsmic"),
    ] {
      #expect(change.told("a").sorted().map { $0.prefix(5) } == ["input", "route"])
      #expect(change.routes("a").first?.contains("> in:\(input) ") == true)
    }
  }

  @Test(
    "A54, A55: playAndRecord uses the receiver, or the speaker by option, and any device that is plugged in before both"
  )
  func a54() throws {
    for (options, output) in [(0, "ear"), (8, "spk")] {
      var rig = try playing(.playAndRecord, options)
      #expect(rig.route("a") == "in:mic out:\(output)")
      #expect(try rig.plug("phones").routes("a") == ["1: in:mic out:\(output) > in:mic out:phones"])
      #expect(try rig.unplug("phones").routes("a") == ["2: in:mic out:phones > in:mic out:\(output)"])
      // A device without outputs changes only the input.
      #expect(try rig.plug("usbin").routes("a") == ["1: in:mic out:\(output) > in:usbin out:\(output)"])
    }
  }

  // MARK: The speaker override

  @Test("A56: the override moves the session to the speaker and back; setting it again sends no notification")
  func a56() throws {
    var rig = try playing(.playAndRecord)
    let (on, off) = (Event.session("a", .portOverride(.speaker)), Event.session("a", .portOverride(.none)))
    #expect(try rig.handle(on).told("a") == ["route(4)"])
    #expect(rig.route("a") == "in:mic out:spk")
    #expect(try rig.handle(on).isEmpty)
    #expect(try rig.handle(off).routes("a") == ["4: in:mic out:spk > in:mic out:ear"])
  }

  @Test("A57: the override beats a headset, and ends when the headset disappears")
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

  @Test(
    "A58: a port that changes the route ends the override for good; a port that does not leaves it in force")
  func a58() throws {
    var rig = try playing(.playAndRecord)
    try rig.handle(.session("a", .portOverride(.speaker)))
    #expect(try rig.plug("bt").told("a").isEmpty)
    #expect(rig["a"].portOverride == .speaker)
    #expect(try rig.plug("phones").routes("a") == ["1: in:mic out:spk > in:mic out:phones"])
    #expect(try rig.unplug("phones").routes("a") == ["2: in:mic out:phones > in:mic out:ear"])
  }

  @Test(
    "A change of category or options, and an interruption, end the override",
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

  @Test("Events that change neither the ports nor the session leave the override in force")
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

  @Test("An override that is set before the devices are found waits for them")
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
    "A59: no category other than playAndRecord has an override",
    arguments: Category.allCases.filter { $0 != .playAndRecord })
  func a59(_ category: Category) throws {
    var rig = try Rig()
    try rig.make("a", category)
    #expect(rig.world.refusal(.session("a", .portOverride(.speaker))) == .incompatibleCategory)
  }

  @Test("A60: a change of category takes effect at once")
  func a60() throws {
    var rig = try playing(.playAndRecord)
    let told = try rig.handle(.configure("a", SessionConfiguration(category: .playback)))
    #expect(told.told("a") == ["category", "route(3)"])
    #expect(told.routes("a") == ["3: in:mic out:ear > in:none out:spk"])
  }

  // MARK: The preferred input

  @Test("A61: a preferred input beats the one that arrived last, also after it was away")
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

  @Test("A62: preferring an input that the session cannot capture from is refused")
  func a62() throws {
    var rig = try playing(.playAndRecord)
    for device in ["hfp", "usb"] { try rig.plug(device) }
    try rig.unplug("usb")
    for id: PortID in ["nowhere", "hfp", "usb", "spk"] {
      #expect(rig.world.refusal(.session("a", .preferredInput(id))) == .badParam, "\(id)")
    }
    // An inactive session may prefer a port that is away, but none of a type that it may not use.
    try rig.end("a")
    try rig.handle(.session("a", .preferredInput("usb")))
    #expect(rig.world.refusal(.session("a", .preferredInput("hfp"))) == .badParam)
    try rig.activate("a")
    #expect(try rig.plug("usb").routes("a") == ["1: in:mic out:ear > in:usb out:usb"])
  }

  @Test(
    "A63: availableInputs are empty in a category without input; sessions that may use a new input are notified"
  )
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

  @Test("A64: another data source of the input in use keeps the ports and is notified with reason 8")
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

  @Test("A65: HFP needs its option and is one device for both directions")
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

  @Test("A choice for or against HFP in one direction moves both directions")
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
    // Without an output of its own HFP is used for the input alone.
    try rig.unplug("phones")
    try rig.handle(.portsPresent([PortPresence(.input, "hfp", members: [nil])]))
    #expect(rig.route("a") == "in:mic out:hfp")
    #expect(try rig.unplug("hfp").routes("a") == ["2: in:mic out:hfp > in:mic out:ear"])
  }

  @Test("Record captures from HFP if its option is on; categories that only play never use HFP")
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

  @Test("A66: categories that only play use A2DP and AirPlay without an option, playAndRecord only with it")
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
      // A conversation does not use outputs without a microphone.
      try rig.set("a", .playAndRecord, option, .voiceChat)
      #expect(rig.route("a") == "in:mic out:ear")
    }
  }

  @Test(
    "A device with HFP and A2DP is used as HFP if that is allowed; of two devices the last one in is used")
  func twoProfiles() throws {
    for isOneDevice in [true, false] {
      var rig = try playing(.playAndRecord, 0x24)
      try rig.plug("hfp")
      try rig.plug("bt")
      if isOneDevice {
        // Two profiles of one device have the same name.
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

  @Test("A67: a session with unplug interrupt is interrupted when its output disappears, and does not move")
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

  @Test("A session with unplug wait is silent until its output returns, whatever else is plugged in")
  func waits() throws {
    var rig = try playing()
    try rig.plug("phones")
    try rig.handle(.session("a", .unplug(.wait)))
    #expect(try rig.unplug("phones").told("a") == ["route(2)"])
    #expect(try rig.plug("line").told("a").isEmpty && rig.route("a") == "in:none out:none")
    #expect(try rig.plug("phones").routes("a") == ["1: in:none out:none > in:none out:phones"])
  }

  @Test(
    "After the server's return a session that comes back by itself waits for its former output, whatever device returns first",
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

  @Test(
    "The verdict's sentence names preferences, the override, and available outputs that the session may not use"
  )
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

  @Test("A68: without a suitable input the session stays active and heard, and uses the next suitable one")
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
