import LawWorld
import SessionModel
import Testing

@Suite("Scenarios A01 to A14: configurations")
struct ScenarioConfigurationTests {
  @Test("A01: a new session is soloAmbient, default, without options, inactive")
  func a01() throws {
    var rig = try Rig()
    #expect(try rig.handle(.createSession("a", SessionConfiguration())) == [.session("a", .created)])
    let session = rig["a"]
    #expect(session.category == .soloAmbient && session.mode == .default && session.options.isEmpty)
    #expect(session.sharingPolicy == .default && !session.isActive && session.route.outputs == ["spk"])
  }

  @Test(
    "A02, A04, A07 to A09: the options that are read back",
    arguments: [
      (Category.playback, Mode.default, 0x2, 0x3), (.ambient, .default, 0x2, 0x3),
      (.playback, .default, 0x20, 0),
      (.playAndRecord, .voiceChat, 0, 0x4), (.playAndRecord, .videoChat, 0, 0xC),
      (.playback, .default, 0x11, 0x11),
      (.playAndRecord, .default, 0x80, 0x80),
    ])
  func readBack(_ category: Category, _ mode: Mode, _ options: Int, _ reading: Int) throws {
    var rig = try Rig()
    try rig.make("a", .soloAmbient)
    try rig.set("a", category, options, mode)
    #expect(rig["a"].options.rawValue == reading)
  }

  @Test(
    "A03, A05, A06, A13: an illegal option is refused with -50 and changes nothing",
    arguments: [
      (Category.playback, 0x10), (.soloAmbient, 0x1), (.record, 0x2), (.playback, 0x8), (.playback, 0x4),
      (.multiRoute, 0x20), (.multiRoute, 0x40), (.multiRoute, 0x4), (.playback, 0x80),
    ])
  func refused(_ category: Category, _ options: Int) throws {
    var rig = try Rig()
    try rig.play("a")
    #expect(rig.refusal(setting: "a", category, options) == .badParam)
    #expect(rig.level("a") == 0)
  }

  @Test("A04: an ambient ducker ducks a session that plays")
  func a04() throws {
    var rig = try Rig()
    try rig.play("m", .playback, 1)
    try rig.play("a", .ambient, 2)
    #expect(rig.level("m") == Rig.duck && rig.level("a") == 0)
  }

  @Test(
    "A10: modes of other categories are refused, and the sound goes on",
    arguments: [
      Mode.voiceChat, .videoChat, .videoRecording, .dualRoute,
    ])
  func a10(_ mode: Mode) throws {
    var rig = try Rig()
    try rig.play("a")
    #expect(rig.refusal(setting: "a", .playback, 0, mode) == .badParam)
    #expect(rig.level("a") == 0)
  }

  @Test("A11: setting the category alone clears the options, and the mode if it is illegal there")
  func a11() throws {
    var rig = try Rig()
    try rig.make("a", .playAndRecord, 0xD, .voiceChat)
    try rig.handle(.configure("a", SessionConfiguration(category: .playback, leftOver: .voiceChat)))
    #expect(rig["a"].mode == .default && rig["a"].options.isEmpty)
    #expect(SessionConfiguration(category: .playback, leftOver: .spokenAudio).mode == .spokenAudio)
    #expect(SessionConfiguration(category: .multiRoute, leftOver: .dualRoute).mode == .default)
  }

  @Test("A12: options are not sticky")
  func a12() throws {
    var rig = try Rig()
    try rig.make("a", .playAndRecord, 0x2D)
    #expect(rig["a"].options.rawValue == 0x2D)
    try rig.set("a", .playAndRecord)
    #expect(rig["a"].options.isEmpty)
  }

  @Test("A14: the long-form policies go with playback without options")
  func a14() throws {
    var rig = try Rig()
    try rig.make("a", .playAndRecord)
    #expect(rig.world.refusal(.session("a", .policy(.longFormAudio))) == .badParam)
    try rig.set("a", .playback, 1)
    #expect(rig.world.refusal(.session("a", .policy(.longFormAudio))) == .badParam)
    try rig.set("a", .playback, 0, .moviePlayback)
    try rig.handle(.session("a", .policy(.longFormAudio)))
    #expect(rig["a"].sharingPolicy == .longFormAudio)
  }
}
