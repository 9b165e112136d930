internal import Synchronization

/// What the audio thread notes of periods that come late, or that need nearly all of their time, since the last telemetry record. Times are
/// ticks of the processor's clock.
struct PeriodWatch {
  /// Begin of the last period, and its frames; no frames before the first period and after freewheeling.
  var lastBegin: UInt64 = 0
  var lastFrames = 0
  /// Time of the last period, and of its stages.
  var lastOwn: UInt64 = 0
  var lastTimes = SIMD4<UInt64>()
  var lastPlayers: UInt64 = 0
  /// Periods that came late.
  var late: UInt32 = 0
  /// Frames that the server left out.
  var lost: UInt32 = 0
  /// Periods that came late or before which the server left out frames.
  var glitches: UInt32 = 0
  /// The sums of the stages at the end of the last period: adopt, stages, sources, sinks.
  var before = SIMD4<UInt64>()
  var playersBefore: UInt64 = 0
  /// The longest time that one period spent on each stage.
  var worst = SIMD4<UInt64>()
  var worstPlayers: UInt64 = 0
  /// The worst period, if `hasFlight`.
  var flight = Flight()
  var hasFlight = false

  /// One period, as it was.
  struct Flight {
    /// Time since the period before began.
    var gap: UInt64 = 0
    /// Time from `adopt()` to the last sample: of this period, or of the one before if that took longer and so made this one late.
    var own: UInt64 = 0
    /// Time for each stage: adopt, stages, sources, sinks.
    var times = SIMD4<UInt64>()
    /// Time for players and recorders.
    var players: UInt64 = 0
    var frames = 0
    var framesBefore = 0
    var lost = 0
    var isLate = false
    /// Ramps that ran at its end.
    var ramps = 0
    /// Serial of the plan.
    var serial: UInt64 = 0

    /// Whether it is a glitch, and not only a period that took long.
    @inline(always) @_noLocks
    func isGlitch() -> Bool { isLate || lost > 0 }

    @_noLocks
    func isWorse(than other: Flight) -> Bool {
      if isGlitch() != other.isGlitch() { return isGlitch() }
      return max(gap, own) > max(other.gap, other.own)
    }
  }
}

extension KernelState {
  /// Notes the times of a period's stages, and keeps the worst period that was late, lost frames or took more than 0.8 of its time.
  ///
  /// A period is late if it begins more than 1.6 periods after the one before. Longer than 120 ms is no late period but a change of devices,
  /// if the period is much shorter: the frames that are lost then still count.
  @_noLocks
  mutating func watchPeriod(frames: Int, own: UInt64, waits: Bool, lost: Int) {
    let sums = SIMD4(tally.adopt, tally.stages, tally.sources, tally.sinks)
    let times = sums &- tally.watch.before
    tally.watch.before = sums
    tally.watch.worst.replace(with: times, where: times .> tally.watch.worst)
    let players = tally.players &- tally.watch.playersBefore
    tally.watch.playersBefore = tally.players
    tally.watch.worstPlayers = max(tally.watch.worstPlayers, players)
    let (last, before) = (tally.watch.lastBegin, tally.watch.lastFrames)
    let (ownBefore, timesBefore) = (tally.watch.lastOwn, tally.watch.lastTimes)
    let playersBefore = tally.watch.lastPlayers
    tally.watch.lastBegin = tally.periodBegin
    tally.watch.lastFrames = waits ? 0 : frames
    (tally.watch.lastOwn, tally.watch.lastTimes, tally.watch.lastPlayers) = (own, times, players)
    // A server that freewheels keeps no time.
    guard !waits else { return }
    let framesPerTick = Double(bitPattern: exchange.pointee.framesPerTick.load(ordering: .relaxed))
    let gap = before > 0 ? Tally.time(from: last, to: tally.periodBegin) : 0
    let (elapsed, limit) = (Double(gap) * framesPerTick, 1.6 * Double(before))
    let change = Double(telemetryInterval &* 12)
    let isLate = elapsed > limit && !(limit < change && elapsed > change)
    let skipped = before > 0 ? lost : 0
    guard isLate || skipped > 0 || Double(own) * framesPerTick > 0.8 * Double(frames) else { return }
    let isAfterLongOne = before > 0 && ownBefore > own && (isLate || skipped > 0)
    noteFlight(
      PeriodWatch.Flight(
        gap: gap, own: isAfterLongOne ? ownBefore : own, times: isAfterLongOne ? timesBefore : times,
        players: isAfterLongOne ? playersBefore : players, frames: frames, framesBefore: before,
        lost: skipped, isLate: isLate,
        ramps: rampCount, serial: plan.pointee.serial))
  }

  @inline(never) @_noLocks
  private mutating func noteFlight(_ flight: PeriodWatch.Flight) {
    if flight.isLate { tally.watch.late &+= 1 }
    tally.watch.lost &+= UInt32(clamping: flight.lost)
    if flight.isGlitch() { tally.watch.glitches &+= 1 }
    if !tally.watch.hasFlight || flight.isWorse(than: tally.watch.flight) { tally.watch.flight = flight }
    tally.watch.hasFlight = true
  }
}
