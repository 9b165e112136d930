import MixEngine
import SessionModel
import Surface

/// Turns the audio thread's telemetry into meters, and keeps its counts.
struct MeterReader {
  /// The ports of each structure that telemetry may still speak of, by the plan that brought it.
  private var structures: [UInt64: [PortKey]] = [:]
  private(set) var levels = MeterLevels()
  private var limited: [PortID: Double] = [:]
  private var brokenBlocks = 0
  private var longestNanoseconds = 0
  private var busyNanoseconds = 0
  private var frames: UInt64 = 0
  /// Share of the period that the audio thread used lately, percent.
  private(set) var load = 0.0

  /// Over how long the load is averaged, in nanoseconds.
  private static let loadNanoseconds = 2e8

  /// Counters for `/system/stats`.
  var statistics: [(name: String, count: Int)] {
    [
      ("broken", brokenBlocks), ("longest", longestNanoseconds / 1_000),
      ("load", Int((load * 100).rounded())),
    ]
  }

  /// Forgets what belongs to an engine that is gone; a new one counts structures and frames from the start. Counts stay.
  mutating func restart() { (structures, frames) = ([:], 0) }

  /// Notes which ports the meters of a structure belong to.
  mutating func follow(_ ports: [PortKey], from serial: UInt64) {
    structures[serial] = ports
    for old in structures.keys.sorted().dropLast(8) { structures[old] = nil }
  }

  /// Reads what has arrived.
  /// - Returns: whether there was anything.
  mutating func read(_ engine: MixEngine, of state: RouterState, rate: Double, at time: Double) -> Bool {
    levels = MeterLevels()
    var records: [TelemetryRecord] = []
    engine.drainTelemetry { record in
      if let last = records.indices.last, records[last].structureSerial == record.structureSerial {
        records[last].add(record)
      } else {
        records.append(copy record)
      }
    }
    for record in records { take(record, rate: rate, at: time) }
    levels.addInputs(to: state.sessions, from: state.inputs)
    return !records.isEmpty
  }

  /// Whether an output's limiter worked within the last half second.
  func isLimiting(_ port: PortID, at time: Double) -> Bool { limited[port].map { time - $0 < 0.5 } ?? false }

  private mutating func take(_ record: TelemetryRecord, rate: Double, at time: Double) {
    let busy =
      record.adoptNanoseconds + record.stagesNanoseconds + record.sourcesNanoseconds
      + record.sinksNanoseconds
    let passed = Double(record.frames &- frames) / rate * 1e9
    frames = record.frames
    if passed > 0 {
      let share = min(Double(busy) / passed, 1)
      load += (share * 100 - load) * min(passed / Self.loadNanoseconds, 1)
    }
    longestNanoseconds = max(longestNanoseconds, record.longestNanoseconds)
    brokenBlocks += record.brokenBlocks.reduce(0) { $0 + Int($1) }
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
      guard case .output(let id, let channel) = port else { continue }
      MeterLevels.raise(&levels.outputs[id, default: []], channel, record.sinkPeaks[index])
      if record.limitedSamples[index] > 0 { limited[id] = time }
    }
  }
}
