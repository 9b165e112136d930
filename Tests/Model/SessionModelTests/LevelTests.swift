import SessionModel
import Testing

@Suite("Levels, faders and fades")
struct LevelTests {
  @Test(
    "The fader law is the one that control surfaces use",
    arguments: [
      (1.0, 10.0), (0.75, 0), (0.5, -10), (0.375, -20), (0.25, -30), (0.0625, -60), (0.03125, -75), (0, -90),
    ])
  func faderLaw(_ position: Double, _ level: Double) {
    #expect(Decibels(fader: position).value == level)
    #expect(Decibels(level).fader == position)
  }

  @Test("The fader law has no step, and its inverse is exact to a thousandth of a dB")
  func faderInverse() {
    var last = -90.0
    for step in 1...1_000 {
      let level = Decibels(fader: Double(step) / 1_000).value
      #expect(level > last && level - last < 0.5)
      #expect(abs(Decibels(level).fader - Double(step) / 1_000) < 1e-9)
      last = level
    }
  }

  @Test("Off is exact silence, and 0 dB is exactly 1")
  func amplitudes() {
    #expect(Decibels.off.amplitude == 0)
    #expect(Decibels(-200).value == -90 && Decibels(-200).isOff)
    #expect(Decibels.unity.amplitude == 1)
    #expect(abs(Decibels(-6).amplitude - 0.501187) < 1e-6)
    #expect(Decibels(amplitude: 1).value == 0)
    #expect(Decibels(amplitude: 0).isOff)
  }

  @Test("A fade begins at the present value and ends exactly at its target", arguments: FadeCurve.allCases)
  func fades(_ curve: FadeCurve) {
    var control = Control(-90)
    control.fade(to: 0, over: 4, curve: curve, at: 10, isLevel: true)
    #expect(control.value(at: 10, isLevel: true) == -90)
    #expect(control.value(at: 14, isLevel: true) == 0)
    var last = -90.0
    for step in 1...40 {
      let value = control.value(at: 10 + Double(step) / 10, isLevel: true)
      #expect(value >= last)
      last = value
    }
    let half = control.value(at: 12, isLevel: true)
    #expect(abs(half - (curve == .linear ? -6.0206 : -20)) < 1e-3)
    // A newer fade begins in the middle of the first one.
    control.fade(to: -90, over: 1, curve: curve, at: 12, isLevel: true)
    #expect(abs(control.value(at: 12, isLevel: true) - half) < 1e-9)
    #expect(control.isFading(at: 12.5) && !control.isFading(at: 13))
  }

  @Test("Setting a value ends a fade, and counts as a change even if the value is the same")
  func sets() {
    var control = Control(0)
    let revision = control.revision
    control.set(0)
    #expect(control.revision != revision)
    control.fade(to: -10, over: 1, curve: .fader, at: 0, isLevel: true)
    control.set(-3)
    #expect(control.value(at: 0.5, isLevel: true) == -3)
    #expect(control.stored == 0)
  }
}
