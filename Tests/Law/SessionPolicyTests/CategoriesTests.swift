import LawWorld
import SessionModel
import Testing

@Suite("Categories: legal combinations of category, mode and options")
struct CategoriesTests {
  /// The categories whose streams are heard live.
  static let working: [Category] = [.multiRoute, .playback, .soloAmbient, .ambient, .playAndRecord]

  private func refusal(
    _ category: Category, _ mode: Mode = .default, _ options: SessionOptions = []
  ) throws -> ErrorCode? {
    var world = try World.stage()
    try world.create("show", .playback)
    return world.refusal(
      .configure("show", SessionConfiguration(category: category, mode: mode, options: options)))
  }

  @Test("Every category can be set", arguments: Category.allCases)
  func categories(_ category: Category) throws { #expect(try refusal(category) == nil) }

  /// The table of docs/develop/law/modes.md#1-modes-and-categories: ambient, soloAmbient, playback, record, playAndRecord, audioProcessing, multiRoute.
  static let modeTable: [(Mode, String)] = [
    (.default, "yyyyyyy"), (.voiceChat, "nnnnynn"), (.videoChat, "nnnnynn"), (.gameChat, "nnnnnnn"),
    (.videoRecording, "nnnyynn"), (.measurement, "yyyyyny"), (.moviePlayback, "nnynnnn"),
    (.spokenAudio, "yyynyny"), (.voicePrompt, "yyynyny"), (.shortFormVideo, "nnynnnn"),
    (.dualRoute, "nnnnnny"),
  ]

  @Test("A mode is accepted in its categories and refused with -50 in all others", arguments: modeTable)
  func modes(_ mode: Mode, _ row: String) throws {
    for (category, mark) in zip(Category.allCases, row) {
      let options: SessionOptions = mode == .dualRoute && category == .multiRoute ? .allowBluetoothHFP : []
      #expect(try refusal(category, mode, options) == (mark == "y" ? nil : .badParam), "\(category)")
    }
  }

  /// The table of docs/develop/law/options.md#1-the-options, in mode default and in the order above.
  static let optionTable: [(SessionOptions, String)] = [
    (.mixWithOthers, "ynynyny"), (.duckOthers, "ynynyny"), (.allowBluetoothHFP, "nnnyynn"),
    (.defaultToSpeaker, "nnnnynn"), (.interruptSpokenAudioAndMixWithOthers, "nnynyny"),
    (.allowBluetoothA2DP, "yyynynn"), (.allowAirPlay, "yyynynn"),
    (.overrideMutedMicrophoneInterruption, "nnnyyny"), ([.farFieldInput, .allowBluetoothHFP], "nnnyynn"),
    (.bluetoothHighQualityRecording, "nnnnyny"), (.interruptSpokenAudio, "nnnnnnn"),
    (.farFieldInput, "nnnnnnn"), ([.duckOthers, .interruptSpokenAudio], "nnnnnnn"),
  ]

  @Test("An option is accepted in its categories and refused with -50 in all others", arguments: optionTable)
  func options(_ option: SessionOptions, _ row: String) throws {
    for (category, mark) in zip(Category.allCases, row) {
      #expect(try refusal(category, .default, option) == (mark == "y" ? nil : .badParam), "\(category)")
    }
  }

  @Test("multiRoute may mix only in mode default, and dualRoute needs the option allowBluetoothHFP")
  func multiRoute() throws {
    #expect(try refusal(.multiRoute, .spokenAudio, .mixWithOthers) == .badParam)
    #expect(try refusal(.multiRoute, .dualRoute, [.allowBluetoothHFP, .duckOthers]) == .badParam)
    #expect(try refusal(.multiRoute, .dualRoute) == .badParam)
    #expect(try refusal(.multiRoute, .dualRoute, [.allowBluetoothHFP, .farFieldInput]) == nil)
    #expect(try refusal(.playAndRecord, .voiceChat, .bluetoothHighQualityRecording) == .badParam)
  }

  @Test("Options that a category always has are accepted and not remembered; playAndRecord remembers them")
  func implicit() throws {
    var world = try World.stage()
    try world.create("show", .playback)
    for (category, kept) in [(Category.playback, SessionOptions()), (.playAndRecord, .allowAirPlay)] {
      try world.handle(.configure("show", SessionConfiguration(category: category, options: .allowAirPlay)))
      #expect(world.state.sessions["show"]?.options == kept)
    }
  }

  @Test("Options that a mode implies are on only as long as the mode is")
  func implied() throws {
    var world = try World.stage()
    try world.create("show", .playAndRecord)
    let video = SessionConfiguration(category: .playAndRecord, mode: .videoChat, options: .mixWithOthers)
    try world.handle(.configure("show", video))
    #expect(world.state.sessions["show"]?.options.rawValue == 0xD)
    var plain = try #require(world.state.sessions["show"]?.configuration)
    plain.mode = .default
    try world.handle(.configure("show", plain))
    #expect(world.state.sessions["show"]?.options == .mixWithOthers)
  }

  @Test("A sharing policy that is illegal in the new configuration becomes default")
  func policy() throws {
    var world = try World.stage()
    try world.create("film", .playback)
    try world.handle(.session("film", .policy(.longFormVideo)))
    #expect(world.refusal(.session("film", .policy(.independent))) == .badParam)
    try world.handle(.configure("film", SessionConfiguration(category: .playback, mode: .moviePlayback)))
    #expect(world.state.sessions["film"]?.sharingPolicy == .longFormVideo)
    try world.handle(.configure("film", SessionConfiguration(category: .playback, mode: .measurement)))
    #expect(world.state.sessions["film"]?.sharingPolicy == .default)
    #expect(world.refusal(.session("film", .policy(.longFormAudio))) == .badParam)
  }

  @Test(
    "A change of configuration sends one notification with the configuration in force; no change sends none")
  func told() throws {
    var world = try World.stage()
    try world.create("show", .playback)
    let changed = SessionConfiguration(category: .playback, options: [.mixWithOthers, .allowAirPlay])
    #expect(
      try world.handle(.configure("show", changed))
        == [.category("show", SessionConfiguration(category: .playback, options: .mixWithOthers))])
    #expect(try world.handle(.configure("show", changed)).isEmpty)
  }

  @Test("The route of an active session changes at once with its category, with reason 3")
  func routeChange() throws {
    var world = try World.stage()
    try world.create("show")
    let told = try world.handle(.configure("show", SessionConfiguration(category: .playback)))
    #expect(told.routeReasons == ["show": .categoryChange])
    #expect(world.state.sessions["show"]?.route == Route(outputs: ["headphones"]))
  }

  @Test(
    "An active session that stops mixing interrupts others, and gets no configuration with which it could not be activated"
  )
  func becoming() throws {
    var world = try World.stage()
    try world.create("bed", .playback)
    try world.create("talk", .playback, options: .mixWithOthers)
    try world.handle(.configure("talk", SessionConfiguration(category: .playback)))
    #expect(world.state.sessions["bed"]?.displacement?.interrupter == .session("talk"))
    try world.handle(.beginInterruption("phone"))
    try world.handle(.activate("talk"))
    let solo = SessionConfiguration(category: .soloAmbient)
    #expect(world.refusal(.configure("talk", solo)) == .insufficientPriority)
    try world.handle(.session("bed", .foreground(false)))
    #expect(
      world.refusal(.configure("talk", SessionConfiguration(category: .record))) == .insufficientPriority)
  }

  @Test("An active session that begins to interrupt spoken audio interrupts a session with spoken audio")
  func spoken() throws {
    var world = try World.stage()
    try world.create("book", .playback, isActive: false)
    try world.handle(
      .configure(
        "book", SessionConfiguration(category: .playback, mode: .spokenAudio, options: .mixWithOthers)))
    try world.handle(.activate("book"))
    try world.handle(.session("book", .outputIO(.running)))
    try world.create("navigation", .playback, options: .mixWithOthers)
    #expect(world.state.sessions["book"]?.isActive == true)
    try world.handle(
      .configure(
        "navigation",
        SessionConfiguration(category: .playback, options: .interruptSpokenAudioAndMixWithOthers)))
    #expect(world.state.sessions["book"]?.displacement?.interrupter == .session("navigation"))
  }
}
