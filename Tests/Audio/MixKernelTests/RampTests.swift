import Foundation
import MixEngine
import SessionModel
import Testing

@Suite struct RampTests {
  /// The amplitude of a ramp after a part of its time, by the formulas of docs/develop/law/osc.md#5-ramps-and-fades, in Double.
  static func reference(_ shape: Ramp.Shape, from: Double, to: Double, way: Double) -> Double {
    let round = (1 - cos(.pi * way)) / 2
    func between(_ first: Double, _ second: Double, _ way: Double) -> Double {
      first + (second - first) * way
    }
    let (low, high) = (Decibels(amplitude: from), Decibels(amplitude: to))
    func along(_ way: Double) -> Double {
      pow(10, Decibels(fader: max(between(low.fader, high.fader, way), 1e-12)).value / 20)
    }
    return switch shape {
    case .raisedCosine: between(from, to, round)
    case .linear: between(from, to, way)
    case .decibels: pow(10, between(low.value, high.value, way) / 20)
    case .fader: along(way)
    case .sCurve: along(round)
    case .equalPower: between(from * from, to * to, round).squareRoot()
    }
  }

  static let journeys: [(from: Float, to: Float, frames: Int)] = [
    (0, 1, 960), (1, 0, 960), (0.25, 0.75, 960), (1, 0.2, 9_600), (0.001, 3, 48_000), (0.5, 1, 240),
    (0, 1, 1_000),
  ]

  @Test(
    "A ramp follows its formula to a thousandth of its height, or five thousandths at corners of the fader law and near silence",
    arguments: Ramp.Shape.allCases, journeys)
  func shape(shape: Ramp.Shape, journey: (from: Float, to: Float, frames: Int)) {
    let rig = Rig()
    rig.publish(
      Sample.single, [Sample.send: rig.level(journey.from)], treatments: [Sample.usb: .init(ceiling: 8)])
    rig.run(64)
    rig.set(Sample.send, journey.to, shape, journey.frames)
    rig.run(Array(repeating: 64, count: journey.frames / 64 + 2))
    let height = Double(max(journey.from, journey.to))
    var worst = 0.0
    for frame in 0..<journey.frames {
      let way = Double(frame + 1) / Double(journey.frames)
      var wanted = Self.reference(shape, from: Double(journey.from), to: Double(journey.to), way: way)
      // Ramps from or to silence begin or end with a step at -90 dB, and the last block is a straight line.
      if wanted < 4e-5 { wanted = Double(rig.output[0][64 + frame]).clamped(0, 4e-5) }
      worst = max(worst, abs(Double(rig.output[0][64 + frame]) - wanted))
    }
    let hasCorners = [.fader, .sCurve, .equalPower].contains(shape)
    #expect(worst <= (hasCorners ? 0.005 : 0.001) * height)
    #expect(rig.output[0][(64 + journey.frames)...].allSatisfy { $0 == journey.to })
  }

  @Test(
    "A ramp ends exactly at its target, and stays there", arguments: [1, 7, 31, 33, 100, 240, 960, 1_921])
  func end(frames: Int) {
    let rig = Rig()
    rig.publish(Sample.single, [Sample.send: rig.level(0.1)])
    rig.run(64)
    rig.set(Sample.send, 0.7, .raisedCosine, frames)
    rig.run(Array(repeating: 37, count: frames / 37 + 3))
    #expect(rig.output[0][(64 + frames + 7)...].allSatisfy { $0 == 0.7 })
  }

  @Test(
    "A ramp that replaces another begins at the present gain, without a step",
    arguments: Ramp.Shape.allCases)
  func interruption(shape: Ramp.Shape) {
    let rig = Rig()
    rig.publish(Sample.single, [Sample.send: rig.level(0.2)])
    rig.run(64)
    rig.set(Sample.send, 1, shape, 960)
    rig.run([64, 64, 37, 64, 128])
    rig.set(Sample.send, 0.3, shape, 960)
    rig.run([64, 200])
    rig.set(Sample.send, 0.9, .raisedCosine, 960)
    rig.run([1_024])
    // The steepest of these ramps, linear in dB or along the fader from 1 to 0.3, changes by less than 0.5 % in a frame.
    let steps = zip(rig.output[0].dropFirst(), rig.output[0]).map { abs($0 - $1) }
    #expect(steps.max() ?? 1 < 0.005)
    #expect(rig.output[0].last == 0.9)
  }

  @Test("Of two levels that are set within one period the newer one counts")
  func newest() {
    let rig = Rig()
    rig.publish(Sample.single)
    rig.run(64)
    rig.set(Sample.send, 0, .linear, 480)
    rig.set(Sample.send, 0.5, .linear, 480)
    rig.run(960)
    #expect(rig.output[0].allSatisfy { $0 >= 0.5 })
    #expect(rig.output[0].last == 0.5)
  }

  @Test("Setting the target value of a fade ends the fade there, in the time of the new ramp")
  func sameTarget() {
    let rig = Rig()
    rig.publish(Sample.single)
    rig.run(64)
    rig.set(Sample.send, 0.5, .fader, 480_000)
    rig.run(4_096)
    rig.set(Sample.send, 0.5, .raisedCosine, 960)
    rig.run(1_024)
    #expect(rig.output[0].last == 0.5)
  }

  @Test("A new stage begins at its initial amplitude, or at its target if it has none")
  func initial() {
    let rig = Rig()
    rig.publish(
      Sample.single, [Sample.send: rig.level(1, from: 0, .linear, 480), Sample.gain: rig.level(0.5)])
    rig.run(512)
    #expect(rig.output[0][0] < 0.01)
    #expect(abs(rig.output[0][239] - 0.25) < 0.001)
    #expect(rig.output[0].last == 0.5)
  }

  @Test("The stages of row, crosspoint, duck and sink are multiplied")
  func product() {
    let rig = Rig()
    var mix = Sample.single
    mix.cells[0].scale = 0.5
    rig.publish(
      mix,
      [
        Sample.send: rig.level(0.5), Sample.gain: rig.level(0.25), Sample.duck: rig.level(0.5),
        Sample.outputGain: rig.level(2),
      ])
    rig.run(100)
    #expect(rig.output[0].allSatisfy { $0 == 0.5 * 0.5 * 0.25 * 0.5 * 2 })
  }

  @Test("A duck stage without a level does not duck, and a duck begins with a ramp")
  func duck() {
    let rig = Rig()
    rig.publish(Sample.single)
    rig.run(64)
    rig.set(Sample.duck, 0.2, .decibels, 9_600)
    rig.run(4_800)
    let half = rig.output[0].last ?? 0
    #expect(abs(half - Float(0.2).squareRoot()) < 0.001)
    rig.run(9_600)
    #expect(rig.output[0].last == 0.2)
    #expect(rig.output[0].first == 1)
  }

  @Test(
    "A new structure does not disturb a ramp that runs, nor a key that was dropped and returned in between")
  func structures() {
    let rig = Rig()
    let plain = Rig()
    for rig in [rig, plain] {
      rig.publish(Sample.single)
      rig.run(64)
      rig.set(Sample.send, 0, .raisedCosine, 4_800)
      rig.run(640)
    }
    var larger = Sample.matrix(300, 1)
    larger.sources.insert(Sample.single.sources[0], at: 0)
    larger.rows =
      [Sample.single.rows[0]] + larger.rows.map { .init(source: $0.source + 1, stages: $0.stages) }
    larger.sinks = Sample.single.sinks
    larger.cells = Sample.single.cells + larger.cells.map { .init(row: $0.row + 1, sink: 0, stage: $0.stage) }
    rig.input = { source, _ in source == 0 ? 1 : 0 }
    let last = StageLevel(target: 0, ramp: Ramp(.raisedCosine, frames: 4_800), revision: 999)
    // The audio thread never adopts the plan in between.
    rig.engine.publish(structure: Sample.matrix(1, 1), levels: [:])
    rig.publish(larger, [Sample.send: last])
    plain.engine.publish(changing: [Sample.send: last])
    for rig in [rig, plain] { rig.run(Array(repeating: 64, count: 80)) }
    #expect(rig.output[0].count == plain.output[0].count)
    // New stages of the larger mix open meanwhile, so blocks are shorter.
    #expect(zip(rig.output[0], plain.output[0]).allSatisfy { abs($0 - $1) < 0.001 })
    #expect(rig.output[0].last == 0)
  }
}

extension Double {
  func clamped(_ low: Double, _ high: Double) -> Double { Swift.min(Swift.max(self, low), high) }
}
