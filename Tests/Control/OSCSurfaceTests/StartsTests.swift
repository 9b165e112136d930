import OSC
import Parameters
import SessionModel
import SessionPolicy
import Testing

@Suite("The beginnings of fades")
struct StartsTests {
  private static let controls = Example.ofWritable.filter { example in
    if case .control = example.parameter.binding { true } else { false }
  }

  @Test(
    "The fade of every control has a known end, and can be made to begin at another time", arguments: controls
  )
  func moves(_ example: Example) throws {
    let before = try Example.desk().state
    guard case .control(let moved) = example.parameter.binding, case .float(let value)? = example.value.first
    else {
      Issue.record("\(example.address) takes no number")
      return
    }
    var state = before
    let event = try moved.move(example.target, .set(Double(value), over: 2))
    _ = try Policy.reduce(&state, event, at: 5_000)
    #expect(moved.own(state, example.target)?.fade?.start == 5_000)
    #expect(state.lastFadeEnd == 5_002 && before.lastFadeEnd ?? 0 < 5_000)
    var later = state
    later.moveStarts(from: 5_000, to: 6_000, since: before)
    #expect(moved.own(later, example.target)?.fade?.start == 6_000)
    #expect(later != state && later.lastFadeEnd == 6_002)
    later.moveStarts(from: 6_000, to: 5_000, since: before)
    #expect(later == state)
  }
}
