import MixEngine
import MixKernel
import SessionModel
import Testing
import VoiceKernel

/// Voice processing as a source and a sink of the mix.
@Suite struct VoiceChannelTests {
  /// The rows of a mix with a microphone (source 0) and a program (source 1): the program is heard in both channels of an output (sinks 0 and 1),
  /// the microphone is processed, and the capture (sink 3) gets the processed microphone.
  private static func call(_ worker: PassingWorker, ceiling: Bool = true) -> MixStructure {
    let port = { MixStructure.Endpoint.port(PortHandle(rawValue: $0)) }
    var mix = MixStructure(
      sources: [.init(port(1)), .init(port(2)), .init(.voice(worker.channel(.processed)))],
      sinks: [
        .init(port(101), output: 0, stages: [Sample.outputGain]),
        .init(port(102), output: 0, stages: [Sample.outputGain]),
        .init(.voice(worker.channel(.microphone)), output: nil, stages: []),
        .init(port(103), output: nil, stages: []),
      ],
      rows: [.init(source: 0, stages: []), .init(source: 1, stages: []), .init(source: 2, stages: [])],
      outputs: [.init(id: Sample.usb)])
    mix.cells = [
      .init(row: 1, sink: 0, stage: .crosspoint(1)), .init(row: 1, sink: 1, stage: .crosspoint(2)),
      .init(row: 0, sink: 2, stage: .crosspoint(3)), .init(row: 2, sink: 3, stage: .crosspoint(4)),
    ]
    mix.loudspeakers = [
      .init(sink: 0, channel: worker.channel(.loudspeaker(0))),
      .init(sink: 1, channel: worker.channel(.loudspeaker(1))),
    ]
    return mix
  }

  @Test(
    "The worker gets the microphone, and what the output plays after delay, gain and limiter; the capture gets the worker's sound",
    arguments: [64, 100, 256, 1_024], LoopBuild.allCases)
  func channels(period: Int, loops: LoopBuild) {
    let (rig, worker) = (Rig(loops), PassingWorker(period: period, loudspeakers: 2))
    rig.input = { noise($0, $1) }
    rig.publish(
      Self.call(worker), [Sample.outputGain: rig.level(0.5)],
      treatments: [Sample.usb: .init(delay: 37, ceiling: 0.2)])
    while rig.frame < 9_600 { rig.run(period) }
    let timing = worker.store.timing
    #expect(worker.near == (0..<worker.near.count).map { noise(0, $0) } && worker.near.count > 8_000)
    let played = zip(rig.output[0], rig.output[1]).map { ($0 + $1) / 2 }
    #expect(worker.far == Array(played.prefix(worker.far.count)))
    #expect(rig.output[0].contains(0.2) && rig.output[0].contains { abs($0) < 0.1 && $0 != 0 })
    let whole = timing.latency + timing.entry
    #expect(
      Array(rig.output[3][whole...]) == (timing.entry..<rig.frame - timing.latency).map { noise(0, $0) })
    #expect(worker.store.late == 0)
  }

  @Test(
    "A loudspeaker that is a sink has the output's delay, duck, gain and limiter, and only the crosspoints of its own",
    arguments: LoopBuild.allCases)
  func ownSinks(loops: LoopBuild) {
    let (rig, worker) = (Rig(loops), PassingWorker(period: 64, loudspeakers: 2))
    rig.input = { noise($0, $1) }
    var mix = Self.call(worker)
    mix.loudspeakers = []
    mix.rows[1].ducked = Sample.session
    // The microphone is heard at the output, and is not in what the worker knows of it.
    mix.cells += [
      .init(row: 0, sink: 0, stage: .crosspoint(5)), .init(row: 1, sink: 4, stage: .crosspoint(1)),
      .init(row: 1, sink: 5, stage: .crosspoint(2)),
    ]
    for channel in 0..<2 {
      mix.sinks.append(
        .init(.voice(worker.channel(.loudspeaker(channel))), output: 0, stages: [Sample.outputGain]))
    }
    rig.publish(
      mix, [Sample.outputGain: rig.level(0.5), Sample.duck: rig.level(0.6)],
      treatments: [Sample.usb: .init(delay: 37, ceiling: 0.1)])
    while rig.frame < 9_600 { rig.run(64) }
    // Sink 1 has the program alone, as both loudspeakers are known.
    #expect(worker.far.count > 8_000 && worker.far == Array(rig.output[1].prefix(worker.far.count)))
    #expect(rig.output[0] != rig.output[1] && rig.output[1].contains(0.1))
  }

  @Test(
    "A loudspeaker whose port is gone is known as what it would play, and one that is not in the mix as silence"
  )
  func missingLoudspeakers() {
    let (rig, worker) = (Rig(), PassingWorker(period: 64, loudspeakers: 2))
    rig.input = { source, _ in source == 1 ? 0.5 : 0 }
    var mix = Self.call(worker)
    mix.loudspeakers.removeLast()
    rig.gone = [0]
    rig.publish(mix)
    while rig.frame < 4_800 { rig.run(64) }
    #expect(worker.far.count > 3_000 && worker.far.allSatisfy { $0 == 0.25 })
  }

  @Test("Without a microphone in the mix, and with one that is not a number, the worker gets silence")
  func missingMicrophone() {
    for isBroken in [false, true] {
      let (rig, worker) = (Rig(), PassingWorker(period: 64, loudspeakers: 2))
      rig.input = { source, _ in isBroken && source == 0 ? .nan : 0.5 }
      var mix = Self.call(worker)
      if !isBroken {
        mix.cells.removeAll { $0.sink == 2 }
        mix.sinks[2] = .init(.port(PortHandle(rawValue: 104)), output: nil, stages: [])
      }
      rig.publish(mix)
      while rig.frame < 4_800 { rig.run(64) }
      #expect(worker.near.count > 3_000 && worker.near.allSatisfy { $0 == 0 })
      #expect(rig.output[3].allSatisfy { $0 == 0 })
    }
  }

  @Test("Telemetry measures recorders beside loudspeakers as before")
  func telemetry() {
    let (rig, worker, recorder) = (
      Rig(), PassingWorker(period: 64, loudspeakers: 2), HandRecorder(channels: 1)
    )
    rig.input = { source, _ in source == 1 ? 0.5 : 0 }
    var mix = Self.call(worker)
    mix.copies = [.init(sink: 1, tap: recorder.tap(0))]
    rig.publish(mix)
    while rig.frame < 4_800 { rig.run(64) }
    let records = rig.telemetry()
    let power = records.compactMap(\.power)
    #expect(!power.isEmpty && power.allSatisfy { $0.tapSums.count == 1 && $0.mean($0.tapSums[0]) == 0.25 })
    // Voice processing is a stage of its own, beside the recorder.
    #expect(records.contains { $0.voiceNanoseconds > 0 && $0.worst.voice > 0 && $0.playersNanoseconds > 0 })
    rig.publish(Sample.single)
    rig.run(64)
    _ = rig.telemetry()
    while rig.frame < 9_600 { rig.run(64) }
    let bare = rig.telemetry()
    #expect(!bare.isEmpty && bare.allSatisfy { $0.voiceNanoseconds == 0 && $0.worst.voice == 0 })
  }
}
