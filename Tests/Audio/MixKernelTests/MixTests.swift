import Chance
import MixEngine
import SessionModel
import Testing

@Suite struct MixTests {
  /// A mix with some crosspoints, each with a different gain.
  private static func prepare(_ rig: Rig, sources: Int, sinks: Int, seed: UInt64) -> [StageKey: StageLevel] {
    var dice = SeededGenerator(seed: seed)
    let mix = Sample.matrix(sources, sinks) { ($0 * 7 + $1 * 3) % 4 != 0 }
    var levels: [StageKey: StageLevel] = [:]
    for key in Rig.keys(mix).sorted(by: { "\($0)" < "\($1)" }) {
      levels[key] = rig.level(Float.random(in: 0...1.2, using: &dice))
    }
    rig.input = { noise($0, $1) }
    rig.publish(mix, levels, treatments: [Sample.usb: .init(ceiling: 1_000)])
    return levels
  }

  @Test("Periods of changing lengths give the same samples as periods of one length")
  func periodStorm() {
    let (steady, storm) = (Rig(), Rig())
    for rig in [steady, storm] { _ = Self.prepare(rig, sources: 13, sinks: 7, seed: 1) }
    var dice = SeededGenerator(seed: 2)
    while storm.frame < 20_000 { storm.run([1, 37, 64, 1_024, 8_192].randomElement(using: &dice) ?? 1) }
    while steady.frame < storm.frame { steady.run(64) }
    for sink in 0..<7 { #expect(steady.output[sink][..<storm.frame] == storm.output[sink][...]) }
  }

  @Test(
    "Short periods sound as long ones, whether gains rest or move, and no buffer is written behind its end",
    arguments: LoopBuild.allCases, [1, 4])
  func shortPeriods(loops: LoopBuild, every: Int) {
    // 960 frames are a whole number of each of these periods.
    let rigs = [960, 16, 32, 48, 64, 80, 20].map { period in
      let rig = Rig(loops)
      rig.input = { noise($0, $1) }
      rig.publish(
        Sample.matrix(9, 10) { ($0 + $1) % every == 0 }, treatments: [Sample.usb: .init(ceiling: 100)])
      for round in 0..<4 {
        if round > 0 { rig.set(Sample.cell(4, 4), Float(round % 2), .raisedCosine, 480) }
        rig.run(Array(repeating: period, count: 960 / period))
      }
      #expect(rig.overruns == 0, "\(period) frames")
      return rig
    }
    for (sink, samples) in rigs[0].output.enumerated() {
      for rig in rigs {
        let worst = zip(rig.output[sink], samples).map { abs($0 - $1) }.max() ?? 1
        #expect(sink == 4 ? worst < 1e-6 : worst == 0)
      }
      #expect(samples.contains { $0 != 0 })
    }
  }

  @Test("The matrix agrees with one computed in Double", arguments: [(1, 1), (2, 6), (13, 7), (64, 64)])
  func reference(size: (sources: Int, sinks: Int)) {
    let rig = Rig()
    let levels = Self.prepare(rig, sources: size.sources, sinks: size.sinks, seed: 3)
    rig.run(100)
    var worst = 0.0
    for sink in 0..<size.sinks {
      for frame in 0..<100 {
        var sum = 0.0
        for cell in rig.mix.cells where cell.sink == sink {
          let stages = [cell.stage] + rig.mix.rows[cell.row].stages + rig.mix.sinks[sink].stages
          sum += stages.reduce(Double(noise(cell.row, frame))) { $0 * Double(levels[$1]?.target ?? 0) }
        }
        worst = max(worst, abs(sum - Double(rig.output[sink][frame])))
      }
    }
    #expect(worst < 1e-5)
  }

  @Test("The loops for newer processors give the same bits as the others, also with ramps and delays")
  func sameBits() {
    let rigs = LoopBuild.allCases.map { Rig($0) }
    for rig in rigs {
      _ = Self.prepare(rig, sources: 21, sinks: 10, seed: 4)
      var dice = SeededGenerator(seed: 5)
      for round in 0..<60 {
        for source in 0..<21 {
          let shape = Ramp.Shape.allCases[(source + round) % 5]
          rig.set(
            Sample.cell(source, 3 * round % 10), Float.random(in: 0...2, using: &dice), shape,
            Int.random(in: 1...5_000, using: &dice))
        }
        rig.run(Int.random(in: 1...700, using: &dice))
        if round == 20 {
          rig.publish(rig.mix, treatments: [Sample.usb: .init(delay: 700, ceiling: 0.5)])
        }
      }
    }
    for sink in 0..<10 {
      let bits = rigs.map { $0.output[sink].map(\.bitPattern) }
      #expect(bits[0] == bits[1])
      #expect(bits[0] == bits[2])
    }
    #expect(rigs[0].output[0].contains { $0 != 0 })
  }

  @Test("A gain of 1 passes every sample bit for bit, beside rows that are closed or have ramps")
  func unity() {
    let rig = Rig()
    let mix = Sample.matrix(5, 6)
    var levels: [StageKey: StageLevel] = [:]
    for cell in mix.cells { levels[cell.stage] = rig.level(cell.row == 0 ? 1 : 0) }
    rig.input = { source, frame in source == 4 ? 0 : noise(source, frame) * 1.9 }
    rig.publish(mix, levels)
    rig.run([64, 37])
    rig.set(Sample.cell(4, 1), 0.5)
    rig.run([500, 1_000])
    for sink in 0..<6 { #expect(rig.output[sink] == (0..<rig.frame).map { noise(0, $0) * 1.9 }) }
  }

  @Test("An unconnected source is silence, and a sink without a buffer is dropped")
  func unconnected() {
    let rig = Rig()
    rig.publish(Sample.matrix(2, 2))
    rig.input = { source, _ in source == 0 ? nil : 0.25 }
    rig.run(64)
    #expect(rig.output[1].allSatisfy { $0 == 0.25 })
    rig.engine.process(frames: 64, sources: [nil, nil], sinks: [nil, nil])
    #expect(rig.engine.framesProcessed == 128)
  }

  @Test("A buffer that a source and a sink share is read before it is written")
  func feedback() {
    let engine = MixEngine(sampleRate: 48_000)
    let rig = Rig()
    let mix = Sample.matrix(8, 8) { $0 == $1 }
    var levels: [StageKey: StageLevel] = [:]
    for key in Rig.keys(mix) { levels[key] = rig.level(1) }
    engine.publish(structure: mix, levels: levels)
    // Each sink writes into the buffer of the next source.
    var buffers = (0..<8).map { channel in [Float](repeating: Float(channel) / 8, count: 200) }
    let pointers = buffers.indices.map { index in
      buffers[index].withUnsafeMutableBufferPointer { $0.baseAddress }
    }
    withExtendedLifetime(buffers) {
      engine.process(
        frames: 200, sources: pointers.map { $0.map { UnsafePointer($0) } },
        sinks: pointers.dropFirst() + [pointers[0]])
    }
    for channel in 0..<8 { #expect(buffers[(channel + 1) % 8].allSatisfy { $0 == Float(channel) / 8 }) }
  }

  @Test("If a row has two sends to one sink, both are heard")
  func twice() {
    let rig = Rig()
    var mix = Sample.single
    mix.cells.append(.init(row: 0, sink: 0, stage: .crosspoint(-1), scale: 0.25))
    mix.cells.append(.init(row: 0, sink: 0, stage: Sample.send, scale: 0.125))
    rig.publish(mix, treatments: [Sample.usb: .init(ceiling: 2)])
    rig.run(64)
    #expect(rig.output[0].allSatisfy { $0 == 1.375 })
  }

  @Test(
    "A source that is infinite, not a number or above +240 dBFS becomes silence and does not affect other sources"
  )
  func brokenSource() {
    for bad in [Float.nan, .infinity, -.infinity, 1e38, -.signalingNaN] {
      let rig = Rig()
      rig.publish(Sample.matrix(3, 5))
      rig.input = { source, frame in source == 1 && (100..<300).contains(frame) ? bad : 0.125 }
      rig.run([64, 64, 64, 512, 1_024])
      for sink in rig.output {
        #expect(sink.allSatisfy { $0.isFinite })
        #expect(sink[128..<192].allSatisfy { $0 == 0.25 })
        #expect(sink[..<64].allSatisfy { $0 == 0.375 })
        #expect(sink[512...].allSatisfy { $0 == 0.375 })
      }
      let records = rig.telemetry()
      #expect(records.map { $0.brokenBlocks[1] }.reduce(0, +) == 4)
      #expect(records.allSatisfy { $0.brokenBlocks[0] == 0 && $0.sourcePeaks[1] <= 0.125 })
    }
  }

  @Test("The loudest accepted sources cannot make the sum infinite")
  func overflow() {
    let rig = Rig()
    let mix = Sample.matrix(64, 1)
    var levels: [StageKey: StageLevel] = [:]
    for key in Rig.keys(mix) { levels[key] = rig.level(3.2) }
    rig.publish(mix, levels)
    rig.input = { source, frame in source % 2 == 0 ? 1e12 : -1e12 * Float(frame % 2) }
    rig.run(256)
    #expect(rig.output[0].allSatisfy { $0.isFinite && abs($0) <= 1 })
  }
}
