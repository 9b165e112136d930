import Chance
import MixEngine
import SessionModel
import Testing

/// Gains that all go the same way are computed at the way's ends only. It must sound as if each was computed in each block.
@Suite struct GlideTests {
  private static let sources = 8
  private static let sinks = 6

  /// A source that is silent, and the crosspoint that keeps all gains from gliding: a ramp of it begins in each period.
  private static let restless = Sample.cell(7, 5)

  /// What happens between two stretches of time.
  private enum Event: CaseIterable {
    /// All crosspoints move alike; most outcomes are the start of a glide.
    case all, allLinear, allInDecibels
    /// The ducks of the session move: crosspoints that are at rest glide with them.
    case duck
    /// One crosspoint, or what several of them share.
    case one, row, output
    /// A plan without a new level.
    case nothing
    /// More or fewer rows, and so many that the memory of the stages grows.
    case structure, growth
    /// A level that goes ahead of its plan.
    case early
    /// An output's delay line.
    case delay
  }

  private struct Scene {
    let rig: Rig
    let isRestless: Bool
    var dice = SeededGenerator(seed: 5)
    var mix = GlideTests.mix(sinks: GlideTests.sinks)
    var levels: [StageKey: StageLevel] = [:]
    var round: UInt32 = 1 << 20
    var delay = 0

    mutating func set(_ keys: [StageKey], _ shape: Ramp.Shape, _ frames: Int) {
      round += 1
      var changes = StageChanges()
      for key in keys {
        let target = Float.random(in: 0...1, using: &dice)
        let level = StageLevel(target: target, ramp: Ramp(shape, frames: frames), revision: round)
        guard key != GlideTests.restless else { continue }
        levels[key] = level
        changes.append(key, level)
      }
      rig.engine.publish(changing: changes)
    }

    mutating func publish() {
      rig.publish(mix, levels, treatments: [Sample.usb: .init(delay: delay, ceiling: 8)])
    }

    mutating func perform(_ event: Event) {
      let length = [960, 4_800, 9_000].randomElement(using: &dice) ?? 960
      let cells = mix.cells.map(\.stage)
      let one = cells.randomElement(using: &dice) ?? Sample.send
      switch event {
      case .all: set(cells, .raisedCosine, length)
      case .allLinear: set(cells, .linear, length)
      case .allInDecibels: set(cells, .decibels, length)
      case .duck: set([Sample.duck], .raisedCosine, length)
      case .one: set([one], .raisedCosine, length)
      case .row: set([mix.rows[0].stages[0]], .raisedCosine, length)
      case .output: set([Sample.outputGain], .raisedCosine, length)
      case .nothing: set([], .linear, length)
      case .structure:
        mix = GlideTests.mix(sinks: Int.random(in: 6...9, using: &dice))
        publish()
      case .growth:
        mix = GlideTests.mix(sinks: 60)
        publish()
      case .early:
        if let stage = rig.engine.earlyStage(one) { _ = rig.engine.early.send(stage, to: 0.5) }
        levels[one] = nil
      case .delay:
        delay = delay == 0 ? 480 : 0
        publish()
      }
    }

    mutating func run() {
      for _ in 0..<Int.random(in: 2...12, using: &dice) {
        // Each rig draws the same numbers.
        let frames = [64, 64, 128, 100, 33].randomElement(using: &dice) ?? 64
        if isRestless { rig.set(GlideTests.restless, rig.frame % 2 == 0 ? 0.2 : 0.9, .raisedCosine, 7_777) }
        rig.run(frames)
      }
    }
  }

  private static func mix(sinks: Int) -> MixStructure {
    var mix = Sample.matrix(sources, sinks)
    for row in mix.rows.indices { mix.rows[row].ducked = Sample.session }
    return mix
  }

  @Test(
    "Whatever happens while gains glide, each sounds as if it was computed in each block",
    arguments: LoopBuild.allCases)
  func interruptions(loops: LoopBuild) {
    var scenes = [false, true].map { Scene(rig: Rig(loops), isRestless: $0) }
    for index in scenes.indices {
      scenes[index].rig.input = { $0 == 7 ? 0 : noise($0, $1) }
      scenes[index].publish()
      scenes[index].run()
      for _ in 0..<150 {
        var event = Event.allCases.randomElement(using: &scenes[index].dice) ?? .all
        if Bool.random(using: &scenes[index].dice) { event = .all }
        scenes[index].perform(event)
        scenes[index].run()
      }
    }
    for sink in 0..<Self.sinks {
      let (gliding, computed) = (scenes[0].rig.output[sink], scenes[1].rig.output[sink])
      #expect(gliding.count == computed.count)
      let worst = zip(gliding, computed).map { abs($0 - $1) }.max() ?? 1
      // Two approximations of seven noises, each of which may be off by -90 dBFS.
      #expect(worst < 2e-4, "sink \(sink): \(worst)")
      #expect(Set(gliding).count > 10_000)
    }
  }

  @Test("Neither the periods of the server nor plans that change nothing change a bit of gains that glide")
  func samples() {
    let rigs = [(period: 64, plans: false), (64, true), (256, false), (1_024, true)].map { period, plans in
      let rig = Rig()
      rig.input = { noise($0, $1) }
      rig.publish(Self.mix(sinks: Self.sinks))
      for number in 0..<3 {
        var changes = StageChanges()
        for cell in Self.mix(sinks: Self.sinks).cells {
          let target = Float(cell.row + number) / 10
          changes.append(
            cell.stage,
            StageLevel(
              target: target, ramp: Ramp(number == 1 ? .linear : .raisedCosine, frames: 9_600),
              revision: UInt32(1 << 20 + number)))
        }
        rig.engine.publish(changing: changes)
        for _ in 0..<(6_144 / period) {
          if plans { rig.engine.publish(changing: StageChanges()) }
          rig.run(period)
        }
      }
      return rig
    }
    for sink in 0..<Self.sinks {
      let bits = rigs.map { $0.output[sink].map(\.bitPattern) }
      #expect(bits.allSatisfy { $0 == bits[0] })
    }
    #expect(Set(rigs[0].output[0]).count > 10_000)
  }

  @Test(
    "Gains that glide arrive exactly, and are exact on their way",
    arguments: [Ramp.Shape.raisedCosine, .linear],
    [64, 100])
  func exact(shape: Ramp.Shape, period: Int) {
    let rig = Rig()
    let mix = Self.mix(sinks: Self.sinks)
    rig.publish(mix, treatments: [Sample.usb: .init(ceiling: 8)])
    rig.input = { source, _ in source == 2 ? 1 : 0 }
    rig.run(period)
    let begin = rig.frame
    var changes = StageChanges()
    for cell in mix.cells {
      changes.append(
        cell.stage,
        StageLevel(target: Float(cell.sink) / 8, ramp: Ramp(shape, frames: 24_000), revision: 1 << 20))
    }
    rig.engine.publish(changing: changes)
    rig.run(Array(repeating: period, count: 24_000 / period + 2))
    for sink in 0..<Self.sinks {
      let target = Float(sink) / 8
      #expect(rig.output[sink].last == target)
      let worst = (begin..<rig.frame).map { frame in
        let way = min(Double(frame + 1 - begin) / 24_000, 1)
        let wanted = RampTests.reference(shape, from: 1, to: Double(target), way: way)
        return abs(Double(rig.output[sink][frame]) - wanted)
      }.max()
      #expect(worst ?? 1 < 1e-6, "sink \(sink): \(worst ?? 1)")
    }
  }
}
