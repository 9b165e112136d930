import StageKit
import TestKit
import Testing

/// The rule that excuses gaps in the sound: it must find every gap, and excuse only those of the server.
@Suite struct ContinuityTests {
  private static let period = 256
  /// A source that counts frames.
  private static let ramp = (0..<20_000).map { Float(1 << 20 + $0) / 16_777_216 }
  /// One period is skipped before frame 10,240.
  private static let jump = Continuity(jumps: [ClockJump(frame: 10_240, missing: 256)], period: period)
  private static let calm = Continuity(jumps: [], period: period)

  /// The ramp with some frames changed.
  private static func ramp(_ frames: Range<Int>, _ change: (Float) -> Float) -> [Float] {
    ramp.enumerated().map { frames.contains($0.offset) ? change($0.element) : $0.element }
  }

  @Test("A recording that is equal bit for bit needs no excuse")
  func exact() {
    #expect(Self.jump.compare(Self.ramp, with: Self.ramp) == Continuity.Verdict())
    #expect(Self.jump.breaks(inRamp: Self.ramp) == Continuity.Verdict())
  }

  @Test("A jump before the first frame excuses only what is within its reach")
  func early() {
    let frames = [-10_240, -512, -511, 0]
    let stretches = frames.map {
      Continuity(jumps: [ClockJump(frame: $0, missing: 256)], period: Self.period).stretches
    }
    #expect(stretches == [[], [], [0..<1], [0..<512]])
  }

  @Test("A gap without a jump of the clock is a fault")
  func gapWithoutJump() {
    let gap = Self.ramp(10_240..<10_496) { _ in 0 }
    #expect(Self.calm.compare(gap, with: Self.ramp).fault == 10_240)
    #expect(Self.calm.breaks(inRamp: gap).fault == 10_240)
  }

  @Test("A gap at a jump of the clock is excused, and the excuse names the stretch")
  func gapAtJump() {
    let gap = Self.ramp(10_240..<10_496) { _ in 0 }
    let stretch = 10_240 - 512..<10_240 + 512
    #expect(Self.jump.compare(gap, with: Self.ramp) == Continuity.Verdict(excused: [stretch]))
    #expect(Self.jump.breaks(inRamp: gap) == Continuity.Verdict(excused: [stretch]))
  }

  @Test("A period that arrives late at a jump of the clock is excused")
  func latePeriod() {
    var late = Self.ramp
    for frame in 10_240..<10_496 { late[frame] = Self.ramp[frame - 256] }
    #expect(Self.jump.compare(late, with: Self.ramp).fault == nil)
    #expect(Self.jump.compare(late, with: Self.ramp).excused.count == 1)
    #expect(Self.calm.compare(late, with: Self.ramp).fault == 10_240)
  }

  @Test("A period that arrives late where the judged frames begin is excused by what was played before them")
  func latePeriodAtBeginning() {
    let begin = Continuity.margin * Self.period
    let jump = Continuity(jumps: [ClockJump(frame: begin - 1, missing: 256)], period: Self.period)
    var late = Self.ramp
    for frame in begin..<begin + 255 { late[frame] = Self.ramp[frame - 256] }
    let judged = begin..<Self.ramp.count
    #expect(jump.compare(late, with: Self.ramp, in: judged).fault == nil)
    #expect(Self.calm.compare(late, with: Self.ramp, in: judged).fault == begin)
    let gains = GainTrace(late, of: Self.ramp)
    #expect(jump.mended(gains).trace.gains[judged].allSatisfy { GainTrace.equal($0, 1) })
  }

  @Test(
    "A gap far from the jump, or longer than its stretch, is a fault where the stretch ends",
    arguments: [(5_000..<5_001, 5_000), (9_000..<10_300, 9_000), (10_240..<11_000, 10_752)])
  func gapBesideJump(gap: Range<Int>, fault: Int) {
    #expect(Self.jump.compare(Self.ramp(gap) { _ in 0 }, with: Self.ramp).fault == fault)
  }

  @Test("A wrong level is a fault in the middle of a jump, too", arguments: [0.5, 0.999, 1.001, 2, -1])
  func wrongLevel(gain: Float) {
    let soft = Self.ramp(10_240..<10_496) { $0 * gain }
    #expect(Self.jump.compare(soft, with: Self.ramp).fault == 10_240)
  }

  @Test("A signal that ends early is a fault, whatever the clock did")
  func tooShort() {
    let end = Continuity(jumps: [ClockJump(frame: 19_990, missing: 256)], period: Self.period)
    #expect(end.compare(Self.ramp.dropLast(), with: Self.ramp).fault == 19_999)
  }

  @Test("Jumps that are close together make one stretch, and the pieces lie between the stretches")
  func stretches() {
    let jumps = [300, 5_000, 5_700, 9_000].map { ClockJump(frame: $0, missing: 256) }
    let continuity = Continuity(jumps: jumps, period: 256)
    #expect(continuity.stretches == [0..<812, 4_488..<6_212, 8_488..<9_512])
    #expect(continuity.pieces(of: 9_100) == [812..<4_488, 6_212..<8_488])
    #expect(continuity.pieces(of: 10_000) == [812..<4_488, 6_212..<8_488, 9_512..<10_000])
    #expect(Self.calm.pieces(of: 5) == [0..<5])
  }

  @Test("A constant gain is repaired at a jump; one that moves there, or has a gap elsewhere, is not")
  func gains() {
    let still = GainTrace(gains: (0..<20_000).map { (10_240..<10_300).contains($0) ? 0 : 0.5 })
    #expect(Self.jump.mended(still).trace.gains.allSatisfy { $0 == 0.5 })
    #expect(Self.jump.mended(still).excused.count == 1)
    #expect(Self.calm.mended(still).trace.gains == still.gains)
    let step = GainTrace(gains: (0..<20_000).map { $0 < 10_240 ? 1 : 0.5 })
    #expect(Self.jump.mended(step).trace.gains == step.gains)
    #expect(Self.jump.mended(step).excused.isEmpty)
    let calm = GainTrace(gains: [Double](repeating: 1, count: 20_000))
    #expect(Self.jump.mended(calm).excused.isEmpty)
  }
}
