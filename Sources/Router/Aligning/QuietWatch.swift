import SessionModel
import Surface

/// Knows which outputs nothing is heard from.
struct QuietWatch {
  /// When there was sound last, by output.
  private var sounded: [PortID: Double] = [:]

  /// Seconds without sound after which an output is quiet; longer than the pauses of a click.
  static let pause = 2.0

  /// Takes the peaks of the last few milliseconds.
  mutating func note(_ levels: MeterLevels, at time: Double) {
    for (id, peaks) in levels.outputs where peaks.contains(where: { $0 > SoundWatch.silence }) {
      sounded[id] = time
    }
  }

  /// Whether nothing was heard from an output for a while.
  func isQuiet(_ id: PortID, at time: Double) -> Bool { sounded[id].map { time - $0 >= Self.pause } ?? true }
}
