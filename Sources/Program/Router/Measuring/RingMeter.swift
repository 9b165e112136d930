import SessionModel

/// Keeps how full the rings of players and recorders were in the last 10 s. It has no clock of its own.
struct RingMeter {
  private var fills: [String: [(time: Double, fill: Double)]] = [:]

  private static let memory = 10.0

  /// Notes how full the rings are that sound now, in seconds, and forgets all others.
  /// - Parameter pulls: how often a second the audio thread takes from each ring or gives to it.
  mutating func note(_ now: [(name: String, fill: Double)], pulls: Double, at time: Double) -> [LoopFacts
    .Ring]
  {
    var kept: [String: [(time: Double, fill: Double)]] = [:]
    var rings: [LoopFacts.Ring] = []
    for (name, fill) in now {
      let recent = (fills[name] ?? []).filter { time - $0.time <= Self.memory } + [(time, fill)]
      kept[name] = recent
      rings.append(
        LoopFacts.Ring(name: name, fill: fill, least: recent.map(\.fill).min() ?? fill, pulls: pulls))
    }
    fills = kept
    return rings
  }
}
