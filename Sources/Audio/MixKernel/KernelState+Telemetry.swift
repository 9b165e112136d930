internal import Synchronization

/// Sums of the measurements since the last telemetry record. Times are ticks of the processor's clock (`mr_ticks`).
struct Tally {
  /// When the present period began.
  var periodBegin: UInt64 = 0
  /// When the present period's plan was adopted.
  var ready: UInt64 = 0
  var periods: UInt32 = 0
  var frames = 0
  /// Time for adopting plans, computing ramps, reading sources and mixing sinks.
  var adopt: UInt64 = 0
  var stages: UInt64 = 0
  var sources: UInt64 = 0
  var sinks: UInt64 = 0
  /// Time for players and recorders, and for voice processing.
  var players: UInt64 = 0
  var voice: UInt64 = 0
  /// Time of the longest period, from `adopt()` to the end of `run(frames:waits:lost:)`.
  var longest: UInt64 = 0
  var watch = PeriodWatch()

  /// The times of the stages, in the order of the telemetry.
  @inline(always) @_noLocks
  func times() -> SIMD8<UInt64> { SIMD8(adopt, stages, sources, sinks, players, voice, 0, 0) }

  /// The time between two readings of the clock. If the clock went backwards the result is 0: on old machines the clocks of the cores
  /// differ, and the thread may move from one core to another.
  @inline(always) @_noLocks
  static func time(from begin: UInt64, to end: UInt64) -> UInt64 { end > begin ? end &- begin : 0 }
}

/// The layout of a telemetry record: the index of each word. Times are ticks of the processor's clock; the meters follow the header.
package enum TelemetryLayout {
  package static let length = 0
  package static let periods = 1
  package static let frames = 2
  package static let serial = 4
  package static let structureSerial = 6
  package static let adopt = 8
  package static let stages = 9
  package static let sources = 10
  package static let sinks = 11
  package static let players = 12
  package static let voice = 13
  package static let longest = 14
  package static let sourceCount = 15
  package static let sinkCount = 16
  /// Periods that came late, frames that the server left out before a period, and periods with either.
  package static let late = 17
  package static let lost = 18
  package static let glitches = 19
  /// The longest time that a period spent on each stage, in the order of `adopt` to `voice`.
  package static let worst = 20
  /// When the last period began, in two words.
  package static let lastBegin = 26
  /// Number of words of the flight record, which is the end of the record; 0 if there is none.
  package static let flight = 28
  /// Number of words before the meters. The meters are peak and broken blocks of each source, then peak and limited samples of each sink.
  /// If there are players or recorders, there follow a number of frames, the number of sources that are channels of decks, and the sums of
  /// squares over these frames: of these sources, then of each recorded channel.
  package static let header = 29
  /// Number of words before the sums of squares.
  package static let mediaHeader = 2
  /// Number of stages.
  package static let stageCount = 6
  /// Number of words of a flight record: eight long times, which are the time since the period before began, the time of the period, and
  /// that of each stage; then frames, frames of the period before, lost frames, whether it came late, ramps, and the plan's serial.
  package static let flightWords = 23
}

extension KernelState {
  /// Counts a period, and writes a record if the last one is old enough.
  @_noLocks
  mutating func endPeriod(frames: Int, time: UInt64, waits: Bool, lost: Int) {
    let own = Tally.time(from: tally.periodBegin, to: time)
    tally.longest = max(tally.longest, own)
    watchPeriod(frames: frames, own: own, waits: waits, lost: lost)
    tally.periods &+= 1
    tally.frames &+= frames
    if tally.frames >= telemetryInterval { report() }
  }

  /// Writes a record and starts new sums. If the ring is full, the sums are kept for the next record.
  @_noLocks
  mutating func report() {
    let structure = plan.pointee.structure
    let (sources, sinks) = (structure.pointee.sourceCount, structure.pointee.sinkCount)
    var length = TelemetryLayout.header &+ 2 &* (sources &+ sinks)
    let media = structure.pointee.media
    if let media { length &+= TelemetryLayout.mediaHeader &+ media.pointee.squareCount }
    let flightWords = tally.watch.hasFlight ? TelemetryLayout.flightWords : 0
    length &+= flightWords
    let ring = exchange
    guard tally.periods > 0, ring.pointee.telemetry.room() >= length else { return }
    let start = ring.pointee.telemetry.written.load(ordering: .relaxed)
    put(start &+ TelemetryLayout.length, UInt32(truncatingIfNeeded: length))
    put(start &+ TelemetryLayout.periods, tally.periods)
    putLong(start &+ TelemetryLayout.frames, frames)
    putLong(start &+ TelemetryLayout.serial, plan.pointee.serial)
    putLong(start &+ TelemetryLayout.structureSerial, structure.pointee.serial)
    put(start &+ TelemetryLayout.adopt, UInt32(clamping: tally.adopt))
    put(start &+ TelemetryLayout.stages, UInt32(clamping: tally.stages))
    put(start &+ TelemetryLayout.sources, UInt32(clamping: tally.sources))
    put(start &+ TelemetryLayout.sinks, UInt32(clamping: tally.sinks))
    put(start &+ TelemetryLayout.players, UInt32(clamping: tally.players))
    put(start &+ TelemetryLayout.voice, UInt32(clamping: tally.voice))
    put(start &+ TelemetryLayout.longest, UInt32(clamping: tally.longest))
    put(start &+ TelemetryLayout.sourceCount, UInt32(truncatingIfNeeded: sources))
    put(start &+ TelemetryLayout.sinkCount, UInt32(truncatingIfNeeded: sinks))
    put(start &+ TelemetryLayout.late, tally.watch.late)
    put(start &+ TelemetryLayout.lost, tally.watch.lost)
    put(start &+ TelemetryLayout.glitches, tally.watch.glitches)
    for stage in 0..<TelemetryLayout.stageCount {
      put(start &+ TelemetryLayout.worst &+ stage, UInt32(clamping: tally.watch.worst[stage]))
    }
    putLong(start &+ TelemetryLayout.lastBegin, tally.watch.lastBegin)
    put(start &+ TelemetryLayout.flight, UInt32(truncatingIfNeeded: flightWords))
    var place = start &+ TelemetryLayout.header
    for source in 0..<sources {
      put(place, UInt32(bitPattern: structure.pointee.sourcePeaks[source]))
      put(place &+ 1, structure.pointee.brokenBlocks[source])
      structure.pointee.sourcePeaks[source] = 0
      structure.pointee.brokenBlocks[source] = 0
      place &+= 2
    }
    for sink in 0..<sinks {
      put(place, UInt32(bitPattern: structure.pointee.sinkPeaks[sink]))
      put(place &+ 1, structure.pointee.limitedSamples[sink])
      structure.pointee.sinkPeaks[sink] = 0
      structure.pointee.limitedSamples[sink] = 0
      place &+= 2
    }
    if let media { place = put(place, media) }
    if flightWords > 0 { place = putFlight(place) }
    ring.pointee.telemetry.written.store(place, ordering: .releasing)
    let (begin, ready) = (tally.periodBegin, tally.ready)
    var watch = PeriodWatch()
    (watch.lastBegin, watch.lastFrames) = (tally.watch.lastBegin, tally.watch.lastFrames)
    (watch.lastOwn, watch.lastTimes) = (tally.watch.lastOwn, tally.watch.lastTimes)
    tally = Tally()
    (tally.periodBegin, tally.ready, tally.watch) = (begin, ready, watch)
  }

  /// Writes the flight record, and returns the place after it.
  @inline(never) @_noLocks
  private func putFlight(_ place: Int) -> Int {
    let flight = tally.watch.flight
    putLong(place, flight.gap)
    putLong(place &+ 2, flight.own)
    for stage in 0..<TelemetryLayout.stageCount { putLong(place &+ 4 &+ 2 &* stage, flight.times[stage]) }
    put(place &+ 16, UInt32(truncatingIfNeeded: flight.frames))
    put(place &+ 17, UInt32(truncatingIfNeeded: flight.framesBefore))
    put(place &+ 18, UInt32(clamping: flight.lost))
    put(place &+ 19, flight.isLate ? 1 : 0)
    put(place &+ 20, UInt32(truncatingIfNeeded: flight.ramps))
    putLong(place &+ 21, flight.serial)
    return place &+ TelemetryLayout.flightWords
  }

  /// Writes the sums of squares, starts new ones, and returns the place after them.
  @inline(never) @_noLocks
  private func put(_ place: Int, _ media: UnsafeMutablePointer<MediaUse>) -> Int {
    put(place, UInt32(truncatingIfNeeded: media.pointee.frames))
    put(place &+ 1, UInt32(truncatingIfNeeded: media.pointee.deckSourceCount))
    media.pointee.frames = 0
    for index in 0..<media.pointee.squareCount {
      put(place &+ TelemetryLayout.mediaHeader &+ index, Float(media.pointee.squares[index]).bitPattern)
      media.pointee.squares[index] = 0
    }
    return place &+ TelemetryLayout.mediaHeader &+ media.pointee.squareCount
  }

  @_noLocks
  private func put(_ place: Int, _ word: UInt32) {
    exchange.pointee.telemetry.words[place & (exchange.pointee.telemetry.capacity &- 1)] = word
  }

  @_noLocks
  private func putLong(_ place: Int, _ value: UInt64) {
    put(place, UInt32(truncatingIfNeeded: value))
    put(place &+ 1, UInt32(truncatingIfNeeded: value >> 32))
  }
}
