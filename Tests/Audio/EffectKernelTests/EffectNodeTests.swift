import CRealtime
import EffectBlocks
import EffectKernel
import Foundation
import Testing
import Threads

@Suite("The audio thread's side of a chain of effects")
struct EffectNodeTests {
  /// A tone of 200 Hz whose greatest step is 0.0131.
  private static func tone(_ frame: Int) -> Float { 0.5 * Float.sineOfTone(frame) }
  private static let step: Float = 0.0132

  @Test(
    "The sound is the processed block of the period before, bit for bit, as soon as it has crossed",
    arguments: [16, 64, 100, 1_024, 8_192])
  func latency(period: Int) throws {
    var rig = try Rig(period: period)
    rig.gain = 0.5
    for _ in 0..<(4 + 400 / period) { rig.run(Self.tone) }
    let crossed = period + Rig.change
    #expect(Array(rig.sound[crossed...]) == rig.dry(period, from: crossed).map { 0.5 * $0 })
    #expect(Array(rig.lastSound[crossed...]) == rig.dry(period, from: crossed).map { 0.5 * ($0 / 2) })
    #expect(rig.store.isProcessed && rig.memory.exchange.chain(3).late() == 0)
    #expect(rig.greatestStep() < Self.step)
  }

  @Test("Without a load of the chain the sound is dry, a period late and bit for bit, and nothing is late")
  func dry() throws {
    var rig = try Rig(period: 64)
    rig.store.setRevision(nil)
    for _ in 0..<2_000 { rig.run(Self.tone, isOnTime: false) }
    #expect(rig.sound == rig.dry(64, from: 0))
    #expect(!rig.store.isProcessed && rig.memory.exchange.chain(3).late() == 0)
  }

  @Test(
    "The input is whole beyond the end of its circle, for the program and for the dry sound",
    arguments: [64, 100])
  func circle(period: Int) throws {
    var rig = try Rig(period: period)
    let blocks = rig.memory.exchange.chain(3)
    rig.store.setBypassed(true)
    while rig.frame < 3 * EffectLimits.circle {
      rig.run(Self.tone)
      let (begin, frames) = try #require(blocks.given(period: rig.memory.exchange.asked()))
      let given = UnsafeBufferPointer(start: blocks.input(channel: 0) + begin, count: frames)
      guard given.elementsEqual(rig.input.suffix(frames)) else {
        Issue.record("the program got another block than that at \(rig.frame - frames)")
        return
      }
    }
    #expect(rig.sound == rig.dry(period, from: 0))
  }

  @Test(
    "What a plugin writes over the input is silent in the dry sound, if it is no sound",
    arguments: [Float.nan, -Float.infinity, 1e30])
  func wildWrites(value: Float) throws {
    var rig = try Rig(period: 64)
    rig.store.setBypassed(true)
    let input = rig.memory.exchange.chain(3).input(channel: 1)
    for _ in 0..<100 {
      rig.run { _ in 0.5 }
      input.update(repeating: value, count: rig.frame)
    }
    #expect(rig.lastSound.allSatisfy { $0 == 0 } && rig.sound[64...].allSatisfy { $0 == 0.5 })
    // A sound that goes dry falls from its last sample, beside what came later.
    rig.store.setBypassed(false)
    for _ in 0..<10 { rig.run { _ in 0.5 } }
    input.update(repeating: value, count: rig.frame)
    for _ in 0..<10 { rig.run({ _ in 0.5 }, isOnTime: false) }
    #expect(rig.lastSound.allSatisfy { abs($0) <= 2 * 0.25 })
  }

  @Test(
    "What a plugin writes over a block that sounds is silent if it is no sound: at a sink, and where the sound goes dry from it",
    arguments: [Float.nan, -Float.infinity, 1e30])
  func wildBlocks(value: Float) throws {
    var rig = try Rig(period: 64)
    rig.store.setInserted(true)
    for _ in 0..<40 { rig.run { _ in 0.5 } }
    #expect(rig.store.isProcessed && rig.lastSound.last == 0.25)
    let sink = UnsafeMutablePointer<Float>.allocate(capacity: 64)
    defer { sink.deallocate() }
    sink.initialize(repeating: 0.5, count: 64)
    let (node, exchange) = (rig.store.node, rig.memory.exchange)
    rig.meanwhile = {
      exchange.chain(3).output(channel: 1, period: exchange.asked()).update(repeating: value, count: 64)
      node.pointee.insert(sink, channel: 1, offset: 0, frames: 64)
    }
    rig.run({ _ in 0.5 }, isOnTime: false)
    #expect((0..<64).allSatisfy { sink[$0] == 0 })
    rig.meanwhile = {}
    let first = rig.frame
    for _ in 0..<10 { rig.run({ _ in 0.5 }, isOnTime: false) }
    #expect(rig.lastSound[first...].allSatisfy { (0...0.25).contains($0) } && rig.lastSound.last == 0.25)
  }

  @Test(
    "A plugin that changes nothing is not heard: neither its latency nor a missing block moves a sample",
    arguments: [0, 1, 63, 64, 240, 5_000, EffectLimits.latency])
  func alignment(latency: Int) throws {
    var rig = try Rig(period: 64)
    rig.latency = latency
    for _ in 0..<4 { rig.run(Self.tone) }
    let settled = rig.frame + 2 * Rig.change
    for index in 0..<400 {
      // All lengths of a gap, and all pauses between two.
      rig.run(Self.tone, isOnTime: index % 13 % 5 < 3)
    }
    let wanted = rig.dry(64 + latency, from: settled)
    #expect(zip(rig.sound[settled...], wanted).allSatisfy { abs($0 - $1) < 1e-6 })
    #expect(rig.greatestStep() < Self.step)
  }

  /// What makes a block useless.
  enum Fault: CaseIterable { case late, notANumber, infinite, tooLoud, ofAnotherLoad, bypassed, unloaded }

  @Test(
    "A block that is missing or broken is replaced in the same period: the sound goes on from its last sample, is dry after 2 ms, and crosses back",
    arguments: Fault.allCases, [Float(0), 0.2, -1, 1])
  func faults(fault: Fault, gain: Float) throws {
    for length in [1, 2, 7] {
      var rig = try Rig(period: 64)
      (rig.gain, rig.latency) = (gain, 10)
      for _ in 0..<20 { rig.run(Self.tone) }
      #expect(rig.store.isProcessed)
      let begin = rig.frame
      rig.gain = gain
      switch fault {
      case .notANumber: rig.spoil = { _ in .nan }
      case .infinite: rig.spoil = { _ in -.infinity }
      case .tooLoud: rig.spoil = { _ in 1e13 }
      case .ofAnotherLoad: rig.revision = 2
      case .bypassed: rig.store.setBypassed(true)
      case .unloaded: rig.store.setRevision(nil)
      case .late: break
      }
      for _ in 0..<length { rig.run(Self.tone, isOnTime: fault != .late) }
      (rig.spoil, rig.revision) = ({ $0 }, 1)
      rig.store.setBypassed(false)
      rig.store.setRevision(1)
      let mended = rig.frame
      for _ in 0..<10 { rig.run(Self.tone) }
      let dry = rig.dry(74, from: 0)
      // A switch is heard in the next period, and a block that was never made one later.
      let lost = fault == .bypassed || fault == .unloaded ? begin : begin + 64
      let wet = dry.map { gain * $0 }
      #expect(Array(rig.sound[(lost - 64)..<lost]) == Array(wet[(lost - 64)..<lost]))
      if lost + Rig.change < mended {
        #expect(Array(rig.sound[(lost + Rig.change)..<mended]) == Array(dry[(lost + Rig.change)..<mended]))
      }
      let back = mended + 64 + Rig.change
      #expect(Array(rig.sound[back...]) == Array(wet[back...]))
      // The fade itself moves by at most 1.5 times the difference in its length.
      let slope = Self.step * (1 + abs(gain)) + 1.5 * abs(1 - gain) * 0.5 / Float(Rig.change)
      #expect(rig.greatestStep() < slope, "\(length) periods")
    }
  }

  @Test(
    "A missing block puts no corner into the sound: less than -50 dBFS is heard beside a tone at -20 dBFS",
    arguments: [(100.0, Float(-1)), (400, -1), (400, 0), (1_000, 0.5)])
  func corner(frequency: Double, gain: Float) throws {
    let angle = 2 * Double.pi * frequency / 48_000
    for moment in 0..<24 {
      var rig = try Rig(period: 64)
      rig.gain = gain
      for _ in 0..<20 { rig.run { Float(0.1 * sin(angle * Double($0 + 2 * moment))) } }
      for _ in 0..<3 { rig.run({ Float(0.1 * sin(angle * Double($0 + 2 * moment))) }, isOnTime: false) }
      // A predictor knows each sample of a tone by the two before it.
      let sound = rig.sound.map(Double.init)
      let beside = (18 * 64..<sound.count).map {
        abs(sound[$0] - 2 * cos(angle) * sound[$0 - 1] + sound[$0 - 2])
      }
      let greatest = try #require(beside.max())
      #expect(greatest < 0.003_16, "\(20 * log10(greatest)) dBFS")
    }
  }

  @Test(
    "A chain that falls silent has no dry sound: it fades out when a block is missing, and back when blocks come"
  )
  func silence() throws {
    var rig = try Rig(period: 64)
    rig.gain = 0.5
    rig.store.setFallsSilent(true)
    rig.store.setRevision(nil)
    for _ in 0..<20 { rig.run(Self.tone, isOnTime: false) }
    // The dry sound goes in the first two milliseconds.
    #expect(rig.sound[Rig.change...].allSatisfy { $0 == 0 })
    rig.store.setRevision(1)
    for _ in 0..<20 { rig.run(Self.tone) }
    let wet = { (from: Int) in rig.dry(64, from: from).map { 0.5 * $0 } }
    let working = rig.frame - 640
    #expect(Array(rig.sound[working...]) == wet(working))
    for _ in 0..<20 { rig.run(Self.tone, isOnTime: false) }
    #expect(rig.sound.suffix(640).allSatisfy { $0 == 0 })
    for _ in 0..<20 { rig.run(Self.tone) }
    #expect(Array(rig.sound.suffix(640)) == wet(rig.frame - 640))
    #expect(rig.greatestStep() < Self.step + 1.5 * 0.5 / Float(Rig.change))
    // Dry again.
    rig.store.setFallsSilent(false)
    for _ in 0..<20 { rig.run(Self.tone, isOnTime: false) }
    #expect(Array(rig.sound.suffix(640)) == rig.dry(64, from: rig.frame - 640))
  }

  @Test("No sample of a constant sound leaves the range between the processed and the dry one")
  func range() throws {
    var rig = try Rig(period: 64)
    rig.gain = 0.25
    for index in 0..<2_000 { rig.run({ _ in 0.5 }, isOnTime: index % 17 % 7 < 4) }
    let sound = rig.sound[64...]
    #expect(sound.allSatisfy { $0 >= 0.125 - 1e-6 && $0 <= 0.5 + 1e-6 })
    #expect(sound.contains(0.5) && sound.contains(0.125))
  }

  @Test(
    "A plugin that changes its latency moves the dry sound without a step, and the processed sound not at all"
  )
  func latencyChanges() throws {
    var rig = try Rig(period: 64)
    for latency in [0, 100, 30, 0] {
      rig.latency = latency
      for _ in 0..<20 { rig.run(Self.tone) }
      #expect(Array(rig.sound.suffix(64)) == Array(rig.dry(64 + latency, from: 0).suffix(64)))
      rig.store.setRevision(nil)
      for _ in 0..<20 { rig.run(Self.tone) }
      #expect(Array(rig.sound.suffix(64)) == Array(rig.dry(64 + latency, from: 0).suffix(64)))
      rig.latency = 50
      rig.store.setRevision(1)
    }
    // The plugin itself jumps, at most by the whole range of the tone.
    #expect(rig.greatestStep() < 1)
  }

  @Test("Periods of other lengths are dry, and none of their samples is silent")
  func periods() throws {
    var rig = try Rig(period: 64)
    rig.gain = 0.5
    // A longer delay needs a sound that is older than itself.
    for _ in 0..<200 { rig.run({ _ in 0.5 }) }
    for frames in [1_024, 1, 64, 63, 8_192, 64, 64, 128] { rig.run({ _ in 0.5 }, frames: frames) }
    for _ in 0..<10 { rig.run({ _ in 0.5 }) }
    #expect(rig.sound[64...].allSatisfy { $0 >= 0.25 - 1e-6 && $0 <= 0.5 + 1e-6 })
    #expect(rig.sound.last == 0.5 && !rig.store.isProcessed)
    // A shorter last period, as at the end of a file, is processed.
    var other = try Rig(period: 64)
    other.gain = 0.5
    for _ in 0..<10 { other.run(Self.tone) }
    other.run(Self.tone, frames: 17)
    #expect(Array(other.sound.suffix(17)) == other.dry(64, from: other.frame - 17).map { 0.5 * $0 })
  }

  @Test("A chain that is loaded anew within one period does not step, and is heard again")
  func loadedAnew() throws {
    var rig = try Rig(period: 64)
    rig.gain = 0.5
    for _ in 0..<20 { rig.run(Self.tone) }
    let before = rig.greatestStep(from: 640)
    let store = rig.store
    rig.meanwhile = { store.setRevision(2) }
    (rig.revision, rig.gain) = (2, 0.25)
    rig.run(Self.tone)
    rig.meanwhile = {}
    for _ in 0..<20 { rig.run(Self.tone) }
    #expect(rig.greatestStep(from: 640) < 3 * before)
    #expect(rig.store.isProcessed)
    #expect(Array(rig.sound.suffix(64)) == rig.dry(64, from: rig.frame - 64).map { 0.25 * $0 })
  }

  @Test("The program gets the side chain as it is")
  func sideChain() throws {
    var rig = try Rig(period: 64, channels: 1, sideChannels: 1)
    for _ in 0..<10 { rig.run(Self.tone) }
    #expect(rig.side == rig.input.map { 2 * $0 })
    // Old samples would be heard again and again.
    rig.hearsSide = false
    for _ in 0..<10 { rig.run(Self.tone) }
    #expect(rig.side[640...].allSatisfy { $0 == 0 } && rig.side.count == 1_280)
    rig.hearsSide = true
    rig.run(Self.tone)
    #expect(Array(rig.side[1_280...]) == rig.input[1_280...].map { 2 * $0 })
  }

  @Test(
    "Nothing waits for a load of the chain that came after the block was given: it will never make that block"
  )
  func laterLoad() throws {
    var rig = try Rig(period: 64)
    rig.store.setRevision(nil)
    rig.run(Self.tone, isOnTime: false, waits: true)
    rig.store.setRevision(1)
    // It would wait for 5 s, and then count the block as late.
    rig.run(Self.tone, waits: true)
    #expect(rig.memory.exchange.chain(3).late() == 0)
    for _ in 0..<10 { rig.run(Self.tone, waits: true) }
    #expect(rig.store.isProcessed)
  }

  @Test("In freewheel the sound waits for the program, and not for one that has ended or was unloaded")
  func freewheel() throws {
    var rig = try Rig(period: 64)
    rig.gain = 0.5
    // A program that begins a block only when the audio thread waits for it.
    let exchange = rig.memory.exchange
    for _ in 0..<4 { rig.run(Self.tone) }
    let worker = PacedThread(name: "program", bell: PacedThread.Bell()) {
      let (number, blocks) = (exchange.asked(), exchange.chain(3))
      if let (begin, frames) = blocks.given(period: number) {
        for channel in 0..<2 {
          let (from, to) = (
            blocks.input(channel: channel) + begin, blocks.output(channel: channel, period: number)
          )
          for frame in 0..<frames { to[frame] = 0.5 * from[frame] }
        }
        blocks.finish(period: number, frames: frames, latency: 0, revision: 1)
      }
      return .after(milliseconds: 1)
    }
    for _ in 0..<200 { rig.run(Self.tone, isOnTime: false, waits: true) }
    worker.stop()
    let crossed = 64 + Rig.change
    #expect(Array(rig.sound[crossed...]) == rig.dry(64, from: crossed).map { 0.5 * $0 })
    #expect(exchange.chain(3).late() == 0)
    exchange.abandon()
    for _ in 0..<100 { rig.run(Self.tone, isOnTime: false, waits: true) }
    #expect(exchange.chain(3).late() > 0 && rig.greatestStep() < Self.step + 0.01)
  }
}

extension Float {
  /// A tone of 200 Hz at full scale, as at 48 kHz.
  static func sineOfTone(_ frame: Int) -> Float {
    let phase = Double(frame % 240) / 240 * 2 * Double.pi
    // The sum of a series, because the tests of this layer use no mathematics library.
    var (term, sum) = (phase - .pi, phase - .pi)
    let square = term * term
    for index in 1...12 {
      term *= -square / Double(2 * index * (2 * index + 1))
      sum += term
    }
    return Float(-sum)
  }
}
