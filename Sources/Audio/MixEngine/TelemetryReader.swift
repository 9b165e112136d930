internal import MixKernel
internal import Synchronization

/// Reads the records that the audio thread writes into the telemetry ring.
struct TelemetryReader {
  private let exchange: UnsafeMutablePointer<Exchange>
  private var record = TelemetryRecord()
  private var clock = TickClock()

  init(_ exchange: UnsafeMutablePointer<Exchange>) { self.exchange = exchange }

  /// Reads the records that have arrived, oldest first.
  mutating func drain(_ body: (borrowing TelemetryRecord) -> Void) {
    clock.compare()
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
    record.longestNanoseconds = clock.nanoseconds(word(start + TelemetryLayout.longest))
    let sources = Int(word(start + TelemetryLayout.sourceCount))
    let sinks = Int(word(start + TelemetryLayout.sinkCount))
    let first = start + TelemetryLayout.header
    (record.sourcePeaks, record.brokenBlocks) = meters(first, sources)
    (record.sinkPeaks, record.limitedSamples) = meters(first + 2 * sources, sinks)
    let end = start + Int(word(start))
    readPowers(first + 2 * (sources + sinks), end)
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

  private func word(_ place: Int) -> UInt32 {
    exchange.pointee.telemetry.words[place & (exchange.pointee.telemetry.capacity - 1)]
  }

  private func long(_ place: Int) -> UInt64 { UInt64(word(place)) | UInt64(word(place + 1)) << 32 }
}
