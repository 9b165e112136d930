import CRealtime
import Chance
import MixEngine
import SessionModel
import Testing

/// What the RealtimeSanitizer says of the audio thread; `.ci/checks/rtsan.sh` builds with it and runs these.
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
          // More stages than fit at first, so that running ones move to larger memory.
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
