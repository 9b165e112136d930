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
