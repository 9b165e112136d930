import SessionModel
import Testing

@Suite("Fades as values")
struct FadeTests {
  @Test(
    "Each curve begins and ends at its values, and is where its formula says in between",
    arguments: [
      (FadeCurve.fader, [0, 0.25, 0.5, 0.75, 1]), (.linear, [0, 0.25, 0.5, 0.75, 1]),
      (.sCurve, [0, 0.146_447, 0.5, 0.853_553, 1]),
    ])
  func number(curve: FadeCurve, shares: [Double]) {
    var control = Control(2)
    control.fade(to: 6, over: 8, curve: curve, at: 10, isLevel: false)
    for (quarter, share) in shares.enumerated() {
      let value = control.value(at: 10 + 2 * Double(quarter), isLevel: false)
      #expect(abs(value - (2 + 4 * share)) < 1e-5, "\(quarter) quarters: \(value)")
    }
    #expect(control.value(at: 9, isLevel: false) == 2 && control.value(at: 100, isLevel: false) == 6)
  }
}
