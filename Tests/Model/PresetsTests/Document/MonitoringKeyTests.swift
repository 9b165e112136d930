import JSON5
import Presets
import Scenes
import SessionModel
import SessionPolicy
import Testing

@Suite("Keys of presets for monitor outputs and talkbacks")
struct MonitoringKeyTests {
  private static func text(solo: String = "", talkback: String = "", never: String = "") -> String {
    """
    {
      multiroute: 1,
      ports: {
        desk: { type: "usbAudio", inputs: ["Mic:in"], outputs: ["Desk:out_1", "Desk:out_2"] },
        phones: { type: "headphones", outputs: ["Phones:out_1", "Phones:out_2"], \(solo) },
        mic: { type: "builtInMic", inputs: ["Talk:in"] },
      },
      sessions: {
        talk: {
          category: "multiRoute",
          streams: { main: { channels: 1, from: ["input:mic"], \(never) } }, \(talkback)
        },
      },
    }
    """
  }

  /// A router on which presets are recalled one after the other.
  private struct Router {
    var state = Show.emptyState
    var inForce: Preset?

    mutating func recall(_ text: String) throws {
      let (read, problems) = Show.read(text)
      let preset = try #require(read, "\(problems)")
      let outcome = try Recall(preset, replacing: inForce.map { Predecessor($0, isEarlierVersion: false) })
        .outcome(of: state, at: 0) { state, event, time throws(SessionError) in
          try Policy.reduce(&state, event, at: time)
        }
      (state, inForce) = (outcome.state, preset.inForce(after: inForce))
    }

    var monitor: Monitor? { state.outputs["phones"]?.monitor }
    var talkback: Talkback? { state.sessions["talk"]?.talkback }
  }

  @Test("An empty object makes a monitor output, and every key sets the same as its address")
  func solo() throws {
    var router = Router()
    try router.recall(Self.text(solo: "solo: {}"))
    #expect(router.monitor?.isOn == true && router.monitor?.point == .pfl)
    let text = Self.text(
      solo: #"solo: { point: "afl", exclusive: true, level: -6, soloDim: -20, lease: true }"#)
    try router.recall(text)
    let monitor = try #require(router.monitor)
    #expect(monitor.isOn && monitor.point == .afl && monitor.isExclusive && monitor.endsWithSurface)
    #expect(monitor.level.target == -6 && monitor.dim == -20)
    #expect(try #require(Show.read(text).preset).events(for: router.state) == [])
  }

  @Test("A successor without the objects ends the monitor output and the talkback")
  func successor() throws {
    var router = Router()
    try router.recall(Self.text(solo: "solo: { soloDim: -20 }", talkback: #"talkback: { to: ["phones"] }"#))
    #expect(router.monitor?.isOn == true && router.talkback?.outputs == ["phones"])
    try router.recall(Self.text())
    #expect(router.monitor == Monitor() && router.talkback == Talkback())
  }

  @Test("A talkback has all of its keys")
  func talkback() throws {
    var router = Router()
    let text = Self.text(talkback: #"talkback: { to: ["phones", "desk"], dim: -30, latch: 0, openAlarm: 5 }"#)
    try router.recall(text)
    let talkback = try #require(router.talkback)
    #expect(talkback.outputs == ["phones", "desk"] && talkback.dim == -30)
    #expect(talkback.latch == 0 && talkback.alarm == 5)
    #expect(try #require(Show.read(text).preset).events(for: router.state) == [])
  }

  @Test("A talkback speaks to groups of the same preset, and a group that ends takes itself out of it")
  func groups() throws {
    let groups = #"groups: { ears: { members: ["output:phones"] } }, sessions: {"#
    func text(_ talkback: String) -> String {
      Self.text(talkback: talkback).replacing("sessions: {", with: groups)
    }
    var router = Router()
    try router.recall(text(#"talkback: { to: ["desk", "group:ears"] }"#))
    #expect(router.talkback?.outputs == ["desk"] && router.talkback?.groups == ["ears"])
    let stored = KeptDocument.json(
      of: router.state, head: KeptHead(preset: "a", path: "", hash: "", time: "")
    ).text
    #expect(stored.contains("group:ears"))
    let same = try #require(Show.read(text(#"talkback: { to: ["desk", "group:ears"] }"#)).preset)
    #expect(same.events(for: router.state) == [])
    let problems = Show.read(text(#"talkback: { to: ["group:eras"] }"#)).problems
    #expect(problems.contains { $0.contains("there is no group eras") && $0.contains("ears") }, "\(problems)")
    try router.recall(Self.text(talkback: #"talkback: { to: ["desk"] }"#))
    #expect(router.talkback?.groups == [] && router.state.groups.isEmpty)
  }

  @Test("A scene neither recalls nor ends a solo, and a kept state has neither solos nor open talkbacks")
  func unstored() throws {
    var router = Router()
    let text = Self.text(solo: "solo: {}", talkback: #"talkback: { to: ["phones"] }"#)
    try router.recall(text)
    router.state.monitoring.solos = [.session("talk")]
    router.state.monitoring.talkbacks = [OpenTalkback("talk", at: 0)]
    let json = KeptDocument.json(of: router.state, head: KeptHead(preset: "a", path: "", hash: "", time: ""))
      .text
    router.state.monitoring = Monitoring()
    let silent = KeptDocument.json(
      of: router.state, head: KeptHead(preset: "a", path: "", hash: "", time: "")
    ).text
    #expect(json == silent && json.contains("talkback"))
    router.state.monitoring.solos = [.session("talk")]
    try router.recall(text)
    #expect(router.state.isSoloed(.session("talk")))
  }

  @Test(
    "Mistakes are told at their places",
    arguments: [
      (text(talkback: #"talkback: { to: ["x"] }"#), "there is no output x"),
      (
        text(talkback: #"talkback: { to: ["phones"] }"#, never: #"never: ["phones"]"#), "never goes to phones"
      ),
      (text(solo: #"solo: { point: "pre" }"#), "pfl"),
      (
        text().replacing(#"inputs: ["Talk:in"]"#, with: #"inputs: ["Talk:in"], solo: {}"#),
        "solos are heard at outputs"
      ),
    ])
  func mistakes(text: String, words: String) throws {
    let problems = Show.read(text).problems
    #expect(problems.contains { $0.contains(words) }, "\(problems)")
  }
}
