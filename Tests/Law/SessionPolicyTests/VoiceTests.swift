import LawWorld
import SessionModel
import SessionPolicy
import Testing

@Suite("Voice processing: which modes have it, what the operator may switch")
struct VoiceTests {
  /// A stage whose session `call` captures the microphone and is heard at `usb`.
  private func world(_ category: Category = .playAndRecord, _ mode: Mode = .default) throws -> World {
    var world = try World.stage()
    try world.unplug("headphones")
    try world.create("call", .playAndRecord)
    try world.handle(.session("call", .captureChannels(1)))
    try world.handle(.configure("call", SessionConfiguration(category: category, mode: mode)))
    world.told = []
    return world
  }

  private func processing(_ world: World) throws -> VoiceProcessing? {
    world.state.voiceProcessing(of: try #require(world.state.sessions["call"]))
  }

  private func echoOutputs(_ world: World) throws -> [PortID] {
    world.state.echoOutputs(of: try #require(world.state.sessions["call"]))
  }

  private static let all = VoiceProcessing(echo: true, noise: true, level: true, highpass: true)

  @Test("voiceChat and videoChat switch all parts on; every other mode of every category none")
  func modes() throws {
    for category in Category.allCases {
      for mode in Mode.allCases where mode.categories.contains(category) && mode != .dualRoute {
        let isChat = mode == .voiceChat || mode == .videoChat
        #expect(try processing(world(category, mode)) == (isChat ? Self.all : nil), "\(category) \(mode)")
      }
    }
    #expect(Mode.gameChat.processesVoice)
  }

  @Test("A capture without channels and one without an input are not processed")
  func nothingToProcess() throws {
    var world = try world(.playAndRecord, .voiceChat)
    try world.handle(.session("call", .captureRoute(false)))
    #expect(try processing(world) == nil)
    try world.handle(.captureInput("call", "mic", .on(true)))
    #expect(try processing(world) == Self.all)
    try world.handle(.session("call", .captureChannels(0)))
    #expect(try processing(world) == nil)
  }

  @Test("An input that feeds a session in the mix is a microphone of the capture, while the mix contains it")
  func mixMinus() throws {
    var world = try world(.playAndRecord, .voiceChat)
    try world.handle(.session("call", .captureRoute(false)))
    try world.create("host", .multiRoute, isActive: false)
    try world.handle(.captureSession("call", "host", .on(true)))
    #expect(try processing(world) == nil)
    let sources = [StreamSource.input("mic", channels: nil)]
    try world.handle(.stream("host", "main", .sources(sources)))
    let session = try #require(world.state.sessions["call"])
    #expect(world.state.microphones(of: session) == ["mic"])
    #expect(try processing(world) == Self.all && echoOutputs(world) == ["usb"])
    let why = world.state.whyOfCapture(session, world.state.activity)
    #expect(why.contains("voice processing: echo canceller"), "\(why)")
    try world.handle(.port(.input, "mic", .echo([])))
    #expect(try echoOutputs(world).isEmpty)
    try world.handle(.captureSession("call", "host", .on(false)))
    #expect(try processing(world) == nil)
  }

  @Test("Each switch goes before the mode, and with all parts off nothing processes the capture")
  func switches() throws {
    var world = try world(.playAndRecord, .videoChat)
    var expected = Self.all
    try world.handle(.session("call", .voice(.noise, false)))
    expected.noise = false
    #expect(try processing(world) == expected)
    try world.handle(.session("call", .voice(.noise, nil)))
    #expect(try processing(world) == Self.all)
    for part in VoicePart.allCases { try world.handle(.session("call", .voice(part, false))) }
    #expect(try processing(world) == nil)
  }

  @Test("Switching the echo canceller on in the mode default sets voiceChat, with its options and its event")
  func implicitVoiceChat() throws {
    var world = try world()
    let told = try world.handle(.session("call", .voice(.echo, true)))
    let inForce = SessionConfiguration(
      category: .playAndRecord, mode: .voiceChat, options: .allowBluetoothHFP)
    #expect(told == [.category("call", inForce)])
    #expect(world.state.sessions["call"]?.voice[.echo] == true)
    #expect(try processing(world) == Self.all)
    // The same as by the mode itself.
    let asked = try self.world(.playAndRecord, .voiceChat)
    #expect(world.state.sessions["call"]?.options == asked.state.sessions["call"]?.options)
    #expect(world.state.sessions["call"]?.route == asked.state.sessions["call"]?.route)
  }

  @Test("The mode that the echo canceller sets changes the route as setting the mode does")
  func implicitRoute() throws {
    var world = try world()
    try world.handle(
      .configure("call", SessionConfiguration(category: .playAndRecord, options: .allowBluetoothA2DP)))
    try world.plug("ear", .bluetoothA2DP)
    #expect(world.state.sessions["call"]?.route.outputs == ["ear"])
    let told = try world.handle(.session("call", .voice(.echo, true)))
    #expect(told.routeReasons == ["call": .categoryChange])
    #expect(world.state.sessions["call"]?.route.outputs == ["usb"])
  }

  @Test("Everywhere else, switching a part on is refused with -50; off and inherit never are")
  func refusals() throws {
    for category in Category.allCases {
      for mode in Mode.allCases where mode.categories.contains(category) && mode != .dualRoute {
        var world = try world(category, mode)
        for part in VoicePart.allCases {
          let isRight =
            mode.processesVoice || part == .echo && category == .playAndRecord && mode == .default
          var copy = world
          #expect(
            copy.refusal(.session("call", .voice(part, true))) == (isRight ? nil : .badParam),
            "\(category) \(mode) \(part)")
          try world.handle(.session("call", .voice(part, false)))
          try world.handle(.session("call", .voice(part, nil)))
        }
        #expect(world.state.sessions["call"]?.voice.isInherited == true)
      }
    }
  }

  @Test("A refusal says what would be right")
  func sentences() throws {
    func sentence(_ category: Category, _ mode: Mode, _ part: VoicePart) throws -> String {
      var world = try world(category, mode)
      do throws(SessionError) {
        _ = try Policy.reduce(&world.state, .session("call", .voice(part, true)), at: 0)
        return ""
      } catch { return error.sentence }
    }
    #expect(try sentence(.playAndRecord, .default, .noise).contains("which sets voiceChat"))
    #expect(
      try sentence(.playAndRecord, .measurement, .echo).hasSuffix("set the mode voiceChat or videoChat"))
    #expect(try sentence(.multiRoute, .default, .echo).contains("playAndRecord in mode voiceChat"))
  }

  @Test("A mode or category without voice processing ends the switches; another conversation keeps them")
  func otherModes() throws {
    var world = try world(.playAndRecord, .voiceChat)
    try world.handle(.session("call", .voice(.level, false)))
    try world.handle(.session("call", .voiceFallback(.gated)))
    try world.handle(.configure("call", SessionConfiguration(category: .playAndRecord, mode: .videoChat)))
    #expect(world.state.sessions["call"]?.voice[.level] == false)
    for next in [SessionConfiguration(category: .playAndRecord), SessionConfiguration(category: .playback)] {
      var copy = world
      try copy.handle(.configure("call", next))
      #expect(copy.state.sessions["call"]?.voice.isInherited == true)
      #expect(copy.state.sessions["call"]?.voice.fallback == .gated)
    }
  }

  // MARK: Reports

  @Test("The echo is late by the least latencies of its ways; the mix is late by the output's delay as well")
  func echoDelay() throws {
    var world = try world(.playAndRecord, .voiceChat)
    try world.plug("headphones", .headphones, channels: 2)
    func delay() throws -> EchoDelay? {
      world.state.echoDelay(of: try #require(world.state.sessions["call"]))
    }
    try world.handle(.port(.input, "mic", .echo(["usb", "headphones"])))
    try world.handle(.measured(.input, "mic", latency: 0.01))
    try world.handle(.measured(.output, "usb", latency: 0.02))
    try world.handle(.measured(.output, "headphones", latency: 0.03))
    #expect(try delay() == nil)
    var report = VoiceReport()
    report.state = .working
    try world.handle(.voiceReported("call", report))
    #expect(abs(try #require(try delay()).fromMix - 0.03) < 1e-9)
    try world.handle(.port(.output, "usb", .delay(.set(0.5))))
    #expect(abs(try #require(try delay()).fromMix - 0.04) < 1e-9)
    #expect(abs(try #require(try delay()).fromLoudspeaker - 0.03) < 1e-9)
    try world.handle(.session("call", .voice(.echo, false)))
    #expect(try delay() == nil)
  }

  @Test("A report is kept, counts in the latency of the input, and ends with the processing")
  func reports() throws {
    var world = try world(.playAndRecord, .voiceChat)
    var report = VoiceReport()
    (report.state, report.latency) = (.working, 0.025)
    try world.handle(.measured(.input, "mic", latency: 0.01))
    try world.handle(.voiceReported("call", report))
    let session = try #require(world.state.sessions["call"])
    #expect(session.voiceReport == report)
    #expect(abs(world.state.latency(of: session, .input) - 0.035) < 1e-9)
    #expect(world.state.latency(of: session, .output) == 0)
    for end in [
      Event.configure("call", SessionConfiguration(category: .playAndRecord)),
      .session("call", .captureChannels(0)), .captureInput("call", "mic", .on(false)),
      .server(ServerState()),
    ] {
      var copy = world
      try copy.handle(end)
      #expect(copy.state.sessions["call"]?.voiceReport == VoiceReport(), "\(end)")
      #expect(copy.state.reportingVoices.isEmpty)
    }
    try world.handle(.removeSession("call"))
    #expect(world.state.reportingVoices.isEmpty)
  }

  @Test("A report on a session without voice processing, and one that is gone, changes nothing")
  func staleReports() throws {
    var world = try world()
    var report = VoiceReport()
    report.state = .working
    let before = world.state
    try world.handle(.voiceReported("call", report))
    try world.handle(.voiceReported("gone", report))
    #expect(world.state == before)
  }

  // MARK: What the microphone hears

  @Test("By default a microphone hears every output of the route but headphones, headsets and Bluetooth")
  func typesOfOutputs() throws {
    let silent: Set<PortType> = [.headphones, .headsetMic, .bluetoothA2DP, .bluetoothHFP, .bluetoothLE]
    for type in PortType.allCases {
      var world = try World.stage()
      for id: PortID in ["usb", "headphones"] { try world.unplug(id) }
      try world.create("call", .playAndRecord, options: [.allowBluetoothHFP, .allowBluetoothA2DP])
      try world.handle(.session("call", .captureChannels(1)))
      try world.plug("out", type)
      var session = try #require(world.state.sessions["call"])
      session.route = Route(input: "mic", outputs: ["out"])
      #expect(world.state.echoOutputs(of: session) == (silent.contains(type) ? [] : ["out"]), "\(type)")
    }
  }

  @Test("Without a loudspeaker in the room the canceller is off, and the other parts stay on")
  func noLoudspeaker() throws {
    var world = try world(.playAndRecord, .voiceChat)
    #expect(try echoOutputs(world) == ["usb"])
    try world.plug("headphones", .headphones)
    #expect(try echoOutputs(world) == [])
    #expect(try processing(world)?.echo == false)
    #expect(try processing(world)?.noise == true)
    try world.handle(.port(.input, "mic", .echo(["usb"])))
    #expect(try processing(world) == Self.all)
  }

  @Test("The operator's list goes before the route: in the order of the outputs, only those that are there")
  func list() throws {
    var world = try world(.playAndRecord, .voiceChat)
    try world.plug("pa", .lineOut)
    try world.handle(.port(.input, "mic", .echo(["pa", "unknown", "usb"])))
    #expect(try echoOutputs(world) == ["usb", "pa"])
    try world.unplug("pa")
    #expect(try echoOutputs(world) == ["usb"])
    try world.handle(.port(.input, "mic", .echo([])))
    #expect(try echoOutputs(world) == [])
    try world.handle(.port(.input, "mic", .echo(nil)))
    #expect(try echoOutputs(world) == world.state.sessions["call"]?.route.outputs)
  }

  @Test(
    "Of several captured inputs, the outputs of all of them count; the list stays when a port is declared anew"
  )
  func severalInputs() throws {
    var world = try world(.playAndRecord, .voiceChat)
    try world.plug("pa", .lineOut)
    try world.handle(.session("call", .preferredOutput("usb")))
    try world.plug("talk", .usbAudio, channels: 1, .input)
    try world.handle(.session("call", .preferredInput("mic")))
    try world.handle(.port(.input, "talk", .echo(["pa"])))
    try world.handle(.captureInput("call", "talk", .on(true)))
    #expect(try echoOutputs(world) == ["usb", "pa"])
    try world.declare("talk", .usbAudio, channels: 1, .input)
    #expect(world.state.inputs["talk"]?.echo == ["pa"])
  }

  @Test("/session/<s>/capture/why names the parts, and says that no loudspeaker is in the room")
  func why() throws {
    var world = try world(.playAndRecord, .voiceChat)
    func why() throws -> String {
      world.state.whyOfCapture(try #require(world.state.sessions["call"]), world.state.activity)
    }
    #expect(
      try why().contains("voice processing: echo canceller, noise suppressor, automatic level, high-pass"))
    try world.handle(.session("call", .voice(.level, false)))
    try world.handle(.port(.input, "mic", .echo([])))
    #expect(try why().contains("voice processing: noise suppressor, high-pass"))
    #expect(try why().contains("the echo canceller is off: no loudspeaker is in the room"))
    try world.handle(.configure("call", SessionConfiguration(category: .playAndRecord, mode: .measurement)))
    #expect(try !why().contains("voice"))
  }
}
