import ControlInterface
import MixEngine
import SessionModel

/// Computes meters, load and counts from the audio thread's telemetry.
struct MeterReader {
  /// The ports of recent structures, by the serial number of the plan. Telemetry may still be about an old structure.
  private var structures: [UInt64: [PortKey]] = [:]
  private(set) var levels = MeterLevels()
  private var limited: [PortID: Double] = [:]
  private var frames: UInt64 = 0
  /// Share of the period that the audio thread used lately, in percent.
  private(set) var load = 0.0

  /// Time over which the load is averaged, in nanoseconds.
  private static let loadNanoseconds = 2e8

  /// Counts since the router's start, over all servers.
  struct Counts: Equatable {
    /// Blocks with samples that were not numbers.
    var brokenBlocks = 0
    /// Longest time that the audio thread worked in one period, in nanoseconds.
    var longest = 0
  }

  /// Notes to which ports the meters of a structure belong.
  mutating func follow(_ ports: [PortKey], from serial: UInt64) {
    structures[serial] = ports
    for old in structures.keys.sorted().dropLast(8) { structures[old] = nil }
  }

  /// Reads all telemetry that has arrived.
  /// - Returns: whether any had arrived.
  mutating func read(
    _ engine: MixEngine, of state: RouterState, rate: Double, at time: Double, counting counts: inout Counts
  ) -> Bool {
    levels = MeterLevels()
    var records: [TelemetryRecord] = []
    engine.drainTelemetry { record in
      if let last = records.indices.last, records[last].structureSerial == record.structureSerial {
        records[last].add(record)
      } else {
        records.append(copy record)
      }
    }
    for record in records { take(record, rate: rate, at: time, counting: &counts) }
    levels.addInputs(to: state.sessions, from: state.inputs)
    return !records.isEmpty
  }

  /// Whether an output's limiter reduced the level within the last half second.
  func isLimiting(_ port: PortID, at time: Double) -> Bool { limited[port].map { time - $0 < 0.5 } ?? false }

  private mutating func take(
    _ record: TelemetryRecord, rate: Double, at time: Double, counting counts: inout Counts
  ) {
    let busy =
      record.adoptNanoseconds + record.stagesNanoseconds + record.sourcesNanoseconds
      + record.sinksNanoseconds
    let passed = Double(record.frames &- frames) / rate * 1e9
    frames = record.frames
    if passed > 0 {
      let share = min(Double(busy) / passed, 1)
      load += (share * 100 - load) * min(passed / Self.loadNanoseconds, 1)
    }
    counts.longest = max(counts.longest, record.longestNanoseconds)
    counts.brokenBlocks += record.brokenBlocks.reduce(0) { $0 + Int($1) }
    guard let ports = structures[record.structureSerial] else { return }
    let (sources, sinks) = (ports.filter(\.isSource), ports.filter { !$0.isSource })
    guard sources.count == record.sourcePeaks.count, sinks.count == record.sinkPeaks.count else { return }
    for (index, port) in sources.enumerated() {
      switch port {
      case .input(let id, let channel):
        MeterLevels.raise(&levels.inputs[id, default: []], channel, record.sourcePeaks[index])
      case .stream(let session, let stream, let channel):
        levels.raise(session, stream, channel, record.sourcePeaks[index])
      default: break
      }
    }
    for (index, port) in sinks.enumerated() {
      switch port {
      case .output(let id, let channel):
        MeterLevels.raise(&levels.outputs[id, default: []], channel, record.sinkPeaks[index])
        if record.limitedSamples[index] > 0 { limited[id] = time }
      case .capture(let session, let channel):
        MeterLevels.raise(&levels.captures[session, default: []], channel, record.sinkPeaks[index])
      default: break
      }
    }
  }
}
