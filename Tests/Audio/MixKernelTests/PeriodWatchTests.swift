import MixEngine
import MixKernel
import SessionModel
import Testing

/// What the audio thread notes of late and long periods. The tests call the audio thread's functions at times of their own.
@Suite struct PeriodWatchTests {
  /// An engine whose periods the test starts. The clock of its telemetry is compared with the system's.
  private struct Thread {
    let rig: Rig
    let frames: Int

    init(_ rig: Rig = Rig(), frames: Int) {
      (self.rig, self.frames) = (rig, frames)
      run()
      pause(0.02)
      run()
      _ = rig.telemetry()
    }

    func run(waits: Bool = false, lost: Int = 0) {
      let kernel = rig.engine.kernel
      kernel.pointee.adopt()
      for source in 0..<kernel.pointee.sourceCount() { kernel.pointee.sourceBuffers()[source] = nil }
      for sink in 0..<kernel.pointee.sinkCount() { kernel.pointee.sinkBuffers()[sink] = nil }
      kernel.pointee.run(frames: frames, waits: waits, lost: lost)
    }

    func pause(_ seconds: Double) {
      let end = ContinuousClock.now + .seconds(seconds)
      while ContinuousClock.now < end {}
    }
  }

  @Test(
    "A period is late if it begins more than 1.6 periods after the one before, unless the time is over 120 ms"
  )
  func late() {
    // Each period has a record of its own, because it is as long as the time between two records.
    let thread = Thread(frames: 480)
    var last: Double?
    var (late, notLate) = (0, 0)
    for wait in [0.004, 0.011, 0.014, 0.018, 0.03, 0.009, 0.15, 0.01, 0.05, 0.012] {
      thread.pause(wait)
      thread.run()
      for record in thread.rig.telemetry() {
        defer { last = record.lastBegin }
        guard let last else { continue }
        let gap = record.lastBegin - last
        // The test's clock and that of the thread differ a little.
        guard abs(gap - 0.016) > 2e-4, abs(gap - 0.12) > 2e-4 else { continue }
        let isLate = gap > 0.016 && gap < 0.12
        #expect(record.late == (isLate ? 1 : 0), "\(gap)")
        #expect(record.glitches == record.late)
        #expect((record.flight?.isLate ?? false) == isLate)
        if isLate {
          late += 1
          #expect(record.flight.map { abs(Double($0.gap) * 1e-9 - gap) < 2e-4 } ?? false)
        } else {
          notLate += 1
        }
      }
    }
    #expect(late >= 2 && notLate >= 1)
  }

  @Test("A period that takes longer than 120 ms may be late after more than 120 ms")
  func longPeriods() {
    let thread = Thread(frames: 9_600)
    thread.run()
    thread.pause(0.4)
    thread.run()
    #expect(thread.rig.telemetry().map(\.late).reduce(0, +) == 1)
  }

  @Test("While the server freewheels, and for the first period after that, nothing is late or lost")
  func freewheel() {
    let thread = Thread(frames: 480)
    thread.run()
    _ = thread.rig.telemetry()
    for _ in 0..<3 {
      thread.pause(0.03)
      thread.run(waits: true, lost: 480)
    }
    thread.pause(0.03)
    thread.run(lost: 480)
    let records = thread.rig.telemetry()
    #expect(records.count == 4)
    #expect(records.allSatisfy { $0.late == 0 && $0.lost == 0 && $0.glitches == 0 && $0.flight == nil })
  }

  @Test("Lost frames are counted exactly, and a period that is late and lost frames is one glitch")
  func lost() throws {
    let thread = Thread(frames: 480)
    thread.run()
    _ = thread.rig.telemetry()
    thread.pause(0.03)
    thread.run(lost: 1_437)
    thread.run(lost: 3)
    let records = thread.rig.telemetry()
    #expect(records.map(\.lost) == [1_437, 3])
    #expect(records.map(\.glitches) == [1, 1])
    let flight = try #require(records[0].flight)
    #expect(flight.lost == 1_437 && flight.frames == 480 && flight.framesBefore == 480 && flight.isGlitch)
    #expect(flight.serial == thread.rig.engine.adoptedSerial)
  }

  @Test(
    "If the period before took so long that this one is late, the flight record has the work of the one before"
  )
  func longOneBefore() throws {
    let rig = Rig()
    // Periods of one frame last 21 µs.
    let thread = Thread(rig, frames: 1)
    rig.publish(Sample.matrix(200, 60))
    thread.run()
    rig.publish(Sample.single)
    thread.run()
    let flights = rig.telemetry().compactMap(\.flight) + drain(thread)
    let late = try #require(flights.first { $0.isGlitch })
    #expect(late.own > 20_000 && late.gap > late.own)
  }

  /// Runs periods until they have filled a record, and reads it.
  private func drain(_ thread: Thread) -> [TelemetryFlight] {
    for _ in 0..<600 { thread.run() }
    return thread.rig.telemetry().compactMap(\.flight)
  }

  /// Mixes of which one stage takes nearly all time.
  enum Slow: String, CaseIterable, Sendable {
    case stages, sources, sinks

    var mix: MixStructure {
      switch self {
      case .sinks: Sample.matrix(1, 8_000)
      case .sources:
        MixStructure(sources: (1...3_000).map { .init(.port(PortHandle(rawValue: UInt($0)))) })
      case .stages:
        MixStructure(
          sources: [.init(.port(PortHandle(rawValue: 1)))],
          rows: (0..<Self.count).map { .init(source: 0, stages: [Self.stage($0)]) })
      }
    }

    static let count = 100_000

    static func stage(_ number: Int) -> StageKey { .crosspoint(number) }
  }

  @Test(
    "The flight record of a period that takes too long names the stage that was slow",
    arguments: Slow.allCases)
  func slow(_ slow: Slow) throws {
    let rig = Rig()
    rig.publish(slow.mix)
    // Adopts the plan, and compares the clocks.
    rig.run(64)
    rig.run(64)
    _ = rig.telemetry()
    if slow == .stages {
      let levels = (0..<Slow.count).map { (Slow.stage($0), rig.level(0.5, from: nil, .raisedCosine, 96_000)) }
      rig.engine.publish(changing: StageChanges(Dictionary(uniqueKeysWithValues: levels)))
      rig.run(64)
      _ = rig.telemetry()
    }
    // Periods of one frame last 21 µs, which none of these mixes keeps, on a fast processor either.
    let kernel = rig.engine.kernel
    // Setting the buffers counts as reading the sources, so it is done once.
    for source in 0..<kernel.pointee.sourceCount() { kernel.pointee.sourceBuffers()[source] = nil }
    for sink in 0..<kernel.pointee.sinkCount() { kernel.pointee.sinkBuffers()[sink] = nil }
    var named: [String: Int] = [:]
    // A period that lost its processor is the worst of its record, whatever stage that was in, so many records count.
    for _ in 0..<20 {
      for _ in 0..<600 {
        kernel.pointee.adopt()
        kernel.pointee.run(frames: 1, waits: false)
      }
      for flight in rig.telemetry().compactMap(\.flight) {
        let times = [
          "stages": flight.times.stages, "sources": flight.times.sources, "sinks": flight.times.sinks,
          "adopt": flight.times.adopt,
        ]
        if let slowest = times.max(by: { $0.value < $1.value })?.key { named[slowest, default: 0] += 1 }
        // A period is noted from 0.8 of its time on.
        #expect(flight.own > 16_600 || flight.isGlitch)
      }
    }
    #expect(named.max { $0.value < $1.value }?.key == slow.rawValue, "\(named)")
  }
}
