public import MixEngine
public import SessionModel

/// What the audio thread has done since the router's start, over all servers. Every count only grows.
public struct AudioTotals: Equatable, Sendable {
  public var periods = 0
  public var frames = 0
  /// Nanoseconds that each stage of the audio thread has taken.
  public var (adopt, stages, sources, sinks, players, voice) = (0, 0, 0, 0, 0, 0)
  /// Samples of each output that its limiter reduced.
  public var limitedSamples: [PortID: Int] = [:]
  /// Blocks of each source that became silence, because they had samples that were not numbers.
  public var brokenBlocks: [Source: Int] = [:]
  /// How long the periods took, in shares of their time.
  public var durations = DurationHistogram()

  /// A place where sound enters the mix.
  public enum Source: Hashable, Sendable {
    case input(PortID)
    case stream(SessionID, StreamID)
    case player(PlayerID)
  }

  public init() {}

  /// Adds a record of the audio thread, but for its outputs and sources.
  ///
  /// - Parameters:
  ///   - frames: the frames that the record is about.
  ///   - rate: Hz.
  public mutating func add(_ record: borrowing TelemetryRecord, frames: Int, rate: Double) {
    periods += record.periods
    self.frames += frames
    adopt += record.adoptNanoseconds
    stages += record.stagesNanoseconds
    sources += record.sourcesNanoseconds
    sinks += record.sinksNanoseconds
    players += record.playersNanoseconds
    voice += record.voiceNanoseconds
    let busy =
      record.adoptNanoseconds + record.stagesNanoseconds + record.sourcesNanoseconds
      + record.sinksNanoseconds + record.playersNanoseconds + record.voiceNanoseconds
    guard record.periods > 0, frames > 0, rate > 0 else { return }
    durations.add(
      periods: record.periods, busy: Double(busy), longest: Double(record.longestNanoseconds),
      period: Double(frames) / Double(record.periods) / rate * 1e9)
  }
}

/// How long the periods took, in shares of their time. Every count only grows.
public struct DurationHistogram: Equatable, Sendable {
  /// The upper bounds of the buckets.
  public static let bounds = [0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 2]
  /// The periods of each bucket alone; the last one counts those above all bounds.
  public private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)
  /// The shares of all periods together.
  public private(set) var sum = 0.0

  public init() {}

  /// Number of periods.
  public var count: Int { counts.reduce(0, +) }

  /// Adds the periods of a record of the audio thread, which tells the longest one and the sum. The others count with their mean.
  ///
  /// All times are in one unit.
  public mutating func add(periods: Int, busy: Double, longest: Double, period: Double) {
    guard periods > 0, period > 0 else { return }
    let longest = min(longest, busy)
    add(1, share: (periods == 1 ? busy : longest) / period)
    guard periods > 1 else { return }
    add(periods - 1, share: (busy - longest) / Double(periods - 1) / period)
  }

  private mutating func add(_ number: Int, share: Double) {
    counts[Self.bounds.firstIndex { share <= $0 } ?? Self.bounds.count] += number
    sum += share * Double(number)
  }
}
