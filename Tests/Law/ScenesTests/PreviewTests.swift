import SessionModel
import Testing

@testable import Scenes

@Suite("The preview of a recall")
struct PreviewTests {
  /// An evening in which programs are connected to all sessions.
  private static func evening(_ text: String) throws -> Evening {
    var evening = try Evening()
    try evening.recall(text)
    for id in evening.state.sessions.keys { try evening.operate(.connected(id, true)) }
    return evening
  }

  private static func effects(_ differences: [Difference]) -> [String: String] {
    Dictionary(
      differences.filter { !$0.effect.isEmpty }.map { ($0.address, $0.effect) }, uniquingKeysWith: { $1 })
  }

  private static let show =
    #"show: { category: "multiRoute", active: true, streams: { band: { to: { usb: -6 } } } }"#

  @Test("has a companion that says what a preset would miss, and changes nothing")
  func lacks() throws {
    var evening = try Self.evening(Evening.text(Self.show))
    try evening.operate(.beginInterruption("phone"))
    func lacks(_ sessions: String) throws -> [Lack] {
      let preset = try #require(Evening.preset(Evening.text(sessions)))
      return try Recall(preset).lacks(of: evening.state, at: 0, law: Evening.law)
    }
    let found = try lacks(
      #"show: { category: "multiRoute", active: true, streams: { band: { from: ["Band:*"], to: { usb: -6 } } } }, "#
        + #"voice: { category: "playAndRecord", options: [], active: true, capture: { to: ["Baresip:*"] } }"#)
    #expect(
      found.map(\.address) == [
        "/session/show/stream/band/from", "/session/voice/capture/to", "/session/voice/active",
      ])
    #expect(found.first?.problem == "nothing matches Band:*; there is no such port")
    #expect(found.last?.problem.contains("because of phone") == true, "\(found)")
    #expect(try lacks("").isEmpty)
  }

  @Test("says that a new session is heard if its program is there")
  func programs() throws {
    var evening = try Self.evening(Evening.text(Self.show))
    try evening.operate(.jackPorts([JackPort("Radio:out_1", isInput: false)]))
    func radio(_ activation: String, from port: String) throws -> Difference? {
      let radio = #"radio: { category: "playback", activate: "\#(activation)", output: "phones", "#
      let streams = #"streams: { main: { from: ["\#(port)"] } } }"#
      return try evening.preview(Evening.text("\(Self.show), \(radio)\(streams)")).first {
        $0.address == "/session/radio/why"
      }
    }
    for activation in ["start", "connected"] {
      let heard = try #require(try radio(activation, from: "Radio:*"))
      #expect(heard.then == "heard at phones" && heard.effect == "becomes audible at phones", "\(heard)")
      #expect(try radio(activation, from: "Other:*")?.then.contains("heard at") == false)
    }
  }

  @Test("says what becomes audible, falls silent, moves, and becomes louder or quieter, first of all")
  func sounds() throws {
    let bed = #"bed: { category: "playback", active: true, streams: { main: {} }, output: "usb" }"#
    var evening = try Self.evening(Evening.text("\(Self.show), \(bed)"))
    let moved = try evening.preview(
      Evening.text(
        #"show: { category: "multiRoute", active: true, streams: { band: { to: { phones: -6 } } } }"#))
    #expect(Self.effects(moved)["/session/show/why"] == "moves from usb to phones")
    #expect(Self.effects(moved)["/session/bed/why"] == "falls silent")
    #expect(moved.first?.effect.isEmpty == false)
    let quiet = try evening.preview(
      Evening.text(
        #"show: { category: "multiRoute", active: true, gain: -20, streams: { band: { to: { usb: -6 } } } }, "#
          + bed))
    #expect(quiet.map(\.address) == ["/session/show/gain"])
    #expect(quiet.first?.effect == "show becomes quieter by 20.0 dB")
    #expect(quiet.first?.now == "0" && quiet.first?.then == "-20")
    try evening.operate(.session("show", .muted(true)))
    let loud = try evening.preview(
      Evening.text(
        #"show: { category: "multiRoute", mute: false, active: true, streams: { band: { to: { usb: -6 } } } }, "#
          + bed))
    #expect(Self.effects(loud)["/session/show/why"] == "becomes audible at usb")
  }

  @Test("says what is ducked, and what is interrupted by what")
  func others() throws {
    var evening = try Self.evening(
      Evening.text("\(Self.show), news: { category: \"playback\", active: false, streams: { main: {} } }"))
    try evening.operate(.session("news", .activation(.manual)))
    let ducked = try evening.preview(
      Evening.text(
        "\(Self.show), news: { category: \"playback\", options: [\"duckOthers\"], active: true, streams: { main: {} } }"
      ))
    #expect(Self.effects(ducked)["/session/show/why"] == "is ducked by news")
    let single = "show: { category: \"playback\", options: [], active: true, streams: { main: {} } }"
    let radio = try Self.evening(
      Evening.text(
        "\(single), news: { category: \"playback\", options: [], activate: \"manual\", streams: { main: {} } }"
      ))
    let interrupted = try radio.preview(
      Evening.text(
        "show: { category: \"playback\", options: [], streams: { main: {} } }, "
          + "news: { category: \"playback\", options: [], activate: \"manual\", active: true, streams: { main: {} } }"
      ))
    #expect(Self.effects(interrupted)["/session/show/why"] == "is interrupted by news")
    #expect(Self.effects(interrupted)["/session/news/why"]?.hasSuffix("interrupts show") == true)
  }

  @Test("says what is refused at present, and what waits for a device")
  func refusals() throws {
    var evening = try Self.evening(Evening.text(Self.show))
    try evening.operate(.beginInterruption("phone"))
    let refused = try evening.preview(
      Evening.text(
        "\(Self.show), voice: { category: \"playAndRecord\", options: [], activate: \"start\", active: true }"
      ))
    let sentence = Self.effects(refused)["/session/voice/why"]
    #expect(sentence == "is refused at present because of phone, and waits")
    #expect(refused.contains { $0.address == "/session/voice" && $0.now == "none" })
    try evening.operate(.endInterruption("phone"), .port(.output, "phones", .plugged(false)))
    let absent = try evening.preview(
      Evening.text(
        #"show: { category: "multiRoute", active: true, streams: { band: { to: { phones: -6 } } } }"#))
    #expect(Self.effects(absent)["/session/show/why"] == "waits for phones, which is absent")
  }

  @Test("is empty for the scene in force")
  func nothing() throws {
    let evening = try Self.evening(Evening.text(Self.show))
    #expect(try evening.preview(Evening.text(Self.show)) == [])
  }
}
