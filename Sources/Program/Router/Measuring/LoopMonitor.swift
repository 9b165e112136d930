import MixEngine
import SessionModel

/// Measures the audio loop from the records of the audio thread and from what the system knows. Belongs to the policy thread; it has no clock
/// of its own. Counts go on when one server follows another.
struct LoopMonitor {
  private(set) var counts = LoopFacts.Counts()
  private var rates = RateMeter(nominal: 48_000)
  private var load = LoadMeter()
  private var worst = StageTimes()
  private var totals = SIMD8<Double>()
  private var rate = 0.0
  /// The engine's count of frames at the last record.
  private var lastFrames: UInt64 = 0
  var witness = ThreadWitness()
  var standstills = StandstillWatch()
  /// The worst period since `conclude` was called last.
  private var flight: TelemetryFlight?
  private var record: FlightRecord?
  /// Frames of a glitch that has been counted while it lasted, until the audio thread tells of it; nil if there is none.
  private var counted: Int?
  /// Glitches that were given a cause.
  private var concluded = 0
  private var pace = GlitchPace()
  /// The overruns that the server tells of.
  var xruns = XrunCauses()
  private var resets = 0
  private var ringMeter = RingMeter()
  /// The passes of the threads that read and write files.
  var disk = DiskMeter()
  /// Periods at the last look at the rings, and when that was.
  private var pulled: (periods: Int, time: Double) = (0, 0)
  private var lastUpdate = -Double.infinity

  /// Seconds between two updates of the facts.
  private static let interval = 0.5

  /// Begins to measure a server.
  mutating func begin(rate: Double) {
    (rates, load, self.rate, lastFrames) = (RateMeter(nominal: rate), LoadMeter(), rate, 0)
    (flight, counted) = (nil, nil)
  }

  /// Notes that the server is gone.
  mutating func end() {
    (rates, load, rate) = (RateMeter(nominal: 48_000), LoadMeter(), 0)
    lastUpdate = -.infinity
    xruns.end()
  }

  /// Notes that the server's time jumps now: it freewheels, or its period changes.
  mutating func skip() { rates.skip() }

  /// Notes a record of the audio thread.
  mutating func note(_ record: borrowing TelemetryRecord, at time: Double) {
    let frames = record.frames &- lastFrames
    lastFrames = record.frames
    counts.periods += record.periods
    counts.frames += Int(frames)
    counts.late += record.late
    // The first record after a glitch that has been counted while it lasted tells of the same glitch.
    counts.lost += max(0, record.lost - (counted ?? 0))
    counts.glitches += max(0, record.glitches - (counted == nil ? 0 : 1))
    counted = nil
    if record.lost > 0 { rates.skip() }
    rates.note(frames: Double(record.frames), time: record.lastBegin)
    load.note(record, frames: Double(frames), rate: rate, at: time)
    worst.raise(to: record.worst)
    totals += record.stageSeconds
    if let next = record.flight, flight.map({ next.isWorse(than: $0) }) ?? true { flight = next }
  }

  /// Seconds that the audio thread has worked so far.
  var worked: Double { totals.sum() }

  /// Whether a period waits for a conclusion.
  var hasFlight: Bool { flight != nil }

  /// Notes that the server has not called the audio thread, because programs hang.
  ///
  /// The glitch counts while it lasts. The audio thread tells of it only when the server calls again, which may be when the programs go on.
  /// - Parameters:
  ///   - seconds: since the last call.
  ///   - period: frames.
  ///   - runs: whether the server's time goes on, so that it leaves out frames.
  mutating func noteHang(seconds: Double, period: Int, runs: Bool, hung: [String], at time: Double) {
    guard rate > 0 else { return }
    // One period was played, and the present one may not have ended: never more than the audio thread will tell.
    let lost = runs ? max(0, Int(seconds * rate) - 2 * period) : 0
    counts.lost += max(0, lost - (counted ?? 0))
    let isNew = counted == nil
    counted = max(lost, counted ?? 0)
    guard isNew else { return }
    counts.glitches += 1
    var flight = TelemetryFlight()
    (flight.gap, flight.isLate, flight.lost) = (Int(seconds * 1e9), true, lost)
    (flight.frames, flight.framesBefore) = (period, period)
    self.flight = flight
    conclude(hung: hung, at: time)
  }

  /// Concludes the cause of the worst period since the last call.
  /// - Parameter hung: programs that hang.
  mutating func conclude(hung: [String], at time: Double) {
    guard let flight, rate > 0 else { return }
    self.flight = nil
    let lately = witness.lately
    let evidence = GlitchEvidence(
      flight: flight, rate: rate, interrupted: witness.interrupted, waited: lately?.waited,
      standstill: standstills.length(at: time), hung: hung)
    let record = evidence.record(
      at: time, switches: lately.map { .init(voluntary: $0.voluntary, involuntary: $0.involuntary) })
    let isNew = counts.glitches > concluded
    counts.causes[record.cause, default: 0] += counts.glitches - concluded
    concluded = counts.glitches
    self.record = record
    xruns.conclude(record.cause, at: time)
    if record.isGlitch, isNew { pace.note(record) }
  }

  /// The notification of the glitches since the last one; nil if there were none, or if it is too early for the next notification.
  mutating func takeGlitch(at time: Double) -> Notification? {
    guard let worst = pace.take(at: time) else { return nil }
    return .glitch(
      count: counts.glitches, worst.cause, seconds: worst.delay, worst.slowest, why: worst.why)
  }

  /// The rings of players and recorders. The audio thread takes from each of them, or gives to it, once in a period.
  /// - Parameter fills: names, and how full they are in seconds.
  mutating func rings(_ fills: [(name: String, fill: Double)], at time: Double) -> [LoopFacts.Ring] {
    let pulls = time > pulled.time ? Double(counts.periods - pulled.periods) / (time - pulled.time) : 0
    pulled = (counts.periods, time)
    return ringMeter.note(fills, pulls: pulls, at: time)
  }

  /// Whether it is time for the next update of the facts.
  func isDue(at time: Double) -> Bool { time - lastUpdate >= Self.interval }

  /// Updates the facts.
  mutating func update(_ facts: inout LoopFacts, at time: Double) {
    lastUpdate = time
    xruns.settle(at: time)
    if facts.resets != resets {
      (resets, worst) = (facts.resets, StageTimes())
      load.resetWorst()
      disk.resetWorst()
    }
    facts.counts = counts
    facts.counts.xrunCauses = xruns.counts
    (facts.load.now, facts.load.worst) = (load.now(at: time), load.worst(at: time))
    facts.rate = rates.rate ?? 0
    facts.drift = rates.rate.map { $0 / rates.nominal - 1 } ?? 0
    facts.flight = record
    let (means, longest) = (load.stages(at: time), worst.seconds)
    for (index, stage) in LoopStage.allCases.enumerated() {
      facts[stage].mean = means[index]
      facts[stage].worst = longest[stage] ?? 0
      facts[stage].total = totals[index]
    }
    facts[.disk] = disk.stage(at: time)
  }
}
