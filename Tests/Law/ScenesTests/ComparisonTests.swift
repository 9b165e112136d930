import Parameters
import Presets
import SessionModel
import Testing

@testable import Scenes

@Suite("Comparisons of states")
struct ComparisonTests {
  private static let sessions =
    #"show: { category: "multiRoute", active: true, streams: { band: { to: { usb: -6 } } } }, "#
    + #"voice: { category: "playAndRecord", active: true }, bed: { category: "playback", streams: { main: {} } }"#

  @Test("look at all settings that follow from decisions, where only decisions have changed")
  func decisions() throws {
    var evening = try Evening()
    try evening.recall(Evening.text(Self.sessions))
    for id in evening.state.sessions.keys { try evening.operate(.connected(id, true)) }
    var (decided, active) = (0, 0)
    for events in Self.decisive {
      let before = evening.state
      for event in events { try evening.operate(event) }
      for (id, session) in evening.state.sessions {
        guard let former = before.sessions[id], former != session,
          session.differsOnlyInDecisions(from: former)
        else { continue }
        decided += 1
        for parameter in Table.parameters where parameter.isCompared {
          for target in parameter.targets(in: before) where target.session == id {
            let (was, will) = (
              parameter.wantedValue(at: target, in: before),
              parameter.wantedValue(at: target, in: evening.state)
            )
            if was != will { active += 1 }
            #expect(was == will || parameter.isDecided, "\(parameter.address)")
          }
        }
      }
    }
    // The positive control.
    #expect(decided > 5 && active > 2)
  }

  private static let decisive: [[Event]] = [
    [.beginInterruption("phone")], [.endInterruption("phone")], [.activate("bed")],
    [.port(.output, "usb", .plugged(false))], [.port(.output, "usb", .plugged(true))],
    [.deactivate("bed", notifyingOthers: true)], [.server(ServerState())],
  ]

  @Test("tell the level of an input in an unchanged session that captures from it")
  func inputLevel() throws {
    var evening = try Evening()
    try evening.recall(Evening.text(Self.sessions))
    evening.state.inputs["mic"] = Port(id: "mic", name: "mic", type: .usbAudio, globs: [], channels: 1)
    evening.state.sessions["voice"]?.route.input = "mic"
    var after = evening.state
    after.inputs["mic"]?.level = Control(0.5)
    let told = Difference.list(from: evening.state, to: after, at: 0)
    #expect(told.map(\.address) == ["/session/voice/input/level"])
    #expect(told.first?.now == "1" && told.first?.then == "0.5")
  }

  @Test("tell nothing of a session that only moved to the end, and list in the new order")
  func order() throws {
    var evening = try Evening()
    try evening.recall(Evening.text(Self.sessions))
    var after = evening.state
    let show = after.sessions["show"]
    after.sessions["show"] = nil
    after.sessions["show"] = show
    #expect(Difference.list(from: evening.state, to: after, at: 0).isEmpty)
    after.sessions["show"]?.isMuted = true
    after.sessions["voice"]?.isMuted = true
    let told = Difference.list(from: evening.state, to: after, at: 0).map(\.address)
    #expect(told.filter { $0.hasSuffix("/mute") } == ["/session/voice/mute", "/session/show/mute"])
  }
}
