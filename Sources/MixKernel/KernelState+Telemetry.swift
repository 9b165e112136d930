internal import Synchronization

/// What happened since the last telemetry record; times are ticks of the processor (`mr_ticks`).
struct Tally {
  /// When the period under way began.
  var periodBegin: UInt64 = 0
  /// When its plan was in place.
  var ready: UInt64 = 0
  var periods: UInt32 = 0
  var frames = 0
  /// For taking plans, moving stages, reading sources and mixing sinks.
  var adopt: UInt64 = 0
  var stages: UInt64 = 0
  var sources: UInt64 = 0
  var sinks: UInt64 = 0
  /// The longest period from `adopt()` to the end of `run(frames:)`.
  var longest: UInt64 = 0

  /// The time between two looks at the clock; 0 where it went backwards, as it may for a thread that moves between cores of an
  /// old machine.
  @inline(always) @_noLocks
  static func time(from begin: UInt64, to end: UInt64) -> UInt64 { end > begin ? end &- begin : 0 }
}

/// The layout of a telemetry record in words, times in ticks of the processor; meters follow the header.
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
  package static let longest = 12
  package static let sourceCount = 13
  package static let sinkCount = 14
  /// Words before the meters: per source peak and broken blocks, then per sink peak and limited samples.
  package static let header = 15
}

extension KernelState {
  /// Counts a period, and reports when it is time.
  @_noLocks
  mutating func endPeriod(frames: Int, time: UInt64) {
    tally.longest = max(tally.longest, Tally.time(from: tally.periodBegin, to: time))
    tally.periods &+= 1
    tally.frames &+= frames
    if tally.frames >= telemetryInterval { report() }
  }

  /// Writes a record and starts anew; if the ring is full, everything is kept for the next one.
  @_noLocks
  mutating func report() {
    let structure = plan.pointee.structure
    let (sources, sinks) = (structure.pointee.sourceCount, structure.pointee.sinkCount)
    let length = TelemetryLayout.header &+ 2 &* (sources &+ sinks)
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
    put(start &+ TelemetryLayout.longest, UInt32(clamping: tally.longest))
    put(start &+ TelemetryLayout.sourceCount, UInt32(truncatingIfNeeded: sources))
    put(start &+ TelemetryLayout.sinkCount, UInt32(truncatingIfNeeded: sinks))
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
    ring.pointee.telemetry.written.store(place, ordering: .releasing)
    let (begin, ready) = (tally.periodBegin, tally.ready)
    tally = Tally()
    (tally.periodBegin, tally.ready) = (begin, ready)
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
