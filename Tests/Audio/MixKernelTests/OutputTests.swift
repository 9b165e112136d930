import MixEngine
import MixKernel
import SessionModel
import Testing

@Suite struct OutputTests {
  @Test("The limiter passes samples up to the ceiling bit for bit and reduces louder ones to it")
  func limiter() {
    let rig = Rig()
    rig.input = { noise($0, $1) * 3 }
    rig.publish(Sample.single, treatments: [Sample.usb: .init(ceiling: 0.5)])
    rig.run([64, 37, 1_000])
    let wanted = (0..<rig.frame).map { min(max(noise(0, $0) * 3, -0.5), 0.5) }
    #expect(rig.output[0] == wanted)
    let limited = (0..<rig.frame).filter { abs(noise(0, $0) * 3) > 0.5 }.count
    #expect(rig.telemetry().map { Int($0.limitedSamples[0]) }.reduce(0, +) == limited)
  }

  @Test(
    "A ceiling moves along its ramp, up and down, and no sample steps",
    arguments: [(from: Float(1), to: Float(0.1)), (0.1, 1)], LoopBuild.allCases)
  func ceilingRamp(ceilings: (from: Float, to: Float), loops: LoopBuild) {
    let rig = Rig(loops)
    rig.input = { _, _ in 2 }
    rig.publish(Sample.single, treatments: [Sample.usb: .init(ceiling: ceilings.from)])
    rig.run([64, 37])
    #expect(rig.output[0].allSatisfy { $0 == ceilings.from })
    let start = rig.frame
    rig.set(.outputCeiling(Sample.usb), ceilings.to)
    rig.run([37, 64, 100, 1, 256, 1_000])
    // A raised cosine of 0.9 in 960 frames is steepest in its middle: 0.9 * pi / 2 / 960.
    let steps = zip(rig.output[0], rig.output[0].dropFirst()).map { abs($1 - $0) }
    #expect(steps.max() ?? 1 < 0.0015)
    let (low, high) = (min(ceilings.from, ceilings.to), max(ceilings.from, ceilings.to))
    #expect(rig.output[0].allSatisfy { $0 > low - 1e-6 && $0 < high + 1e-6 })
    #expect(rig.output[0][(start + 968)...].allSatisfy { $0 == ceilings.to })
    // The meter shows what the limiter let pass.
    #expect(rig.telemetry().flatMap(\.sinkPeaks).allSatisfy { $0 < high + 1e-6 })
  }

  @Test(
    "A ceiling that falls through the level of a sound takes the sound along without a step",
    arguments: LoopBuild.allCases)
  func fallingCeiling(loops: LoopBuild) {
    for level in stride(from: Float(0.15), to: 1, by: 0.2) {
      let rig = Rig(loops)
      rig.input = { _, _ in level }
      rig.publish(Sample.single, treatments: [Sample.usb: .init(ceiling: 1)])
      rig.run([64, 37])
      rig.set(.outputCeiling(Sample.usb), 0.1)
      rig.run([37, 64, 100, 1, 256, 1_000])
      let steps = zip(rig.output[0], rig.output[0].dropFirst()).map { abs($1 - $0) }
      #expect(steps.max() ?? 1 < 0.0015, "\(level)")
      #expect(rig.output[0].first == level && rig.output[0].last == 0.1)
    }
  }

  @Test("A ceiling that turns around during its ramp does not step, nor when the structure changes")
  func turnedCeiling() {
    let rig = Rig()
    rig.input = { _, _ in 2 }
    rig.publish(Sample.single, treatments: [Sample.usb: .init(ceiling: 1)])
    rig.run(64)
    rig.set(.outputCeiling(Sample.usb), 0.1)
    rig.run([256, 64])
    var mix = Sample.single
    mix.sources.append(.init(.port(PortHandle(rawValue: 2))))
    rig.publish(mix, treatments: [Sample.usb: .init(ceiling: 0.8)])
    rig.run([37, 2_000])
    let steps = zip(rig.output[0], rig.output[0].dropFirst()).map { abs($1 - $0) }
    #expect(steps.max() ?? 1 < 0.0015)
    #expect(rig.output[0].last == 0.8)
  }

  @Test("A sink without an output has no limiter")
  func capture() {
    let rig = Rig()
    var mix = Sample.single
    mix.sinks[0].output = nil
    rig.input = { _, _ in 20 }
    rig.publish(mix, treatments: [Sample.usb: .init(ceiling: 0.5)])
    rig.run(64)
    #expect(rig.output[0].allSatisfy { $0 == 20 })
  }

  @Test(
    "A delay is exact to the frame, for every length of a period", arguments: [1, 63, 64, 65, 4_800, 96_000])
  func delay(frames: Int) {
    let rig = Rig()
    rig.input = { noise($0, $1) }
    rig.publish(Sample.single, treatments: [Sample.usb: .init(delay: frames)])
    rig.run(Array(repeating: 37, count: 20) + Array(repeating: 8_192, count: 14))
    #expect(rig.output[0][..<frames].allSatisfy { $0 == 0 })
    #expect(rig.output[0][frames...] == (0..<(rig.frame - frames)).map { noise(0, $0) }[...])
  }

  @Test(
    "Delayed, too loud and ordinary sinks of one group do not affect each other",
    arguments: LoopBuild.allCases)
  func mixedGroup(loops: LoopBuild) {
    let rig = Rig(loops)
    rig.input = { noise($0, $1) * 3 }
    // Five sinks make a group of four and one of a single sink; each is an output of its own.
    var mix = Sample.matrix(5, 5, isOpen: ==)
    mix.outputs = (0..<5).map { .init(id: Identifier(slugging: "o\($0)")) }
    for sink in 0..<5 { mix.sinks[sink].output = sink }
    rig.publish(
      mix,
      treatments: ["o0": .init(ceiling: 4), "o1": .init(delay: 70, ceiling: 4), "o2": .init(ceiling: 0.5)])
    rig.run([64, 64, 37, 128, 64, 1_000])
    func sound(_ source: Int, _ frame: Int, ceiling: Float = .infinity) -> Float {
      min(max(noise(source, frame) * 3, -ceiling), ceiling)
    }
    for frame in 0..<rig.frame {
      #expect(rig.output[0][frame] == sound(0, frame))
      #expect(rig.output[1][frame] == (frame < 70 ? 0 : sound(1, frame - 70)))
      #expect(rig.output[2][frame] == sound(2, frame, ceiling: 0.5))
      #expect(rig.output[3][frame] == sound(3, frame, ceiling: 1))
      #expect(rig.output[4][frame] == sound(4, frame, ceiling: 1))
    }
    let records = rig.telemetry()
    for sink in 0..<5 {
      let told: Float? = records.map { $0.sinkPeaks[sink] }.max()
      let heard: Float? = rig.output[sink].map(abs).max()
      #expect(told == heard)
    }
    #expect(records.allSatisfy { $0.limitedSamples[0] == 0 && $0.limitedSamples[1] == 0 })
    #expect(records.contains { $0.limitedSamples[2] > 0 && $0.limitedSamples[4] > 0 })
  }

  @Test("A change of delay crossfades for 20 ms and is exact then; a change during the crossfade follows it")
  func crossfade() {
    let rig = Rig()
    rig.input = { noise($0, $1) }
    rig.publish(Sample.single)
    rig.run([64, 1_000])
    let start = rig.frame
    rig.engine.publish(
      structure: rig.mix, levels: [:], treatments: [Sample.usb: .init(delay: 480)])
    rig.run([37, 64, 100])
    rig.engine.publish(structure: rig.mix, levels: [:], treatments: [Sample.usb: .init(delay: 100)])
    rig.run([4_000])
    for frame in 0..<960 {
      // The line is new, so the delayed signal begins with silence and fades in.
      let past = frame < 480 ? 0 : noise(0, start + frame - 480) * Float(frame - 480) / 960
      let (now, way) = (noise(0, start + frame), Float(frame + 1) / 960)
      #expect(abs(rig.output[0][start + frame] - (now + (past - now) * way)) < 1e-6)
    }
    for frame in (start + 2 * 960 + 64)..<rig.frame { #expect(rig.output[0][frame] == noise(0, frame - 100)) }
  }

  @Test("A mute of a delayed output is heard at once, not a delay later, and without a step")
  func delayedMute() {
    let rig = Rig()
    rig.publish(Sample.single)
    rig.run(64)
    rig.set(Sample.outputGain, 0.5)
    rig.run(200)
    // The delay line is added in the middle of a ramp.
    rig.engine.publish(
      structure: rig.mix, levels: [:], treatments: [Sample.usb: .init(delay: 4_800)])
    rig.run(Array(repeating: 64, count: 200))
    #expect(rig.output[0][rig.frame - 1] == 0.5)
    let start = rig.frame
    rig.set(Sample.outputGain, 0)
    rig.run(Array(repeating: 37, count: 40))
    #expect(rig.output[0][start] > 0.49)
    #expect(rig.output[0][(start + 967)...].allSatisfy { $0 == 0 })
    rig.set(Sample.outputGain, 1)
    rig.run(Array(repeating: 64, count: 20))
    #expect(rig.output[0][rig.frame - 1] == 1)
    // A new line has no earlier samples; its beginning, heard one delay later, is no step either.
    let steps = zip(rig.output[0], rig.output[0].dropFirst()).map { abs($0 - $1) }
    #expect((steps.max() ?? 0) < 0.003)
  }

  @Test(
    "Meters hold the greatest magnitude since the last record: sources before any gain, sinks after the limiter"
  )
  func meters() {
    let rig = Rig()
    rig.input = { _, frame in frame == 100 ? -0.75 : frame == 700 ? 0.5 : 0.01 }
    rig.publish(
      Sample.single, [Sample.send: rig.level(2)], treatments: [Sample.usb: .init(ceiling: 1.25)])
    rig.run(Array(repeating: 64, count: 16))
    let records = rig.telemetry()
    #expect(records.map(\.frames) == [512, 1_024])
    #expect(records.map(\.periods) == [8, 8])
    #expect(records.map { $0.sourcePeaks[0] } == [0.75, 0.5])
    #expect(records.map { $0.sinkPeaks[0] } == [1.25, 1])
    #expect(records.allSatisfy { $0.serial == 1 && $0.structureSerial == 1 })
    #expect(records.allSatisfy { $0.sinksNanoseconds > 0 && $0.longestNanoseconds > 0 })
  }

  @Test("No peak is lost if telemetry is not read for a long time")
  func fullRing() {
    let rig = Rig()
    rig.input = { _, frame in frame == 900_000 ? 0.9 : 0.01 }
    rig.publish(Sample.single)
    rig.run(Array(repeating: 480, count: 2_000))
    var records = rig.telemetry()
    let periods = records.map(\.periods).reduce(0, +)
    #expect(periods < 2_000)
    rig.run(480)
    records += rig.telemetry()
    #expect(records.map(\.periods).reduce(0, +) == 2_001)
    #expect(records.map { $0.sourcePeaks[0] }.max() == 0.9)
  }
}
