import SessionModel
import Threads

/// Averages the passes of the threads that read and write files over the last second, and keeps the longest. It has no clock of its own.
struct DiskMeter {
  /// Sums of all passes since the start, at past looks, oldest first.
  private var looks: [(time: Double, sum: PassTimes)] = []
  private var worst = 0.0

  /// Seconds that the mean is about.
  private static let span = 1.0

  /// Notes the passes since the start of all threads.
  /// - Parameter longest: the seconds of the longest pass since the last look.
  mutating func note(_ sum: PassTimes, longest: Double, at time: Double) {
    worst = max(worst, longest)
    looks.append((time, sum))
    // One look from before the span stays, as the begin of the mean.
    while looks.count > 2, time - looks[1].time >= Self.span { looks.removeFirst() }
  }

  mutating func resetWorst() { worst = 0 }

  /// The time of a pass; the mean is 0 while the threads sleep.
  func stage(at time: Double) -> LoopFacts.Stage {
    var stage = LoopFacts.Stage()
    (stage.worst, stage.total) = (worst, looks.last?.sum.seconds ?? 0)
    if let first = looks.first, let last = looks.last, last.sum.count > first.sum.count {
      stage.mean = (last.sum.seconds - first.sum.seconds) / Double(last.sum.count - first.sum.count)
    }
    return stage
  }
}
