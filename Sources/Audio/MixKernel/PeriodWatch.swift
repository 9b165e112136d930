internal import Synchronization

/// What the audio thread notes of periods that come late, or that need nearly all of their time, since the last telemetry record. Times are
/// ticks of the processor's clock.
struct PeriodWatch {
  /// Begin of the last period, and its frames; no frames before the first period and after freewheeling.
  var lastBegin: UInt64 = 0
  var lastFrames = 0
  /// Time of the last period, and of its stages.
  var lastOwn: UInt64 = 0
  var lastTimes = SIMD8<UInt64>()
  /// Periods that came late.
  var late: UInt32 = 0
  /// Frames that the server left out.
  var lost: UInt32 = 0
  /// Periods that came late or before which the server left out frames.
  var glitches: UInt32 = 0
  /// The sums of the stages at the end of the last period, in the order of `Tally.times`.
  var before = SIMD8<UInt64>()
  /// The longest time that one period spent on each stage.
  var worst = SIMD8<UInt64>()
  /// The worst period, if `hasFlight`.
  var flight = Flight()
  var hasFlight = false

  /// One period, as it was.
  struct Flight {
    /// Time since the period before began.
    var gap: UInt64 = 0
    /// Time from `adopt()` to the last sample: of this period, or of the one before if that took longer and so made this one late.
    var own: UInt64 = 0
    /// Time for each stage, in the order of `Tally.times`.
    var times = SIMD8<UInt64>()
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
    let sums = tally.times()
    let times = sums &- tally.watch.before
    tally.watch.before = sums
    tally.watch.worst.replace(with: times, where: times .> tally.watch.worst)
    let (last, before) = (tally.watch.lastBegin, tally.watch.lastFrames)
    let (ownBefore, timesBefore) = (tally.watch.lastOwn, tally.watch.lastTimes)
    tally.watch.lastBegin = tally.periodBegin
    tally.watch.lastFrames = waits ? 0 : frames
    (tally.watch.lastOwn, tally.watch.lastTimes) = (own, times)
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
        frames: frames, framesBefore: before, lost: skipped, isLate: isLate,
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
