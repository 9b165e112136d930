internal import MixKernel
internal import Synchronization

/// Reads the records that the audio thread writes into the telemetry ring.
struct TelemetryReader {
  private let exchange: UnsafeMutablePointer<Exchange>
  private var record = TelemetryRecord()
  private var clock = TickClock()
  private let sampleRate: Double

  init(_ exchange: UnsafeMutablePointer<Exchange>, sampleRate: Double) {
    (self.exchange, self.sampleRate) = (exchange, sampleRate)
  }

  /// Reads the records that have arrived, oldest first.
  mutating func drain(_ body: (borrowing TelemetryRecord) -> Void) {
    clock.compare()
    let framesPerTick = clock.nanosecondsPerTick * 1e-9 * sampleRate
    exchange.pointee.framesPerTick.store(framesPerTick.bitPattern, ordering: .relaxed)
    while read() { body(record) }
  }

  /// Reads one record; false if there is none.
  private mutating func read() -> Bool {
    let start = exchange.pointee.telemetry.read.load(ordering: .relaxed)
    guard exchange.pointee.telemetry.written.load(ordering: .acquiring) != start else { return false }
    record.periods = Int(word(start + TelemetryLayout.periods))
    record.frames = long(start + TelemetryLayout.frames)
    record.serial = long(start + TelemetryLayout.serial)
    record.structureSerial = long(start + TelemetryLayout.structureSerial)
    record.adoptNanoseconds = clock.nanoseconds(word(start + TelemetryLayout.adopt))
    record.stagesNanoseconds = clock.nanoseconds(word(start + TelemetryLayout.stages))
    record.sourcesNanoseconds = clock.nanoseconds(word(start + TelemetryLayout.sources))
    record.sinksNanoseconds = clock.nanoseconds(word(start + TelemetryLayout.sinks))
    record.playersNanoseconds = clock.nanoseconds(word(start + TelemetryLayout.players))
    record.voiceNanoseconds = clock.nanoseconds(word(start + TelemetryLayout.voice))
    record.longestNanoseconds = clock.nanoseconds(word(start + TelemetryLayout.longest))
    record.late = Int(word(start + TelemetryLayout.late))
    record.lost = Int(word(start + TelemetryLayout.lost))
    record.glitches = Int(word(start + TelemetryLayout.glitches))
    record.worst = StageTimes { clock.nanoseconds(word(start + TelemetryLayout.worst + $0)) }
    record.lastBegin = clock.seconds(at: long(start + TelemetryLayout.lastBegin))
    let sources = Int(word(start + TelemetryLayout.sourceCount))
    let sinks = Int(word(start + TelemetryLayout.sinkCount))
    let first = start + TelemetryLayout.header
    (record.sourcePeaks, record.brokenBlocks) = meters(first, sources)
    (record.sinkPeaks, record.limitedSamples) = meters(first + 2 * sources, sinks)
    let end = start + Int(word(start))
    let flight = end - Int(word(start + TelemetryLayout.flight))
    record.flight = flight < end ? readFlight(flight) : nil
    readPowers(first + 2 * (sources + sinks), flight)
    exchange.pointee.telemetry.read.store(end, ordering: .releasing)
    return true
  }

  /// Reads pairs of a peak and a count.
  private func meters(_ start: Int, _ count: Int) -> (peaks: [Float], counts: [UInt32]) {
    var (peaks, counts): ([Float], [UInt32]) = ([], [])
    peaks.reserveCapacity(count)
    counts.reserveCapacity(count)
    for channel in 0..<count {
      peaks.append(Float(bitPattern: word(start + 2 * channel)))
      counts.append(word(start + 2 * channel + 1))
    }
    return (peaks, counts)
  }

  /// Reads the sums of squares, which only structures with players or recorders have.
  private mutating func readPowers(_ start: Int, _ end: Int) {
    guard start < end else {
      record.power = nil
      return
    }
    let decks = Int(word(start + 1))
    let sums = (start + TelemetryLayout.mediaHeader..<end).map { Float(bitPattern: word($0)) }
    record.power = TelemetryPower(
      frames: Int(word(start)), deckSums: Array(sums[..<decks]), tapSums: Array(sums[decks...]))
  }

  private func readFlight(_ start: Int) -> TelemetryFlight {
    TelemetryFlight(
      gap: clock.nanoseconds(long(start)), own: clock.nanoseconds(long(start + 2)),
      times: StageTimes { clock.nanoseconds(long(start + 4 + 2 * $0)) }, frames: Int(word(start + 16)),
      framesBefore: Int(word(start + 17)), lost: Int(word(start + 18)), isLate: word(start + 19) != 0,
      ramps: Int(word(start + 20)), serial: long(start + 21))
  }

  private func word(_ place: Int) -> UInt32 {
    exchange.pointee.telemetry.words[place & (exchange.pointee.telemetry.capacity - 1)]
  }

  private func long(_ place: Int) -> UInt64 { UInt64(word(place)) | UInt64(word(place + 1)) << 32 }
}
