import EffectBlocks
import EffectKernel
import MixEngine
import MixKernel
import SessionModel
import Testing

/// Chains of effects as sources and sinks of the mix.
@Suite struct EffectChannelTests {
  private static func port(_ number: UInt) -> MixStructure.Endpoint { .port(PortHandle(rawValue: number)) }

  /// Two programs (sources 0 and 1) in a chain of two channels, whose sound is heard at gain 1 in sinks 0 and 1 of an output.
  private static func stereo(_ program: HalvingProgram) -> MixStructure {
    MixStructure(
      sources: [
        .init(port(1)), .init(port(2)), .init(.effect(program.channel(.output(0)))),
        .init(.effect(program.channel(.output(1)))),
      ],
      sinks: [
        .init(port(101), output: 0, stages: [Sample.outputGain]),
        .init(port(102), output: 0, stages: [Sample.outputGain]),
        .init(.effect(program.channel(.input(0))), output: nil, stages: []),
        .init(.effect(program.channel(.input(1))), output: nil, stages: []),
      ],
      rows: (0..<4).map { .init(source: $0, stages: []) },
      cells: [
        .init(row: 0, sink: 2, stage: .crosspoint(1)), .init(row: 1, sink: 3, stage: .crosspoint(2)),
        .init(row: 2, sink: 0, stage: .crosspoint(3)), .init(row: 3, sink: 1, stage: .crosspoint(4)),
      ],
      outputs: [.init(id: Sample.usb)])
  }

  @Test(
    "A stream's sound goes through its chain, bit for bit, a period late", arguments: [64, 100, 1_024],
    LoopBuild.allCases)
  func chain(period: Int, loops: LoopBuild) throws {
    let (rig, program) = (Rig(loops), try HalvingProgram(period: period))
    rig.input = { noise($0, $1) }
    rig.publish(Self.stereo(program))
    while rig.frame < 9_600 { rig.run(period) }
    let crossed = period + 96
    for channel in 0..<2 {
      #expect(
        Array(rig.output[channel][crossed...])
          == (crossed..<rig.frame).map { noise(channel, $0 - period) / 2 })
    }
    #expect(program.memory.exchange.chain(0).late() == 0 && rig.overruns == 0)
  }

  @Test(
    "A sink goes through a chain behind its gain and delay, bit for bit, and what silences it comes behind the chain",
    arguments: [64, 100, 1_024], LoopBuild.allCases)
  func insert(period: Int, loops: LoopBuild) throws {
    for delay in [0, 500] {
      let (rig, program) = (Rig(loops), try HalvingProgram(period: period, channels: 1))
      rig.input = { noise($0, $1) }
      func mix(hasInsert: Bool) -> MixStructure {
        let insert = MixStructure.Insert(program.stores[0], channel: 0, stages: [.outputMute(Sample.usb)])
        return MixStructure(
          sources: [.init(Self.port(1))],
          sinks: [
            .init(
              Self.port(101), output: 0,
              stages: hasInsert ? [Sample.outputGain] : [Sample.outputGain, .outputMute(Sample.usb)],
              insert: hasInsert ? insert : nil)
          ],
          rows: [.init(source: 0, stages: [])], cells: [.init(row: 0, sink: 0, stage: .crosspoint(1))],
          outputs: [.init(id: Sample.usb)])
      }
      func publish(hasInsert: Bool) {
        let fixed = StageLevel(target: 1, ramp: .none, revision: 0)
        let levels: [StageKey: StageLevel] = [
          .crosspoint(1): fixed, .outputMute(Sample.usb): fixed,
          Sample.outputGain: StageLevel(target: 0.5, ramp: .none, revision: 0),
        ]
        rig.publish(mix(hasInsert: hasInsert), levels, treatments: [Sample.usb: .init(delay: delay)])
      }
      func run(_ frames: Int) {
        let end = rig.frame + frames
        while rig.frame < end { rig.run(period) }
      }
      func direct(_ frame: Int) -> Float { noise(0, frame) / 2 }
      publish(hasInsert: false)
      run(9_600)
      // A chain that is not yet in use changes nothing.
      publish(hasInsert: true)
      let begin = rig.frame
      run(4_800)
      #expect(Array(rig.output[0][begin...]) == (begin..<rig.frame).map { direct($0 - delay) })
      #expect(program.stores[0].isBeside)
      program.stores[0].setInserted(true)
      run(4_800)
      #expect(!program.stores[0].isBeside)
      let crossed = rig.frame
      run(4_800)
      #expect(
        Array(rig.output[0][crossed...]) == (crossed..<rig.frame).map { direct($0 - delay - period) / 2 })
      // A mute is heard at once, and not when the chain's block comes.
      rig.set(.outputMute(Sample.usb), 0, .raisedCosine, 480)
      let muted = rig.frame
      run(4_800)
      #expect(rig.output[0][(muted + 480)...].allSatisfy { $0 == 0 })
      rig.set(.outputMute(Sample.usb), 1)
      run(4_800)
      program.stores[0].setInserted(false)
      run(4_800)
      #expect(program.stores[0].isBeside)
      let left = rig.frame
      run(960)
      publish(hasInsert: false)
      run(4_800)
      #expect(Array(rig.output[0][left...]) == (left..<rig.frame).map { direct($0 - delay) })
      #expect(rig.overruns == 0)
    }
  }

  @Test("Chains of one program are asked for once in a period, and those of two programs each by theirs")
  func several() throws {
    let programs = try [HalvingProgram(period: 64, chains: 3), HalvingProgram(period: 64, chains: 2)]
    let rig = Rig()
    var mix = MixStructure(
      sources: [.init(Self.port(1))], sinks: [.init(Self.port(101), output: nil, stages: [])],
      rows: [.init(source: 0, stages: [])])
    // In an order in which the programs alternate.
    for (program, chain) in [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)] {
      let channel = { programs[program].channel($0, of: chain) }
      mix.sources.append(.init(.effect(channel(.output(0)))))
      mix.sinks.append(.init(.effect(channel(.input(0))), output: nil, stages: []))
      mix.rows.append(.init(source: mix.sources.count - 1, stages: []))
      let number = mix.rows.count
      mix.cells += [
        .init(row: 0, sink: mix.sinks.count - 1, stage: .crosspoint(number)),
        .init(row: number - 1, sink: 0, stage: .crosspoint(10 + number)),
      ]
    }
    rig.input = { noise($0, $1) / 8 }
    rig.publish(mix)
    for _ in 0..<100 { rig.run(64) }
    #expect(programs.allSatisfy { $0.memory.exchange.asked() == 100 })
    let wanted = (200..<rig.frame).map { frame in 5 * (noise(0, frame - 64) / 16) }
    #expect(zip(rig.output[0][200...], wanted).allSatisfy { abs($0 - $1) < 1e-6 })
    // Without chains in the plan nobody is asked.
    rig.publish(Sample.single)
    for _ in 0..<10 { rig.run(64) }
    #expect(programs.allSatisfy { $0.memory.exchange.asked() == 100 })
  }

  @Test("A chain hears another sound by its side chain, and silence where nothing feeds it")
  func sideChain() throws {
    let (rig, program) = (Rig(), try HalvingProgram(period: 64, channels: 1, sideChannels: 2))
    rig.input = { noise($0, $1) }
    var mix = MixStructure(
      sources: [.init(Self.port(1)), .init(.effect(program.channel(.output(0))))],
      sinks: [
        .init(Self.port(101), output: nil, stages: []),
        .init(.effect(program.channel(.side(0))), output: nil, stages: []),
      ],
      rows: [.init(source: 0, stages: []), .init(source: 1, stages: [])],
      cells: [
        .init(row: 0, sink: 1, stage: .crosspoint(1)), .init(row: 1, sink: 0, stage: .crosspoint(2)),
      ])
    rig.publish(mix)
    while rig.frame < 4_800 { rig.run(64) }
    #expect(Array(rig.output[0][160...]) == (160..<rig.frame).map { noise(0, $0 - 64) })
    mix.sinks.removeLast()
    mix.cells.removeFirst()
    rig.publish(mix)
    let begin = rig.frame
    while rig.frame < begin + 640 { rig.run(64) }
    #expect(rig.output[0][(begin + 128)...].allSatisfy { $0 == 0 })
  }

  @Test(
    "A side chain hears what an output gets, behind its limiter and in the same period: of channels that share one their mean",
    arguments: [64, 100, 1_024], LoopBuild.allCases)
  func key(period: Int, loops: LoopBuild) throws {
    let (rig, program) = (Rig(loops), try HalvingProgram(period: period, channels: 1, sideChannels: 2))
    rig.input = { noise($0, $1) }
    let side = program.channel(.side(0))
    let mix = MixStructure(
      sources: [.init(Self.port(1)), .init(Self.port(2)), .init(.effect(program.channel(.output(0))))],
      sinks: [
        .init(Self.port(101), output: 0, stages: [Sample.outputGain]),
        .init(Self.port(102), output: 0, stages: [Sample.outputGain]),
        .init(Self.port(103), output: nil, stages: []),
      ],
      rows: (0..<3).map { .init(source: $0, stages: []) },
      cells: (0..<3).map { .init(row: $0, sink: $0, stage: .crosspoint($0 + 1)) },
      outputs: [.init(id: Sample.usb)],
      keys: [.init(sink: 0, channel: side, share: 0.5), .init(sink: 1, channel: side, share: 0.5)])
    let fixed = StageLevel(target: 1, ramp: .none, revision: 0)
    rig.publish(
      mix,
      [
        .crosspoint(1): fixed, .crosspoint(2): fixed, .crosspoint(3): fixed,
        Sample.outputGain: StageLevel(target: 0.5, ramp: .none, revision: 0),
        .outputCeiling(Sample.usb): StageLevel(target: 0.25, ramp: .none, revision: 0),
      ])
    while rig.frame < 9_600 { rig.run(period) }
    // The program plays what the side chain hears.
    let begin = period + 96
    let wanted = (begin..<rig.frame).map {
      0.5 * rig.output[0][$0 - period] + 0.5 * rig.output[1][$0 - period]
    }
    #expect(Array(rig.output[2][begin...]) == wanted)
    #expect(wanted.contains { abs($0) > 0.1 } && rig.output[0].allSatisfy { abs($0) <= 0.25 })
  }

  @Test("A plan keeps the memory of its chains until the audio thread has given it back")
  func memory() throws {
    let rig = Rig()
    weak var kept: EffectMemoryStore?
    do {
      let memory = try EffectMemoryStore(frames: 64)
      kept = memory
      let store = EffectNodeStore(memory, place: 0, channels: 1, period: 64, change: 96)
      let mix = MixStructure(
        sources: [.init(.effect(EffectChannel(store, .output(0))))],
        sinks: [.init(Self.port(101), output: nil, stages: [])], rows: [.init(source: 0, stages: [])],
        cells: [.init(row: 0, sink: 0, stage: .crosspoint(1))])
      rig.publish(mix)
    }
    rig.run(64)
    #expect(kept != nil)
    rig.publish(Sample.single)
    rig.run(64)
    #expect(kept != nil)
    _ = rig.telemetry()
    #expect(kept == nil)
  }
}
