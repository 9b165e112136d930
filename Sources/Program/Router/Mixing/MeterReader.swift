import ControlInterface
import MediaKernel
import MixEngine
import SessionModel

/// Computes meters, load and counts from the audio thread's telemetry.
struct MeterReader {
  /// What the meters of recent structures are about, by the serial number of the plan. Telemetry may still be about an old structure.
  private var structures: [UInt64: (points: [MixPoint], copies: [MixTopology.Copy])] = [:]
  private(set) var levels = MeterLevels()
  private var limited: [PortID: Double] = [:]
  private var frames: UInt64 = 0
  /// The frames of the engine up to the last record that is counted.
  private var countedFrames: UInt64 = 0
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
    /// What the audio thread has done, for metrics.
    var totals = AudioTotals()
  }

  /// Notes what the meters of a structure are about.
  mutating func follow(_ points: [MixPoint], copies: [MixTopology.Copy] = [], from serial: UInt64) {
    structures[serial] = (points, copies)
    for old in structures.keys.sorted().dropLast(8) { structures[old] = nil }
  }

  /// Reads all telemetry that has arrived.
  /// - Parameter note: gets each record.
  /// - Returns: whether any had arrived.
  mutating func read(
    _ engine: MixEngine, of state: RouterState, rate: Double, at time: Double, counting counts: inout Counts,
    note: (borrowing TelemetryRecord) -> Void = { _ in }
  ) -> Bool {
    levels = MeterLevels()
    var records: [TelemetryRecord] = []
    engine.drainTelemetry { record in
      // Before records are added up: each tells its own longest period.
      counts.totals.add(record, frames: Int(record.frames &- countedFrames), rate: rate)
      countedFrames = record.frames
      note(record)
      if let last = records.indices.last, records[last].structureSerial == record.structureSerial {
        records[last].add(record)
      } else {
        records.append(copy record)
      }
    }
    for record in records { take(record, of: state, rate: rate, at: time, counting: &counts) }
    if let serial = records.last?.structureSerial { forgetStructures(before: serial) }
    levels.addInputs(to: state.sessions, from: state.inputs)
    return !records.isEmpty
  }

  /// Records come in the order of their structures.
  private mutating func forgetStructures(before serial: UInt64) {
    for old in structures.keys where old < serial { structures[old] = nil }
  }

  /// Whether an output's limiter reduced the level within the last half second.
  func isLimiting(_ port: PortID, at time: Double) -> Bool { limited[port].map { time - $0 < 0.5 } ?? false }

  private mutating func take(
    _ record: TelemetryRecord, of state: RouterState, rate: Double, at time: Double,
    counting counts: inout Counts
  ) {
    let busy = record.stageSeconds.sum() * 1e9
    let passed = Double(record.frames &- frames) / rate * 1e9
    frames = record.frames
    if passed > 0 {
      let share = min(busy / passed, 1)
      load += (share * 100 - load) * min(passed / Self.loadNanoseconds, 1)
    }
    counts.longest = max(counts.longest, record.longestNanoseconds)
    counts.brokenBlocks += record.brokenBlocks.reduce(0) { $0 + Int($1) }
    guard let (points, copies) = structures[record.structureSerial] else { return }
    let (sources, sinks) = (points.filter(\.isSource), points.filter { !$0.isSource })
    guard sources.count == record.sourcePeaks.count, sinks.count == record.sinkPeaks.count else { return }
    for (point, broken) in zip(sources, record.brokenBlocks) where broken > 0 {
      if let source = point.source { counts.totals.brokenBlocks[source, default: 0] += Int(broken) }
    }
    for (point, peak) in zip(sources, record.sourcePeaks) {
      switch point {
      case .port(.input(let id, let channel)):
        MeterLevels.raise(&levels.inputs[id, default: []], channel, peak)
      case .port(.stream(let session, let stream, let channel)):
        guard let width = state.sessions[session]?.streams[stream]?.channels else { continue }
        if channel <= width {
          levels.raise(session, stream, channel, peak)
        } else {
          for folded in 1...width {
            levels.raise(session, stream, folded, peak * FoldDown.factor(of: channel, in: folded))
          }
        }
      default: break
      }
    }
    for (index, point) in sinks.enumerated() {
      switch point {
      case .port(.output(let id, let channel)):
        MeterLevels.raise(&levels.outputs[id, default: []], channel, record.sinkPeaks[index])
        guard record.limitedSamples[index] > 0 else { continue }
        limited[id] = time
        counts.totals.limitedSamples[id, default: 0] += Int(record.limitedSamples[index])
      case .port(.capture(let session, let channel)):
        MeterLevels.raise(&levels.captures[session, default: []], channel, record.sinkPeaks[index])
      default: break
      }
    }
    if let power = record.power {
      addMedia(power, zip(sources, record.sourcePeaks), zip(sinks, record.sinkPeaks), copies, of: state)
    }
  }

  /// Adds the power of players and recorders. A player's sound counts as sound of its stream.
  private mutating func addMedia(
    _ power: TelemetryPower, _ sources: Zip2Sequence<[MixPoint], [Float]>,
    _ sinks: Zip2Sequence<[MixPoint], [Float]>, _ copies: [MixTopology.Copy], of state: RouterState
  ) {
    var sums = power.deckSums[...]
    for case (.player(let id, let deck), let peak) in sources {
      let mean = power.mean(sums.popFirst() ?? 0)
      levels.players[id, default: .none].raise(deck.channel, peak: peak, mean: mean)
      guard let player = state.players[id] else { continue }
      let gain = player.isMuted ? 0 : Decibels(player.gain.target).amplitude
      levels.raise(player.session, player.stream, deck.channel + 1, peak * gain)
    }
    sums = power.tapSums[...]
    for case (.recorder(let id, let tap), let peak) in sinks {
      let mean = power.mean(sums.popFirst() ?? 0)
      levels.recorders[id, default: .none].raise(tap.channel, peak: peak, mean: mean)
    }
    guard !copies.isEmpty else { return }
    let peaks = Dictionary(sinks.map { ($0, $1) }) { first, _ in first }
    for copy in copies {
      let mean = power.mean(sums.popFirst() ?? 0)
      levels.recorders[copy.recorder, default: .none].raise(
        copy.tap.channel, peak: peaks[.port(copy.sink)] ?? 0, mean: mean)
    }
  }
}

extension MeterLevels.Power {
  fileprivate static var none: Self { Self(peaks: [], averages: []) }

  /// Raises peak and average of a channel, unless the present ones are greater. Channels count from 0.
  fileprivate mutating func raise(_ channel: Int, peak: Float, mean: Float) {
    while peaks.count <= channel {
      peaks.append(Self.silence)
      averages.append(Self.silence)
    }
    peaks[channel] = max(peaks[channel], Self.level(Double(peak)))
    averages[channel] = max(averages[channel], Self.level(Double(mean).squareRoot()))
  }

  private static var silence: Float { -160 }

  private static func level(_ amplitude: Double) -> Float {
    amplitude > 0 ? min(0, max(silence, Float(Decibels.exact(amplitude: amplitude)))) : silence
  }
}

extension MixPoint {
  /// The source that the point is a channel of; nil for a sink.
  fileprivate var source: AudioTotals.Source? {
    switch self {
    case .port(.input(let id, _)): .input(id)
    case .port(.stream(let session, let stream, _)): .stream(session, stream)
    case .player(let id, _): .player(id)
    default: nil
    }
  }
}
