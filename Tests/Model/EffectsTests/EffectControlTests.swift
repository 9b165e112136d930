import Effects
import SystemCalls
import Testing

@Suite("Controls of effects, and their short names")
struct EffectControlTests {
  private static func control(
    _ kind: EffectControl.Kind, isLogarithmic: Bool = false, points: [EffectControl.Point] = []
  ) -> EffectControl {
    EffectControl(
      port: 0, symbol: "x", name: "X", range: -2...10, standard: 1, kind: kind, isLogarithmic: isLogarithmic,
      points: points)
  }

  @Test("A control accepts what is in its range, and the nearest of what it can be")
  func accepted() {
    let continuous = Self.control(.continuous)
    #expect([-3, 0.3, 11, .nan, .infinity].map(continuous.accepted) == [-2, 0.3, 10, 1, 1])
    #expect([0.4, 0.6, 99].map(Self.control(.whole).accepted) == [0, 1, 10])
    #expect([-1, 0, 0.2, 7].map(Self.control(.toggle).accepted) == [0, 0, 1, 1])
    let choice = Self.control(.choice, points: [.init(0, "off"), .init(4, "on"), .init(5, "more")])
    #expect([-1, 1.9, 2.1, 9].map(choice.accepted) == [0, 0, 4, 5])
  }

  @Test("Between two values a control moves by equal steps, and by equal ratios if it is logarithmic")
  func between() {
    #expect(Self.control(.continuous).between(100, 400, share: 0.5) == 250)
    let logarithmic = Self.control(.continuous, isLogarithmic: true)
    #expect(abs(logarithmic.between(100, 400, share: 0.5) - 200) < 0.01)
    #expect(logarithmic.between(0, 10, share: 0.5) == 5)
  }

  @Test("A place on a fader goes by the range, and by ratios if the control is logarithmic, also from 0 on")
  func places() {
    func control(_ range: ClosedRange<Float>, isLogarithmic: Bool) -> EffectControl {
      EffectControl(
        port: 0, symbol: "x", name: "X", range: range, standard: 1, isLogarithmic: isLogarithmic)
    }
    for (range, isLogarithmic, middle) in [
      (-2...10, false, 4), (5...1_250, true, 79.0569), (0...1_000, true, 1), (-2...10, true, 4),
    ] as [(ClosedRange<Float>, Bool, Float)] {
      let control = control(range, isLogarithmic: isLogarithmic)
      #expect(control.value(at: 0) == range.lowerBound)
      #expect(abs(control.value(at: 0.5) - middle) < 0.001 * middle)
      #expect(abs(control.value(at: 1) - range.upperBound) < 0.001)
      for share in [0, 0.2, 0.5, 0.9, 1] as [Float] {
        #expect(abs(control.share(of: control.value(at: share)) - share) < 1e-4, "\(range) at \(share)")
      }
      #expect(control.share(of: range.lowerBound - 1) == 0 && control.share(of: range.upperBound + 1) == 1)
    }
    #expect(control(3...3, isLogarithmic: false).share(of: 3) == 0)
  }

  @Test("Other values are no other plugins; another preset, another number of channels or effects is")
  func differences() {
    let chain = EffectChain(channels: 2, effects: [Effect("urn:a"), Effect("urn:b")])
    var other = chain
    other.effects[0].values["x"] = 1
    other.effects[1].isOn = false
    #expect(other.differsInValuesAlone(from: chain))
    for change in [
      { (chain: inout EffectChain) in chain.channels = 1 }, { $0.sideChannels = 2 },
      { $0.effects[0].preset = "p" },
      { $0.effects[0].plugin = "urn:c" }, { $0.effects.removeLast() },
    ] {
      var other = chain
      change(&other)
      #expect(!other.differsInValuesAlone(from: chain))
    }
  }

  @Test("A short name means a plugin for one channel and for two, in capital letters, too")
  func names() throws {
    #expect(Set(EffectName.all.map(\.name)).count == EffectName.all.count && EffectName.all.count >= 12)
    let limiter = try #require(EffectName.named("Limiter"))
    #expect(limiter.plugin(channels: 1) == "http://gareus.org/oss/lv2/dpl#mono")
    #expect(limiter.plugin(channels: 2) == "http://gareus.org/oss/lv2/dpl#stereo")
    #expect(EffectName.all(of: "http://gareus.org/oss/lv2/dpl#stereo").first?.name == "limiter")
    #expect(limiter.package.name(on: .debian12) == "x42-plugins")
    #expect(EffectName.named("urn:x") == nil && EffectName.all(of: "urn:x").isEmpty)
  }
}
