import MixEngine
import SessionModel
import Testing

@testable import Router

/// What is measured of the audio loop, from records of the audio thread.
@Suite struct LoopMonitorTests {
  /// Hundredths of a second at 48 kHz, with the last frame and its time.
  private func record(_ number: Int, _ change: (inout TelemetryRecord) -> Void = { _ in }) -> TelemetryRecord
  {
    var record = TelemetryRecord()
    (record.periods, record.frames) = (2, UInt64(number) * 480)
    record.lastBegin = 50 + Double(number) * 0.01
    (record.adoptNanoseconds, record.stagesNanoseconds) = (0, 100_000)
    (record.sourcesNanoseconds, record.sinksNanoseconds) = (200_000, 660_000)
    (record.playersNanoseconds, record.voiceNanoseconds) = (30_000, 10_000)
    record.longestNanoseconds = 600_000
    record.worst.sinks = 450_000
    change(&record)
    return record
  }

  private func glitch(_ change: (inout TelemetryFlight) -> Void = { _ in }) -> TelemetryFlight {
    var flight = TelemetryFlight()
    (flight.gap, flight.own, flight.isLate) = (20_000_000, 300_000, true)
    (flight.frames, flight.framesBefore) = (240, 240)
    change(&flight)
    return flight
  }

  @Test(
    "Load and stages are means of a second; the worst values stay until they are reset, and counts stay always"
  )
  func load() {
    var (monitor, facts) = (LoopMonitor(), LoopFacts())
    monitor.begin(rate: 48_000)
    for number in 1...1_200 {
      monitor.note(
        record(number) {
          if number == 1_100 { ($0.longestNanoseconds, $0.worst.sinks) = (4_000_000, 3_900_000) }
        },
        at: Double(number) * 0.01)
    }
    monitor.update(&facts, at: 12)
    #expect(abs(facts.load.now - 0.1) < 1e-9)
    #expect(abs(facts.load.worst - 0.8) < 1e-9)
    #expect(abs(facts[.sinks].mean - 0.000_33) < 1e-12 && facts[.adopt].mean == 0)
    #expect(abs(facts[.sinks].worst - 0.003_9) < 1e-12)
    #expect(abs(facts[.players].mean - 0.000_015) < 1e-12 && facts[.players].total > 0)
    #expect(abs(facts[.voice].mean - 0.000_005) < 1e-12 && abs(facts[.voice].total - 0.012) < 1e-9)
    #expect(abs(facts.rate - 48_000) < 0.01 && abs(facts.drift) < 1e-6)
    #expect(facts.counts.periods == 2_400 && facts.counts.frames == 1_200 * 480)
    facts.resetWorst()
    monitor.update(&facts, at: 12.5)
    #expect(facts.load.worst == 0 && facts[.sinks].worst == 0)
    #expect(facts.counts.periods == 2_400)
  }

  @Test("Counts go on at the next server, whose frames begin at 0, and its rate is measured anew")
  func servers() {
    var (monitor, facts) = (LoopMonitor(), LoopFacts())
    for server in 1...2 {
      monitor.begin(rate: 48_000)
      for number in 1...600 {
        monitor.note(
          record(number) {
            if number == 300 { ($0.late, $0.lost, $0.glitches, $0.flight) = (1, 256, 1, glitch()) }
          }, at: Double(server * 100) + Double(number) * 0.01)
      }
      monitor.conclude(hung: [], at: Double(server * 100 + 6))
      monitor.update(&facts, at: Double(server * 100 + 6))
      #expect(facts.counts.late == server && facts.counts.lost == server * 256)
      #expect(facts.counts.glitches == server && facts.counts.causes == [.server: server])
      #expect(facts.counts.frames == server * 600 * 480)
      #expect(facts.flight?.cause == .server)
      monitor.end()
      monitor.update(&facts, at: Double(server * 100 + 7))
      #expect(facts.rate == 0 && facts.load.now == 0)
    }
  }

  @Test("A glitch is told while it lasts, and counted once when the audio thread tells of it too")
  func lasting() throws {
    var (monitor, facts) = (LoopMonitor(), LoopFacts())
    monitor.begin(rate: 48_000)
    monitor.note(record(1), at: 1)
    for seconds in [0.6, 0.85] {
      monitor.noteHang(seconds: seconds, period: 480, runs: true, hung: ["Band"], at: 1 + seconds)
    }
    guard case .glitch(1, .server, let delay, _, let why)? = monitor.takeGlitch(at: 1.85) else {
      Issue.record("no glitch was told")
      return
    }
    #expect(abs(delay - 0.59) < 1e-9 && why == "the server waited for Band, which hangs")
    monitor.update(&facts, at: 1.85)
    #expect(facts.counts.glitches == 1 && facts.counts.lost == 40_800 - 960)
    // The server calls again after 1 s, and tells how many frames it left out.
    monitor.note(
      record(2) {
        ($0.lost, $0.glitches) = (47_520, 1)
        $0.flight = glitch { ($0.gap, $0.lost, $0.isLate) = (1_000_000_000, 47_520, false) }
      }, at: 2)
    monitor.conclude(hung: ["Band"], at: 2)
    #expect(monitor.takeGlitch(at: 10) == nil)
    monitor.update(&facts, at: 10)
    #expect(facts.counts.glitches == 1 && facts.counts.lost == 47_520)
    #expect(facts.counts.causes == [.server: 1] && facts.flight?.lost == 47_520)
    // The next glitch is another one.
    monitor.note(
      record(3) {
        ($0.late, $0.glitches) = (1, 1)
        $0.flight = glitch()
      }, at: 10.01)
    monitor.conclude(hung: [], at: 10.01)
    #expect(monitor.takeGlitch(at: 11) != nil)
    monitor.update(&facts, at: 11)
    #expect(facts.counts.glitches == 2 && facts.counts.causes == [.server: 2])
  }

  @Test("A server that stands still with a program that hangs leaves out no frames")
  func standing() {
    var (monitor, facts) = (LoopMonitor(), LoopFacts())
    monitor.begin(rate: 48_000)
    monitor.noteHang(seconds: 0.6, period: 480, runs: false, hung: ["Band"], at: 1)
    monitor.update(&facts, at: 1)
    #expect(facts.counts.glitches == 1 && facts.counts.lost == 0)
    monitor.note(record(1), at: 2)
    monitor.update(&facts, at: 2)
    #expect(facts.counts.glitches == 1)
  }

  @Test("The first glitch is told at once, and more of them ever more seldom with the worst of each time")
  func pace() {
    var monitor = LoopMonitor()
    monitor.begin(rate: 48_000)
    var told: [(time: Double, seconds: Double)] = []
    for number in 1...3_000 {
      let time = Double(number) * 0.01
      monitor.note(
        record(number) {
          ($0.late, $0.glitches) = (1, 1)
          $0.flight = glitch { $0.gap = number == 130 ? 90_000_000 : 20_000_000 }
        }, at: time)
      monitor.conclude(hung: [], at: time)
      if case .glitch(let count, .server, let seconds, _, _)? = monitor.takeGlitch(at: time) {
        #expect(count == number)
        told.append((time, seconds))
      }
    }
    #expect(told.first?.time == 0.01)
    #expect((5...9).contains(told.count), "\(told)")
    #expect(told.contains { abs($0.seconds - 0.085) < 1e-6 })
  }

  @Test("The audio thread's own time and waits are those between the last looks")
  func witness() throws {
    var witness = ThreadWitness()
    witness.note(.init(ran: 10, waited: 1, voluntary: 500, involuntary: 3, worked: 4))
    #expect(witness.lately == nil && witness.interrupted == nil)
    witness.note(.init(ran: 10.01, waited: 1.03, voluntary: 550, involuntary: 9, worked: 4.05))
    let lately = try #require(witness.lately)
    #expect(abs(lately.waited - 0.03) < 1e-9 && lately.voluntary == 50 && lately.involuntary == 6)
    #expect(abs(try #require(witness.interrupted) - 0.04) < 1e-9)
  }

  @Test("The system tells the times and switches of this thread")
  func system() throws {
    let before = try #require(ThreadWitness.read("/proc/thread-self"))
    var sum = 0.0
    for number in 0..<2_000_000 { sum += Double(number).squareRoot() }
    let after = try #require(ThreadWitness.read("/proc/thread-self"))
    #expect(sum > 0 && after.ran > before.ran)
    #expect(after.voluntary + after.involuntary >= before.voluntary + before.involuntary)
  }

  @Test("A policy thread that comes late without having worked stood still; one that worked did not")
  func standstill() {
    var watch = StandstillWatch()
    watch.expect(at: 10, processor: 3)
    watch.look(at: 10.001, processor: 3)
    #expect(watch.length(at: 10.001) == 0)
    watch.expect(at: 10.25, processor: 3)
    watch.look(at: 10.65, processor: 3.395)
    #expect(watch.length(at: 10.65) == 0)
    watch.expect(at: 10.9, processor: 3.4)
    watch.look(at: 11.5, processor: 3.401)
    #expect(abs(watch.length(at: 11.5) - 0.599) < 1e-9)
    #expect(watch.length(at: 12.6) == 0)
  }

  @Test("A ring's least fill is that of the last 10 s")
  func rings() {
    var meter = RingMeter()
    _ = meter.note([("player:music", 0.4)], pulls: 187.5, at: 1)
    let rings = meter.note([("player:music", 0.9), ("recorder:tape", 0.1)], pulls: 187.5, at: 5)
    #expect(
      rings == [
        .init(name: "player:music", fill: 0.9, least: 0.4, pulls: 187.5),
        .init(name: "recorder:tape", fill: 0.1, least: 0.1, pulls: 187.5),
      ])
    #expect(meter.note([("player:music", 0.8)], pulls: 187.5, at: 12)[0].least == 0.8)
  }
}
