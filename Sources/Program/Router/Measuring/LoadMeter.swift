import MixEngine
import SessionModel

/// Averages the work of the audio thread over the last second, and keeps the worst of the last 10 s. It has no clock of its own.
struct LoadMeter {
  /// Sums of a quarter of a second, in seconds.
  private struct Slice {
    let begin: Double
    var stages = SIMD8<Double>()
    var passed = 0.0
    /// The share of its time that the worst period needed.
    var worst = 0.0
    var periods = 0
  }

  private var slices: [Slice] = []

  private static let (slice, mean, memory) = (0.25, 1.0, 10.0)

  /// Notes a record of the audio thread.
  /// - Parameters:
  ///   - frames: frames of the record's periods.
  ///   - rate: Hz.
  ///   - time: the present time in seconds.
  mutating func note(_ record: borrowing TelemetryRecord, frames: Double, rate: Double, at time: Double) {
    guard record.periods > 0, frames > 0, rate > 0 else { return }
    if slices.last.map({ time - $0.begin >= Self.slice }) ?? true {
      slices.removeAll { time - $0.begin > Self.memory }
      slices.append(Slice(begin: time))
    }
    let last = slices.indices.last ?? 0
    slices[last].stages += record.stageSeconds
    slices[last].passed += frames / rate
    slices[last].periods += record.periods
    let share = Double(record.longestNanoseconds) * 1e-9 * rate * Double(record.periods) / frames
    slices[last].worst = max(slices[last].worst, share)
  }

  /// Forgets the worst period.
  mutating func resetWorst() { for index in slices.indices { slices[index].worst = 0 } }

  /// The share of its time that the audio thread needed in the last second, 1 for all of it.
  func now(at time: Double) -> Double {
    let last = recent(time)
    let passed = last.reduce(0) { $0 + $1.passed }
    return passed > 0 ? last.reduce(0) { $0 + $1.stages.sum() } / passed : 0
  }

  /// The same for the worst period of the last 10 s.
  func worst(at time: Double) -> Double {
    slices.lazy.filter { time - $0.begin <= Self.memory }.map(\.worst).max() ?? 0
  }

  /// Seconds of each stage in a period, in the mean of the last second, in the order of `LoopStage`; 0 for those of other threads.
  func stages(at time: Double) -> SIMD8<Double> {
    let last = recent(time)
    let periods = last.reduce(0) { $0 + $1.periods }
    return periods > 0 ? last.reduce(SIMD8()) { $0 + $1.stages } / Double(periods) : SIMD8()
  }

  private func recent(_ time: Double) -> [Slice] { slices.filter { time - $0.begin <= Self.mean } }
}

extension TelemetryRecord {
  /// Seconds of each stage, in the order of `LoopStage`; 0 for those of other threads.
  var stageSeconds: SIMD8<Double> {
    SIMD8(
      Double(adoptNanoseconds), Double(stagesNanoseconds), Double(sourcesNanoseconds),
      Double(sinksNanoseconds), Double(playersNanoseconds), Double(voiceNanoseconds), 0, 0) * 1e-9
  }
}
