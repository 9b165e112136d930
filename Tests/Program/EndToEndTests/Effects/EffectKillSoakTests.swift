import Chance
import Foundation
import StageKit
import TestKit
import Testing

/// The effects program dies or hangs at moments that only the seed knows: fifty of them in `make soak`, a tenth in `make test`.
@Suite("The effects program dies or hangs at any moment") struct EffectKillSoakTests {
  private static let moments = Soak.count(5, of: 50)
  private static let places = EffectHouse.Place.allCases

  @Test(
    "and at every place no sample is silent, nothing is heard beside the sound, and no other stream notices",
    arguments: places)
  func killed(place: EffectHouse.Place) async throws {
    let seed = UInt64.random(in: 0...999_999)
    print("the moments at the \(place) come from the seed \(seed)")
    var dice = SeededGenerator(seed: seed)
    let house = try await EffectHouse(
      "[{ \"plugin\": \"urn:multiroute:wild\", \"set\": { \"gain\": 0.5 } }]", at: place,
      band: "sine \(Int(SineCheck.frequency)) -20", period: 64,
      sessions: """
        "others": { "category": "multiRoute", "options": ["mixWithOthers"], "activate": "start", "streams": {
          "other": { "channels": 1, "from": ["Other:out_1"], "to": { "headphones:1": 0 } } } }
        """, programs: ["source Other 1 ramp"])
    try house.house.connect("Other:out_1", to: "Headphones:playback_2")
    try house.wait(for: "working")
    try house.house.freewheel()
    let index = try #require(Self.places.firstIndex(of: place))
    for _ in 0..<(Self.moments + Self.places.count - 1 - index) / Self.places.count {
      let signal = Bool.random(using: &dice) ? SIGKILL : SIGSTOP
      let old = try #require(house.program())
      // While another program starts, a freewheeling server does minutes.
      let sounds = try house.house.hear([place.ends.device, "Headphones"], room: 200) {
        try house.house.stage.do("frames \(Int.random(in: 4_800...9_600, using: &dice))")
        usleep(UInt32.random(in: 0...2_000, using: &dice))
        kill(old, signal)
        try house.waitForAnotherProgram(than: old)
        try house.wait(for: "working")
        try house.house.stage.do("frames 9600")
      }
      let (heard, direct) = house.sounds(sounds[0])
      let fault = SineCheck(gains: 0.5...1).fault(in: heard)
      #expect(fault == nil, "signal \(signal): \(fault ?? "")")
      let ends = zip(heard, direct).suffix(1_000).allSatisfy { abs($0 - 0.5 * $1) < 1e-6 }
      #expect(ends, "signal \(signal): the effect is not heard again")
      let (other, past) = (sounds[1][0], sounds[1][1])
      #expect(other == past && other.contains { $0 != 0 }, "signal \(signal): another stream notices")
    }
  }
}

/// Looks at each sample of a sine whose gain moves without a step.
struct SineCheck {
  static let frequency = 400.0
  /// Of the sine without a gain: -20 dBFS.
  static let amplitude = 0.1
  private static let angle = 2 * Double.pi * frequency / 48_000
  /// The gains that it may have.
  let gains: ClosedRange<Double>

  /// The gain at a frame, by the sample there and the rise around it. While the gain moves it is right to a quarter.
  static func gain(_ sound: UnsafeBufferPointer<Float>, at frame: Int) -> Double {
    let rise = Double(sound[frame + 1] - sound[frame - 1]) / (2 * sin(angle))
    return (Double(sound[frame]) * Double(sound[frame]) + rise * rise).squareRoot() / amplitude
  }

  /// What is wrong, as a clause; nil if nothing is.
  ///
  /// A predictor knows each sample of a sine by the two before it. What it does not know is beside the sound.
  func fault(in sound: ArraySlice<Float>) -> String? {
    let allowed = gains.lowerBound * 0.75...gains.upperBound * 1.25
    return sound.withUnsafeBufferPointer { samples -> String? in
      var frame = 1
      while frame + 1 < samples.count {
        let predicted = 2 * cos(Self.angle) * Double(samples[frame]) - Double(samples[frame - 1])
        let beside = abs(Double(samples[frame + 1]) - predicted)
        if beside > 0.003_16 { return "at frame \(frame) \(20 * log10(beside)) dBFS are beside the sound" }
        let gain = Self.gain(samples, at: frame)
        if !allowed.contains(gain) { return "at frame \(frame) the gain is \(gain)" }
        frame += 1
      }
      return nil
    }
  }
}
