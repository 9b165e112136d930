/// Power of players and recorders since the last record, as sums of squared samples.
public struct TelemetryPower: Sendable {
  /// Frames that the sums are about.
  public var frames: Int
  /// Of each source that is a channel of a deck, in the order of the structure's sources; before any gain.
  public var deckSums: [Float]
  /// Of each sink that is a channel of a tap, in the order of the structure's sinks, and then of each of its `copies`: what is recorded.
  public var tapSums: [Float]

  /// The mean square of a sum. The average power in dB is 10 log10 of it: -3.01 dB for a sine at full scale.
  public func mean(_ sum: Float) -> Float { frames > 0 ? sum / Float(frames) : 0 }

  /// Adds the next record's sums.
  mutating func add(_ next: TelemetryPower) {
    frames += next.frames
    for index in deckSums.indices { deckSums[index] += next.deckSums[index] }
    for index in tapSums.indices { tapSums[index] += next.tapSums[index] }
  }
}
