import MixEngine
import MixKernel
import Rings
import SessionModel
import Testing

/// Sources and sinks of the mix that are channels of rings.
@Suite struct RingChannelTests {
  /// Three ports and both channels of `ring` as sources; every source is heard in the sink of its index.
  private static func playing(_ ring: RingStore) -> MixStructure {
    var mix = Sample.matrix(5, 5) { $0 == $1 }
    mix.sources[1] = .init(.ring(RingChannel(ring, channel: 0)))
    mix.sources[3] = .init(.ring(RingChannel(ring, channel: 1)))
    return mix
  }

  /// Four ports to five ports, each sink without the source of its index. The channels of `ring` are the first sinks once more.
  private static func recording(_ ring: RingStore, output: Int? = 0) -> MixStructure {
    var mix = Sample.matrix(4, 5) { $0 != $1 }
    for channel in 0..<ring.channelCount {
      mix.sinks.append(
        .init(.ring(RingChannel(ring, channel: channel)), output: output, stages: mix.sinks[channel].stages))
      mix.cells += mix.cells.filter { $0.sink == channel }.map {
        .init(row: $0.row, sink: 5 + channel, stage: $0.stage, scale: $0.scale)
      }
    }
    return mix
  }

  /// Noise of the ring's channels, which no port has.
  private static func sound(_ channel: Int, _ frames: Range<Int>) -> [Float] {
    frames.map { noise(100 + channel, $0) }
  }

  private static func sounds(_ frames: Range<Int>) -> [[Float]] { [sound(0, frames), sound(1, frames)] }

  @Test(
    "A ring is heard sample for sample beside ports, with periods of any length",
    arguments: [1, 2, 15, 16, 63, 64, 65, 1_000, 4_096, 8_191, 8_192])
  func source(period: Int) {
    let rig = Rig()
    // The capacity is no multiple of most periods, so that pieces lie across the end.
    let ring = RingStore(channels: 2, frames: 16_384)
    rig.input = { noise($0, $1) }
    rig.publish(Self.playing(ring))
    while rig.frame < min(3 * 16_384, 400 * period) {
      #expect(ring.write(Self.sounds(rig.frame..<rig.frame + period)) == period)
      rig.run(period)
    }
    #expect(rig.output[1] == Self.sound(0, 0..<rig.frame))
    #expect(rig.output[3] == Self.sound(1, 0..<rig.frame))
    for port in [0, 2, 4] { #expect(rig.output[port] == (0..<rig.frame).map { noise(port, $0) }) }
    #expect(ring.framesRead == rig.frame && ring.missing == 0)
  }

  @Test(
    "A ring receives exactly the mix that a port receives, with periods of any length",
    arguments: [1, 2, 15, 16, 63, 64, 65, 1_000, 4_096, 8_191, 8_192], LoopBuild.allCases)
  func sink(period: Int, loops: LoopBuild) {
    let rig = Rig(loops)
    let ring = RingStore(channels: 2, frames: 16_384)
    rig.input = { noise($0, $1) }
    // The delay and the ceiling are those of the whole output.
    rig.publish(Self.recording(ring), treatments: [Sample.usb: .init(delay: 100, ceiling: 0.4)])
    var recorded: [[Float]] = [[], []]
    while rig.frame < min(3 * 16_384, max(1_000, 100 * period)) {
      rig.set(Sample.outputGain, rig.frame / period % 2 == 0 ? 0.5 : 1, .raisedCosine, 700)
      rig.run(period)
      for (channel, samples) in ring.take().enumerated() { recorded[channel] += samples }
    }
    #expect(recorded[0] == rig.output[0] && recorded[1] == rig.output[1])
    #expect(recorded[0] != recorded[1])
    #expect(ring.framesWritten == rig.frame && ring.dropped == 0)
    // The rig's own buffers of the two sinks are left alone.
    #expect(rig.output[5].allSatisfy(\.isNaN) && rig.output[6].allSatisfy(\.isNaN))
  }

  @Test("A ring that runs dry is heard to its last frame, then is silent, and the missing frames are counted")
  func underrun() {
    let rig = Rig()
    let ring = RingStore(channels: 2, frames: 1_024)
    rig.input = { noise($0, $1) }
    rig.publish(Self.playing(ring))
    rig.run(100)
    #expect(ring.missing == 100)
    #expect(ring.write(Self.sounds(0..<330)) == 330)
    rig.run([100, 100, 100, 100, 64])
    #expect(ring.missing == 100 + 70 + 64)
    #expect(ring.framesRead == 330)
    #expect(ring.write(Self.sounds(330..<500)) == 170)
    rig.run(150)
    let silence = Array(repeating: Float(0), count: 100)
    for (channel, sink) in [1, 3].enumerated() {
      let expected = silence + Self.sound(channel, 0..<330) + silence[..<70] + silence[..<64]
      #expect(rig.output[sink] == expected + Self.sound(channel, 330..<480))
    }
    #expect(rig.output[0] == (0..<rig.frame).map { noise(0, $0) }, "the ports go on")
    #expect(ring.missing == 234)
  }

  @Test("A full ring drops whole periods, counts them, and goes on when there is room")
  func overrun() {
    let rig = Rig()
    let ring = RingStore(channels: 2, frames: 256)
    rig.input = { noise($0, $1) }
    rig.publish(Self.recording(ring))
    rig.run([100, 100, 100, 56, 1])
    // 200 frames are in, the third period did not fit, the fourth did, and then the ring was full.
    #expect(ring.framesWritten == 256 && ring.dropped == 101)
    #expect(ring.take(limit: 50) == (0..<2).map { Array(rig.output[$0][..<50]) })
    rig.run([51, 50])
    #expect(ring.framesWritten == 306 && ring.dropped == 152)
    let kept = [50..<200, 300..<356, 408..<458]
    #expect(ring.take() == (0..<2).map { channel in kept.flatMap { rig.output[channel][$0] } })
    #expect(rig.frame == 458 && rig.output[0].count == 458)
  }

  @Test("Meters of a sink go on while its ring is full")
  func meters() throws {
    let rig = Rig()
    let ring = RingStore(channels: 1, frames: 64)
    rig.input = { _, frame in frame < 640 ? 0.125 : 0.25 }
    rig.publish(Self.recording(ring))
    rig.run([640, 640])
    #expect(ring.dropped == 1_280)
    let record = try #require(rig.telemetry().last)
    #expect(record.sinkPeaks[5] == record.sinkPeaks[0] && record.sinkPeaks[5] > 0.7)
  }

  @Test("A channel of a ring that no sink writes is silent, also where old samples were")
  func unusedChannel() {
    let rig = Rig()
    let ring = RingStore(channels: 3, frames: 64)
    #expect(ring.write(Array(repeating: Array(repeating: 1, count: 64), count: 3)) == 64)
    #expect(ring.take().count == 3)
    var mix = Sample.single
    mix.sinks = [.init(.ring(RingChannel(ring, channel: 1)), output: nil, stages: [])]
    mix.cells = [.init(row: 0, sink: 0, stage: Sample.send)]
    rig.publish(mix)
    rig.run(64)
    let silence = Array(repeating: Float(0), count: 64)
    #expect(ring.take() == [silence, Array(repeating: 1, count: 64), silence])
  }

  @Test("One channel of a ring may be several sources, and a ring may lead from a sink back to a source")
  func loop() {
    let rig = Rig()
    let ring = RingStore(channels: 1, frames: 256)
    let channel = RingChannel(ring, channel: 0)
    var mix = Sample.matrix(3, 3) { $0 == $1 }
    mix.sources[1] = .init(.ring(channel))
    mix.sources[2] = .init(.ring(channel))
    mix.sinks[0] = .init(.ring(channel), output: nil, stages: [])
    rig.input = { noise($0, $1) }
    rig.publish(mix)
    for _ in 0..<20 { rig.run(64) }
    // A period that is written is read in the next one.
    let heard = Array(repeating: Float(0), count: 64) + (0..<rig.frame - 64).map { noise(0, $0) }
    #expect(rig.output[1] == heard && rig.output[2] == heard)
    #expect(ring.missing == 64)
  }

  @Test("A new structure goes on with the next frame of a ring")
  func newStructure() {
    let rig = Rig()
    let (played, recorded) = (RingStore(channels: 2, frames: 8_192), RingStore(channels: 2, frames: 8_192))
    rig.input = { noise($0, $1) }
    #expect(played.write(Self.sounds(0..<6_000)) == 6_000)
    for round in 0..<10 {
      var mix = Self.playing(played)
      for _ in 0..<round {
        mix.sources.append(.init(.port(PortHandle(rawValue: UInt(2_000 + mix.sources.count)))))
      }
      mix.sinks.append(.init(.ring(RingChannel(recorded, channel: round % 2)), output: nil, stages: []))
      mix.cells.append(.init(row: 1, sink: 5, stage: Sample.cell(1, 1)))
      rig.publish(mix)
      rig.run([64, 250])
    }
    #expect(rig.output[1] == Self.sound(0, 0..<3_140))
    #expect(rig.output[3] == Self.sound(1, 0..<3_140))
    let heard = recorded.take()
    let alternating = (0..<3_140).map { (frame: Int) -> Float in heard[frame / 314 % 2][frame] }
    #expect(alternating == Array(rig.output[1][..<3_140]))
    #expect(played.framesRead == 3_140 && recorded.dropped == 0)
  }

  @Test("The engine keeps a ring until the audio thread has given back the last plan with it")
  func lifetime() {
    let rig = Rig()
    weak var played: RingStore?
    weak var recorded: RingStore?
    do {
      let (source, sink) = (RingStore(channels: 2, frames: 64), RingStore(channels: 1, frames: 64))
      (played, recorded) = (source, sink)
      rig.publish(Self.playing(source))
      rig.run(64)
      rig.publish(Self.recording(sink), treatments: [Sample.usb: .init(delay: 10)])
    }
    // The plan with the second ring waits, and the audio thread still uses the first one.
    #expect(played != nil && recorded != nil)
    rig.run(64)
    #expect(played != nil, "the control side has not yet taken the old plan back")
    _ = rig.telemetry()
    #expect(played == nil && recorded != nil)
    rig.publish(Sample.single)
    _ = rig.telemetry()
    #expect(recorded != nil)
    rig.run(64)
    #expect(recorded != nil)
    _ = rig.telemetry()
    #expect(recorded == nil)
  }

  @Test("A ring whose plan was replaced before its adoption is freed at once")
  func displaced() {
    let rig = Rig()
    weak var ring: RingStore?
    do {
      let store = RingStore(channels: 2, frames: 64)
      ring = store
      rig.publish(Self.playing(store))
    }
    #expect(ring != nil)
    rig.publish(Sample.single)
    #expect(ring == nil)
  }

  @Test("The kernel knows a channel of a ring by no port")
  func handles() {
    let rig = Rig()
    rig.publish(Self.playing(RingStore(channels: 2, frames: 64)))
    rig.run(1)
    let kernel = rig.engine.kernel
    #expect((0..<kernel.pointee.sourceCount()).map { kernel.pointee.sourceHandles()[$0] } == [1, 0, 3, 0, 5])
  }

  @Test("Two sinks cannot write one channel of a ring")
  func twoSinks() async {
    await #expect(processExitsWith: .failure) {
      let channel = RingChannel(RingStore(channels: 1, frames: 64), channel: 0)
      var mix = Sample.matrix(1, 2)
      for sink in 0..<2 { mix.sinks[sink].endpoint = .ring(channel) }
      Rig().publish(mix)
    }
  }
}
