import Foundation
import MixEngine
import SessionModel
import Testing

/// How far moving gains are from their formulas, and what is heard where one block joins the next.
@Suite struct RampPrecisionTests {
  /// What else moves meanwhile.
  enum Company: CaseIterable {
    /// Nothing.
    case none
    /// A crosspoint beside it, which began earlier.
    case other
    /// The row, by the same ramp.
    case row
    /// The row and the output, which began earlier.
    case chain
  }

  private static let frequencies: [Double] = [0, 997, 6_000, 20_000]

  @Test(
    "The error of a moving gain stays below -90 dBFS for a full-scale sine", arguments: Company.allCases,
    [Ramp.Shape.raisedCosine, .linear, .decibels])
  func precision(company: Company, shape: Ramp.Shape) {
    for frequency in Self.frequencies {
      for (period, length) in [(64, 960), (64, 4_800), (100, 1_250), (256, 960)] {
        let error = Self.worst(company, shape, frequency, period: period, length: length)
        #expect(error < -90, "\(frequency) Hz, \(length) frames in periods of \(period): \(error) dBFS")
      }
    }
  }

  @Test(
    "A slow fade is as exact, although it goes straight through each block", arguments: Company.allCases,
    [Ramp.Shape.raisedCosine, .decibels, .fader, .sCurve])
  func slowFades(company: Company, shape: Ramp.Shape) {
    for (frequency, length) in [(0, 12_000), (0, 24_000), (997, 24_000), (0, 96_000)] {
      // Above the corner of the fader law at -10 dB.
      let error = Self.worst(company, shape, Double(frequency), period: 64, length: length, to: 0.4)
      #expect(error < -90, "\(frequency) Hz, \(length) frames: \(error) dBFS")
    }
  }

  private static func changes(_ keys: [StageKey], _ level: @autoclosure () -> StageLevel) -> StageChanges {
    var changes = StageChanges()
    for key in keys { changes.append(key, level()) }
    return changes
  }

  /// The level of the worst 64 frames of the error in dBFS: relative to a sine of full scale, or to 1 if the frequency is 0.
  private static func worst(
    _ company: Company, _ shape: Ramp.Shape, _ frequency: Double, period: Int, length: Int, from: Float = 1,
    to: Float = 0.25
  ) -> Double {
    let rig = Rig()
    var mix = Sample.matrix(2, 2)
    mix.rows[0].stages = [Sample.gain]
    var levels: [StageKey: StageLevel] = [:]
    for key in Rig.keys(mix) { levels[key] = rig.level(from) }
    func sine(_ frame: Int) -> Float {
      frequency == 0 ? 1 : Float(sin(2 * .pi * frequency * Double(frame) / 48_000))
    }
    rig.input = { source, frame in source == 0 ? sine(frame) : 0 }
    rig.publish(mix, levels, treatments: [Sample.usb: .init(ceiling: 8)])
    // What moves beside the crosspoint, how much earlier it begins, and its own part of the gain.
    var others: [StageKey] = []
    switch company {
    case .none: break
    case .other: others = [Sample.cell(1, 1)]
    case .row: others = [Sample.gain]
    case .chain: others = [Sample.gain, Sample.outputGain]
    }
    let lead = company == .row ? 0 : 3 * period
    rig.run(period)
    let (first, second) = (rig.frame, rig.frame + lead)
    if lead > 0 {
      rig.engine.publish(
        changing: Self.changes(others, rig.level(to, shape, length)))
      rig.run(Array(repeating: period, count: lead / period))
    }
    var changes = [Sample.cell(0, 0): rig.level(to, shape, length)]
    if lead == 0 { for other in others { changes[other] = rig.level(to, shape, length) } }
    rig.engine.publish(changing: StageChanges(changes))
    rig.run(Array(repeating: period, count: length / period + 2))
    func gain(_ frame: Int, since begin: Int) -> Double {
      let way = min(max(Double(frame + 1 - begin) / Double(length), 0), 1)
      return RampTests.reference(shape, from: Double(from), to: Double(to), way: way)
    }
    let isProduct = company == .row || company == .chain
    let errors = (0..<rig.frame).map { frame in
      var wanted = Double(sine(frame)) * gain(frame, since: second)
      if isProduct { for _ in others { wanted *= gain(frame, since: first) } }
      return Double(rig.output[0][frame]) - wanted
    }
    let reference = frequency == 0 ? 1 : 0.5
    let worst = stride(from: 0, to: errors.count - 64, by: 16).map { begin in
      errors[begin..<(begin + 64)].reduce(0) { $0 + $1 * $1 } / 64
    }.max()
    return 10 * log10(max(worst ?? 1, 1e-30) / reference)
  }

  @Test(
    "Where one block joins the next, a moving gain has neither a step nor a corner",
    arguments: [64, 100, 256, 1_024])
  func joints(period: Int) {
    for others in [false, true] {
      let rig = Rig()
      rig.publish(Sample.matrix(2, 2), treatments: [Sample.usb: .init(ceiling: 8)])
      rig.input = { source, _ in source == 0 ? 1 : 0 }
      rig.run(period)
      if others { rig.set(Sample.cell(1, 1), 0.5) }
      rig.run(period)
      rig.set(Sample.cell(0, 0), 0)
      rig.run(Array(repeating: period, count: 960 / period + 2))
      let samples = rig.output[0].map { Double($0) }
      let steps = zip(samples.dropFirst(), samples).map { $0 - $1 }
      let corners = zip(steps.dropFirst(), steps).map { abs($0 - $1) }
      // The steepest frame of the curve, and its greatest curvature, which its beginning and its end have. Between parabolas the slope
      // changes by twice that at most.
      let steepest: Double = Double.pi / 2 / 960
      let bent: Double = Double.pi * Double.pi / 2 / 960 / 960
      let (step, corner): (Double, Double) = (steps.map { abs($0) }.max() ?? 1, corners.max() ?? 1)
      #expect(step < steepest * 1.01)
      #expect(corner < bent * 4)
      #expect(samples.last == 0)
    }
  }

  @Test("A delayed output's gain is as exact as any other")
  func delayed() {
    let rig = Rig()
    rig.publish(Sample.single, treatments: [Sample.usb: .init(delay: 480, ceiling: 8)])
    rig.run(Array(repeating: 64, count: 40))
    let begin = rig.frame
    rig.set(Sample.outputGain, 0.25, .raisedCosine, 960)
    rig.run(128)
    // Now two ramps are under way that did not begin together.
    rig.set(Sample.send, 0.5, .raisedCosine, 960)
    rig.run(Array(repeating: 64, count: 16))
    for frame in 0..<448 {
      // What is heard so far has passed the crosspoint before that began to move.
      let wanted = RampTests.reference(.raisedCosine, from: 1, to: 0.25, way: Double(frame + 1) / 960)
      let error = abs(Double(rig.output[0][begin + frame]) - wanted)
      #expect(error < 3e-5)
    }
  }
}
