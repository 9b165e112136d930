import CRealtime
import Chance
import EffectBlocks
import EffectKernel
import MediaKernel
import MixEngine
import Rings
import SessionModel
import Testing

/// Tests of the audio thread under the RealtimeSanitizer; `.ci/checks/rtsan.sh` builds with it and runs them.
@Suite(.enabled(if: mr_rt_is_watched(), "needs the RealtimeSanitizer: .ci/checks/rtsan.sh"))
struct RealtimeSanitizerTests {
  @Test("Mixing, ramps, new plans, delays and telemetry neither allocate nor block")
  func clean() async {
    await #expect(processExitsWith: .success) {
      for loops in LoopBuild.allCases {
        let rig = Rig(loops)
        var dice = SeededGenerator(seed: 7)
        rig.input = { source, frame in
          source == 3 ? nil : source == 4 && frame % 999 == 0 ? .nan : noise(source, frame) * 4
        }
        for round in 0..<40 {
          // More stages than fit at first, so that their present gains are copied into larger memory.
          rig.publish(
            Sample.matrix(5 + round, 9 + round / 10), treatments: [Sample.usb: .init(delay: round * 10)])
          for shape in Ramp.Shape.allCases {
            rig.set(
              Sample.cell(Int(shape.rawValue), 1), Float.random(in: 0...2, using: &dice), shape,
              1 + round * 30)
            rig.set(Sample.outputGain, Float.random(in: 0...2, using: &dice), shape, 500)
            rig.run(Int.random(in: 1...2_000, using: &dice))
          }
          if round > 20 { _ = rig.telemetry() }
        }
      }
    }
  }

  @Test("Rings neither allocate nor block, whether they have frames and room, too few or none")
  func rings() async {
    await #expect(processExitsWith: .success) {
      for loops in LoopBuild.allCases {
        let rig = Rig(loops)
        var dice = SeededGenerator(seed: 8)
        rig.input = { noise($0, $1) }
        let (played, recorded) = (
          RingStore(channels: 2, frames: 4_096), RingStore(channels: 2, frames: 4_096)
        )
        for round in 0..<60 {
          var mix = Sample.matrix(3 + round % 5, 4 + round % 5)
          mix.sources[1] = .init(.ring(RingChannel(played, channel: 0)))
          mix.sources[2] = .init(.ring(RingChannel(played, channel: 1)))
          mix.sinks[3] = .init(.ring(RingChannel(recorded, channel: 1)), output: 0, stages: [])
          rig.publish(mix, treatments: [Sample.usb: .init(delay: round % 3 * 100)])
          let samples = Array(repeating: Float(0.25), count: Int.random(in: 0...3_000, using: &dice))
          _ = played.write([samples, samples])
          rig.run(Int.random(in: 1...8_192, using: &dice))
          if round % 4 == 0 { _ = recorded.take() }
          _ = rig.telemetry()
        }
        let isTried = played.missing > 0 && played.framesRead > 0 && recorded.dropped > 0
        precondition(isTried && recorded.framesWritten > recorded.capacity, "no ring ran dry or full")
      }
    }
  }

  @Test(
    "Players and recorders neither allocate nor block, while they start, stop, crossfade, and come and go")
  func media() async {
    await #expect(processExitsWith: .success) {
      for loops in LoopBuild.allCases {
        let rig = Rig(loops)
        var dice = SeededGenerator(seed: 9)
        rig.input = { noise($0, $1) }
        let (players, recorder) = ((0..<3).map { _ in HandPlayer(frames: 60_000) }, HandRecorder(channels: 3))
        let meter = HandRecorder(channels: 2)
        for round in 0..<60 {
          var mix = Sample.matrix(5 + round % 3, 4 + round % 5)
          for player in players[(round % 3)...] { mix.sources[round % 5] = player.channel(round % 2) }
          mix.sinks[1] = recorder.sink(2)
          mix.copies = [.init(sink: round % 4, tap: recorder.tap(0))]
          if round % 5 > 0 { mix.metered = [.init(sink: round % 3, tap: meter.tap(1))] }
          let player = players[round % 3]
          rig.publish(
            mix, treatments: [Sample.usb: .init(delay: round % 3 * 100)],
            orders: MediaOrders([(player, round % 2 == 0 ? player.play(fade: 100) : player.pause())]))
          rig.engine.publish(changing: [:], orders: MediaOrders([], [(recorder, recorder.record())]))
          rig.engine.publish(
            changing: [:],
            orders: MediaOrders([], [(meter, TapOrder(serial: round + 1, listens: round % 7 > 0))]))
          player.offer(round * 1_000..<60_000, at: nil, fade: 200)
          rig.run(Int.random(in: 1...12_000, using: &dice))
          // A full tap would be waited for, as in freewheel.
          _ = recorder.take()
          _ = meter.take()
          while recorder.store.mark != nil { recorder.store.popMark() }
          _ = rig.telemetry()
        }
        precondition(recorder.store.lost == 0 && recorder.store.taken > 100_000, "nothing was recorded")
        precondition(meter.store.taken > 100_000, "nothing was measured")
      }
    }
  }

  @Test(
    "Chains of effects neither allocate nor block, whether blocks are there or not, and while chains come and go"
  )
  func effects() async {
    await #expect(processExitsWith: .success) {
      for loops in LoopBuild.allCases {
        let rig = Rig(loops)
        rig.input = { noise($0, $1) }
        let program = try HalvingProgram(period: 64, chains: 3)
        for round in 0..<60 {
          var mix = Sample.matrix(6, 6)
          for chain in 0..<3 where (round + chain) % 3 > 0 {
            mix.sources[chain] = .init(.effect(program.channel(.output(0), of: chain)))
            mix.sinks[chain] = .init(.effect(program.channel(.input(0), of: chain)), output: nil, stages: [])
          }
          rig.publish(mix)
          program.stores[1].setRevision(round % 4 == 0 ? nil : 1)
          program.stores[2].setBypassed(round % 5 == 0)
          for length in [64, 64, 64, 17, 64, 1_000, 64] { rig.run(length) }
          _ = rig.telemetry()
        }
        precondition(program.memory.exchange.asked() > 300, "nothing was processed")
      }
    }
  }

  @Test("An allocation on the audio thread ends the program: the check can fail")
  func control() async {
    await #expect(processExitsWith: .failure) {
      let rig = Rig()
      rig.publish(Sample.single)
      mr_rt_enter()
      rig.publish(Sample.matrix(2, 2))
      mr_rt_exit()
    }
  }
}
