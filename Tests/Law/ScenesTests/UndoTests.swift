import Effects
import Parameters
import Presets
import SessionModel
import Testing

@testable import Scenes

@Suite("An undo")
struct UndoTests {
  /// The values to which `/reset` returns, by address.
  private static func resets(of state: RouterState) -> [String: Double] {
    var resets: [String: Double] = [:]
    for parameter in Table.parameters {
      guard case .control(let moved) = parameter.binding else { continue }
      for target in parameter.targets(in: state) where !moved.isInherited(state, target) {
        resets[parameter.address(at: target)] = moved.control(state, target)?.stored
      }
    }
    return resets
  }

  private static func scene(_ gain: Int, _ more: String = "") -> String {
    Evening.text(
      """
      music: { category: "playback", active: true, gain: \(gain), threshold: \(gain - 30), streams: { main: { gain: -2, pan: 0.5 } } }, \
      show: { category: "multiRoute", active: true, streams: { band: { gain: \(gain), to: { usb: \(gain), phones: -3 } } } }\(more)
      """, root: "ducking: { level: \(gain) },")
  }

  @Test("brings back the values to which reset returns, with and without a fade", arguments: [0.0, 4])
  func resets(_ fade: Double) throws {
    for seed in 1...20 as ClosedRange<UInt64> {
      var evening = try Evening()
      try evening.recall(Self.scene(-10))
      try evening.disturb(seed)
      // One level is already where the second scene has it.
      try evening.operate(.session("music", .gain(.set(-20))))
      let origin = evening.state
      try evening.recall(Self.scene(-20, #", news: { category: "ambient", gain: -5 }"#))
      try evening.disturb(seed + 100)
      try evening.undo(to: origin, fade: fade)
      evening.pass(fade)
      #expect(Self.resets(of: evening.state) == Self.resets(of: origin), "seed \(seed)")
      #expect(evening.state.sessions["music"]?.gain.target == -20)
      #expect(evening.state.sessions["music"]?.gain.stored == -10)
    }
  }

  @Test("brings back effects with their controls, as a person had moved them")
  func effects() throws {
    var evening = try Evening()
    func scene(_ effects: String) -> String {
      Evening.text(
        "show: { category: \"multiRoute\", active: true, streams: { band: { effects: \(effects), to: { usb: 0 } } } }"
      )
    }
    try evening.recall(scene(#"["eq", "compressor al=0.5"]"#))
    let place = InsertPlace.stream("show", "band")
    try evening.operate(.insert(place, .effect(2, .control("al", .set(0.25)))))
    try evening.operate(.insert(place, .effect(1, .on(false))))
    let origin = evening.state
    try evening.recall(scene(#"["gate"]"#))
    #expect(evening.state.insert(at: place)?.effects.map(\.plugin) == ["gate"])
    try evening.undo(to: origin)
    #expect(evening.state.insert(at: place)?.effects == origin.insert(at: place)?.effects)
    #expect(evening.state.insert(at: place)?.effects[1].values == ["al": 0.25])
  }
}
