import SessionModel
import Testing

@Suite("A recall with voice processing")
struct VoiceRecallTests {
  private static func text(_ call: String) -> String {
    Evening.text(#"call: { category: "playAndRecord", capture: { channels: 1 }, \#(call) }"#)
  }

  @Test("of the scope process alone changes the switches of a session that has them, and no mode")
  func scope() throws {
    var evening = try Evening()
    try evening.recall(Self.text(#"mode: "voiceChat", voice: { noise: true }"#))
    try evening.recall(
      Self.text(#"mode: "videoChat", voice: { noise: false, fallback: "gated" }"#), scope: [.process])
    #expect(evening.state.sessions["call"]?.mode == .voiceChat)
    #expect(evening.state.sessions["call"]?.voice[.noise] == false)
    #expect(evening.state.sessions["call"]?.voice.fallback == .gated)
  }

  @Test("leaves switches alone that the mode lacks because the scope or a safe keeps the mode")
  func keptMode() throws {
    let chat = Self.text(#"mode: "voiceChat", voice: { echo: true, noise: true, level: false }"#)
    var narrow = try Evening()
    try narrow.recall(Self.text(#"mode: "default""#))
    try narrow.recall(chat, scope: [.process])
    var safe = try Evening()
    try safe.recall(Self.text(#"mode: "default""#))
    try safe.recall(chat, isSafe: { $0 == "/session/call/mode" })
    for evening in [narrow, safe] {
      #expect(evening.state.sessions["call"]?.mode == .default)
      #expect(evening.state.sessions["call"]?.voice.isInherited == true)
    }
  }

  @Test("is undone with its modes and switches")
  func undo() throws {
    var evening = try Evening()
    try evening.recall(Self.text(#"mode: "videoChat", voice: { echo: true, noise: false }"#))
    let origin = evening.state
    try evening.recall(Self.text(#"mode: "measurement""#))
    #expect(evening.state.sessions["call"]?.voice.isInherited == true)
    try evening.undo(to: origin)
    #expect(evening.state.sessions["call"]?.mode == .videoChat)
    #expect(evening.state.sessions["call"]?.voice == origin.sessions["call"]?.voice)
  }

  @Test("is previewed with the switches that it would change")
  func preview() throws {
    var evening = try Evening()
    try evening.recall(Self.text(#"mode: "voiceChat""#))
    let told = try evening.preview(Self.text(#"mode: "voiceChat", voice: { noise: false }"#))
    #expect(told.contains { "\($0)".contains("/session/call/voice/noise") })
  }
}
