import ControlInterface
import SessionModel

/// Tells which outputs have been silent for a while.
struct QuietWatch {
  /// Time of the last sound of each output, in seconds since the start.
  private var sounded: [PortID: Double] = [:]

  /// Seconds without sound after which an output is quiet; longer than the pauses of a click.
  static let pause = 2.0

  /// Notes which outputs sound, from the peaks of the last few milliseconds.
  mutating func note(_ levels: MeterLevels, at time: Double) {
    for (id, peaks) in levels.outputs where peaks.contains(where: { $0 > SoundWatch.silence }) {
      sounded[id] = time
    }
  }

  /// Whether an output has been silent for `pause` seconds, or has never sounded.
  func isQuiet(_ id: PortID, at time: Double) -> Bool { sounded[id].map { time - $0 >= Self.pause } ?? true }
}
